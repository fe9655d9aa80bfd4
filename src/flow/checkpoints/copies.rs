//! Copies of single files: listed, and brought back one by one. What is there now is a checkpoint first, as with every restore.

use super::carrying_out::{Job, Restored};
use super::looking::look;
use super::place::Place;
use super::planning::{files, guard, not_saved};
use super::pruning;
use crate::checkpoint::{Before, Captured, Note, Store};
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::restore::{Attribution, Difference, Kind, Plan, Scope, Version};
use crate::review::GitPath;
use serde::Serialize;
use std::collections::BTreeSet;

/// A file as it was before a tool call wrote or deleted it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileCopy {
    pub id: String,
    /// Milliseconds since 1970.
    pub time: u64,
    pub session: String,
    pub path: GitPath,
    #[serde(skip)]
    before: Before,
}

impl FileCopy {
    /// `None` for a line of the log without a copy, or about a file outside of the worktree.
    fn of(note: Note) -> Option<Self> {
        let digest = note.digest().filter(|_| note.is_inside())?;
        let named = format!("{} {} {digest}", note.time, note.path);
        let id: String = blake3::hash(named.as_bytes()).to_hex().chars().take(8).collect();
        let Note { time, session, path, before, .. } = note;
        Some(Self { id: format!("{PREFIX}{id}"), time, session, path, before })
    }
}

/// Tells the id of a copy from that of a checkpoint.
const PREFIX: &str = "copy-";

/// Whether an id is that of a copy.
pub fn is_copy(id: &str) -> bool {
    id.starts_with(PREFIX)
}

/// Newest first; at and below these paths, or all of them.
pub fn copies(scene: &Scene, paths: &[GitPath]) -> Result<Vec<FileCopy>, Failure> {
    let Some(place) = Place::existing(scene)? else { return Ok(Vec::new()) };
    let scope = Scope::new(paths.to_vec(), &[]);
    let mut found = all(&place);
    found.retain(|one| scope.holds(&one.path));
    Ok(found)
}

fn all(place: &Place) -> Vec<FileCopy> {
    let mut found: Vec<FileCopy> = place.singles().notes().into_iter().filter_map(FileCopy::of).collect();
    found.reverse();
    // The same file at the same moment is one copy.
    found.dedup_by(|one, other| one.id == other.id);
    found
}

/// What bringing a copy back would do.
pub fn plan_copy(scene: &Scene, id: &str) -> Result<Plan, Failure> {
    let place = Place::of(scene)?;
    let _lock = place.lock()?;
    Ok(prepare(scene, &place, &place.open_store()?, id)?.1)
}

/// Writes the file as it was when the copy was taken. An error means that it was not touched.
pub fn restore_copy(
    scene: &Scene,
    session: Option<&str>,
    id: &str,
    force: bool,
) -> Result<Restored, Failure> {
    let place = Place::of(scene)?;
    let _lock = place.lock()?;
    let store = place.open_store()?;
    let (captured, plan) = prepare(scene, &place, &store, id)?;
    let job = Job {
        scene,
        place: &place,
        store: &store,
        session,
        captured: &captured,
        plan: &plan,
        force,
        folders: &BTreeSet::new(),
    };
    let restored = job.carry_out()?;
    pruning::forget_expired(&place, &store)?;
    Ok(restored)
}

fn prepare(scene: &Scene, place: &Place, store: &Store, id: &str) -> Result<(Captured, Plan), Failure> {
    let copy = find(place, id)?;
    let (kind, digest, permissions) = match &copy.before {
        Before::File { digest, permissions, .. } => (Kind::File, digest, *permissions),
        Before::Link { digest, .. } => (Kind::Link, digest, 0),
        Before::Absent | Before::LeftOut => return Err(format!("{} holds no file", copy.id).into()),
    };
    let contents = place.singles().into_store(store, &[digest.as_str()])?;
    let then = contents.into_iter().next().map(|content| Version { kind, content, permissions });
    let captured = look(place, store, BTreeSet::from([copy.path.0.clone()]))?;
    let now = files(store, &captured.tree, &captured.files)?.remove(&copy.path);
    let missing = now.is_none().then_some(&copy.path);
    let not_saved = not_saved(place, &captured, missing.into_iter());
    let different = vec![Difference { path: copy.path.clone(), then, now }];
    let (nobody, guarded) = (Attribution::default(), guard(scene, place));
    let plan = Plan::new(&copy.id, different, &Scope::default(), &nobody, guarded, |_| None);
    Ok((captured, plan.sparing(&not_saved)))
}

fn find(place: &Place, id: &str) -> Result<FileCopy, Failure> {
    let mut meant = all(place).into_iter().filter(|one| one.id.starts_with(id));
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => {
            Err(format!("{id} is ambiguous; `plimsoll checkpoint copies` lists them").into())
        }
        (None, _) => Err(format!("there is no {id} here; `plimsoll checkpoint copies` lists them").into()),
    }
}
