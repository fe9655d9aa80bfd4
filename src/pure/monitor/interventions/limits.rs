//! The limits of a session, and how they shrink when usage spirals.

use super::reached_limit::{ReachedLimit, Resource};
use crate::pure::monitor::patterns::{Growth, Usage};
use crate::pure::policy::{Interventions, ReductionFactors};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionLimits {
    /// For one prompt.
    pub file_operations: u64,
    pub commands: u64,
    pub tokens: u64,
    pub seconds: u64,
    /// Calls in one parallel batch.
    pub batch_size: u64,
    pub memory_mb: u64,
    /// Extensions that a person gave for the whole session.
    #[serde(default)]
    pub added: AddedLimits,
}

/// More for the whole session than the settings say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AddedLimits {
    pub file_operations: u64,
    pub commands: u64,
    pub tokens: u64,
    pub seconds: u64,
}

impl SessionLimits {
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
            added: AddedLimits::default(),
        }
    }

    /// Reduced by how fast each resource grows; the batch is halved. Commands follow what grows fastest.
    #[must_use]
    pub fn throttled(self, growth: &Growth, factors: &ReductionFactors) -> Self {
        let fastest = [growth.file_operations, growth.memory, growth.tokens, growth.time]
            .into_iter()
            .fold(1.0, f64::max);
        let reduced = |limit: u64, growth: f64| scaled(limit, factor(growth, factors));
        Self {
            file_operations: reduced(self.file_operations, growth.file_operations),
            commands: reduced(self.commands, fastest),
            tokens: reduced(self.tokens, growth.tokens),
            seconds: reduced(self.seconds, growth.time),
            batch_size: (self.batch_size / 2).max(1),
            memory_mb: reduced(self.memory_mb, growth.memory),
            added: self.added,
        }
    }

    /// Half of everything: for work that resumes after a stop.
    #[must_use]
    pub fn strict(self) -> Self {
        let half = |limit: u64| (limit / 2).max(1);
        Self {
            file_operations: half(self.file_operations),
            commands: half(self.commands),
            tokens: half(self.tokens),
            seconds: half(self.seconds),
            batch_size: half(self.batch_size),
            memory_mb: half(self.memory_mb),
            added: self.added,
        }
    }

    /// A person's yes: a quarter more than what is used or was allowed.
    #[must_use]
    pub fn extended(mut self, reached: &ReachedLimit) -> Self {
        let wider = reached.extended();
        let limit = match (reached.resource, reached.per_session) {
            (Resource::FileOperations, false) => &mut self.file_operations,
            (Resource::Commands, false) => &mut self.commands,
            (Resource::Tokens, false) => &mut self.tokens,
            (Resource::Seconds, false) => &mut self.seconds,
            (Resource::Memory, _) => &mut self.memory_mb,
            (Resource::BatchSize, _) => &mut self.batch_size,
            (Resource::FileOperations, true) => &mut self.added.file_operations,
            (Resource::Commands, true) => &mut self.added.commands,
            (Resource::Tokens, true) => &mut self.added.tokens,
            (Resource::Seconds, true) => &mut self.added.seconds,
        };
        let is_addition =
            reached.per_session && !matches!(reached.resource, Resource::Memory | Resource::BatchSize);
        *limit = if is_addition {
            limit.saturating_add(wider.saturating_sub(reached.limit))
        } else {
            wider.max(*limit)
        };
        self
    }

    /// The reached limits, of these and of those for the whole session.
    pub fn reached(&self, usage: &Usage, policy: &Interventions) -> Vec<ReachedLimit> {
        use Resource::{Commands, FileOperations, Memory, Seconds, Tokens};
        let (now, whole, added) = (&usage.prompt, &usage.session, &self.added);
        let session = &policy.session_limits;
        let sum = u64::saturating_add;
        let rows = [
            (FileOperations, false, now.file_operations, self.file_operations),
            (Commands, false, now.commands, self.commands),
            (Tokens, false, now.tokens, self.tokens),
            (Seconds, false, now.seconds, self.seconds),
            (Memory, false, usage.memory_mb, self.memory_mb),
            (
                FileOperations,
                true,
                whole.file_operations,
                sum(session.max_file_operations, added.file_operations),
            ),
            (Commands, true, whole.commands, sum(session.max_commands, added.commands)),
            (Tokens, true, whole.tokens, sum(session.max_tokens, added.tokens)),
            (Seconds, true, whole.seconds, sum(session.max_execution_seconds, added.seconds)),
        ];
        rows.into_iter()
            .filter(|(_, _, used, limit)| used >= limit)
            .map(|(resource, per_session, used, limit)| ReachedLimit { resource, used, limit, per_session })
            .collect()
    }

    /// Whether a batch of this size exceeds the limit.
    pub fn batch_exceeded(&self, calls: u64) -> Option<ReachedLimit> {
        (calls > self.batch_size).then_some(ReachedLimit {
            resource: Resource::BatchSize,
            used: calls,
            limit: self.batch_size,
            per_session: false,
        })
    }
}

/// The share that remains of a limit whose resource grows so fast.
fn factor(growth: f64, factors: &ReductionFactors) -> f64 {
    match growth {
        fast if fast > 2.0 => factors.severe,
        fast if fast > 1.5 => factors.aggressive,
        fast if fast > 1.2 => factors.moderate,
        _ => 1.0,
    }
}

fn scaled(limit: u64, factor: f64) -> u64 {
    if factor >= 1.0 { limit } else { ((limit as f64 * factor.max(0.0)).round() as u64).max(1) }
}

#[cfg(test)]
mod tests;
