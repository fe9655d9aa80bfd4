//! Which task a session works on, which review it asked for, and what it was told. Never the truth about a task.

use super::error::Error;
use super::layout::StateLayout;
use super::lock::Lock;
use super::store::{read_json, write_json};
use crate::pure::review::TreeId;
use crate::pure::task::TaskId;
use serde::{Deserialize, Serialize};

const VERSION: u64 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SessionTask {
    pub version: u64,
    pub working: Option<TaskId>,
    /// The newest event that the session was told of.
    pub told: u64,
    /// The content for which the end of a turn asked for a review.
    pub idle: Option<TreeId>,
    pub asked: Option<AskedReview>,
}

/// A review of a task that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AskedReview {
    pub task: TaskId,
    /// As it was typed, without its arguments.
    pub command: String,
    pub time: u64,
}

impl AskedReview {
    /// Milliseconds after which nobody remembers having asked.
    const LASTS: u64 = 60 * 60 * 1000;

    pub fn is_recent(&self, now: u64) -> bool {
        now.saturating_sub(self.time) <= Self::LASTS
    }
}

impl Default for SessionTask {
    fn default() -> Self {
        Self { version: VERSION, working: None, told: 0, idle: None, asked: None }
    }
}

pub(crate) fn session_task(layout: &StateLayout, session: &str) -> Result<SessionTask, Error> {
    Ok(read_json(&layout.session_task(session), VERSION)?.unwrap_or_default())
}

/// Reads, changes and writes it under its lock.
pub(crate) fn edit_session_task<T>(
    layout: &StateLayout,
    session: &str,
    change: impl FnOnce(&mut SessionTask) -> T,
) -> Result<T, Error> {
    let _lock = Lock::acquire(&layout.session_task_lock(session))?;
    let before = session_task(layout, session)?;
    let mut after = before.clone();
    let result = change(&mut after);
    if after != before {
        write_json(&layout.session_task(session), &after)?;
    }
    Ok(result)
}
