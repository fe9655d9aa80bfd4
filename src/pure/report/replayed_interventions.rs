//! The interventions in a replayed session, counted by how they reached the agent.

use super::delivered_text::{DeliveredText, DeliveryRoute};
use super::hook_answer::line;
use crate::pure::monitor::interventions::InterventionKind;
use serde::{Serialize, Serializer};

#[derive(Debug, Clone, Serialize)]
pub struct ReplayedIntervention {
    /// After which call of the session, counted from 1; for a denied one, the call itself.
    pub call: usize,
    /// `Stop` and `Prompt` where it was no call.
    pub tool: String,
    /// The part of the call that says most about it, or the agent's words; without secrets.
    pub text: String,
    #[serde(flatten)]
    pub told: DeliveredText,
}

/// The counters: the key in JSON, and the name in text.
const COUNTED: [(&str, &str); 8] = [
    ("soft_corrections", "soft corrections"),
    ("context_reinforcements", "reinforcements"),
    ("resource_throttlings", "throttlings"),
    ("checkpoint_rollbacks", "rollbacks"),
    ("emergency_stops", "stops"),
    ("denied_by_patterns", "denied by patterns"),
    ("asked_by_limits", "asked by limits"),
    ("claims_asked_for", "claims asked for"),
];

/// How often in one session, or in how many sessions; in the order of `COUNTED`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InterventionCounts([usize; 8]);

impl Serialize for InterventionCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(COUNTED.iter().map(|(key, _)| key).zip(self.0))
    }
}

impl InterventionCounts {
    pub fn of(interventions: &[ReplayedIntervention]) -> Self {
        let mut counts = Self::default();
        for ReplayedIntervention { told, .. } in interventions {
            let kind = format!("{}s", told.kind.name());
            match told.way {
                DeliveryRoute::Block => counts.count("claims_asked_for"),
                DeliveryRoute::Ask => counts.count("asked_by_limits"),
                DeliveryRoute::Context => counts.count(&kind),
                DeliveryRoute::Deny => {
                    counts.count("denied_by_patterns");
                    if told.kind == InterventionKind::EmergencyStop {
                        counts.count(&kind);
                    }
                }
            }
        }
        counts
    }

    fn count(&mut self, key: &str) {
        for ((known, _), count) in COUNTED.iter().zip(&mut self.0) {
            *count += usize::from(*known == key);
        }
    }

    fn add(&mut self, other: Self, weight: impl Fn(usize) -> usize) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += weight(count));
    }
}

/// The interventions of all sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct InterventionTotal {
    #[serde(flatten)]
    pub counts: InterventionCounts,
    /// In how many sessions it happened at all.
    pub sessions_with: InterventionCounts,
    pub sessions: usize,
}

impl InterventionTotal {
    pub fn of<'a>(sessions: impl Iterator<Item = &'a InterventionCounts>) -> Self {
        let mut total = Self::default();
        for counts in sessions {
            total.counts.add(*counts, |count| count);
            total.sessions_with.add(*counts, |count| usize::from(count > 0));
            total.sessions += 1;
        }
        total
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for (((_, name), count), sessions) in COUNTED.iter().zip(self.counts.0).zip(self.sessions_with.0) {
            let (of, share) = (self.sessions, percent(sessions, self.sessions));
            text += &format!("{name:<19}in {sessions} of {of} sessions ({share} %), {count} in all\n");
        }
        text
    }
}

/// To two decimals: half a percent must not look like one.
fn percent(count: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { (count as f64 * 10_000.0 / of as f64).round() / 100.0 }
}

impl ReplayedIntervention {
    pub fn text(&self, session: &str) -> String {
        let way = match self.told.way {
            DeliveryRoute::Context => "told",
            DeliveryRoute::Ask => "ask",
            DeliveryRoute::Deny => "deny",
            DeliveryRoute::Block => "held",
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
