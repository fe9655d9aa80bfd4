//! The steps of one agent that are kept, and what the rules remember beside them.

use super::role::Role;
use super::usage::Came;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Enough for a cycle of six calls, six times.
pub(super) const KEPT_STEPS: usize = 48;

/// One step, by marks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) id: String,
    pub(super) time: u64,
    pub(super) call: u32,
    pub(super) target: u32,
    /// The result or the error, without what changes from run to run.
    pub(super) result: u32,
    /// What kind of error it was; 0 for none.
    pub(super) error: u32,
    /// What it looked for and did not find.
    pub(super) phantom: Phantom,
    pub(super) role: Role,
    pub(super) ended: Fate,
    pub(super) batch: u32,
    /// Changes of the session before it and after it.
    pub(super) before: u32,
    pub(super) after: u32,
}

/// How a step counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Fate {
    Well,
    Badly,
    /// A failure that says nothing: a search without a match, a call that was cancelled with its siblings.
    Excused,
    Interrupted,
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Phantom {
    None,
    Path(u32),
    Command(u32),
}

impl Fate {
    pub(super) fn came(self) -> Came {
        match self {
            Self::Well => Came::Well,
            Self::Badly | Self::Excused => Came::Badly,
            Self::Interrupted => Came::Interrupted,
            Self::Refused => Came::Refused,
        }
    }
}

/// One agent of the session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Thread {
    /// Empty for the main thread.
    pub(super) agent: String,
    /// Since the last prompt, the oldest first.
    pub(super) steps: VecDeque<Step>,
    pub(super) batch: u32,
    /// Steps of the batch that is under way.
    pub(super) in_batch: u32,
    /// Since the last prompt.
    pub(super) calls: u32,
    pub(super) polls: Vec<super::polls::Poll>,
    pub(super) edits: VecDeque<super::flip_flop::Made>,
    pub(super) reviews: super::ratchet::Rounds,
    /// Calls since one served the goal.
    pub(super) astray: u32,
}

impl Thread {
    pub(super) fn new(agent: &str) -> Self {
        Self { agent: agent.to_owned(), ..Self::default() }
    }

    /// A person spoke: nothing of before counts as a streak.
    pub(super) fn begin_anew(&mut self) {
        let (agent, batch) = (std::mem::take(&mut self.agent), self.batch + 1);
        *self = Self { agent, batch, ..Self::default() };
    }

    pub(super) fn push(&mut self, step: Step) {
        if self.steps.len() >= KEPT_STEPS {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
    }
}

/// Steps that show something, gathered from the newest to the oldest.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    pub(super) count: u32,
    pub(super) began: u64,
    ids: Vec<String>,
    batch: Option<u32>,
}

/// The most that an issue names.
const MOST_IDS: usize = 16;

impl Evidence {
    pub(super) fn counted(count: u32, began: u64) -> Self {
        Self { count, began, ..Self::default() }
    }

    /// Takes a step in; a batch counts once.
    pub(super) fn add(&mut self, step: &Step) {
        if self.batch != Some(step.batch) {
            self.count += 1;
        }
        self.batch = Some(step.batch);
        self.began = step.time;
        if self.ids.len() < MOST_IDS && !step.id.is_empty() {
            self.ids.push(step.id.clone());
        }
    }

    /// The oldest first.
    pub(super) fn ids(&self) -> Vec<String> {
        self.ids.iter().rev().cloned().collect()
    }
}
