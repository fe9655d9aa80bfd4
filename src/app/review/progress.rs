//! Progress of a running loop, for the person who waits for it.

use crate::pure::review::LoopVerdict;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressEvent<'a> {
    Started {
        check: &'a str,
    },
    /// Half of its time has passed.
    Slow {
        check: &'a str,
    },
    Finished {
        check: &'a str,
        verdict: &'a LoopVerdict,
        elapsed: Duration,
        /// How long ago the check really ran, if not now.
        cached: Option<&'a str>,
    },
}

/// Sees events from several threads at once; may not influence the outcome.
pub trait ProgressListener: Sync {
    fn see(&self, event: ProgressEvent<'_>);
}

impl<F: Fn(ProgressEvent<'_>) + Sync> ProgressListener for F {
    fn see(&self, event: ProgressEvent<'_>) {
        self(event);
    }
}
