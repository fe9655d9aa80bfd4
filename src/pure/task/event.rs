//! The events of a task; its state follows from them.

use super::review::{FinishedReview, TaskVerdict};
use super::state::Worker;
use crate::pure::review::TreeId;
use serde::{Deserialize, Serialize};

/// One event, in the order of all events of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskEvent {
    pub sequence: u64,
    /// Milliseconds since 1970.
    pub time: u64,
    #[serde(flatten)]
    pub change: TaskChange,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TaskChange {
    Added,
    Redefined,
    Started(Worker),
    Released,
    Submitted {
        tree: TreeId,
        /// The worktree of the content.
        worktree: String,
    },
    Withdrawn,
    /// Without a review, because reviews are switched off.
    Completed,
    ReviewStarted {
        review: String,
        attempt: u32,
        tree: TreeId,
        command: String,
        #[serde(default)]
        model: String,
    },
    /// The reviewer has answered; the answer is not parsed yet.
    ReviewGiven {
        review: String,
        raw: String,
        /// Digest of the stored answer.
        digest: String,
    },
    Reviewed(Box<FinishedReview>),
    Blocked {
        reason: String,
    },
    Reopened {
        reason: String,
    },
}

impl TaskChange {
    /// The name in `plimsoll task events`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Added => "TASK_ADDED",
            Self::Redefined => "TASK_REDEFINED",
            Self::Started(_) => "TASK_STARTED",
            Self::Released => "TASK_RELEASED",
            Self::Submitted { .. } => "TASK_SUBMITTED",
            Self::Withdrawn => "TASK_WITHDRAWN",
            Self::Completed => "TASK_COMPLETED",
            Self::ReviewStarted { .. } => "REVIEW_STARTED",
            Self::ReviewGiven { .. } => "REVIEW_GIVEN",
            Self::Reviewed(record)
                if record.result == TaskVerdict::Approved && record.shortfall.is_none() =>
            {
                "REVIEW_COMPLETED"
            }
            Self::Reviewed(_) => "REVIEW_FAILED",
            Self::Blocked { .. } => "TASK_BLOCKED",
            Self::Reopened { .. } => "TASK_REOPENED",
        }
    }
}
