//! What nobody will ask for again goes, and the store stays within its bounds.

use super::listing::{everywhere, restores};
use super::place::Place;
use crate::checkpoint::Store;
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::restore::{Checkpoint, expired};
use crate::state;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use std::collections::BTreeSet;

const DAY: u64 = 24 * 60 * 60 * 1_000;
/// So many packs slow down every look-up.
const MANY_PACKS: usize = 40;
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

/// Forgets what is over its time and packs the store.
pub fn prune(scene: &Scene) -> Result<Pruned, Failure> {
    let Some(place) = Place::existing(scene)? else { return Ok(Pruned::default()) };
    let _lock = place.lock()?;
    clean(&place, &place.open_store()?)
}

/// The same if it is due; for moments when nobody waits.
pub fn tidy(scene: &Scene) -> Result<Option<Pruned>, Failure> {
    let Some(place) = Place::existing(scene)? else { return Ok(None) };
    let _lock = place.lock()?;
    let store = place.open_store()?;
    let due = store.packs() > MANY_PACKS || store.bytes() > place.limits.store_bytes;
    if due { clean(&place, &store).map(Some) } else { Ok(None) }
}

/// Before a checkpoint: a store that is full is emptied as far as it may be, or there is no checkpoint.
pub(super) fn make_room(place: &Place, store: &Store) -> Result<(), Failure> {
    if store.bytes() <= place.limits.store_bytes {
        return Ok(());
    }
    let Pruned { bytes, .. } = clean(place, store)?;
    if bytes <= place.limits.store_bytes {
        return Ok(());
    }
    let limit = place.limits.store_bytes / (1024 * 1024);
    Err(format!(
        "the store of checkpoints is full ({limit} MiB); `plimsoll checkpoint list` shows what is kept"
    )
    .into())
}

/// Cheap: references and manifests only.
pub(super) fn forget_expired(place: &Place, store: &Store) -> Result<usize, Failure> {
    let (checkpoints, _) = everywhere(place)?;
    let gone = expired(&checkpoints, &restores(place)?, &place.limits, clock::milliseconds());
    forget(place, store, &gone)?;
    Ok(gone.len())
}

/// The manifest first: a reference without one is only room, a manifest without a reference would be a promise.
fn forget(place: &Place, store: &Store, ids: &[String]) -> Result<(), Failure> {
    for id in ids {
        state::remove(&place.checkpoint(id))?;
        store.forget(id)?;
    }
    Ok(())
}

fn clean(place: &Place, store: &Store) -> Result<Pruned, Failure> {
    let bytes_before = store.bytes();
    let mut forgotten = forget_expired(place, store)?;
    remove_unreferenced(place, store)?;
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
    Ok(Pruned { forgotten, left, bytes_before, bytes: store.bytes() })
}

/// Automatic ones before pinned ones, the older half of them, and never the newest few.
fn half_of_what_may_go(newest_first: &[Checkpoint]) -> Vec<String> {
    let old = || newest_first.iter().skip(NEWEST);
    let automatic: Vec<_> = old().filter(|one| one.why.is_automatic()).collect();
    let candidates = if automatic.is_empty() { old().collect() } else { automatic };
    let half = candidates.len().div_ceil(2);
    candidates.into_iter().rev().take(half).map(|one| one.id.clone()).collect()
}

/// What a killed process or a forgotten checkpoint left behind.
fn remove_unreferenced(place: &Place, store: &Store) -> Result<(), Failure> {
    let (checkpoints, problems) = everywhere(place)?;
    // What a manifest that cannot be read refers to is not known.
    if problems.is_empty() {
        let ids: BTreeSet<&str> = checkpoints.iter().map(|one| one.id.as_str()).collect();
        for id in store.kept().iter().filter(|id| !ids.contains(id.as_str())) {
            store.forget(id)?;
        }
        let digests: BTreeSet<&str> = checkpoints.iter().map(|one| one.surroundings.as_str()).collect();
        for path in files(&place.all_surroundings()) {
            if !path.file_stem().is_some_and(|digest| digests.contains(digest)) {
                state::remove(&path)?;
            }
        }
        for restore in restores(place)?.iter().filter(|one| !ids.contains(one.before.as_str())) {
            state::remove(&place.restores().join(format!("{}.json", restore.before)))?;
        }
    }
    let since = clock::milliseconds().saturating_sub(place.limits.pinned_days * DAY);
    let others: Vec<Utf8PathBuf> = files(&place.logs());
    Ok(place.singles().tidy(since, place.limits.single_files_bytes, &others)?)
}

fn files(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    entries.map(|entry| entry.path().to_owned()).collect()
}
