//! A checkpoint is taken: the files in the store, a reference that keeps them, and a manifest last.

use super::place::{CheckpointPlace, LockedStore};
use super::records::all;
use super::snapshot::{capture_at, head, surroundings};
use super::{background, retention};
use crate::app::failure::{Failure, chain};
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Capture, CaptureProgress, Captured, Next, Pace};
use crate::edge::clock;
use crate::edge::state::{self, Journal, Outcome, RecordKind};
use crate::pure::restore::{Checkpoint, CheckpointReason, Health, Surroundings};
use crate::pure::text::short_digest;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// For a look, however long somebody else held the lock.
const LEAST: Duration = Duration::from_millis(50);
/// After this many times the budget the attempt counts as failed; git processes are ended before that.
const STUCK: u32 = 5;

/// The result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    pub id: String,
    pub tree: String,
    /// The newest one shows the same and stands in.
    pub reused: bool,
    pub left_out: usize,
}

/// The result for a hook, which cannot wait for long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    Taken(Taken),
    /// There is no checkpoint of now; what could be captured is kept, and the rest goes on in the background.
    NotReady(NotReady),
}

/// How far the capture is. Its words end a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotReady {
    pub progress: CaptureProgress,
    /// Whether a process goes on with it.
    pub goes_on: bool,
}

impl fmt::Display for NotReady {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CaptureProgress { files, of, .. } = self.progress;
        match self.goes_on {
            true => out.write_str("the project is still being captured in the background")?,
            false => out.write_str("there was not enough time to capture the project")?,
        }
        if of > 0 { write!(out, " ({files} of {of} files so far)") } else { Ok(()) }
    }
}

/// An error means: there is no checkpoint of now. Earlier ones stay as they are.
pub fn take(workspace: &Workspace, session: &str, why: CheckpointReason) -> Result<Taken, Failure> {
    take_and_tell(workspace, session, why, &|_| ())
}

/// The same; `tell` hears how far it is, again and again.
pub fn take_and_tell(
    workspace: &Workspace,
    session: &str,
    why: CheckpointReason,
    tell: &dyn Fn(&CaptureProgress),
) -> Result<Taken, Failure> {
    let opened = LockedStore::open(workspace)?;
    let (place, store) = (&opened.place, &opened.store);
    retention::make_room(place, store)?;
    let rest = |progress: &CaptureProgress, _: &str| {
        tell(progress);
        Next::GoOn
    };
    let Capture::Whole(captured) = capture_at(place, store, BTreeSet::new(), &Pace::in_portions(&rest))?
    else {
        return Err("the capture ended early".into());
    };
    finish(&opened, session, why, &captured)
}

/// How long a hook may work on a checkpoint here.
pub(crate) fn budget(workspace: &Workspace) -> Duration {
    let settings = workspace.settings().map(|loaded| loaded.settings).unwrap_or_default();
    Duration::from_millis(settings.interventions.checkpoint_rollback.max_wait_ms)
}

/// For a hook: never much longer than `budget`, whatever the file system or git do. With no budget at all nothing is
/// looked at.
pub fn take_within(
    workspace: &Workspace,
    session: &str,
    why: CheckpointReason,
    budget: Duration,
) -> Result<Attempt, Failure> {
    let begun = clock::begin();
    let place = CheckpointPlace::of(workspace)?;
    if let Some(progress) = background::going_on(&place)? {
        return Ok(Attempt::NotReady(NotReady { progress, goes_on: true }));
    }
    let not_ready = |progress| {
        Ok(Attempt::NotReady(NotReady { progress, goes_on: background::start(workspace).is_ok() }))
    };
    if budget.is_zero() {
        return not_ready(CaptureProgress::default());
    }
    let Some(lock) = place.lock_within(budget)? else { return not_ready(CaptureProgress::default()) };
    let store = place.open_store()?;
    if store.bytes() > place.limits.store_bytes {
        // Only the background process has the time to make room.
        let _ = background::start(workspace);
        return Err(retention::full(&place));
    }
    // On a thread of its own: a file system that does not answer must not keep the hook from doing so.
    let (sender, receiver) = channel();
    let left = budget.saturating_sub(begun.elapsed()).max(LEAST);
    thread::Builder::new().name("capture".into()).spawn(move || {
        let looked = capture_at(&place, &store, BTreeSet::new(), &Pace::within(left));
        let looked = looked.map_err(|failure| chain(failure.as_ref()));
        let _ = sender.send((looked, place, store, lock));
    })?;
    let Ok((looked, place, store, lock)) = receiver.recv_timeout(budget * STUCK) else {
        return not_ready(CaptureProgress::default());
    };
    let opened = LockedStore { workspace, place, store, _lock: lock };
    match looked? {
        Capture::Whole(captured) => Ok(Attempt::Taken(finish(&opened, session, why, &captured)?)),
        Capture::Part(progress) => {
            drop(opened);
            not_ready(progress)
        }
    }
}

fn finish(
    opened: &LockedStore<'_>,
    session: &str,
    why: CheckpointReason,
    captured: &Captured,
) -> Result<Taken, Failure> {
    let taken = record(opened, Some(session), why, captured)?;
    retention::forget_expired(&opened.place, &opened.store)?;
    Ok(taken)
}

pub(crate) fn record(
    opened: &LockedStore<'_>,
    session: Option<&str>,
    why: CheckpointReason,
    captured: &Captured,
) -> Result<Taken, Failure> {
    let LockedStore { workspace, place, store, .. } = opened;
    let session = session.filter(|session| !session.is_empty());
    let surroundings = surroundings(opened, captured);
    let likeness = digest(&Surroundings { ignored: Vec::new(), cut: false, ..surroundings.clone() })?;
    let known = all(place)?.0;
    let newest = known.first();
    let taken = |id: &str, reused| Taken {
        id: id.to_owned(),
        tree: captured.tree.to_string(),
        reused,
        left_out: captured.left_out.len(),
    };
    let same = |newest: &&Checkpoint| {
        newest.tree == captured.tree && newest.likeness == likeness && newest.session.as_deref() == session
    };
    if let Some(newest) = newest.filter(same).filter(|newest| why.is_served_by(&newest.why)) {
        return Ok(taken(&newest.id, true));
    }
    // Time orders checkpoints, so no two have the same.
    let time = clock::milliseconds().max(newest.map_or(0, |newest| newest.time + 1));
    let digest = digest(&surroundings)?;
    if !place.surroundings(&digest).exists() {
        state::write_json_of_files(&place.surroundings(&digest), &surroundings)?;
    }
    let id = id(time, &captured.commit.to_string(), &known);
    let checkpoint = Checkpoint {
        version: Checkpoint::VERSION,
        id: id.clone(),
        time,
        session: session.map(str::to_owned),
        worktree: place.worktree.to_string(),
        why,
        commit: captured.commit.clone(),
        tree: captured.tree.clone(),
        surroundings: digest,
        likeness,
        files: captured.count,
        left_out: captured.left_out.len(),
        head: workspace.repo.as_ref().and_then(head),
        health: session.map_or(Ok(Health::default()), |session| health(workspace, session, time))?,
    };
    store.keep(&id, &captured.commit)?;
    state::write_json(&place.checkpoint(&id), &checkpoint)?;
    Ok(taken(&id, false))
}

fn digest(surroundings: &Surroundings) -> Result<String, Failure> {
    Ok(short_digest(serde_json::to_vec(surroundings)?, 32))
}

/// Sorts by time and is short enough to type: `1116-153052-7f3a`.
fn id(time: u64, commit: &str, known: &[Checkpoint]) -> String {
    let digits: String = clock::moment(time).chars().filter(char::is_ascii_digit).collect();
    let (day, clock) = (digits.get(4..8).unwrap_or_default(), digits.get(8..14).unwrap_or_default());
    let ids = (0_u32..)
        .map(|number| format!("{day}-{clock}-{}", short_digest(format!("{time} {commit} {number}"), 4)));
    ids.into_iter().find(|id| known.iter().all(|other| other.id != *id)).unwrap_or_default()
}

/// How the session fared lately, from the end of its journal.
fn health(workspace: &Workspace, session: &str, time: u64) -> Result<Health, Failure> {
    let path = workspace.layout.journal(session);
    if !path.exists() {
        return Ok(Health { time, ..Health::default() });
    }
    let tail = Journal::open(&path)?.tail()?;
    let ended = tail.records.iter().filter(|record| record.kind == RecordKind::After);
    let failed = ended.clone().filter(|record| record.outcome == Outcome::Failure);
    Ok(Health {
        time,
        calls: ended.count() as u64,
        failures: failed.clone().count() as u64,
        last_error: failed.map(|record| record.time).max(),
    })
}
