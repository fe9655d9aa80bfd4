//! Usage and the last calls of a session, for limits, messages and incidents.

use crate::pure::secret::Redacted;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Since the last prompt.
    pub prompt: Spent,
    pub session: Spent,
    /// Now.
    pub memory_mb: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Spent {
    pub calls: u64,
    pub commands: u64,
    pub file_operations: u64,
    pub failures: u64,
    pub tokens: u64,
    pub seconds: u64,
}

/// A tool call as an incident shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecentCall {
    pub id: String,
    /// Milliseconds since 1970.
    pub time: u64,
    /// Empty for the main thread.
    pub agent: String,
    pub tool: Redacted,
    /// Command, path or the start of the input; bounded, not yet free of secrets.
    pub what: Redacted,
    pub outcome: RecentResult,
    /// The first line of the error; bounded.
    pub error: Option<Redacted>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RecentResult {
    Succeeded,
    Failed,
    Interrupted,
    Refused,
}

/// The plan as the agent itself keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentPlan {
    pub done: Vec<String>,
    pub open: Vec<String>,
}
