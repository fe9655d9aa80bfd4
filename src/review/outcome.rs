//! What a loop and its checks came to. Only `Pass` opens anything.

use super::finding::{Finding, FindingId, Severity};
use super::object::GitPath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the reason of a skipped outside review begins where the quota is used up.
pub const RATE_LIMIT_EXCEEDED: &str = "rate_limit_exceeded";

/// The four results there are. A check that could not run is never a pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    Fail,
    Skip { reason: String },
    Stale { changed: String },
}

impl Verdict {
    pub fn passed(&self) -> bool {
        matches!(self, Self::Pass)
    }

    /// The word the state files use.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Skip { .. } => "skip",
            Self::Stale { .. } => "stale",
        }
    }
}

/// One check of a loop: `lint`, `build`, `secrets` …
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckOutcome {
    pub name: String,
    pub verdict: Verdict,
    /// The command line that was run, or nothing for a check of our own.
    pub command: Option<String>,
    pub elapsed_ms: u64,
    /// The end of what it printed, bounded; never with a secret in it.
    pub output: String,
    /// Further facts for the state file: `warnings`, `coverage`, `patterns_checked` …
    pub facts: BTreeMap<String, serde_json::Value>,
}

/// One loop as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopOutcome {
    pub verdict: Verdict,
    pub elapsed_ms: u64,
    /// Checks by tier; loops without tiers use tier 1.
    pub tiers: BTreeMap<u8, Vec<CheckOutcome>>,
    pub findings: Vec<Finding>,
    /// What a reader looked at this time. `None`: every change of the receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Vec<GitPath>>,
    /// Findings of earlier rounds that a reader saw settled elsewhere than in the lines they quote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled: Vec<FindingId>,
}

impl LoopOutcome {
    /// A loop that says nothing yet but how it ended.
    pub fn ended(verdict: Verdict, elapsed_ms: u64) -> Self {
        Self {
            verdict,
            elapsed_ms,
            tiers: BTreeMap::new(),
            findings: Vec::new(),
            read: None,
            settled: Vec::new(),
        }
    }

    /// A loop that did not come to an end has read nothing, whatever it was given.
    pub fn has_read(&self, path: &GitPath) -> bool {
        let ended = matches!(self.verdict, Verdict::Pass | Verdict::Fail);
        ended && self.read.as_ref().is_none_or(|read| read.contains(path))
    }

    /// Whether a finding of at least this severity was made.
    pub fn has(&self, severity: Severity) -> bool {
        self.findings.iter().any(|finding| finding.severity <= severity)
    }
}
