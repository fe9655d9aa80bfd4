//! A finding of a reviewer or check, and the ID that it keeps across rounds.

use crate::pure::text::short_digest;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingSeverity {
    Critical,
    Major,
    Minor,
}

impl FindingSeverity {
    pub fn word(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Major => "major",
            Self::Minor => "minor",
        }
    }
}

/// A problem in the content under review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub severity: FindingSeverity,
    pub category: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// The line of code, verbatim; identifies the finding when line numbers change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    pub message: String,
    pub fix: Option<String>,
}

/// Made from category, file and quote, so that it stays the same in every round.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FindingId(String);

impl FindingId {
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_ascii_lowercase())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Finding {
    /// A finding without place, quote and fix.
    pub fn new(severity: FindingSeverity, category: impl Into<String>, message: impl Into<String>) -> Self {
        let (category, message) = (category.into(), message.into());
        Self { severity, category, file: None, line: None, quote: None, message, fix: None }
    }

    /// By the quoted text, because messages and line numbers change from round to round.
    pub fn id(&self) -> FindingId {
        let about = self.quote.as_deref().unwrap_or(&self.message);
        let about: Vec<&str> = about.split_whitespace().collect();
        let file = self.file.as_deref().unwrap_or_default();
        let text = format!("{}\0{file}\0{}", self.category, about.join(" "));
        FindingId(short_digest(text, 10))
    }

    pub fn place(&self) -> Option<String> {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        self.file.as_ref().map(|file| format!("{file}{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(quote: Option<&str>, message: &str) -> Finding {
        Finding {
            severity: FindingSeverity::Major,
            category: "security".into(),
            file: Some("src/a.rs".into()),
            line: Some(3),
            quote: quote.map(String::from),
            message: message.into(),
            fix: None,
        }
    }

    #[test]
    fn a_finding_is_known_by_what_it_quotes_wherever_it_stands_and_however_it_is_worded() {
        let first = finding(Some("let x = run(input);"), "input is not checked");
        let again =
            Finding { line: Some(90), ..finding(Some("    let x  = run(input);"), "unchecked input") };
        assert_eq!(first.id(), again.id());
        assert_ne!(first.id(), finding(Some("let y = run(input);"), "input is not checked").id());
        assert_ne!(first.id(), Finding { category: "quality".into(), ..first.clone() }.id());
        assert_ne!(first.id(), Finding { file: Some("src/b.rs".into()), ..first.clone() }.id());
        assert_ne!(finding(None, "one").id(), finding(None, "two").id());
    }
}
