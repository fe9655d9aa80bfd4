//! CodeRabbit's `--agent` output: one event per line. Without a final `complete` event there is no review.

use super::opinion::{Ending, Opinion, cut_short};
use super::place::{Places, line_in};
use crate::pure::review::loop1::End;
use crate::pure::review::{Finding, FindingSeverity, sanitize};
use serde::Deserialize;
use serde_json::Value;

const MESSAGE: usize = 4_000;
const FIX: usize = 1_000;
const REASON: usize = 300;

/// One event. Every field tolerates other versions.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Event {
    r#type: String,
    severity: Value,
    file_name: Value,
    codegen_instructions: Value,
    comment: Value,
    suggestions: Value,
    status: Value,
    findings: Value,
    reviewed_files: Value,
    error_type: Value,
    message: Value,
    metadata: Value,
}

/// All events.
#[derive(Default)]
struct Stream {
    findings: Vec<Finding>,
    /// Findings of severity `none`.
    without_severity: usize,
    complete: Option<Event>,
    error: Option<Event>,
    unreadable: usize,
    has_output: bool,
}

/// The review, and the files that CodeRabbit reports as read.
pub(crate) fn coderabbit(output: &[u8], end: &End, places: &Places) -> (Opinion, Option<Vec<String>>) {
    let mut stream = Stream::default();
    for line in output.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
        stream.add(line, places);
    }
    let ending = stream.ending(end);
    let read = stream.complete.as_ref().and_then(|event| read(&event.reviewed_files, places));
    (Opinion { ending, findings: stream.findings }, read)
}

impl Stream {
    fn add(&mut self, line: &[u8], places: &Places) {
        self.has_output = true;
        let Ok(event) = serde_json::from_slice::<Event>(line) else {
            // A notice between events is harmless; half an event may have been a finding.
            self.unreadable += usize::from(line.starts_with(b"{"));
            return;
        };
        match event.r#type.as_str() {
            "finding" => match severity(&text(&event.severity)) {
                Some(severity) => self.findings.push(finding(&event, severity, places)),
                None => self.without_severity += 1,
            },
            "complete" => self.complete = Some(event),
            // The first error is the cause.
            "error" => self.error = self.error.take().or(Some(event)),
            _ => {}
        }
    }

    fn ending(&self, end: &End) -> Ending {
        if let Some(error) = &self.error {
            return failed(error);
        }
        if let Some(why) = cut_short(end) {
            return Ending::not_reviewed(why);
        }
        if !self.has_output {
            return Ending::not_reviewed("printed nothing");
        }
        if self.unreadable > 0 {
            return Ending::not_reviewed(format!("printed {} events that cannot be read", self.unreadable));
        }
        let Some(complete) = &self.complete else {
            return Ending::not_reviewed("ended without saying that its review was complete");
        };
        let counted = match &complete.findings {
            Value::Array(listed) => Some(listed.len() as u64),
            other => other.as_u64(),
        };
        let printed = self.findings.len() + self.without_severity;
        match text(&complete.status).as_str() {
            "review_skipped" => return Ending::not_reviewed(skipped(complete)),
            "" | "review_completed" | "completed" | "complete" | "success" => {}
            other => return Ending::not_reviewed(format!("ended with the status `{}`", sanitize(other, 60))),
        }
        match (counted, end) {
            (Some(counted), _) if counted != printed as u64 => {
                Ending::not_reviewed(format!("says that it found {counted} issues, but printed {printed}"))
            }
            (_, End::Exited(code)) if *code != 0 && printed == 0 => {
                Ending::not_reviewed(format!("found nothing, but failed with exit status {code}"))
            }
            _ => Ending::Complete,
        }
    }
}

fn skipped(complete: &Event) -> String {
    let said = sanitize(&text(&complete.message), REASON);
    let said = if said.is_empty() { "it saw nothing to review".into() } else { said };
    format!("skipped the review: {said}")
}

/// Any error means that there is no review; its kind decides the advice.
fn failed(error: &Event) -> Ending {
    let kind = text(&error.error_type).to_ascii_lowercase();
    let message = sanitize(&text(&error.message), REASON);
    let about = format!("{kind} {}", message.to_ascii_lowercase());
    let mentions = |words: &[&str]| words.iter().any(|word| about.contains(word));
    if mentions(&["rate_limit", "rate limit", "too many requests"]) {
        let wait = error.metadata.get("waitTime").map(text).filter(|wait| !wait.is_empty());
        return Ending::RateLimited { wait: wait.map(|wait| sanitize(&wait, 60)) };
    }
    let why = if mentions(&["too many files", "too_many_files", "file_limit", "file limit"]) {
        format!("cannot review so many files at once ({message}); review in smaller parts")
    } else if mentions(&["auth", "not logged in", "login"]) {
        "is not logged in; `coderabbit auth login` does that".into()
    } else {
        let kind = if kind.is_empty() { String::new() } else { format!(" ({})", sanitize(&kind, 60)) };
        let said = if message.is_empty() { "no reason given".into() } else { message };
        format!("failed{kind}: {said}")
    };
    Ending::not_reviewed(why)
}

fn finding(event: &Event, severity: FindingSeverity, places: &Places) -> Finding {
    let named = text(&event.file_name);
    let file = places.file(&named);
    let instructions = text(&event.codegen_instructions);
    let said = if instructions.trim().is_empty() { text(&event.comment) } else { instructions };
    let mut message = sanitize(&said, MESSAGE);
    if message.is_empty() {
        message = "no description".into();
    }
    if file.is_none() && !named.is_empty() {
        message = format!("(about {}, which is not part of the change) {message}", sanitize(&named, 200));
    }
    let suggestions: Vec<String> = event.suggestions.as_array().into_iter().flatten().map(text).collect();
    let fix = sanitize(&suggestions.join("\n"), FIX);
    Finding {
        severity,
        category: "coderabbit".into(),
        line: file.as_ref().and_then(|_| line_in(&message)),
        file,
        quote: None,
        message,
        fix: Some(fix).filter(|fix| !fix.is_empty()),
    }
}

/// `None` for the severity `none`. An unknown severity of a newer version counts as major.
fn severity(word: &str) -> Option<FindingSeverity> {
    match word.to_ascii_lowercase().as_str() {
        "critical" => Some(FindingSeverity::Critical),
        "minor" | "trivial" | "info" => Some(FindingSeverity::Minor),
        "none" => None,
        _ => Some(FindingSeverity::Major),
    }
}

fn read(files: &Value, places: &Places) -> Option<Vec<String>> {
    let files = files.as_array().filter(|files| !files.is_empty())?;
    Some(files.iter().filter_map(|file| places.file(&text(file))).collect())
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: &str = r#"{"type":"review_context","currentBranch":"b"}"#;
    const DONE: &str = r#"{"type":"complete","status":"review_completed"}"#;

    fn places() -> Places {
        Places { root: "/p".into(), changed: ["src/a.ts".to_string(), "b.md".to_string()].into() }
    }

    fn opinion(lines: &[&str], end: End) -> Opinion {
        coderabbit(lines.join("\n").as_bytes(), &end, &places()).0
    }

    fn why(lines: &[&str], end: End) -> String {
        opinion(lines, end).ending.reason("coderabbit").unwrap()
    }

    fn issue(severity: &str) -> String {
        format!(
            r#"{{"type":"finding","severity":"{severity}","fileName":"src/a.ts",
            "codegenInstructions":"In @src/a.ts around lines 14 - 17, check the input","suggestions":["check(input)"]}}"#
        )
        .replace('\n', "")
    }

    #[test]
    fn a_complete_review_is_clean_or_has_findings() {
        assert_eq!(
            opinion(&[CONTEXT, r#"{"type":"heartbeat"}"#, DONE], End::Exited(0)),
            Opinion { ending: Ending::Complete, findings: vec![] }
        );
        let found = opinion(&[CONTEXT, &issue("critical"), DONE], End::Exited(1));
        assert_eq!(found.ending, Ending::Complete);
        let [finding] = found.findings.as_slice() else { panic!("one finding") };
        assert_eq!(finding.severity, FindingSeverity::Critical);
        assert_eq!((finding.file.as_deref(), finding.line), (Some("src/a.ts"), Some(14)));
        assert_eq!(finding.fix.as_deref(), Some("check(input)"));
    }

    #[test]
    fn every_severity_has_its_weight_and_none_is_no_issue() {
        let lines: Vec<String> =
            ["critical", "major", "minor", "trivial", "info", "none", "blocker"].map(issue).to_vec();
        let lines: Vec<&str> = lines.iter().map(String::as_str).chain([DONE]).collect();
        let found = opinion(&lines, End::Exited(0));
        let weights: Vec<&str> = found.findings.iter().map(|finding| finding.severity.word()).collect();
        assert_eq!(weights, ["critical", "major", "minor", "minor", "minor", "major"]);
        assert_eq!(found.ending, Ending::Complete);
    }

    #[test]
    fn a_rate_limit_is_never_a_clean_review() {
        let limit = r#"{"type":"error","errorType":"rate_limit","recoverable":true,"metadata":{"waitTime":"7 minutes"}}"#;
        for end in [End::Exited(1), End::Exited(0)] {
            assert_eq!(why(&[CONTEXT, limit], end), "rate_limit_exceeded: coderabbit asks to wait 7 minutes");
        }
        let bare = r#"{"type":"error","message":"Rate limit exceeded"}"#;
        assert!(why(&[bare, DONE], End::Exited(0)).starts_with("rate_limit_exceeded"));
    }

    #[test]
    fn every_other_ending_says_why_nothing_was_reviewed() {
        let auth = r#"{"type":"error","errorType":"authentication","message":"please sign in"}"#;
        let files = r#"{"type":"error","message":"Too many files: 400 of 150"}"#;
        let other = r#"{"type":"error","errorType":"internal","message":"boom\u001b[2J"}"#;
        let skipped = r#"{"type":"complete","status":"review_skipped","findings":0}"#;
        let miscounted = r#"{"type":"complete","status":"review_completed","findings":2}"#;
        for (lines, end, words) in [
            (&[CONTEXT, auth][..], End::Exited(1), "is not logged in"),
            (&[files], End::Exited(1), "so many files at once (Too many files: 400 of 150)"),
            (&[other], End::Exited(1), "failed (internal): boom"),
            (&[CONTEXT, skipped], End::Exited(0), "skipped the review: it saw nothing to review"),
            (&[CONTEXT, miscounted], End::Exited(0), "says that it found 2 issues, but printed 0"),
            (&[CONTEXT, r#"{"type":"complete","status":"failed"}"#], End::Exited(0), "status `failed`"),
            (&[CONTEXT], End::Exited(0), "without saying that its review was complete"),
            (&["warming up", "see you"], End::Exited(0), "without saying that its review was complete"),
            (&[r#"{"type":"finding","sever"#, DONE], End::Exited(0), "1 events that cannot be read"),
            (&[], End::Exited(0), "printed nothing"),
            (&[], End::Exited(2), "printed nothing"),
            (&[DONE], End::Exited(2), "found nothing, but failed with exit status 2"),
            (&[DONE], End::Signalled(9), "was killed by signal 9"),
            (&[CONTEXT], End::TimedOut, "printed nothing within"),
            (&[], End::NotInstalled, "is not installed"),
        ] {
            let reason = why(lines, end.clone());
            assert!(reason.contains(words), "{lines:?} {end:?}: {reason}");
            assert!(!reason.contains('\u{1b}'));
        }
    }

    #[test]
    fn notices_among_the_events_are_no_harm() {
        let found = opinion(&["A new version is available", &issue("minor"), DONE], End::Exited(0));
        assert_eq!((found.ending, found.findings.len()), (Ending::Complete, 1));
    }

    #[test]
    fn a_review_that_broke_off_keeps_what_it_found() {
        let found = opinion(&[&issue("major")], End::Signalled(9));
        assert_eq!(found.findings.len(), 1);
        assert_ne!(found.ending, Ending::Complete);
    }

    #[test]
    fn a_file_that_is_not_part_of_the_change_is_named_but_no_place() {
        let elsewhere =
            r#"{"type":"finding","severity":"major","fileName":"/etc/passwd","comment":"line 3 is odd"}"#;
        let found = opinion(&[elsewhere, DONE], End::Exited(0));
        assert_eq!((&found.findings[0].file, found.findings[0].line), (&None, None));
        assert!(found.findings[0].message.contains("/etc/passwd"));
    }

    #[test]
    fn only_the_files_that_it_says_it_has_read_are_read() {
        let done = r#"{"type":"complete","reviewedFiles":["b.md","other"]}"#;
        let (_, read) = coderabbit(done.as_bytes(), &End::Exited(0), &places());
        assert_eq!(read, Some(vec!["b.md".to_string()]));
        let (_, read) = coderabbit(DONE.as_bytes(), &End::Exited(0), &places());
        assert_eq!(read, None);
    }

    #[test]
    fn hostile_events_do_no_harm() {
        let huge = format!(r#"{{"type":"finding","severity":"major","comment":"{}"}}"#, "x".repeat(1 << 20));
        let deep = format!(r#"{{"type":"finding","suggestions":{}"#, "[".repeat(100_000));
        let found = opinion(&[&huge, &deep, r#"{"type":7}"#, "[]", "null"], End::Exited(0));
        assert!(found.findings[0].message.len() <= MESSAGE + 10);
        assert_ne!(found.ending, Ending::Complete);
    }
}
