//! Removes checkpoints that nobody will need again, so that the store stays within its limits.

use super::leftovers;
use super::place::CheckpointPlace;
use super::records::{everywhere, restores};
use super::tidy_report::{TidyMode, TidyReport};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::Store;
use crate::edge::clock;
use crate::edge::file::folder;
use crate::edge::state::{self, Lock};
use crate::pure::restore::{Checkpoint, expired};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

const DAY: u64 = 24 * 60 * 60 * 1_000;
/// Halving what may go so often leaves next to nothing of it.
const ROUNDS: usize = 6;
/// Never dropped for want of room.
const NEWEST: usize = 3;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    pub forgotten: usize,
    pub left: usize,
    pub bytes_before: u64,
    pub bytes: u64,
}

/// How large a store was when everything in it was packed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Packed {
    pub(crate) version: u64,
    pub(crate) bytes: u64,
}

/// Removes expired checkpoints and packs the store.
pub fn prune(workspace: &Workspace) -> Result<Pruned, Failure> {
    let Some(place) = CheckpointPlace::existing(workspace)? else { return Ok(Pruned::default()) };
    let _lock = place.lock()?;
    clean(&place, &place.open_store()?)
}

/// Before a checkpoint: a store that is full is emptied as far as it may be, or there is no checkpoint.
pub(crate) fn make_room(place: &CheckpointPlace, store: &Store) -> Result<(), Failure> {
    if store.bytes() <= place.limits.store_bytes {
        return Ok(());
    }
    let Pruned { bytes, .. } = clean(place, store)?;
    if bytes <= place.limits.store_bytes { Ok(()) } else { Err(full(place)) }
}

pub(crate) fn full(place: &CheckpointPlace) -> Failure {
    let limit = place.limits.store_bytes / (1024 * 1024);
    format!("the store of checkpoints is full ({limit} MiB); `plimsoll checkpoint list` shows what is kept")
        .into()
}

/// Cheap: references and manifests only.
pub(crate) fn forget_expired(place: &CheckpointPlace, store: &Store) -> Result<usize, Failure> {
    let gone = over_their_time(place)?;
    forget(place, store, &gone)?;
    Ok(gone.len())
}

pub(crate) fn over_their_time(place: &CheckpointPlace) -> Result<Vec<String>, Failure> {
    let (checkpoints, _) = everywhere(place)?;
    Ok(expired(&checkpoints, &restores(place)?, &place.limits, clock::milliseconds()))
}

/// The manifest first: a reference without one is only room, a manifest without a reference would be a promise.
pub(crate) fn forget(place: &CheckpointPlace, store: &Store, ids: &[String]) -> Result<(), Failure> {
    for id in ids {
        state::remove(&place.checkpoint(id))?;
        store.forget(id)?;
    }
    Ok(())
}

/// With the lock held.
pub(crate) fn clean(place: &CheckpointPlace, store: &Store) -> Result<Pruned, Failure> {
    let bytes_before = store.bytes();
    let mut forgotten = forget_expired(place, store)?;
    remove_unreferenced(place, store)?;
    if let Some(_alone) = Lock::try_acquire(&place.tidy_lock())? {
        leftovers::remove_of_store(store, TidyMode::Do, &mut TidyReport::default())?;
    }
    store.repack()?;
    for _ in 0..ROUNDS {
        if store.bytes() <= place.limits.store_bytes {
            break;
        }
        let oldest = half_of_what_may_go(&everywhere(place)?.0);
        if oldest.is_empty() {
            break;
        }
        forget(place, store, &oldest)?;
        forgotten += oldest.len();
        store.repack()?;
    }
    let left = everywhere(place)?.0.len();
    let bytes = store.bytes();
    state::write_json(&place.packed_file(), &Packed { version: 1, bytes })?;
    Ok(Pruned { forgotten, left, bytes_before, bytes })
}

/// Automatic ones before pinned ones, the older half of them, and never the newest few.
fn half_of_what_may_go(newest_first: &[Checkpoint]) -> Vec<String> {
    let old = || newest_first.iter().skip(NEWEST);
    let automatic: Vec<_> = old().filter(|one| one.why.is_automatic()).collect();
    let candidates = if automatic.is_empty() { old().collect() } else { automatic };
    let half = candidates.len().div_ceil(2);
    candidates.into_iter().rev().take(half).map(|one| one.id.clone()).collect()
}

/// Removes the remains of killed processes and forgotten checkpoints.
pub(crate) fn remove_unreferenced(place: &CheckpointPlace, store: &Store) -> Result<(), Failure> {
    let (checkpoints, problems) = everywhere(place)?;
    // The objects of a manifest that cannot be read are not known.
    if problems.is_empty() {
        let ids: BTreeSet<&str> = checkpoints.iter().map(|one| one.id.as_str()).collect();
        for id in store.kept_ids().iter().filter(|id| !ids.contains(id.as_str())) {
            store.forget(id)?;
        }
        let digests: BTreeSet<&str> = checkpoints.iter().map(|one| one.surroundings.as_str()).collect();
        for path in folder::entries(&place.all_surroundings()) {
            if !path.file_stem().is_some_and(|digest| digests.contains(digest)) {
                state::remove(&path)?;
            }
        }
        for restore in restores(place)?.iter().filter(|one| !ids.contains(one.before.as_str())) {
            state::remove(&place.restores().join(format!("{}.json", restore.before)))?;
        }
    }
    tidy_copies(place, false).map(drop)
}

/// Removes copies of single files that expired or exceed the limit. Returns the bytes freed.
pub(crate) fn tidy_copies(place: &CheckpointPlace, dry: bool) -> Result<u64, Failure> {
    let since = clock::milliseconds().saturating_sub(place.limits.pinned_days * DAY);
    Ok(place.singles().tidy(since, &folder::entries(&place.logs()), dry)?)
}
