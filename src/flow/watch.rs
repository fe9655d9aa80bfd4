//! What somebody who waits for a loop gets to see of it while it runs.

use crate::review::Verdict;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    Started {
        check: &'a str,
    },
    /// Half of its time is over.
    Slow {
        check: &'a str,
    },
    Finished {
        check: &'a str,
        verdict: &'a Verdict,
        elapsed: Duration,
        /// How long ago the check really ran, if not now.
        cached: Option<&'a str>,
    },
}

/// Sees events from several threads at once; may not influence the outcome.
pub trait Watch: Sync {
    fn see(&self, event: Event<'_>);
}

impl<F: Fn(Event<'_>) + Sync> Watch for F {
    fn see(&self, event: Event<'_>) {
        self(event);
    }
}
