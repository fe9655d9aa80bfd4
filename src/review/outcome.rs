//! What a loop and its checks came to. Only `Pass` opens anything.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Loops that this version can run; the others exist only as demands.
pub const AVAILABLE: [u8; 1] = [1];

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Critical,
    Major,
    Minor,
}

/// Something a person has to act on, or at least know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub severity: Severity,
    pub category: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub message: String,
    pub fix: Option<String>,
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
}
