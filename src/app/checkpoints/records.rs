//! The checkpoints of a project, one of them, and what differs since.

use super::place::{CheckpointPlace, LockedStore};
use super::snapshot::capture_all;
use crate::app::failure::{Failure, chain};
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{difference, listing};
use crate::edge::state;
use crate::pure::restore::{
    self, Checkpoint, CheckpointReason, Health, RestoreRecord, SafeCriteria, Surroundings,
};
use crate::pure::review::GitPath;
use camino::{Utf8Path, Utf8PathBuf};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};

/// Newest first; those of this worktree.
pub fn list(workspace: &Workspace) -> Result<Vec<Checkpoint>, Failure> {
    Ok(CheckpointPlace::existing(workspace)?.map(|place| all(&place)).transpose()?.unwrap_or_default().0)
}

/// The folder whose checkpoints these are.
pub fn worktree(workspace: &Workspace) -> Result<Utf8PathBuf, Failure> {
    Ok(CheckpointPlace::of(workspace)?.worktree)
}

/// Manifests that cannot be read, in words.
pub fn unreadable(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    Ok(CheckpointPlace::existing(workspace)?.map(|place| all(&place)).transpose()?.unwrap_or_default().1)
}

/// Facts that a checkpoint records besides its files.
pub fn surroundings(workspace: &Workspace, id: &str) -> Result<(Checkpoint, Surroundings), Failure> {
    let place = CheckpointPlace::existing(workspace)?.ok_or("there is no checkpoint here yet")?;
    let checkpoint = find(&place, id)?;
    let surroundings = of(&place, &checkpoint)?;
    Ok((checkpoint, surroundings))
}

/// The newest one from before `began` (milliseconds) that was safe; `health`: what the caller knows better, by time.
pub fn last_safe(
    workspace: &Workspace,
    began: u64,
    health: &[Health],
    criteria: &SafeCriteria,
    depth: u32,
) -> Result<Option<Checkpoint>, Failure> {
    Ok(restore::last_safe(&list(workspace)?, began, health, criteria, depth).cloned())
}

/// The changes since a checkpoint, as a unified diff of at most `limit` bytes. Files that hold keys and passwords are named,
/// not shown.
pub fn diff_since(workspace: &Workspace, checkpoint: &str, most_bytes: usize) -> Result<String, Failure> {
    let opened = LockedStore::existing(workspace)?;
    let store = &opened.store;
    let from = find(&opened.place, checkpoint)?.tree;
    let to = capture_all(&opened, BTreeSet::new())?.tree;
    let files = |tree| -> Result<BTreeMap<GitPath, _>, Failure> {
        Ok(listing(store, tree)?.into_iter().map(|(path, mode, id)| (path, (mode, id))).collect())
    };
    let (then, now) = (files(&from)?, files(&to)?);
    let names = then.keys().chain(now.keys()).collect::<BTreeSet<_>>();
    let hidden: Vec<GitPath> = names
        .into_iter()
        .filter(|path| is_precious(path) && then.get(*path) != now.get(*path))
        .cloned()
        .collect();
    let bytes = difference(store, &from, &to, &hidden, most_bytes)?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if bytes.len() >= most_bytes {
        text.push_str("\n… cut here\n");
    }
    for path in hidden {
        text.push_str(&format!("{path} changed; its content is not shown\n"));
    }
    Ok(text)
}

fn is_precious(path: &GitPath) -> bool {
    let name = path.0.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    crate::pure::step::is_precious(&String::from_utf8_lossy(name))
}

/// Newest first, and what could not be read.
pub(crate) fn all(place: &CheckpointPlace) -> Result<(Vec<Checkpoint>, Vec<String>), Failure> {
    let (everywhere, problems) = everywhere(place)?;
    Ok((everywhere.into_iter().filter(|one| place.worktree == one.worktree).collect(), problems))
}

/// Of all worktrees that share the store.
pub(crate) fn everywhere(place: &CheckpointPlace) -> Result<(Vec<Checkpoint>, Vec<String>), Failure> {
    let (mut found, problems) = records::<Checkpoint>(&place.checkpoints(), Checkpoint::VERSION)?;
    found.sort_by(|a, b| (b.time, &b.id).cmp(&(a.time, &a.id)));
    Ok((found, problems))
}

pub(crate) fn restores(place: &CheckpointPlace) -> Result<Vec<RestoreRecord>, Failure> {
    let (mut found, _) = records::<RestoreRecord>(&place.restores(), 1)?;
    found.sort_by_key(|one| std::cmp::Reverse(one.time));
    Ok(found)
}

fn records<T: DeserializeOwned>(folder: &Utf8Path, version: u64) -> Result<(Vec<T>, Vec<String>), Failure> {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    let entries = match folder.read_dir_utf8() {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((found, problems)),
        Err(error) => return Err(format!("cannot read {folder}: {error}").into()),
    };
    for entry in entries {
        let entry = entry?;
        if entry.path().extension() != Some("json") {
            continue;
        }
        match state::read_json_in_place::<T>(entry.path(), version) {
            Ok(one) => found.extend(one),
            Err(error) => problems.push(chain(&error)),
        }
    }
    Ok((found, problems))
}

/// By its whole id, by as much of the beginning or end as nobody else has, or as `last`: the newest that is not the
/// state before a restore, for which there is `plimsoll undo`.
pub(crate) fn find(place: &CheckpointPlace, id: &str) -> Result<Checkpoint, Failure> {
    let all = all(place)?.0;
    if id == "last" {
        let newest = all.into_iter().find(|one| one.why != CheckpointReason::BeforeRestore);
        return Ok(newest.ok_or("there is no checkpoint here yet; `plimsoll checkpoint create` takes one")?);
    }
    if let Some(exact) = all.iter().find(|one| one.id == id) {
        return Ok(exact.clone());
    }
    let meant = |one: &&Checkpoint| !id.is_empty() && (one.id.starts_with(id) || one.id.ends_with(id));
    let mut meant = all.iter().filter(meant);
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one.clone()),
        (Some(_), Some(_)) => {
            Err(format!("more than one checkpoint is called {id}…; `plimsoll checkpoint list` has them")
                .into())
        }
        (None, _) => Err(format!(
            "there is no checkpoint {id} here; `plimsoll checkpoint list` has those that are kept"
        )
        .into()),
    }
}

pub(crate) fn of(place: &CheckpointPlace, checkpoint: &Checkpoint) -> Result<Surroundings, Failure> {
    let path = place.surroundings(&checkpoint.surroundings);
    let found = state::read_json_in_place(&path, Surroundings::VERSION)?;
    Ok(found.ok_or_else(|| {
        format!("{path} is missing; without it checkpoint {} cannot be restored", checkpoint.id)
    })?)
}
