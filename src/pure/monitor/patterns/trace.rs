//! The last calls of one agent, and the state of the rules about it.

use super::role::Role;
use super::usage::RecentResult;
use serde::{Deserialize, Serialize};

/// Enough for a cycle of six calls, six times.
pub(super) const KEPT_STEPS: usize = 48;

/// One tool call, as short fingerprints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TraceEntry {
    pub(super) id: String,
    pub(super) time: u64,
    pub(super) call: u32,
    pub(super) target: u32,
    /// The result or the error, without what changes from run to run.
    pub(super) result: u32,
    /// The kind of error; 0 for none.
    pub(super) error: u32,
    /// The path or command that the call did not find.
    pub(super) phantom: Phantom,
    pub(super) role: Role,
    pub(super) ended: CallOutcome,
    pub(super) batch: u32,
    /// Changes of the session before it and after it.
    pub(super) before: u32,
    pub(super) after: u32,
}

/// How a call counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum CallOutcome {
    Succeeded,
    Failed,
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

impl CallOutcome {
    pub(super) fn recent_result(self) -> RecentResult {
        match self {
            Self::Succeeded => RecentResult::Succeeded,
            Self::Failed | Self::Excused => RecentResult::Failed,
            Self::Interrupted => RecentResult::Interrupted,
            Self::Refused => RecentResult::Refused,
        }
    }
}

/// One agent of the session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct AgentTrace {
    /// Empty for the main thread.
    pub(super) agent: String,
    /// Since the last prompt, the oldest first.
    pub(super) steps: Vec<TraceEntry>,
    pub(super) batch: u32,
    /// Steps of the batch that is under way.
    pub(super) in_batch: u32,
    /// Since the last prompt.
    pub(super) calls: u32,
    pub(super) polls: Vec<super::polls::Poll>,
    pub(super) edits: Vec<super::flip_flop::FileEdit>,
    pub(super) reviews: super::ratchet::Rounds,
    /// Calls since one served the goal.
    pub(super) astray: u32,
}

impl AgentTrace {
    pub(super) fn new(agent: &str) -> Self {
        Self { agent: agent.to_owned(), ..Self::default() }
    }

    /// A person's message: earlier calls no longer count for a streak.
    pub(super) fn reset_for_prompt(&mut self) {
        let (agent, batch) = (std::mem::take(&mut self.agent), self.batch + 1);
        *self = Self { agent, batch, ..Self::default() };
    }

    pub(super) fn push(&mut self, step: TraceEntry) {
        push_bounded(&mut self.steps, step, KEPT_STEPS);
    }
}

/// The calls that show a pattern, added from the newest to the oldest.
#[derive(Debug, Default)]
pub(super) struct TraceEvidence {
    pub(super) count: u32,
    pub(super) began: u64,
    ids: Vec<String>,
    batch: Option<u32>,
}

/// The most that an issue names.
const MOST_IDS: usize = 16;

/// Adds an item; where there are too many, the oldest goes.
pub(super) fn push_bounded<T>(items: &mut Vec<T>, item: T, most: usize) {
    if items.len() >= most {
        items.remove(0);
    }
    items.push(item);
}

impl TraceEvidence {
    /// One call, with a count of its own.
    pub(super) fn of(step: &TraceEntry, count: u32) -> Self {
        let mut evidence = Self::default();
        evidence.add(step);
        Self { count, ..evidence }
    }

    pub(super) fn counted(count: u32, began: u64) -> Self {
        Self { count, began, ..Self::default() }
    }

    /// Adds a call; a batch counts once.
    pub(super) fn add(&mut self, step: &TraceEntry) {
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
