//! Parses the parser agent's last message into the result of the review and problems.

use super::review::{TaskIssue, TaskVerdict};
use crate::pure::review::loop2::object;
use crate::pure::review::{FindingSeverity, sanitize};
use crate::pure::text::counted;
use serde_json::{Map, Value};

const ISSUES: usize = 200;
const TEXT: usize = 2_000;

/// The parsed answer. It counts only without problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskAnswer {
    pub result: TaskVerdict,
    pub issues: Vec<TaskIssue>,
    pub summary: String,
    pub blocking: bool,
    pub problems: Vec<String>,
}

/// The file that an issue names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Citation {
    Missing,
    /// The number of its lines.
    Lines(usize),
    /// The file exists, but may not be read.
    Unseen,
}

impl Citation {
    /// The problem with this place.
    pub fn problem(self, issue: &TaskIssue) -> Option<String> {
        let file = issue.file.as_deref().unwrap_or_default();
        match (self, issue.line) {
            (Self::Missing, _) => Some(format!(
                "there is no file `{file}` in this content; give the path as it is, or null if the review names none"
            )),
            (Self::Lines(lines), Some(line)) if usize::try_from(line).is_ok_and(|line| line > lines) => {
                let lines = counted(lines, "line");
                Some(format!("`{file}` has {lines} and no line {line}; give the right one or null"))
            }
            (Self::Lines(_) | Self::Unseen, _) => None,
        }
    }
}

/// A missing field is a problem, never an approval.
pub(crate) fn read(message: &str, nonce: &str) -> TaskAnswer {
    let mut read = TaskAnswer {
        result: TaskVerdict::NeedsRevision,
        issues: Vec::new(),
        summary: String::new(),
        blocking: false,
        problems: Vec::new(),
    };
    let Some(answer) = object(message) else {
        read.problems.push(
            "there is no complete JSON object with a `nonce` in it; answer with that object and nothing else"
                .into(),
        );
        return read;
    };
    if answer.get("nonce").and_then(Value::as_str) != Some(nonce) {
        read.problems.push(format!("`nonce` has to be \"{nonce}\""));
    }
    match verdict(&answer) {
        Some(result) => read.result = result,
        None => read.problems.push("`result` has to be APPROVED, NEEDS_REVISION or REJECTED".into()),
    }
    match answer.get("blocking").and_then(Value::as_bool) {
        Some(blocking) => read.blocking = blocking,
        None => read.problems.push("`blocking` has to be true or false".into()),
    }
    match answer.get("summary").and_then(Value::as_str).map(|text| sanitize(text, TEXT)) {
        Some(summary) if !summary.is_empty() => read.summary = summary,
        _ => read.problems.push("`summary` has to be one or two sentences".into()),
    }
    issues(&answer, &mut read);
    if read.result == TaskVerdict::NeedsRevision && read.issues.is_empty() && read.problems.is_empty() {
        read.problems.push("NEEDS_REVISION without an issue: list in `issues` what to fix".into());
    }
    read
}

fn verdict(answer: &Map<String, Value>) -> Option<TaskVerdict> {
    match answer.get("result")?.as_str()?.trim() {
        "APPROVED" => Some(TaskVerdict::Approved),
        "NEEDS_REVISION" => Some(TaskVerdict::NeedsRevision),
        "REJECTED" => Some(TaskVerdict::Rejected),
        _ => None,
    }
}

fn issues(answer: &Map<String, Value>, read: &mut TaskAnswer) {
    let Some(list) = answer.get("issues").and_then(Value::as_array) else {
        return read.problems.push("`issues` has to be a list; an empty one if there is none".into());
    };
    if list.len() > ISSUES {
        return read.problems.push(format!("more than {ISSUES} issues; keep the worst"));
    }
    for (number, entry) in list.iter().enumerate() {
        match issue(entry) {
            Ok(issue) => read.issues.push(issue),
            Err(problem) => read.problems.push(format!("issues[{number}]: {problem}")),
        }
    }
}

fn issue(entry: &Value) -> Result<TaskIssue, String> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    let severity = match text("severity") {
        "critical" => FindingSeverity::Critical,
        "major" => FindingSeverity::Major,
        "minor" => FindingSeverity::Minor,
        _ => return Err("`severity` has to be critical, major or minor".into()),
    };
    let message = sanitize(text("message"), TEXT);
    if message.is_empty() {
        return Err("it needs a `message`".into());
    }
    let file = match entry.get("file") {
        None | Some(Value::Null) => None,
        Some(Value::String(file)) => {
            let file = file.trim();
            Some(sanitize(file.strip_prefix("./").unwrap_or(file), TEXT)).filter(|file| !file.is_empty())
        }
        Some(_) => return Err("`file` has to be a path or null".into()),
    };
    let line = match entry.get("line") {
        None | Some(Value::Null) => None,
        Some(line) => match line.as_u64().and_then(|line| u32::try_from(line).ok()) {
            Some(line) => Some(line).filter(|line| *line > 0),
            None => return Err("`line` has to be a number or null".into()),
        },
    };
    Ok(TaskIssue { severity, message, line: line.filter(|_| file.is_some()), file })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn good() -> Value {
        json!({"nonce": "n1", "result": "NEEDS_REVISION", "summary": "Close.", "blocking": false,
            "issues": [{"severity": "major", "message": "no test", "file": "./a.rs", "line": 3}]})
    }

    #[test]
    fn a_whole_answer_is_read_alone_and_among_words() {
        for message in [good().to_string(), format!("Here:\n```json\n{:#}\n```", good())] {
            let read = read(&message, "n1");
            assert_eq!(read.problems, [""; 0]);
            assert_eq!(
                (read.result, read.blocking, read.summary.as_str()),
                (TaskVerdict::NeedsRevision, false, "Close.")
            );
            assert_eq!(read.issues[0].text(), "major a.rs:3: no test");
        }
    }

    #[test]
    fn whatever_is_missing_or_wrong_is_a_problem_and_never_an_approval() {
        for (field, value, word) in [
            ("nonce", json!("n2"), "`nonce`"),
            ("result", json!("approved"), "`result`"),
            ("result", json!("LGTM"), "`result`"),
            ("result", Value::Null, "`result`"),
            ("blocking", json!("false"), "`blocking`"),
            ("summary", json!(""), "`summary`"),
            ("issues", json!({}), "`issues`"),
            ("issues", json!([]), "NEEDS_REVISION without"),
            ("issues", json!(["no test"]), "issues[0]: `severity`"),
            ("issues", json!([{"severity": "major"}]), "issues[0]: it needs"),
            ("issues", json!([{"severity": "major", "message": "m", "file": 3}]), "`file`"),
            ("issues", json!([{"severity": "major", "message": "m", "line": "x"}]), "`line`"),
            ("issues", json!(vec![good()["issues"][0].clone(); 201]), "more than 200"),
        ] {
            let mut answer = good();
            answer[field] = value;
            let read = read(&answer.to_string(), "n1");
            assert!(
                read.problems.iter().any(|problem| problem.contains(word)),
                "{field}: {:?}",
                read.problems
            );
        }
        for message in ["", "All is well, APPROVED", "{}", "null", &"{".repeat(50_000)] {
            let read = read(message, "n1");
            assert!(!read.problems.is_empty());
            assert_eq!(read.result, TaskVerdict::NeedsRevision);
        }
    }

    #[test]
    fn a_place_that_is_not_there_cannot_be_cited() {
        let issue = |line| TaskIssue {
            severity: FindingSeverity::Major,
            message: "m".into(),
            file: Some("a".into()),
            line,
        };
        assert!(Citation::Missing.problem(&issue(None)).unwrap().contains("no file `a`"));
        assert!(Citation::Lines(3).problem(&issue(Some(4))).unwrap().contains("no line 4"));
        assert_eq!(Citation::Lines(3).problem(&issue(Some(3))), None);
        assert_eq!(Citation::Unseen.problem(&issue(Some(9))), None);
    }
}
