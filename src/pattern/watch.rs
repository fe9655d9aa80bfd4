//! What is kept of a session to see patterns: bounded, so that a step costs the same however long the session is.

use super::issue::Issue;
use super::observed::Observed;
use super::usage::{Plan, Recent, Usage};
use crate::policy::Patterns;
use serde::{Deserialize, Serialize};

/// What the session is measured by.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    pub patterns: &'a Patterns,
    pub contract: Contract<'a>,
    /// `interventions.resource_throttling.metrics_window_seconds`.
    pub window_seconds: u64,
    /// The project's root, so that paths are told as people write them.
    pub project: &'a str,
}

/// The declared scope; empty where nobody declared one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Contract<'a> {
    pub expected: &'a [String],
    pub forbidden: &'a [String],
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Watch {
    /// What the person asked for last, bounded.
    pub goal: String,
}

impl Watch {
    /// A person's message: streaks start anew.
    pub fn prompted(&mut self, prompt: &str, _time: u64) {
        prompt.clone_into(&mut self.goal);
    }

    /// Takes one step in, and says what it shows.
    pub fn observe(&mut self, _step: &Observed<'_>, _rules: &Rules<'_>) -> Vec<Issue> {
        Vec::new()
    }

    /// A parallel batch is over: its calls count once.
    pub fn batch_ended(&mut self, _agent: &str) {}

    pub fn usage(&self, _now: u64) -> Usage {
        Usage::default()
    }

    /// The last fifty steps, the oldest first.
    pub fn recent(&self) -> Vec<Recent> {
        Vec::new()
    }

    pub fn plan(&self) -> Plan {
        Plan::default()
    }

    /// Whether this call is one of those that are to be refused.
    pub fn is_meant(_refuse: super::Refuse, _tool: &str, _input: &str, _nature: crate::step::Nature) -> bool {
        false
    }

    /// The agent wants to end its turn with these words.
    pub fn ended(&mut self, _last_message: &str, _time: u64, _rules: &Rules<'_>) -> Vec<Issue> {
        Vec::new()
    }
}
