//! The review of a task: verdict and issues.

use super::status::TaskStatus;
use crate::pure::review::{FindingSeverity, TreeId};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TaskVerdict {
    Approved,
    NeedsRevision,
    Rejected,
}

impl TaskVerdict {
    pub fn word(self) -> &'static str {
        match self {
            Self::Approved => "APPROVED",
            Self::NeedsRevision => "NEEDS_REVISION",
            Self::Rejected => "REJECTED",
        }
    }

    /// The reviewer's verdict, made stricter if its issues demand it.
    pub fn recomputed(self, issues: &[TaskIssue], blocking: bool) -> Self {
        let grave = issues.iter().any(|issue| issue.severity <= FindingSeverity::Major);
        if grave || blocking { self.max(Self::NeedsRevision) } else { self }
    }
}

/// One issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskIssue {
    pub severity: FindingSeverity,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl TaskIssue {
    /// `major src/a.rs:3: what is wrong`.
    pub fn text(&self) -> String {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = self.file.as_ref().map(|file| format!(" {file}{line}")).unwrap_or_default();
        format!("{}{place}: {}", self.severity.word(), self.message)
    }
}

/// Why a review does not count for the content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shortfall {
    /// The answer could not be parsed.
    Malformed(String),
    /// These files changed during the review.
    Changed(String),
}

/// A finished review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedReview {
    /// The ID of the review.
    pub review: String,
    pub attempt: u32,
    pub result: TaskVerdict,
    pub issues: Vec<TaskIssue>,
    pub summary: String,
    pub blocking: bool,
    /// The slash command that asked for it.
    pub command: String,
    /// Empty: the agent's own.
    #[serde(default)]
    pub model: String,
    pub tree: TreeId,
    /// The file with the reviewer's answer, verbatim except for secrets.
    #[serde(default)]
    pub raw: Option<String>,
    #[serde(default)]
    pub shortfall: Option<Shortfall>,
    /// The status of the task after the review.
    pub then: TaskStatus,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_never_laxer_than_its_issues_or_than_what_was_said() {
        let issue = |severity| TaskIssue { severity, message: "m".into(), file: None, line: None };
        let (minor, major) =
            ([issue(FindingSeverity::Minor)], [issue(FindingSeverity::Minor), issue(FindingSeverity::Major)]);
        use TaskVerdict::*;
        for (said, issues, blocking, comes_to) in [
            (Approved, &[][..], false, Approved),
            (Approved, &minor, false, Approved),
            (Approved, &major, false, NeedsRevision),
            (Approved, &[], true, NeedsRevision),
            (NeedsRevision, &minor, false, NeedsRevision),
            (Rejected, &[], false, Rejected),
            (Rejected, &major, true, Rejected),
        ] {
            assert_eq!(said.recomputed(issues, blocking), comes_to, "{said:?} {issues:?} {blocking}");
        }
    }
}
