//! Git's standard error: read to the end, so that git never waits for us; only the beginning is kept.

use crate::edge::run::{CapturedOutput, drain};
use std::io::Read;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const KEPT: usize = 4 * 1024;
/// A shared ssh connection lives on in the background and never closes the pipe.
const PATIENCE: Duration = Duration::from_millis(200);

pub(super) struct Stderr {
    kept: Arc<Mutex<CapturedOutput>>,
    finished: Receiver<()>,
}

impl Stderr {
    pub(super) fn of(pipe: impl Read + Send + 'static) -> Self {
        let kept = Arc::default();
        Self { finished: drain(pipe, Arc::clone(&kept)), kept }
    }

    /// All that was said, once git has ended.
    pub(super) fn text(&self) -> String {
        let _ = self.finished.recv_timeout(PATIENCE);
        let mut bytes = self.kept.lock().unwrap_or_else(PoisonError::into_inner).bytes();
        bytes.truncate(KEPT);
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}
