//! A plan becomes files: what is there now is a checkpoint first, and everything is noted before anything is touched.

use super::creation::record;
use super::place::LockedStore;
use super::plan::{Prepared, prepare};
use super::retention;
use crate::app::failure::{Failure, chain};
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Ground, PutRefusal, StoreObjects};
use crate::edge::clock;
use crate::edge::state;
use crate::pure::restore::{CheckpointReason, FileAction, FilePlan, PlanItem, RestoreRecord, RestoredFile};
use crate::pure::review::GitPath;
use serde::Serialize;
use std::collections::BTreeSet;

/// The result of a restore: files done and not done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Restored {
    pub checkpoint: String,
    /// The checkpoint of what was there before; `None` if nothing had to be done.
    pub before: Option<String>,
    pub written: usize,
    pub removed: usize,
    pub permissions: usize,
    /// Changed by others, and left alone.
    pub kept: Vec<PlanItem>,
    /// Could not be restored, and why.
    pub failed: Vec<(GitPath, String)>,
    /// Differences outside of what was asked for.
    pub outside: usize,
}

/// How far a restore goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RestoreOptions {
    /// Also over what others changed since. What could not be saved stays even then.
    pub force: bool,
    /// Only these files and folders, relative to the project; none: all of it.
    pub paths: Vec<GitPath>,
}

impl RestoreOptions {
    /// The plan.
    pub fn plan(
        &self,
        workspace: &Workspace,
        session: Option<&str>,
        checkpoint: &str,
    ) -> Result<FilePlan, Failure> {
        Ok(prepare(&LockedStore::existing(workspace)?, session, checkpoint, &self.paths)?.plan)
    }
}

/// Takes a checkpoint of now first. An error means that no file was touched; a file that could not be restored is named
/// in the answer.
pub fn restore(
    workspace: &Workspace,
    session: Option<&str>,
    checkpoint: &str,
    how: RestoreOptions,
) -> Result<Restored, Failure> {
    let opened = LockedStore::existing(workspace)?;
    let prepared = prepare(&opened, session, checkpoint, &how.paths)?;
    let restored = prepared.carry_out(&opened, session, how.force)?;
    retention::forget_expired(&opened.place, &opened.store)?;
    Ok(restored)
}

impl Prepared {
    /// An error means that nothing was touched.
    pub(crate) fn carry_out(
        &self,
        opened: &LockedStore<'_>,
        session: Option<&str>,
        force: bool,
    ) -> Result<Restored, Failure> {
        let items: Vec<&PlanItem> = self.plan.doing(force).collect();
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
        let mut objects = StoreObjects::open(&opened.store)?;
        let before = record(opened, session, CheckpointReason::BeforeRestore, &self.captured)?.id;
        let mut note = RestoreRecord {
            version: 1,
            time: clock::milliseconds(),
            worktree: opened.place.worktree.to_string(),
            before: before.clone(),
            restored: self.plan.checkpoint.clone(),
            touched: items
                .iter()
                .map(|item| RestoredFile { path: item.path.clone(), then: item.then.clone() })
                .collect(),
            finished: false,
        };
        let note_path = opened.place.restores().join(format!("{before}.json"));
        state::write_json_of_files(&note_path, &note)?;
        restored.before = Some(before);
        self.change_files(&Ground::new(&opened.place.worktree), &items, &mut objects, &mut restored);
        note.finished = true;
        state::write_json_of_files(&note_path, &note)?;
        Ok(restored)
    }

    fn change_files(
        &self,
        ground: &Ground,
        items: &[&PlanItem],
        objects: &mut StoreObjects,
        restored: &mut Restored,
    ) {
        ground.remove_abandoned(&self.captured.abandoned);
        let mut fail = |path: &GitPath, why: String| restored.failed.push((path.clone(), why));
        let of = |act: FileAction| items.iter().filter(move |item| item.act == act);
        for item in of(FileAction::Remove).rev() {
            match self.captured.stat(&item.path).map(|stat| ground.remove(&item.path, stat)) {
                Some(Ok(())) => restored.removed += 1,
                Some(Err(refusal)) => fail(&item.path, refusal.to_string()),
                None => fail(&item.path, PutRefusal::Changed.to_string()),
            }
        }
        for folder in self.emptied(items) {
            ground.remove_folder(&folder);
        }
        for item in of(FileAction::Write) {
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
        for item in of(FileAction::Permissions) {
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
    fn emptied(&self, items: &[&PlanItem]) -> Vec<GitPath> {
        let mut folders: BTreeSet<GitPath> = self.plan.folders.remove.iter().cloned().collect();
        let removed = items.iter().filter(|item| item.act == FileAction::Remove).map(|item| &item.path);
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
