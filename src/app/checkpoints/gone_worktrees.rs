//! Worktrees and projects that are gone: what was kept of them goes after a while, secrets in it included.

use super::place::{CheckpointPlace, WorktreeRecord};
use super::records::{everywhere, restores};
use super::retention;
use super::tidy_report::{TidyMode, TidyReport};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Store, bytes};
use crate::edge::file::folder;
use crate::edge::file::metadata::modified_at;
use crate::edge::state::{self, Checkpoints};
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::time::Duration;

const DAY: u64 = 24 * 60 * 60 * 1_000;
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn forget_gone(
    workspace: &Workspace,
    act: TidyMode,
    now: u64,
    tidied: &mut TidyReport,
) -> Result<(), Failure> {
    let all = WorktreeRecord::all(workspace);
    for record in &all {
        let path = Utf8Path::new(&record.worktree);
        match (is_gone(path), record.gone) {
            (false, None) => {}
            (false, Some(_)) => write(workspace, record, None, act)?,
            (true, None) => write(workspace, record, Some(now), act)?,
            (true, Some(since)) => {
                let place = CheckpointPlace::recorded(workspace, path.to_owned(), &record.store);
                let days =
                    if has_pinned(&place)? { place.limits.pinned_days } else { place.limits.gone_days };
                if now.saturating_sub(since) > days * DAY {
                    let shared = all
                        .iter()
                        .any(|other| other.store == record.store && other.worktree != record.worktree);
                    forget(workspace, &place, shared, act, tidied)?;
                }
            }
        }
    }
    forget_unrecorded(workspace, &all, act, now, tidied)
}

/// A folder that cannot be looked at is not gone: it may be on a disk that is not there now.
fn is_gone(path: &Utf8Path) -> bool {
    matches!(path.symlink_metadata(), Err(error) if error.kind() == ErrorKind::NotFound)
}

fn write(
    workspace: &Workspace,
    record: &WorktreeRecord,
    gone: Option<u64>,
    act: TidyMode,
) -> Result<(), Failure> {
    if act == TidyMode::Tell {
        return Ok(());
    }
    let path = workspace.homes.checkpoints().worktree(Utf8Path::new(&record.worktree));
    Ok(state::write_json(&path, &WorktreeRecord { gone, ..record.clone() })?)
}

/// Whether somebody made or restored one of its checkpoints.
fn has_pinned(place: &CheckpointPlace) -> Result<bool, Failure> {
    let mut all = everywhere(place)?.0.into_iter().filter(|one| place.worktree == one.worktree);
    let restored = restores(place)?.iter().any(|one| place.worktree == one.worktree);
    Ok(restored || all.any(|one| !one.why.is_automatic()))
}

fn forget(
    workspace: &Workspace,
    place: &CheckpointPlace,
    shared: bool,
    act: TidyMode,
    tidied: &mut TidyReport,
) -> Result<(), Failure> {
    let record = workspace.homes.checkpoints().worktree(&place.worktree);
    if !shared {
        let size = bytes(place.store_path()) + bytes(place.beside());
        tidied.note(format!("everything kept of {}, which is gone", place.worktree), size);
        if act == TidyMode::Do {
            folder::remove(place.store_path())?;
            folder::remove(place.beside())?;
            // The last: as long as it is there, the next one goes on.
            state::remove(&record)?;
        }
        return Ok(());
    }
    tidied.note(format!("what was kept of the worktree {}, which is gone", place.worktree), 0);
    if act == TidyMode::Tell {
        return Ok(());
    }
    let Some(_lock) = place.lock_within(PATIENCE)? else { return Ok(()) };
    let restores = restores(place)?.into_iter().filter(|one| place.worktree == one.worktree);
    for restore in restores {
        state::remove(&place.restores().join(format!("{}.json", restore.before)))?;
    }
    state::remove(&place.written_log())?;
    state::remove(&place.seen_file())?;
    state::remove(&place.progress())?;
    if let Some(store) = Store::existing(place.store_path()) {
        let ids: Vec<String> = everywhere(place)?
            .0
            .into_iter()
            .filter(|one| place.worktree == one.worktree)
            .map(|one| one.id)
            .collect();
        retention::forget(place, &store, &ids)?;
        store.forget_worktree(&place.key)?;
        retention::clean(place, &store)?;
    }
    Ok(state::remove(&record)?)
}

/// Stores that no worktree speaks of any more: nobody can find anything in them.
fn forget_unrecorded(
    workspace: &Workspace,
    all: &[WorktreeRecord],
    act: TidyMode,
    now: u64,
    tidied: &mut TidyReport,
) -> Result<(), Failure> {
    let homes = workspace.homes.checkpoints();
    let known: BTreeSet<&str> = all.iter().map(|record| record.store.as_str()).collect();
    for path in folder::entries(homes.root()) {
        let name = path.file_name().unwrap_or_default();
        let key = name.strip_suffix(".git").unwrap_or(name);
        if known.contains(key) || path == homes.worktrees() || !Checkpoints::is_key(key) {
            continue;
        }
        if now.saturating_sub(modified_at(&path).unwrap_or(u64::MAX)) > pinned_days(workspace, &path) * DAY {
            tidied.note(format!("a store that no worktree uses ({name})"), bytes(&path));
            if act == TidyMode::Do {
                folder::remove(&path)?;
            }
        }
    }
    Ok(())
}

fn pinned_days(workspace: &Workspace, path: &Utf8Path) -> u64 {
    CheckpointPlace::recorded(workspace, path.to_owned(), "").limits.pinned_days
}
