//! The results of a loop and its checks. Only `Pass` opens the gate.

use super::finding::{Finding, FindingId};
use super::object::GitPath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The beginning of the reason where an outside review is skipped for its quota.
pub const RATE_LIMIT_EXCEEDED: &str = "rate_limit_exceeded";

/// The result of a loop or check. A check that could not run is never a pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum LoopVerdict {
    Pass,
    Fail,
    Skip { reason: String },
    Stale { changed: String },
}

impl LoopVerdict {
    pub fn passed(&self) -> bool {
        matches!(self, Self::Pass)
    }

    /// The name in state files.
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
    pub verdict: LoopVerdict,
    /// The command line; `None` for a built-in check.
    pub command: Option<String>,
    pub elapsed_ms: u64,
    /// The end of its output, without secrets.
    pub output: String,
    /// Further facts for the state file: `warnings`, `coverage`, `patterns_checked` …
    pub facts: BTreeMap<String, serde_json::Value>,
}

/// One loop as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopOutcome {
    pub verdict: LoopVerdict,
    pub elapsed_ms: u64,
    /// Checks by tier; loops without tiers use tier 1.
    pub tiers: BTreeMap<u8, Vec<CheckOutcome>>,
    pub findings: Vec<Finding>,
    /// The files that the reviewer read. `None`: every pair of the receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Vec<GitPath>>,
    /// Earlier findings that the reviewer reports as settled by a change elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled: Vec<FindingId>,
}

impl LoopOutcome {
    /// A result without checks and findings.
    pub fn ended(verdict: LoopVerdict, elapsed_ms: u64) -> Self {
        Self {
            verdict,
            elapsed_ms,
            tiers: BTreeMap::new(),
            findings: Vec::new(),
            read: None,
            settled: Vec::new(),
        }
    }

    /// Whether the loop read the file. A skipped or stale loop has read nothing.
    pub fn has_read(&self, path: &GitPath) -> bool {
        let ended = matches!(self.verdict, LoopVerdict::Pass | LoopVerdict::Fail);
        ended && self.read.as_ref().is_none_or(|read| read.contains(path))
    }
}
