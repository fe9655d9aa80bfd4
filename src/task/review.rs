//! A review of a task: what was found, and what that comes to.

use super::status::Status;
use crate::review::{Severity, TreeId};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    Approved,
    NeedsRevision,
    Rejected,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Self::Approved => "APPROVED",
            Self::NeedsRevision => "NEEDS_REVISION",
            Self::Rejected => "REJECTED",
        }
    }

    /// What the reviewer said, or more if its own issues say more. Never less.
    pub fn recomputed(self, issues: &[Issue], blocking: bool) -> Self {
        let grave = issues.iter().any(|issue| issue.severity <= Severity::Major);
        if grave || blocking { self.max(Self::NeedsRevision) } else { self }
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    pub severity: Severity,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Issue {
    /// `major src/a.rs:3: what is wrong`.
    pub fn text(&self) -> String {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = self.file.as_ref().map(|file| format!(" {file}{line}")).unwrap_or_default();
        format!("{}{place}: {}", self.severity.word(), self.message)
    }
}

/// Why a review says nothing about the content, whatever it said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shortfall {
    /// It could not be read.
    Malformed(String),
    /// The content is another one by now: these files.
    Changed(String),
}

/// A review that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// What the review is known by.
    pub review: String,
    pub attempt: u32,
    pub result: Verdict,
    pub issues: Vec<Issue>,
    pub summary: String,
    pub blocking: bool,
    /// The slash command that asked for it.
    pub command: String,
    /// Empty: the agent's own.
    #[serde(default)]
    pub model: String,
    pub tree: TreeId,
    /// The name of the file with what the reviewer said, word for word but for secrets.
    #[serde(default)]
    pub raw: Option<String>,
    #[serde(default)]
    pub shortfall: Option<Shortfall>,
    /// Where it left the task.
    pub then: Status,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_never_laxer_than_its_issues_or_than_what_was_said() {
        let issue = |severity| Issue { severity, message: "m".into(), file: None, line: None };
        let (minor, major) = ([issue(Severity::Minor)], [issue(Severity::Minor), issue(Severity::Major)]);
        use Verdict::*;
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
