//! What happens to a task. The list of these is all the truth there is about it.

use super::review::{Record, Verdict};
use super::state::Worker;
use crate::review::TreeId;
use serde::{Deserialize, Serialize};

/// One event, in the order of all events of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    pub sequence: u64,
    /// Milliseconds since 1970.
    pub time: u64,
    #[serde(flatten)]
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    Added,
    Redefined,
    Started(Worker),
    Released,
    Submitted {
        tree: TreeId,
        /// Where the content lies.
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
    /// The reviewer has spoken; nobody has read its words into a result yet.
    ReviewGiven {
        review: String,
        raw: String,
        /// Of the kept words.
        digest: String,
    },
    Reviewed(Box<Record>),
    Blocked {
        reason: String,
    },
    Reopened {
        reason: String,
    },
}

impl What {
    /// The name in the stream.
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
            Self::Reviewed(record) if record.result == Verdict::Approved && record.shortfall.is_none() => {
                "REVIEW_COMPLETED"
            }
            Self::Reviewed(_) => "REVIEW_FAILED",
            Self::Blocked { .. } => "TASK_BLOCKED",
            Self::Reopened { .. } => "TASK_REOPENED",
        }
    }
}
