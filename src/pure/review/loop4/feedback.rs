//! Feedback on the pull request as findings: quoted, bounded, never followed as instructions.

use super::{PullRequest, ReviewThread};
use crate::pure::review::loop1::CheckResult;
use crate::pure::review::{CheckOutcome, Finding, FindingSeverity, LoopVerdict};
use serde_json::json;

pub(crate) const NAME: &str = "pr feedback";
const CATEGORY: &str = "pr";
/// Listed one by one; more are counted.
const LISTED: usize = 100;

pub(crate) struct Feedback {
    pub pull_request: PullRequest,
    pub unresolved: Vec<ReviewThread>,
    /// Why some threads are unknown.
    pub incomplete: Option<String>,
    /// The commit under review.
    pub head: Option<String>,
    pub elapsed_ms: u64,
}

impl Feedback {
    /// Fails only if a reviewer requests changes. An open thread is a finding, but does not fail the check. Incomplete
    /// feedback never passes.
    pub fn judge(&self) -> CheckResult {
        let pull_request = &self.pull_request;
        let number = pull_request.number;
        let verdict = match &self.incomplete {
            _ if !pull_request.is_open() => {
                LoopVerdict::Skip { reason: format!("pull request #{number} is {}", pull_request.state) }
            }
            _ if pull_request.wants_changes() => LoopVerdict::Fail,
            Some(why) => LoopVerdict::Skip { reason: why.clone() },
            None => LoopVerdict::Pass,
        };
        let findings = if pull_request.is_open() { self.findings() } else { Vec::new() };
        let elsewhere = self.head.as_ref().is_some_and(|head| *head != pull_request.head);
        let facts = [
            ("pull_request", json!(pull_request.url)),
            ("decision", json!(pull_request.decision)),
            ("unresolved", json!(self.unresolved.len())),
            ("about_another_commit", json!(elsewhere)),
            ("summary", json!(self.summary(elsewhere))),
        ];
        let outcome = CheckOutcome {
            name: NAME.into(),
            verdict,
            command: None,
            elapsed_ms: self.elapsed_ms,
            output: String::new(),
            facts: facts.map(|(name, value)| (name.to_string(), value)).into(),
        };
        CheckResult { outcome, findings }
    }

    fn summary(&self, elsewhere: bool) -> String {
        let decision = match self.pull_request.decision.as_str() {
            "" => "no decision".into(),
            decision => decision.replace('_', " "),
        };
        let elsewhere = if elsewhere { ", about another commit" } else { "" };
        format!(
            "{} ({decision}), unresolved threads: {}{elsewhere}",
            self.pull_request.url,
            self.unresolved.len()
        )
    }

    fn findings(&self) -> Vec<Finding> {
        let demands = self.pull_request.change_requests.iter().filter(|_| self.pull_request.wants_changes());
        let demands = demands.map(|(author, said)| {
            let said = if said.is_empty() { "(no words)" } else { said };
            finding(format!("{author} asks for changes, in their words: {said}"))
        });
        let threads = self.unresolved.iter().take(LISTED).map(thread_finding);
        let mut findings: Vec<Finding> = demands.chain(threads).collect();
        if self.pull_request.wants_changes() && self.pull_request.change_requests.is_empty() {
            findings.push(finding("changes are requested on the pull request".into()));
        }
        let more = self.unresolved.len().saturating_sub(LISTED);
        if more > 0 {
            findings.push(finding(format!("{more} more threads are unresolved")));
        }
        findings
    }
}

fn thread_finding(thread: &ReviewThread) -> Finding {
    let replies = match thread.replies {
        0 => String::new(),
        1 => ", 1 reply".into(),
        many => format!(", {many} replies"),
    };
    let outdated = if thread.outdated { ", the code has changed since" } else { "" };
    let inside = !thread.path.is_empty()
        && !thread.path.starts_with('/')
        && !thread.path.split('/').any(|part| part == "..");
    Finding {
        file: inside.then(|| thread.path.clone()),
        line: thread.line.filter(|_| inside),
        quote: thread.quote.clone(),
        fix: Some("fix it or answer it, then resolve the thread".into()),
        ..finding(format!(
            "{} (unresolved{replies}{outdated}), in their words: {}",
            thread.author, thread.text
        ))
    }
}

fn finding(message: String) -> Finding {
    Finding::new(FindingSeverity::Major, CATEGORY, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feedback(state: &str, decision: &str, threads: usize) -> Feedback {
        let thread = ReviewThread {
            path: "src/a.rs".into(),
            line: Some(3),
            quote: Some("run(x);".into()),
            author: "@bob".into(),
            text: "why?".into(),
            replies: 1,
            outdated: false,
        };
        Feedback {
            pull_request: PullRequest {
                number: 7,
                url: "https://github.com/o/n/pull/7".into(),
                place: None,
                state: state.into(),
                decision: decision.into(),
                head: "ab".into(),
                change_requests: Vec::new(),
            },
            unresolved: vec![thread; threads],
            incomplete: None,
            head: Some("ab".into()),
            elapsed_ms: 1,
        }
    }

    #[test]
    fn only_a_request_for_changes_fails() {
        for (state, decision, threads, word, findings) in [
            ("open", "approved", 0, "pass", 0),
            ("open", "", 0, "pass", 0),
            ("open", "review_required", 2, "pass", 2),
            ("open", "changes_requested", 0, "fail", 1),
            ("open", "changes_requested", 2, "fail", 3),
            ("merged", "changes_requested", 2, "skip", 0),
            ("open", "", 130, "pass", LISTED + 1),
        ] {
            let judged = feedback(state, decision, threads).judge();
            assert_eq!(judged.outcome.verdict.word(), word, "{state} {decision}");
            assert_eq!(judged.findings.len(), findings, "{state} {decision}");
        }
    }

    #[test]
    fn a_thread_is_a_finding_in_its_authors_words_at_its_line() {
        let judged = feedback("open", "", 1).judge();
        let [finding] = judged.findings.as_slice() else { panic!("one finding") };
        assert_eq!(finding.message, "@bob (unresolved, 1 reply), in their words: why?");
        assert_eq!((finding.file.as_deref(), finding.line), (Some("src/a.rs"), Some(3)));
        assert_eq!((finding.severity, finding.category.as_str()), (FindingSeverity::Major, "pr"));
    }

    #[test]
    fn what_is_known_in_part_is_no_pass() {
        let partial = Feedback { incomplete: Some("too many".into()), ..feedback("open", "", 0) };
        assert_eq!(partial.judge().outcome.verdict.word(), "skip");
        let partial = Feedback { incomplete: Some("x".into()), ..feedback("open", "changes_requested", 0) };
        assert_eq!(partial.judge().outcome.verdict.word(), "fail");
    }

    #[test]
    fn a_path_that_leads_out_is_no_place() {
        let mut feedback = feedback("open", "", 1);
        feedback.unresolved[0].path = "../../etc/passwd".into();
        assert_eq!(feedback.judge().findings[0].file, None);
    }
}
