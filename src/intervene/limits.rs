//! What a session may use, and how that shrinks when usage spirals.

use super::reached::{Reached, Resource};
use crate::pattern::{Growth, Spent, Usage};
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
    /// What a person added to the limits for the whole session.
    #[serde(default)]
    pub added: Added,
}

/// More for the whole session than the settings say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Added {
    pub file_operations: u64,
    pub commands: u64,
    pub tokens: u64,
    pub seconds: u64,
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
            added: Added::default(),
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

    /// Half of everything: for going on after a stop.
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
    pub fn extended(mut self, reached: &Reached) -> Self {
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

    /// What usage has come up to, of these limits and of those for a whole session.
    pub fn reached(&self, usage: &Usage, policy: &Interventions) -> Vec<Reached> {
        let session = &policy.session_limits;
        let Spent { commands, file_operations, tokens, seconds, .. } = usage.prompt;
        let whole = &usage.session;
        let within = |limit: u64, added: u64| limit.saturating_add(added);
        let rows = [
            (Resource::FileOperations, false, file_operations, self.file_operations),
            (Resource::Commands, false, commands, self.commands),
            (Resource::Tokens, false, tokens, self.tokens),
            (Resource::Seconds, false, seconds, self.seconds),
            (Resource::Memory, false, usage.memory_mb, self.memory_mb),
            (
                Resource::FileOperations,
                true,
                whole.file_operations,
                within(session.max_file_operations, self.added.file_operations),
            ),
            (Resource::Commands, true, whole.commands, within(session.max_commands, self.added.commands)),
            (Resource::Tokens, true, whole.tokens, within(session.max_tokens, self.added.tokens)),
            (
                Resource::Seconds,
                true,
                whole.seconds,
                within(session.max_execution_seconds, self.added.seconds),
            ),
        ];
        rows.into_iter()
            .filter(|(_, _, used, limit)| used >= limit)
            .map(|(resource, per_session, used, limit)| Reached { resource, used, limit, per_session })
            .collect()
    }

    /// Whether so many calls in one batch are too many.
    pub fn batch_exceeded(&self, calls: u64) -> Option<Reached> {
        (calls > self.batch_size).then_some(Reached {
            resource: Resource::BatchSize,
            used: calls,
            limit: self.batch_size,
            per_session: false,
        })
    }
}

/// What remains of a limit whose resource grows so fast.
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
