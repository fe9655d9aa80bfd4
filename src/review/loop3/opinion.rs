//! What an outside reviewer's run came to. Only a complete one has reviewed anything.

use crate::review::loop1::End;
use crate::review::{Finding, RATE_LIMIT_EXCEEDED};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    pub ending: Ending,
    /// Also what an incomplete review found: it is shown, and covers nothing.
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Complete,
    /// The reviewer's own limit is reached; how long it says to wait.
    RateLimited {
        wait: Option<String>,
    },
    NotReviewed {
        why: String,
    },
}

impl Ending {
    pub(super) fn not_reviewed(why: impl Into<String>) -> Self {
        Self::NotReviewed { why: why.into() }
    }

    /// Why nothing counts as reviewed.
    pub fn reason(&self, reviewer: &str) -> Option<String> {
        match self {
            Self::Complete => None,
            Self::RateLimited { wait: Some(wait) } => {
                Some(format!("{RATE_LIMIT_EXCEEDED}: {reviewer} asks to wait {wait}"))
            }
            Self::RateLimited { wait: None } => {
                Some(format!("{RATE_LIMIT_EXCEEDED}: {reviewer} says that its limit is reached"))
            }
            Self::NotReviewed { why } => Some(format!("{reviewer} {why}")),
        }
    }
}

/// How it ended, as long as that says that it did not get to its end by itself.
pub(super) fn cut_short(end: &End) -> Option<String> {
    match end {
        End::Exited(_) => None,
        End::Signalled(signal) => Some(format!("was ended by signal {signal}")),
        End::TimedOut => Some("gave no sign of life within loop3.timeout, or did not end in time".into()),
        End::NotInstalled => Some("is not installed".into()),
        End::CouldNotStart(error) => Some(format!("could not be started: {error}")),
    }
}
