//! How long a capture may take, and in which portions it goes into the store.

use super::error::{Error, Result};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Entries between two looks at the clock: a small capture is finished, however busy the machine is.
const ENTRIES: usize = 1_024;
/// One portion: what is lost at most if the process is killed.
const FILES: usize = 8_192;
const BYTES: u64 = 48 * 1024 * 1024;
const TIME: Duration = Duration::from_secs(2);
/// Files and bytes that are captured whatever the clock says.
const SMALL: (usize, u64) = (64, 4 * 1024 * 1024);
/// For one git process where nothing else is said; far more than any of them takes.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// Beyond the budget, for git to come to its end.
const GRACE: u32 = 4;

/// How far a capture got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CaptureProgress {
    /// Files whose content is in the store.
    pub files: usize,
    /// Files that were found; 0 if not all folders were looked at.
    pub of: usize,
    /// Content that was read this time, and that is still to be read.
    pub bytes: u64,
    pub bytes_left: u64,
}

/// The next action after a portion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    GoOn,
    /// Enough for now; or what is in the store is no longer what this capture began with.
    Stop,
}

/// Called before the first of several portions, and after each one is safe, with the name of the newest commit.
pub(crate) type Rest<'a> = &'a dyn Fn(&CaptureProgress, &str) -> Next;

pub(crate) struct Pace<'a> {
    until: Option<Instant>,
    hard: Option<Instant>,
    entries: Cell<usize>,
    files: usize,
    bytes: u64,
    rest: Rest<'a>,
}

impl Pace<'_> {
    /// Until it is finished, however long that takes.
    pub fn unlimited() -> Self {
        let rest: Rest<'static> = &|_, _| Next::GoOn;
        Self { until: None, hard: None, entries: Cell::new(0), files: FILES, bytes: BYTES, rest }
    }

    /// Stops looking and reading after `budget`; a git that is stuck is ended a little later.
    pub fn within(budget: Duration) -> Self {
        let now = Instant::now();
        Self { until: Some(now + budget), hard: Some(now + budget * GRACE), ..Self::unlimited() }
    }
}

impl<'a> Pace<'a> {
    /// Without a limit, but `rest` is asked after each portion.
    pub fn in_portions(rest: Rest<'a>) -> Self {
        Self { rest, until: None, hard: None, entries: Cell::new(0), files: FILES, bytes: BYTES }
    }

    /// The same pace with portions of at most `files` files.
    #[cfg(test)]
    pub(super) fn of_files(self, files: usize) -> Self {
        Self { files, ..self }
    }

    pub(super) fn rest(&self, progress: &CaptureProgress, commit: &str) -> Next {
        if self.is_over() { Next::Stop } else { (self.rest)(progress, commit) }
    }

    /// An error once there is no time for more entries.
    pub(super) fn step(&self) -> Result<()> {
        self.entries.set(self.entries.get() + 1);
        if self.entries.get().is_multiple_of(ENTRIES) && self.is_over() {
            return Err(Error::OutOfTime);
        }
        Ok(())
    }

    pub(super) fn is_limited(&self) -> bool {
        self.until.is_some()
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// How long a git process may take.
    pub(super) fn patience(&self) -> Duration {
        self.hard.map_or(PATIENCE, |hard| hard.saturating_duration_since(Instant::now()))
    }

    /// Whether these files and bytes take several portions.
    pub(super) fn is_long(&self, files: usize, bytes: u64) -> bool {
        files > self.files || bytes > self.bytes
    }

    /// Whether a portion that began at this time and holds this much should end.
    pub(super) fn is_full(&self, begun: Instant, files: usize, bytes: u64) -> bool {
        let late = || begun.elapsed() >= TIME || self.is_over();
        files >= self.files || bytes >= self.bytes || ((files >= SMALL.0 || bytes >= SMALL.1) && late())
    }
}
