//! What the next call has to obey: the little that is read before every step, and absent in nearly every session.

use super::limits::{Limits, Reached};
use crate::pattern::Refuse;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Orders {
    pub version: u64,
    pub refusals: Vec<Refusal>,
    /// The next call that uses more of it is a person's decision.
    pub reached: Vec<Reached>,
    /// Set while throttled or after a recovery with limits.
    pub limits: Option<Limits>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Empty for the main thread.
    pub agent: String,
    pub what: Refuse,
    pub cause: u64,
    /// What the agent is told.
    pub reason: String,
    /// The intervention that ordered it.
    pub intervention: String,
}

impl Orders {
    pub fn is_empty(&self) -> bool {
        self.refusals.is_empty() && self.reached.is_empty() && self.limits.is_none()
    }
}
