//! The last restore is taken back, file by file; undoing that again restores once more.

use super::place::{CheckpointPlace, LockedStore};
use super::plan::{PlannedFiles, Prepared, files, folder_changes, folders_of, not_saved};
use super::records::{find, of, restores};
use super::restore::Restored;
use super::snapshot::capture_all;
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::Store;
use crate::edge::state;
use crate::pure::restore::{
    Attribution, Conflict, Difference, FileAction, FilePlan, RestoreRecord, RestoreScope, Reversal, UndoStep,
    reversals, undone_together,
};
use crate::pure::review::GitPath;
use std::collections::{BTreeMap, BTreeSet};

const NOTHING: &str = "nothing was restored here yet, so there is nothing to undo";

/// The plan of an `undo`.
pub fn plan_undo(workspace: &Workspace) -> Result<FilePlan, Failure> {
    if !CheckpointPlace::of(workspace)?.has_store() {
        return Err(NOTHING.into());
    }
    Ok(prepare(&LockedStore::existing(workspace)?)?.plan)
}

/// Takes a checkpoint of now first. What changed since the restore is left alone.
pub fn undo(workspace: &Workspace) -> Result<Restored, Failure> {
    let opened = LockedStore::existing(workspace)?;
    let interrupted = last(&opened.place)?.into_iter().filter(|one| !one.finished);
    let restored = prepare(&opened)?.carry_out(&opened, None, false)?;
    // Undone, they are no part of what the next undo takes back.
    for record in interrupted {
        let path = opened.place.restores().join(format!("{}.json", record.before));
        state::write_json(&path, &RestoreRecord { finished: true, ..record })?;
    }
    Ok(restored)
}

/// The restores that one undo takes back, newest first.
fn last(place: &CheckpointPlace) -> Result<Vec<RestoreRecord>, Failure> {
    let mut all: Vec<_> = restores(place)?.into_iter().filter(|one| place.worktree == one.worktree).collect();
    all.truncate(undone_together(&all));
    // An interrupted one whose checkpoint is gone cannot be taken back any more.
    let known = all.iter().skip(1).take_while(|one| find(place, &one.before).is_ok()).count();
    all.truncate(1 + known);
    Ok(all)
}

fn prepare(opened: &LockedStore<'_>) -> Result<Prepared, Failure> {
    let LockedStore { place, store, .. } = opened;
    let last = last(place)?;
    let checkpoint = find(place, &last.last().ok_or(NOTHING)?.before)?;
    let around = of(place, &checkpoint)?;
    let then = files(store, &checkpoint.tree, &around.files)?;
    // Only folders that the restores can have made are taken away, and none that nobody had looked at.
    let mut restored = BTreeSet::new();
    let mut steps = Vec::new();
    for restore in last {
        restored.extend(folders_at(place, store, &restore.restored).unwrap_or_default());
        let before = find(place, &restore.before)?;
        let before = files(store, &before.tree, &of(place, &before)?.files)?;
        steps.push(UndoStep { restore, before });
    }
    let reversals = reversals(&steps);
    let named = then.keys().chain(reversals.keys()).map(|path| path.0.clone());
    let captured = capture_all(opened, named.collect())?;
    let now = files(store, &captured.tree, &captured.files)?;
    let missing = reversals.keys().filter(|path| !now.contains_key(*path));
    let not_saved = not_saved(place, &captured, missing);
    let mut plan = plan(&checkpoint.id, &reversals, &now).sparing(&not_saved);
    let folders = folders_of(&then, &around.empty_folders);
    let unseen = around.unseen();
    let foreign = |path: &GitPath| !restored.contains(path) || unseen.holds(path);
    plan.folders = folder_changes(&around, &folders, &captured, &RestoreScope::default(), &foreign);
    Ok(Prepared { captured, plan, folders })
}

fn folders_at(place: &CheckpointPlace, store: &Store, id: &str) -> Result<BTreeSet<GitPath>, Failure> {
    let checkpoint = find(place, id)?;
    let around = of(place, &checkpoint)?;
    Ok(folders_of(&files(store, &checkpoint.tree, &around.files)?, &around.empty_folders))
}

fn plan(checkpoint: &str, reversals: &BTreeMap<GitPath, Reversal>, now: &PlannedFiles) -> FilePlan {
    let differences = reversals.iter().map(|(path, one)| Difference {
        path: path.clone(),
        then: one.then.clone(),
        now: now.get(path).cloned(),
    });
    let nobody = Attribution::default();
    let mut plan = FilePlan::new(
        checkpoint,
        differences.collect(),
        &RestoreScope::default(),
        &nobody,
        |_| false,
        |_| None,
    );
    for item in &mut plan.items {
        let as_restored = reversals.get(&item.path).is_some_and(|one| one.restored == item.now);
        if !as_restored && (item.now.is_some() || item.act == FileAction::Remove) {
            item.conflict = Some(Conflict::ChangedSince);
        }
    }
    plan
}
