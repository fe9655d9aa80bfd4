//! Copies of single files: listed, and brought back one by one. What is there now is a checkpoint first, as with every restore.

use super::place::{CheckpointPlace, LockedStore};
use super::plan::{Prepared, files, guard, not_saved};
use super::restore::Restored;
use super::retention;
use super::snapshot::capture_all;
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Before, Note};
use crate::pure::restore::{Attribution, Difference, FileKind, FilePlan, RestoreScope, Version};
use crate::pure::review::GitPath;
use crate::pure::text::short_digest;
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
        let id = short_digest(named, 8);
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
pub fn copies(workspace: &Workspace, paths: &[GitPath]) -> Result<Vec<FileCopy>, Failure> {
    let Some(place) = CheckpointPlace::existing(workspace)? else { return Ok(Vec::new()) };
    let scope = RestoreScope::new(paths.to_vec(), &[]);
    let mut found = all(&place);
    found.retain(|one| scope.holds(&one.path));
    Ok(found)
}

fn all(place: &CheckpointPlace) -> Vec<FileCopy> {
    let mut found: Vec<FileCopy> = place.singles().notes().into_iter().filter_map(FileCopy::of).collect();
    found.reverse();
    // The same file at the same moment is one copy.
    found.dedup_by(|one, other| one.id == other.id);
    found
}

/// The plan for restoring a copy.
pub fn plan_copy(workspace: &Workspace, id: &str) -> Result<FilePlan, Failure> {
    Ok(prepare(&LockedStore::open(workspace)?, id)?.plan)
}

/// Writes the file as it was when the copy was taken. An error means that it was not touched.
pub fn restore_copy(
    workspace: &Workspace,
    session: Option<&str>,
    id: &str,
    force: bool,
) -> Result<Restored, Failure> {
    let opened = LockedStore::open(workspace)?;
    let restored = prepare(&opened, id)?.carry_out(&opened, session, force)?;
    retention::forget_expired(&opened.place, &opened.store)?;
    Ok(restored)
}

fn prepare(opened: &LockedStore<'_>, id: &str) -> Result<Prepared, Failure> {
    let LockedStore { place, store, .. } = opened;
    let copy = find(place, id)?;
    let (kind, digest, permissions) = match &copy.before {
        Before::File { digest, permissions, .. } => (FileKind::File, digest, *permissions),
        Before::Link { digest, .. } => (FileKind::Link, digest, 0),
        Before::Absent | Before::LeftOut => return Err(format!("{} holds no file", copy.id).into()),
    };
    let contents = place.singles().put_into_store(store, &[digest.as_str()])?;
    let then = contents.into_iter().next().map(|content| Version { kind, content, permissions });
    let captured = capture_all(opened, BTreeSet::from([copy.path.0.clone()]))?;
    let now = files(store, &captured.tree, &captured.files)?.remove(&copy.path);
    let missing = now.is_none().then_some(&copy.path);
    let not_saved = not_saved(place, &captured, missing.into_iter());
    let different = vec![Difference { path: copy.path.clone(), then, now }];
    let (nobody, guarded) = (Attribution::default(), guard(opened));
    let plan = FilePlan::new(&copy.id, different, &RestoreScope::default(), &nobody, guarded, |_| None);
    Ok(Prepared { captured, plan: plan.sparing(&not_saved), folders: BTreeSet::new() })
}

fn find(place: &CheckpointPlace, id: &str) -> Result<FileCopy, Failure> {
    let mut meant = all(place).into_iter().filter(|one| one.id.starts_with(id));
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => {
            Err(format!("{id} is ambiguous; `plimsoll checkpoint copies` lists them").into())
        }
        (None, _) => Err(format!("there is no {id} here; `plimsoll checkpoint copies` lists them").into()),
    }
}
