//! The background process of a worktree: captures it portion by portion, then tidies up. Begun at the start of a session, and
//! by a hook whose time was not enough.

use super::looking::look_at;
use super::place::Place;
use super::{pruning, tidying};
use crate::checkpoint::{Capture, Error, Next, Pace, Progress, Store};
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::notify::program_beside;
use crate::run::start_detached;
use crate::state::{self, Lock};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

/// The subcommand that calls `run`.
pub const COMMAND: &str = "background";
/// It ends after that, whatever is left; the next one goes on.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Somebody else has the store between two portions.
const PATIENCE: Duration = Duration::from_secs(5 * 60);
const PAUSE: Duration = Duration::from_millis(15);
/// So often it begins anew because somebody else changed what it began with.
const ROUNDS: usize = 20;
/// How long it is believed that a project has too many files.
const REFUSED: u64 = 10 * 60 * 1_000;

/// What others may know of it.
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
    fn new(progress: &Progress) -> Self {
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
pub fn start(scene: &Scene) -> Result<(), Failure> {
    let own = Utf8PathBuf::from_path_buf(std::env::current_exe()?)
        .map_err(|_| "the path of this program is not valid UTF-8")?;
    let program = program_beside(&own).ok_or("the command `plimsoll` is not beside this program")?;
    Ok(start_detached(&program, &[COMMAND], &scene.project)?)
}

/// How far a background capture is that has more to do than a hook has time for. An error: there will be none.
pub(super) fn going_on(place: &Place) -> Result<Option<Progress>, Failure> {
    let note = state::read_json::<Note>(&place.progress(), 1).unwrap_or_default();
    let Some(Note { time, files, of, refused, .. }) = note else { return Ok(None) };
    if let Some(why) = refused {
        return if clock::milliseconds() < time + REFUSED { Err(why.into()) } else { Ok(None) };
    }
    // A note without a process is one that was killed.
    let runs = Lock::try_acquire(&place.background_lock())?.is_none();
    Ok(runs.then_some(Progress { files, of, ..Progress::default() }))
}

/// Whether the background process of this worktree is at work.
pub fn is_running(scene: &Scene) -> bool {
    let place = Place::existing(scene).ok().flatten();
    place.is_some_and(|place| matches!(Lock::try_acquire(&place.background_lock()), Ok(None)))
}

/// The process itself.
pub fn run(scene: &Scene) -> Result<(), Failure> {
    let place = Place::of(scene)?;
    let Some(_alone) = Lock::try_acquire(&place.background_lock())? else { return Ok(()) };
    let captured = capture(&place);
    let tidied = tidying::tidy(scene, tidying::Act::Do, clock::milliseconds());
    captured?;
    tidied.map(drop)
}

fn capture(place: &Place) -> Result<(), Failure> {
    let store = place.open_store()?;
    let captured = in_portions(place, &store);
    match &captured {
        Err(failure) if too_many(failure).is_some() => {
            let note = Note { refused: too_many(failure), ..Note::new(&Progress::default()) };
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

fn in_portions(place: &Place, store: &Store) -> Result<(), Failure> {
    let begun = clock::begin();
    let lock = || place.lock_within(PATIENCE).ok().flatten();
    let held = RefCell::new(Some(lock().ok_or("the store of checkpoints is in use")?));
    pruning::make_room(place, store)?;
    let enough = || begun.elapsed() > LONGEST || store.bytes() > place.limits.store_bytes;
    let rest = |progress: &Progress, commit: &str| {
        let written = write(place, progress);
        // Others wait for no more than a portion.
        held.replace(None);
        std::thread::sleep(PAUSE);
        held.replace(lock());
        let ours = held.borrow().is_some() && store.seen(&place.key).unwrap_or_default() == commit;
        if ours && written.is_ok() && !enough() { Next::GoOn } else { Next::Stop }
    };
    for _ in 0..ROUNDS {
        let looked = look_at(place, store, BTreeSet::new(), &Pace::in_portions(&rest))?;
        if matches!(looked, Capture::Whole(_)) || enough() || held.borrow().is_none() {
            break;
        }
    }
    Ok(())
}

fn write(place: &Place, progress: &Progress) -> Result<(), Failure> {
    Ok(state::write_json(&place.progress(), &Note::new(progress))?)
}
