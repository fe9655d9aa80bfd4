//! One check after judgement: its outcome, and what a person has to act on.

use crate::project::CheckKind;
use crate::review::{CheckOutcome, Finding, Severity, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    pub outcome: CheckOutcome,
    pub findings: Vec<Finding>,
}

impl Judged {
    /// The check did not run, for a reason that is nobody's fault.
    pub fn skipped(name: &str, reason: impl Into<String>) -> Self {
        Self { outcome: not_run(name, Verdict::Skip { reason: reason.into() }), findings: Vec::new() }
    }

    /// The same result as before, for the same content; nothing ran.
    pub fn reused(mut self, at: &str, age: Duration) -> Self {
        self.outcome.elapsed_ms = 0;
        self.outcome.facts.insert("cached_at".into(), json!(at));
        self.outcome.facts.insert("cached".into(), json!(ago(age)));
        self
    }

    /// How long ago the check really ran, if that was in another review.
    pub fn cached(&self) -> Option<&str> {
        self.outcome.facts.get("cached")?.as_str()
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

fn ago(age: Duration) -> String {
    match age.as_secs() {
        seconds @ 0..60 => format!("{seconds} s ago"),
        seconds @ 60..3_600 => format!("{} m ago", seconds / 60),
        seconds @ 3_600..172_800 => format!("{} h ago", seconds / 3_600),
        seconds => format!("{} d ago", seconds / 86_400),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reused_result_says_since_when_it_is_known() {
        for (seconds, words) in
            [(0, "0 s ago"), (59, "59 s ago"), (180, "3 m ago"), (7_300, "2 h ago"), (200_000, "2 d ago")]
        {
            let judged =
                Judged::skipped("lint", "x").reused("2026-01-28T10:30:00Z", Duration::from_secs(seconds));
            assert_eq!(judged.cached(), Some(words));
            assert_eq!(judged.outcome.facts["cached_at"], "2026-01-28T10:30:00Z");
        }
        assert_eq!(Judged::skipped("lint", "x").cached(), None);
    }
}
