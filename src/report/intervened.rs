//! The interventions in a session that is over, counted as they reached the agent.

use super::said::line;
use super::told::{Told, Way};
use crate::intervene::Kind;
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct Intervened {
    /// After which call of the session, counted from 1; for a denied one, the call itself.
    pub call: usize,
    /// `Stop` and `Prompt` where it was no call.
    pub tool: String,
    /// What says most about the call, or the agent's words; without secrets.
    pub text: String,
    #[serde(flatten)]
    pub told: Told,
}

/// How often in one session, or in how many sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct InterventionCounts {
    pub soft_corrections: usize,
    pub context_reinforcements: usize,
    pub resource_throttlings: usize,
    pub checkpoint_rollbacks: usize,
    pub emergency_stops: usize,
    /// Calls that did not run.
    pub denied_by_patterns: usize,
    /// Calls that were a person's decision since a limit was reached.
    pub asked_by_limits: usize,
    /// Turns that did not end before a claim was shown.
    pub claims_asked_for: usize,
}

impl InterventionCounts {
    pub fn of(interventions: &[Intervened]) -> Self {
        let mut counts = Self::default();
        for Intervened { told, .. } in interventions {
            match (told.way, told.kind) {
                (Way::Block, _) => counts.claims_asked_for += 1,
                (Way::Ask, _) => counts.asked_by_limits += 1,
                (Way::Deny, kind) => {
                    counts.denied_by_patterns += 1;
                    counts.emergency_stops += usize::from(kind == Kind::EmergencyStop);
                }
                (Way::Context, Kind::SoftCorrection) => counts.soft_corrections += 1,
                (Way::Context, Kind::ContextReinforcement) => counts.context_reinforcements += 1,
                (Way::Context, Kind::ResourceThrottling) => counts.resource_throttlings += 1,
                (Way::Context, Kind::CheckpointRollback) => counts.checkpoint_rollbacks += 1,
                (Way::Context, Kind::EmergencyStop) => counts.emergency_stops += 1,
            }
        }
        counts
    }

    /// One for everything that happened at all.
    fn at_all(self) -> Self {
        self.with(Self::default(), |count, _| usize::from(count > 0))
    }

    fn with(self, other: Self, join: impl Fn(usize, usize) -> usize) -> Self {
        Self {
            soft_corrections: join(self.soft_corrections, other.soft_corrections),
            context_reinforcements: join(self.context_reinforcements, other.context_reinforcements),
            resource_throttlings: join(self.resource_throttlings, other.resource_throttlings),
            checkpoint_rollbacks: join(self.checkpoint_rollbacks, other.checkpoint_rollbacks),
            emergency_stops: join(self.emergency_stops, other.emergency_stops),
            denied_by_patterns: join(self.denied_by_patterns, other.denied_by_patterns),
            asked_by_limits: join(self.asked_by_limits, other.asked_by_limits),
            claims_asked_for: join(self.claims_asked_for, other.claims_asked_for),
        }
    }

    fn named(self) -> [(&'static str, usize); 8] {
        [
            ("soft corrections", self.soft_corrections),
            ("reinforcements", self.context_reinforcements),
            ("throttlings", self.resource_throttlings),
            ("rollbacks", self.checkpoint_rollbacks),
            ("stops", self.emergency_stops),
            ("denied by patterns", self.denied_by_patterns),
            ("asked by limits", self.asked_by_limits),
            ("claims asked for", self.claims_asked_for),
        ]
    }
}

/// The interventions of all sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct InterventionTotal {
    #[serde(flatten)]
    pub counts: InterventionCounts,
    /// In how many sessions it happened at all.
    pub sessions_with: InterventionCounts,
    /// Of so many.
    pub sessions: usize,
}

impl InterventionTotal {
    pub fn of<'a>(sessions: impl Iterator<Item = &'a InterventionCounts>) -> Self {
        sessions.fold(Self::default(), |total, counts| Self {
            counts: total.counts.with(*counts, |one, other| one + other),
            sessions_with: total.sessions_with.with(counts.at_all(), |one, other| one + other),
            sessions: total.sessions + 1,
        })
    }

    pub fn text(&self) -> String {
        let lines = self.sessions_with.named().into_iter().zip(self.counts.named());
        lines
            .map(|((name, sessions), (_, count))| {
                let share = percent(sessions, self.sessions);
                format!("{name:<19}in {sessions} of {} sessions ({share} %), {count} in all\n", self.sessions)
            })
            .collect()
    }
}

/// To two decimals: half a percent must not look like one.
fn percent(count: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { (count as f64 * 10_000.0 / of as f64).round() / 100.0 }
}

impl Intervened {
    pub fn text(&self, session: &str) -> String {
        let way = match self.told.way {
            Way::Context => "told",
            Way::Ask => "ask",
            Way::Deny => "deny",
            Way::Block => "held",
        };
        format!(
            "{} #{}  {}: {}\n    {way} {}: {}\n",
            line(session, 80),
            self.call,
            line(&self.tool, 60),
            line(&self.text, 160),
            line(&self.told.name(), 100),
            line(&self.told.reason, 300)
        )
    }
}
