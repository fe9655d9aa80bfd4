//! The memory of the session monitor between hooks: one small file, read and written under its lock.
//!
//! The next call obeys the orders, not this file.

use super::error::Error;
use super::layout::StateLayout;
use super::lock::Lock;
use super::store::{read_bounded, write_atomic};
use crate::edge::file::checksummed;
use crate::pure::monitor::interventions::InterventionHistory;
use crate::pure::monitor::patterns::SessionMonitor;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// Raised whenever anything in `MonitorState` changes its binary form.
const FORMAT: u64 = 2;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct MonitorState {
    pub watch: SessionMonitor,
    pub history: InterventionHistory,
    pub transcript: TranscriptRead,
    pub memory_mb: u64,
}

/// How far the client's own lines were read, and the tokens in them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct TranscriptRead {
    pub offset: u64,
    pub tokens: u64,
    /// The message that was counted last, and for how much: the client writes one line for each of its parts.
    pub message: u64,
    pub counted: u64,
}

/// The monitor's state while nobody else can change it.
#[derive(Debug)]
pub(crate) struct Keeper {
    pub standing: MonitorState,
    /// The file was damaged, so that the monitor starts again.
    pub damaged: bool,
    path: Utf8PathBuf,
    _lock: Lock,
}

impl Keeper {
    pub fn open(layout: &StateLayout, session: &str) -> Result<Self, Error> {
        let lock = Lock::acquire(&layout.standing_lock(session))?;
        let path = layout.standing(session);
        let bytes = read_bounded(&path)?;
        let standing = bytes.as_deref().map(|bytes| checksummed::decode::<MonitorState>(bytes, FORMAT));
        let damaged = standing == Some(None);
        Ok(Self { standing: standing.flatten().unwrap_or_default(), damaged, path, _lock: lock })
    }

    pub fn save(self) -> Result<(), Error> {
        let bytes = checksummed::encode(&self.standing, FORMAT).map_err(Error::write(&self.path))?;
        write_atomic(&self.path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> (tempfile::TempDir, StateLayout) {
        let directory = tempfile::tempdir().unwrap();
        let layout =
            StateLayout::in_repository(&Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap());
        (directory, layout)
    }

    #[test]
    fn what_is_saved_is_there_the_next_time() {
        let (_directory, layout) = layout();
        let mut keeper = Keeper::open(&layout, "s").unwrap();
        keeper.standing.memory_mb = 7;
        keeper.standing.watch.start_prompt("Fix the pier", 1);
        let saved = keeper.standing.clone();
        keeper.save().unwrap();
        assert_eq!(Keeper::open(&layout, "s").unwrap().standing, saved);
        assert_eq!(Keeper::open(&layout, "other").unwrap().standing, MonitorState::default());
    }

    #[test]
    fn a_damaged_file_restarts_the_monitor_and_says_so() {
        let (_directory, layout) = layout();
        Keeper::open(&layout, "s").unwrap().save().unwrap();
        for bytes in [&b""[..], b"short", &[7; 500]] {
            std::fs::write(layout.standing("s"), bytes).unwrap();
            let keeper = Keeper::open(&layout, "s").unwrap();
            assert!(keeper.damaged && keeper.standing == MonitorState::default());
            keeper.save().unwrap();
        }
        assert!(!Keeper::open(&layout, "s").unwrap().damaged);
    }

    #[test]
    fn hooks_at_the_same_time_lose_nothing() {
        let (_directory, layout) = layout();
        std::thread::scope(|scope| {
            for _ in 0..20 {
                let layout = &layout;
                scope.spawn(move || {
                    let mut keeper = Keeper::open(layout, "s").unwrap();
                    keeper.standing.memory_mb += 1;
                    keeper.save().unwrap();
                });
            }
        });
        assert_eq!(Keeper::open(&layout, "s").unwrap().standing.memory_mb, 20);
    }
}
