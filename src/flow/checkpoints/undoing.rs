//! The last restore is taken back, file by file; undoing that again restores once more.

use super::carrying_out::{Job, Restored};
use super::listing::{find, of, restores};
use super::looking::look;
use super::place::Place;
use super::planning::{Files, Prepared, files, folder_changes, folders_of, not_saved};
use crate::checkpoint::Store;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::restore::{Act, Attribution, Conflict, Difference, Plan, RestoreRecord, Scope, Version};
use crate::review::GitPath;
use std::collections::BTreeMap;

const NOTHING: &str = "nothing was restored here yet, so there is nothing to undo";

/// What `undo` would do.
pub fn plan_undo(scene: &Scene) -> Result<Plan, Failure> {
    let place = Place::of(scene)?;
    let _lock = place.lock()?;
    Ok(prepare(&place, &place.store()?)?.plan)
}

/// Takes a checkpoint of now first. What changed since the restore is left alone.
pub fn undo(scene: &Scene) -> Result<Restored, Failure> {
    let place = Place::of(scene)?;
    let _lock = place.lock()?;
    let store = place.store()?;
    let prepared = prepare(&place, &store)?;
    let job = Job {
        scene,
        place: &place,
        store: &store,
        session: None,
        captured: &prepared.captured,
        plan: &prepared.plan,
        force: false,
        folders: &prepared.folders,
    };
    job.carry_out()
}

fn prepare(place: &Place, store: &Store) -> Result<Prepared, Failure> {
    let mut restores = restores(place)?.into_iter().filter(|one| place.worktree == one.worktree);
    let last: RestoreRecord = restores.next().ok_or(NOTHING)?;
    let checkpoint = find(place, &last.before)?;
    let around = of(place, &checkpoint)?;
    let then = files(store, &checkpoint.tree, &around.files)?;
    let named =
        then.keys().map(|path| path.0.clone()).chain(last.touched.iter().map(|one| one.path.0.clone()));
    let captured = look(place, store, named.collect())?;
    let now = files(store, &captured.tree, &captured.files)?;
    let plan = plan(&last, &then, &now);
    let missing = last.touched.iter().map(|one| &one.path).filter(|path| !now.contains_key(*path));
    let not_saved = not_saved(place, &captured, missing);
    let mut plan = plan.sparing(&not_saved);
    let folders = folders_of(&then, &around.empty_folders);
    // Only folders that the restore can have made are taken away, and none that nobody had looked at.
    let restored = find(place, &last.restored).and_then(|one| {
        let around = of(place, &one)?;
        Ok(folders_of(&files(store, &one.tree, &around.files)?, &around.empty_folders))
    });
    let restored = restored.unwrap_or_default();
    let unseen = around.unseen();
    let foreign = |path: &GitPath| !restored.contains(path) || unseen.holds(path);
    plan.folders = folder_changes(&around, &folders, &captured, &Scope::default(), &foreign);
    Ok(Prepared { checkpoint, captured, plan, folders })
}

fn plan(last: &RestoreRecord, then: &Files, now: &Files) -> Plan {
    let after: BTreeMap<&GitPath, &Option<Version>> =
        last.touched.iter().map(|one| (&one.path, &one.then)).collect();
    let touched = last.touched.iter().map(|one| Difference {
        path: one.path.clone(),
        then: then.get(&one.path).cloned(),
        now: now.get(&one.path).cloned(),
    });
    let nobody = Attribution::default();
    let mut plan =
        Plan::new(&last.before, touched.collect(), &Scope::default(), &nobody, |_| false, |_| None);
    for item in &mut plan.items {
        let as_restored = after.get(&item.path).is_some_and(|after| **after == item.now);
        if !as_restored && (item.now.is_some() || item.act == Act::Remove) {
            item.conflict = Some(Conflict::ChangedSince);
        }
    }
    plan
}
