//! Worktrees and projects that are gone: what was kept of them goes after a while, secrets in it included.

use super::listing::{everywhere, restores};
use super::place::{Place, Record};
use super::pruning;
use super::tidying::{Act, Tidied, recorded};
use crate::checkpoint::{Store, bytes};
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::state::{self, Checkpoints};
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::time::Duration;

const DAY: u64 = 24 * 60 * 60 * 1_000;
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn forget_gone(scene: &Scene, act: Act, now: u64, tidied: &mut Tidied) -> Result<(), Failure> {
    let all = recorded(scene);
    for record in &all {
        let path = Utf8Path::new(&record.worktree);
        match (is_gone(path), record.gone) {
            (false, None) => {}
            (false, Some(_)) => write(scene, record, None, act)?,
            (true, None) => write(scene, record, Some(now), act)?,
            (true, Some(since)) => {
                let place = Place::recorded(scene, path.to_owned(), &record.store);
                let days =
                    if has_pinned(&place)? { place.limits.pinned_days } else { place.limits.gone_days };
                if now.saturating_sub(since) > days * DAY {
                    let shared = all
                        .iter()
                        .any(|other| other.store == record.store && other.worktree != record.worktree);
                    forget(scene, &place, shared, act, tidied)?;
                }
            }
        }
    }
    forget_unrecorded(scene, &all, act, now, tidied)
}

/// A folder that cannot be looked at is not gone: it may be on a disk that is not there now.
fn is_gone(path: &Utf8Path) -> bool {
    matches!(path.symlink_metadata(), Err(error) if error.kind() == ErrorKind::NotFound)
}

fn write(scene: &Scene, record: &Record, gone: Option<u64>, act: Act) -> Result<(), Failure> {
    if act == Act::Tell {
        return Ok(());
    }
    let path = scene.homes.checkpoints().worktree(Utf8Path::new(&record.worktree));
    let Record { version, worktree, store, .. } = record;
    let record = Record { version: *version, worktree: worktree.clone(), store: store.clone(), gone };
    Ok(state::write_json(&path, &record)?)
}

/// Whether somebody made or restored one of its checkpoints.
fn has_pinned(place: &Place) -> Result<bool, Failure> {
    let mut all = everywhere(place)?.0.into_iter().filter(|one| place.worktree == one.worktree);
    let restored = restores(place)?.iter().any(|one| place.worktree == one.worktree);
    Ok(restored || all.any(|one| !one.why.is_automatic()))
}

fn forget(scene: &Scene, place: &Place, shared: bool, act: Act, tidied: &mut Tidied) -> Result<(), Failure> {
    let record = scene.homes.checkpoints().worktree(&place.worktree);
    if !shared {
        let size = bytes(place.store_path()) + bytes(place.beside());
        tidied.note(format!("everything kept of {}, which is gone", place.worktree), size);
        if act == Act::Do {
            remove_folder(place.store_path())?;
            remove_folder(place.beside())?;
            // The last: as long as it is there, the next one goes on.
            state::remove(&record)?;
        }
        return Ok(());
    }
    tidied.note(format!("what was kept of the worktree {}, which is gone", place.worktree), 0);
    if act == Act::Tell {
        return Ok(());
    }
    let Some(_lock) = place.lock_within(PATIENCE)? else { return Ok(()) };
    let restores = restores(place)?.into_iter().filter(|one| place.worktree == one.worktree);
    for restore in restores {
        state::remove(&place.restores().join(format!("{}.json", restore.before)))?;
    }
    state::remove(&place.written())?;
    state::remove(&place.seen())?;
    state::remove(&place.progress())?;
    if let Some(store) = Store::existing(place.store_path()) {
        let ids: Vec<String> = everywhere(place)?
            .0
            .into_iter()
            .filter(|one| place.worktree == one.worktree)
            .map(|one| one.id)
            .collect();
        pruning::forget(place, &store, &ids)?;
        store.forget_worktree(&place.key)?;
        pruning::clean(place, &store)?;
    }
    Ok(state::remove(&record)?)
}

/// Stores that no worktree speaks of any more: nobody can find anything in them.
fn forget_unrecorded(
    scene: &Scene,
    all: &[Record],
    act: Act,
    now: u64,
    tidied: &mut Tidied,
) -> Result<(), Failure> {
    let homes = scene.homes.checkpoints();
    let known: BTreeSet<&str> = all.iter().map(|record| record.store.as_str()).collect();
    for path in pruning::files(homes.root()) {
        let name = path.file_name().unwrap_or_default();
        let key = name.strip_suffix(".git").unwrap_or(name);
        if known.contains(key) || path == homes.worktrees() || !Checkpoints::is_key(key) {
            continue;
        }
        if now.saturating_sub(changed(&path)) > pinned_days(scene, &path) * DAY {
            tidied.note(format!("a store that no worktree uses ({name})"), bytes(&path));
            if act == Act::Do {
                remove_folder(&path)?;
            }
        }
    }
    Ok(())
}

fn pinned_days(scene: &Scene, path: &Utf8Path) -> u64 {
    Place::recorded(scene, path.to_owned(), "").limits.pinned_days
}

/// Milliseconds since 1970.
fn changed(path: &Utf8Path) -> u64 {
    let time = path.metadata().and_then(|found| found.modified()).ok();
    let since = time.and_then(|time| time.duration_since(std::time::SystemTime::UNIX_EPOCH).ok());
    since.map_or(u64::MAX, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

fn remove_folder(path: &Utf8Path) -> Result<(), Failure> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}
