//! The status of a task.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TaskStatus {
    Pending,
    InProgress,
    AwaitingReview,
    NeedsRevision,
    Complete,
    Blocked,
}

impl TaskStatus {
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::InProgress,
        Self::AwaitingReview,
        Self::NeedsRevision,
        Self::Complete,
        Self::Blocked,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::InProgress => "IN_PROGRESS",
            Self::AwaitingReview => "AWAITING_REVIEW",
            Self::NeedsRevision => "NEEDS_REVISION",
            Self::Complete => "COMPLETE",
            Self::Blocked => "BLOCKED",
        }
    }

    /// Whether a session works on the task, so that its scope applies.
    pub fn is_worked_on(self) -> bool {
        matches!(self, Self::InProgress | Self::AwaitingReview | Self::NeedsRevision)
    }
}
