//! A plan becomes files: what is there now is a checkpoint first, and everything is noted before anything is touched.

use super::place::Place;
use super::taking::record;
use crate::checkpoint::{Captured, Ground, Objects, Refusal, Store};
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::{Failure, chain};
use crate::restore::{Act, Item, Plan, RestoreRecord, Touched, Why};
use crate::review::GitPath;
use crate::state;
use serde::Serialize;
use std::collections::BTreeSet;

/// What was done, and what was not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Restored {
    pub checkpoint: String,
    /// The checkpoint of what was there before; `None` if nothing had to be done.
    pub before: Option<String>,
    pub written: usize,
    pub removed: usize,
    pub permissions: usize,
    /// Changed by others, and left alone.
    pub kept: Vec<Item>,
    /// Could not be restored, and why.
    pub failed: Vec<(GitPath, String)>,
    /// Differences outside of what was asked for.
    pub outside: usize,
}

pub(super) struct Job<'a> {
    pub(super) scene: &'a Scene,
    pub(super) place: &'a Place,
    pub(super) store: &'a Store,
    pub(super) session: Option<&'a str>,
    pub(super) captured: &'a Captured,
    pub(super) plan: &'a Plan,
    pub(super) force: bool,
    /// Folders that stay even if nothing is left in them.
    pub(super) folders: &'a BTreeSet<GitPath>,
}

impl Job<'_> {
    /// With the lock held. An error means that nothing was touched.
    pub(super) fn carry_out(&self) -> Result<Restored, Failure> {
        let items: Vec<&Item> = self.plan.doing(self.force).collect();
        let done: BTreeSet<&GitPath> = items.iter().map(|item| &item.path).collect();
        let mut restored = Restored {
            checkpoint: self.plan.checkpoint.clone(),
            kept: self.plan.conflicts().filter(|item| !done.contains(&item.path)).cloned().collect(),
            outside: self.plan.outside,
            ..Restored::default()
        };
        if items.is_empty() && self.plan.folders.is_empty() {
            return Ok(restored);
        }
        let mut objects = Objects::open(self.store)?;
        let before =
            record(self.scene, self.place, self.store, self.session, Why::BeforeRestore, self.captured)?.id;
        let mut note = RestoreRecord {
            version: 1,
            time: clock::milliseconds(),
            worktree: self.place.worktree.to_string(),
            before: before.clone(),
            restored: self.plan.checkpoint.clone(),
            touched: items
                .iter()
                .map(|item| Touched { path: item.path.clone(), then: item.then.clone() })
                .collect(),
            finished: false,
        };
        let note_path = self.place.restores().join(format!("{before}.json"));
        state::write_json_of_files(&note_path, &note)?;
        restored.before = Some(before);
        self.change_files(&items, &mut objects, &mut restored);
        note.finished = true;
        state::write_json_of_files(&note_path, &note)?;
        Ok(restored)
    }

    fn change_files(&self, items: &[&Item], objects: &mut Objects, restored: &mut Restored) {
        let ground = Ground::new(&self.place.worktree);
        ground.remove_abandoned(&self.captured.abandoned);
        let mut fail = |path: &GitPath, why: String| restored.failed.push((path.clone(), why));
        let of = |act: Act| items.iter().filter(move |item| item.act == act);
        for item in of(Act::Remove).rev() {
            match self.captured.stat(&item.path).map(|stat| ground.remove(&item.path, stat)) {
                Some(Ok(())) => restored.removed += 1,
                Some(Err(refusal)) => fail(&item.path, refusal.to_string()),
                None => fail(&item.path, Refusal::Changed.to_string()),
            }
        }
        for folder in self.emptied(items) {
            ground.remove_folder(&folder);
        }
        for item in of(Act::Write) {
            let Some(then) = &item.then else { continue };
            let bytes = match objects.read(&then.content) {
                Ok(bytes) => bytes,
                Err(error) => {
                    fail(&item.path, chain(&error));
                    continue;
                }
            };
            let expected = item.now.as_ref().and_then(|_| self.captured.stat(&item.path));
            match ground.write(&item.path, then.kind, &bytes, then.permissions, expected) {
                Ok(()) => restored.written += 1,
                Err(refusal) => fail(&item.path, refusal.to_string()),
            }
        }
        for item in of(Act::Permissions) {
            let (Some(then), Some(stat)) = (&item.then, self.captured.stat(&item.path)) else { continue };
            match ground.permit(&item.path, then.permissions, stat) {
                Ok(()) => restored.permissions += 1,
                Err(refusal) => fail(&item.path, refusal.to_string()),
            }
        }
        for (folder, _) in &self.plan.folders.create {
            if let Err(refusal) = ground.make_folder(folder) {
                fail(folder, refusal.to_string());
            }
        }
        // The deepest first: one that is closed again lets nobody through to those in it.
        for (folder, permissions) in self.plan.folders.permissions.iter().rev() {
            if let Err(refusal) = ground.permit_folder(folder, *permissions) {
                fail(folder, refusal.to_string());
            }
        }
    }

    /// Folders that the restore may have emptied and that were not there then, the deepest first.
    fn emptied(&self, items: &[&Item]) -> Vec<GitPath> {
        let mut folders: BTreeSet<GitPath> = self.plan.folders.remove.iter().cloned().collect();
        let removed = items.iter().filter(|item| item.act == Act::Remove).map(|item| &item.path);
        for path in removed.chain(&self.plan.folders.remove) {
            let mut rest = path.0.as_slice();
            while let Some(slash) = rest.iter().rposition(|byte| *byte == b'/') {
                rest = rest.get(..slash).unwrap_or_default();
                folders.insert(GitPath(rest.to_vec()));
            }
        }
        folders.retain(|folder| !self.folders.contains(folder));
        folders.into_iter().rev().collect()
    }
}
