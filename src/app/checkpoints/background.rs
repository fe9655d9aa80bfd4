//! The background process of a worktree: captures it portion by portion, then tidies up. Begun at the start of a session, and
//! by a hook whose time was not enough.

use super::place::CheckpointPlace;
use super::snapshot::capture_at;
use super::tidy_report::TidyMode;
use super::{cleanup, retention};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Capture, CaptureProgress, Error, Next, Pace, Store};
use crate::edge::clock;
use crate::edge::notify::program_beside;
use crate::edge::run::start_detached;
use crate::edge::run::stdio::own_program;
use crate::edge::state::{self, Lock};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

/// The subcommand that calls `run`.
pub(crate) const COMMAND: &str = "background";
/// It ends after that, whatever is left; the next one goes on.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Somebody else has the store between two portions.
const PATIENCE: Duration = Duration::from_secs(5 * 60);
const PAUSE: Duration = Duration::from_millis(15);
/// It starts again this often if somebody else changed what it began with.
const ROUNDS: usize = 20;
/// How long it is believed that a project has too many files.
const REFUSED: u64 = 10 * 60 * 1_000;

/// The state of the background work, for other processes.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    version: u64,
    /// Milliseconds since 1970.
    time: u64,
    files: usize,
    of: usize,
    /// Why there will be no capture.
    refused: Option<String>,
}

impl Note {
    fn new(progress: &CaptureProgress) -> Self {
        Self {
            version: 1,
            time: clock::milliseconds(),
            files: progress.files,
            of: progress.of,
            refused: None,
        }
    }
}

/// Does not wait for anything. Several at the same time do no harm: all but one end at once.
pub(crate) fn start(workspace: &Workspace) -> Result<(), Failure> {
    let program =
        program_beside(&own_program()?).ok_or("the command `plimsoll` is not beside this program")?;
    Ok(start_detached(&program, &[COMMAND], &workspace.project)?)
}

/// How far a background capture is that has more to do than a hook has time for. An error: there will be none.
pub(crate) fn going_on(place: &CheckpointPlace) -> Result<Option<CaptureProgress>, Failure> {
    let note = state::read_json::<Note>(&place.progress(), 1).unwrap_or_default();
    let Some(Note { time, files, of, refused, .. }) = note else { return Ok(None) };
    if let Some(why) = refused {
        return if clock::milliseconds() < time + REFUSED { Err(why.into()) } else { Ok(None) };
    }
    // A note without a process is one that was killed.
    let runs = Lock::try_acquire(&place.background_lock())?.is_none();
    Ok(runs.then_some(CaptureProgress { files, of, ..CaptureProgress::default() }))
}

/// Whether the background process of this worktree is at work.
pub(crate) fn is_running(workspace: &Workspace) -> bool {
    let place = CheckpointPlace::existing(workspace).ok().flatten();
    place.is_some_and(|place| matches!(Lock::try_acquire(&place.background_lock()), Ok(None)))
}

/// The process itself.
pub fn run(workspace: &Workspace) -> Result<(), Failure> {
    let place = CheckpointPlace::of(workspace)?;
    let Some(_alone) = Lock::try_acquire(&place.background_lock())? else { return Ok(()) };
    let captured = capture(&place);
    let tidied = cleanup::tidy(workspace, TidyMode::Do, clock::milliseconds());
    captured?;
    tidied.map(drop)
}

fn capture(place: &CheckpointPlace) -> Result<(), Failure> {
    let store = place.open_store()?;
    let captured = in_portions(place, &store);
    match &captured {
        Err(failure) if too_many(failure).is_some() => {
            let note = Note { refused: too_many(failure), ..Note::new(&CaptureProgress::default()) };
            state::write_json(&place.progress(), &note)?;
        }
        Ok(()) | Err(_) => state::remove(&place.progress())?,
    }
    captured
}

fn too_many(failure: &Failure) -> Option<String> {
    let error = failure.downcast_ref::<Error>()?;
    matches!(error, Error::TooManyFiles { .. }).then(|| error.to_string())
}

fn in_portions(place: &CheckpointPlace, store: &Store) -> Result<(), Failure> {
    let begun = clock::begin();
    let lock = || place.lock_within(PATIENCE).ok().flatten();
    let held = RefCell::new(Some(lock().ok_or("the store of checkpoints is in use")?));
    retention::make_room(place, store)?;
    let enough = || begun.elapsed() > LONGEST || store.bytes() > place.limits.store_bytes;
    let rest = |progress: &CaptureProgress, commit: &str| {
        let written = write(place, progress);
        // Other processes wait for one portion at most.
        held.replace(None);
        std::thread::sleep(PAUSE);
        held.replace(lock());
        let ours = held.borrow().is_some() && store.last_tree(&place.key).unwrap_or_default() == commit;
        if ours && written.is_ok() && !enough() { Next::GoOn } else { Next::Stop }
    };
    for _ in 0..ROUNDS {
        let looked = capture_at(place, store, BTreeSet::new(), &Pace::in_portions(&rest))?;
        if matches!(looked, Capture::Whole(_)) || enough() || held.borrow().is_none() {
            break;
        }
    }
    Ok(())
}

fn write(place: &CheckpointPlace, progress: &CaptureProgress) -> Result<(), Failure> {
    Ok(state::write_json(&place.progress(), &Note::new(progress))?)
}
