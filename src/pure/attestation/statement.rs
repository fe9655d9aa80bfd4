//! The statement: what was reviewed, against which base, under which policy, with which results. No source text.

use super::policy::AttestedPolicy;
use crate::pure::policy::LoopNumber;
use crate::pure::review::{Finding, FindingSeverity, ObjectId, TreeId};
use crate::pure::secret::redact;
use crate::pure::text::cut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
/// Changes where an older version would misread the new form.
pub const PREDICATE_TYPE: &str = "urn:plimsoll:review:v1";
const COMMIT: &str = "gitCommit";
const TREE: &str = "gitTree";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    #[serde(rename = "_type")]
    kind: String,
    subject: Vec<Subject>,
    #[serde(rename = "predicateType")]
    predicate_type: String,
    pub predicate: Review,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub name: String,
    pub digest: BTreeMap<String, String>,
}

/// The predicate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// When it was attested.
    pub time: String,
    /// The version of Plimsoll.
    pub plimsoll: String,
    /// The base that the change was compared with. `None`: all content was reviewed.
    pub base: Option<AttestedBase>,
    pub policy: AttestedPolicy,
    pub gate: AttestedGate,
    pub loops: BTreeMap<LoopNumber, AttestedLoop>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttestedBase {
    pub commit: ObjectId,
}

/// Why the commit was allowed to leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum AttestedGate {
    Open,
    /// The gate was closed, and a person let the commit leave.
    Overridden {
        reason: String,
        blockers: Vec<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttestedLoop {
    /// Whether the gate was open for it, under the attested policy.
    pub passed: bool,
    /// The result in one word: pass, fail, skip, stale.
    pub verdict: String,
    pub time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<AttestedCheck>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<AttestedFinding>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttestedCheck {
    pub name: String,
    pub verdict: String,
}

/// A reviewer's finding without the code that it quotes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttestedFinding {
    pub id: String,
    pub severity: FindingSeverity,
    pub category: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub message: String,
    /// Why a person dismissed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dismissed: Option<String>,
}

/// Characters of a reviewer's message.
const MESSAGE: usize = 200;

impl AttestedFinding {
    /// Without secrets and without code: neither the quote nor what the message quotes.
    pub fn of(finding: &Finding, dismissed: Option<&str>) -> Self {
        let first = finding.message.lines().next().unwrap_or_default();
        let quote = finding.quote.as_deref().map(str::trim).filter(|quote| !quote.is_empty());
        let message = without_code(&quote.map_or(first.to_owned(), |quote| first.replace(quote, "…")));
        Self {
            id: finding.id().to_string(),
            severity: finding.severity,
            category: redact(&finding.category),
            file: finding.file.as_deref().map(redact),
            line: finding.line,
            message: cut(&redact(&message), MESSAGE),
            dismissed: dismissed.map(redact),
        }
    }
}

/// The text without the code between backquotes.
fn without_code(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    pieces.map(|(number, piece)| if number % 2 == 0 { piece } else { "`…`" }).collect()
}

impl Statement {
    pub fn new(commit: &ObjectId, tree: &TreeId, predicate: Review) -> Self {
        let subject = |name: &str, kind: &str, id: &ObjectId| Subject {
            name: name.into(),
            digest: [(kind.to_owned(), id.to_string())].into(),
        };
        Self {
            kind: STATEMENT_TYPE.into(),
            subject: vec![subject("commit", COMMIT, commit), subject("tree", TREE, &tree.0)],
            predicate_type: PREDICATE_TYPE.into(),
            predicate,
        }
    }

    pub fn parse(payload: &[u8]) -> Result<Self, String> {
        let value: serde_json::Value =
            serde_json::from_slice(payload).map_err(|error| format!("holds no statement ({error})"))?;
        let field = |name: &str| value.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
        if field("_type") != STATEMENT_TYPE || field("predicateType") != PREDICATE_TYPE {
            return Err("holds a statement of another kind".into());
        }
        serde_json::from_value(value)
            .map_err(|error| format!("holds a statement that cannot be read ({error})"))
    }

    pub fn payload(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The one commit that it is about.
    pub fn commit(&self) -> Option<ObjectId> {
        self.digest(COMMIT)
    }

    pub fn tree(&self) -> Option<TreeId> {
        self.digest(TREE).map(TreeId)
    }

    /// The only digest of this kind; two would leave open which one was meant.
    fn digest(&self, kind: &str) -> Option<ObjectId> {
        let mut found = self.subject.iter().filter_map(|subject| subject.digest.get(kind));
        let digest = found.next().and_then(|digest| ObjectId::parse(digest));
        digest.filter(|_| found.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_carries_no_code_and_no_secret() {
        let mut finding = Finding::new(
            FindingSeverity::Minor,
            "security",
            "run(input) is unsafe: `let x = secret()` and token ghp_0123456789abcdefghijklmnopqrstuvwxyzAB\nfn more() {}",
        );
        finding.quote = Some("  run(input)".into());
        finding.fix = Some("checked(input)".into());
        let text = serde_json::to_string(&AttestedFinding::of(&finding, Some("fine"))).unwrap();
        for word in ["run(input)", "let x", "ghp_0123", "fn more", "checked"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
        assert!(text.contains("is unsafe") && text.contains("fine"), "{text}");
    }

    #[test]
    fn other_statements_are_refused() {
        for payload in ["", "{}", r#"{"_type":"https://in-toto.io/Statement/v1","predicateType":"x"}"#] {
            assert!(Statement::parse(payload.as_bytes()).is_err(), "{payload}");
        }
    }
}
