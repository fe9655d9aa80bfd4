//! The outcome of one check, with its findings.

use crate::pure::project::CheckKind;
use crate::pure::review::{CheckOutcome, Finding, FindingSeverity, LoopVerdict};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CheckResult {
    pub outcome: CheckOutcome,
    pub findings: Vec<Finding>,
}

impl CheckResult {
    /// A check that did not run.
    pub fn skipped(name: &str, reason: impl Into<String>) -> Self {
        Self { outcome: not_run(name, LoopVerdict::Skip { reason: reason.into() }), findings: Vec::new() }
    }

    /// A cached result for the same content.
    pub fn reused(mut self, at: &str, age: Duration) -> Self {
        self.outcome.elapsed_ms = 0;
        self.outcome.facts.insert("cached_at".into(), json!(at));
        self.outcome.facts.insert("cached".into(), json!(ago(age)));
        self
    }

    /// The age of a cached result.
    pub fn cached(&self) -> Option<&str> {
        self.outcome.facts.get("cached")?.as_str()
    }

    /// A check whose command could not be determined.
    pub fn unknown(kind: CheckKind, name: &str, reason: &str) -> Self {
        let finding = Finding {
            fix: Some("fix the manifest, so that Plimsoll finds the project's checks".into()),
            ..Finding::new(FindingSeverity::Major, kind.to_string(), format!("{name}: {reason}"))
        };
        Self { outcome: not_run(name, LoopVerdict::Fail), findings: vec![finding] }
    }
}

fn ago(age: Duration) -> String {
    match age.as_secs() {
        seconds @ 0..60 => format!("{seconds} s ago"),
        seconds @ 60..3_600 => format!("{} m ago", seconds / 60),
        seconds @ 3_600..172_800 => format!("{} h ago", seconds / 3_600),
        seconds => format!("{} d ago", seconds / 86_400),
    }
}

fn not_run(name: &str, verdict: LoopVerdict) -> CheckOutcome {
    CheckOutcome {
        name: name.into(),
        verdict,
        command: None,
        elapsed_ms: 0,
        output: String::new(),
        facts: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reused_result_says_since_when_it_is_known() {
        for (seconds, words) in
            [(0, "0 s ago"), (59, "59 s ago"), (180, "3 m ago"), (7_300, "2 h ago"), (200_000, "2 d ago")]
        {
            let judged = CheckResult::skipped("lint", "x")
                .reused("2026-01-28T10:30:00Z", Duration::from_secs(seconds));
            assert_eq!(judged.cached(), Some(words));
            assert_eq!(judged.outcome.facts["cached_at"], "2026-01-28T10:30:00Z");
        }
        assert_eq!(CheckResult::skipped("lint", "x").cached(), None);
    }
}
