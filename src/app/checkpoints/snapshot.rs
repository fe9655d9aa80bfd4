//! The worktree as it is now, put into the store.

use super::place::{CheckpointPlace, LockedStore};
use crate::app::failure::Failure;
use crate::edge::checkpoint::{Capture, CaptureRequest, Captured, Pace, Store, capture};
use crate::edge::clock;
use crate::edge::file;
use crate::edge::repo::{Head, Repo};
use crate::pure::restore::{Nested, Surroundings};
use crate::pure::review::GitPath;
use camino::Utf8Path;
use std::collections::BTreeSet;

/// `named`: captured even if ignored, like files that a tool wrote.
pub(crate) fn capture_all(opened: &LockedStore<'_>, named: BTreeSet<Vec<u8>>) -> Result<Captured, Failure> {
    match capture_at(&opened.place, &opened.store, named, &Pace::unlimited())? {
        Capture::Whole(captured) => Ok(*captured),
        Capture::Part(_) => Err("the capture ended early".into()),
    }
}

/// The same at a pace, which may end it before everything is in the store.
pub(crate) fn capture_at(
    place: &CheckpointPlace,
    store: &Store,
    mut named: BTreeSet<Vec<u8>>,
    pace: &Pace<'_>,
) -> Result<Capture, Failure> {
    named.extend(place.singles().written());
    let wanted = CaptureRequest {
        worktree: &place.worktree,
        key: &place.key,
        now: clock::milliseconds(),
        named: &named,
        skipped: &place.skipped,
        limits: &place.limits,
        seen: &place.seen_file(),
    };
    Ok(capture(store, &wanted, pace)?)
}

/// The parts of a capture that no tree holds.
pub(crate) fn surroundings(opened: &LockedStore<'_>, captured: &Captured) -> Surroundings {
    Surroundings {
        version: Surroundings::VERSION,
        files: captured.files.clone(),
        folders: captured.folders.clone(),
        empty_folders: captured.empty_folders.clone(),
        nested: captured.nested.iter().map(|path| nested(opened, path)).collect(),
        left_out: captured.left_out.clone(),
        ignored: captured.ignored.clone(),
        cut: captured.cut,
    }
}

fn nested(opened: &LockedStore<'_>, path: &GitPath) -> Nested {
    let folder = std::str::from_utf8(&path.0).ok().map(|path| opened.place.worktree.join(path));
    let repo = folder.and_then(|folder| Repo::discover(&folder).ok().flatten());
    let ours = opened.workspace.repo.as_ref().map(|repo| &repo.common_dir);
    let linked = repo.as_ref().is_some_and(|repo| Some(&repo.common_dir) == ours);
    Nested { path: path.clone(), head: repo.as_ref().and_then(head), linked }
}

/// The branch with its commit, or the commit.
pub(crate) fn head(repo: &Repo) -> Option<String> {
    match repo.head() {
        Head::Branch(name) => {
            let commit = branch_commit(&repo.common_dir, &name);
            Some(commit.map_or_else(|| name.clone(), |commit| format!("{name} {commit}")))
        }
        Head::Detached(commit) => Some(commit.to_string()),
        Head::Unknown => None,
    }
}

/// More branches than this are nobody's.
const REFS_LIMIT: u64 = 64 * 1024 * 1024;

fn branch_commit(common_dir: &Utf8Path, branch: &str) -> Option<String> {
    let name = format!("refs/heads/{branch}");
    let loose = file::read_text(common_dir.join(&name), REFS_LIMIT).ok();
    let packed = || {
        let packed = file::read_text(common_dir.join("packed-refs"), REFS_LIMIT).ok()?;
        let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(_, other)| *other == name).map(|(id, _)| id.to_owned())
    };
    loose.or_else(packed).map(|id| id.trim().to_owned())
}
