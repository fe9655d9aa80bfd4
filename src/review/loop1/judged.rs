//! One check after judgement: its outcome, and what a person has to act on.

use crate::project::CheckKind;
use crate::review::{CheckOutcome, Finding, Severity, Verdict};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    pub outcome: CheckOutcome,
    pub findings: Vec<Finding>,
}

impl Judged {
    /// The check did not run, for a reason that is nobody's fault.
    pub fn skipped(name: &str, reason: impl Into<String>) -> Self {
        Self { outcome: not_run(name, Verdict::Skip { reason: reason.into() }), findings: Vec::new() }
    }

    /// It could not be told what to run.
    pub fn unknown(kind: CheckKind, name: &str, reason: &str) -> Self {
        let finding = Finding {
            severity: Severity::Major,
            category: kind.to_string(),
            file: None,
            line: None,
            quote: None,
            message: format!("{name}: {reason}"),
            fix: Some("mend the manifest, so that the project's checks can be found".into()),
        };
        Self { outcome: not_run(name, Verdict::Fail), findings: vec![finding] }
    }
}

fn not_run(name: &str, verdict: Verdict) -> CheckOutcome {
    CheckOutcome {
        name: name.into(),
        verdict,
        command: None,
        elapsed_ms: 0,
        output: String::new(),
        facts: BTreeMap::new(),
    }
}
