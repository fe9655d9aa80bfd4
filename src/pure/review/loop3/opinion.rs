//! The result of an outside reviewer. Only a complete one counts as a review.

use crate::pure::review::loop1::End;
use crate::pure::review::{Finding, RATE_LIMIT_EXCEEDED};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Opinion {
    pub ending: Ending,
    /// Findings of an incomplete review too: they are shown, but cover nothing.
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    Complete,
    /// The reviewer's own limit is reached; with the wait that it asks for.
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

    /// Why the review does not count.
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

/// Why the reviewer did not finish by itself.
pub(super) fn cut_short(end: &End) -> Option<String> {
    match end {
        End::Exited(_) => None,
        End::Signalled(signal) => Some(format!("was killed by signal {signal}")),
        End::TimedOut => Some("printed nothing within loop3.timeout, or did not finish in time".into()),
        End::NotInstalled => Some("is not installed".into()),
        End::CouldNotStart(error) => Some(format!("could not be started: {error}")),
    }
}
