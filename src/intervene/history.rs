//! The interventions of a session, bounded: what was said about what, and whether it helped.

use super::kind::Kind;
use crate::pattern::{Pattern, Severity, Sign};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct History {
    /// The newest last.
    pub delivered: Vec<Delivered>,
    /// Of the whole session, however many are still kept.
    pub count: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Delivered {
    pub id: String,
    pub kind: Kind,
    pub pattern: Pattern,
    pub sign: Sign,
    pub severity: Severity,
    pub cause: u64,
    /// Harder than the score alone asks for, since the cause persisted.
    pub escalated: bool,
    /// Ids of the calls that caused it.
    pub events: Vec<String>,
    /// Milliseconds since 1970.
    pub time: u64,
    /// Calls of the session when it was delivered.
    pub calls: u64,
    pub effect: Effect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Too early to say.
    Open,
    /// The cause did not come back.
    Helped,
    /// The cause came back after it was delivered.
    Persisted,
}
