//! Where a task stands.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Pending,
    InProgress,
    AwaitingReview,
    NeedsRevision,
    Complete,
    Blocked,
}

impl Status {
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

    /// Somebody is at it: its scope binds the session that works on it.
    pub fn is_worked_on(self) -> bool {
        matches!(self, Self::InProgress | Self::AwaitingReview | Self::NeedsRevision)
    }
}
