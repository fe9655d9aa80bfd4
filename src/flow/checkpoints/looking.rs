//! One look at the worktree, put into the store.

use super::place::Place;
use crate::checkpoint::{Capture, Captured, Pace, Store, Wanted, capture};
use crate::file;
use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::repo::{Head, Repo};
use crate::restore::{Nested, Surroundings};
use crate::review::GitPath;
use camino::Utf8Path;
use std::collections::BTreeSet;

/// With the lock held. `named`: looked at even if ignored, beside what a tool wrote.
pub(super) fn look(place: &Place, store: &Store, named: BTreeSet<Vec<u8>>) -> Result<Captured, Failure> {
    match look_at(place, store, named, &Pace::unlimited())? {
        Capture::Whole(captured) => Ok(*captured),
        Capture::Part(_) => Err("the capture ended early".into()),
    }
}

/// The same at a pace, which may end it before everything is in the store.
pub(super) fn look_at(
    place: &Place,
    store: &Store,
    mut named: BTreeSet<Vec<u8>>,
    pace: &Pace<'_>,
) -> Result<Capture, Failure> {
    named.extend(place.singles().written());
    let wanted = Wanted {
        worktree: &place.worktree,
        key: &place.key,
        now: clock::milliseconds(),
        named: &named,
        skipped: &place.skipped,
        limits: &place.limits,
        seen: &place.seen(),
    };
    Ok(capture(store, &wanted, pace)?)
}

/// What belongs to the look and is in no tree.
pub(super) fn surroundings(scene: &Scene, place: &Place, captured: &Captured) -> Surroundings {
    Surroundings {
        version: Surroundings::VERSION,
        files: captured.files.clone(),
        folders: captured.folders.clone(),
        empty_folders: captured.empty_folders.clone(),
        nested: captured.nested.iter().map(|path| nested(scene, place, path)).collect(),
        left_out: captured.left_out.clone(),
        ignored: captured.ignored.clone(),
        cut: captured.cut,
    }
}

fn nested(scene: &Scene, place: &Place, path: &GitPath) -> Nested {
    let folder = std::str::from_utf8(&path.0).ok().map(|path| place.worktree.join(path));
    let repo = folder.and_then(|folder| Repo::discover(&folder).ok().flatten());
    let ours = scene.repo.as_ref().map(|repo| &repo.common_dir);
    let linked = repo.as_ref().is_some_and(|repo| Some(&repo.common_dir) == ours);
    Nested { path: path.clone(), head: repo.as_ref().and_then(head), linked }
}

/// The branch with its commit, or the commit.
pub(super) fn head(repo: &Repo) -> Option<String> {
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
