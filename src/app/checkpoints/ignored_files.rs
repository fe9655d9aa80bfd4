//! Ignored files that somebody may have written by hand: copied once before a step that may overwrite anything. From then on
//! they are named, so every checkpoint holds them.

use super::place::CheckpointPlace;
use super::pre_images::keep;
use super::records::{find, of};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::Note;
use crate::pure::review::GitPath;
use crate::pure::step::is_usually_generated;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// A folder with more files than this was not written by hand.
const MOST_IN_FOLDER: usize = 200;
/// The most files copied before one tool call; the next call copies more.
const MOST_FILES: usize = 500;
const MOST_BYTES: u64 = 20 * 1024 * 1024;

/// Copies what the checkpoint `id` left to git's ignore rules and no copy holds yet.
pub(crate) fn keep_ignored(workspace: &Workspace, session: &str, id: &str) -> Result<(), Failure> {
    let place = CheckpointPlace::of(workspace)?;
    let around = of(&place, &find(&place, id)?)?;
    if around.cut || around.ignored.is_empty() {
        return Ok(());
    }
    let known: BTreeSet<GitPath> =
        place.singles().notes().into_iter().filter(Note::is_inside).map(|note| note.path).collect();
    let (mut files, mut bytes) = (0, 0);
    let entries = around.ignored.iter().filter_map(|path| std::str::from_utf8(&path.0).ok());
    for entry in entries.filter(|entry| !entry.split('/').any(is_usually_generated)) {
        for (path, size) in written_by_hand(&place, entry) {
            let relative = path.strip_prefix(&place.worktree).unwrap_or(&path);
            if size > place.limits.file_bytes || known.contains(&GitPath::new(relative.as_str())) {
                continue;
            }
            (files, bytes) = (files + 1, bytes + size);
            if files > MOST_FILES || bytes > MOST_BYTES {
                return Ok(());
            }
            keep(&place, session, &path)?;
        }
    }
    Ok(())
}

/// The files at and below an ignored path; none if there are more than anybody writes.
fn written_by_hand(place: &CheckpointPlace, entry: &str) -> Vec<(Utf8PathBuf, u64)> {
    let (mut left, mut found) = (vec![place.worktree.join(entry)], Vec::new());
    while let Some(path) = left.pop() {
        let Ok(metadata) = path.symlink_metadata() else { continue };
        if metadata.is_file() {
            found.push((path, metadata.len()));
        } else if metadata.is_dir() && !path.join(".git").exists() && !place.skips(&path) {
            let entries = path.read_dir_utf8().into_iter().flatten().flatten();
            let names = entries.filter(|entry| !is_usually_generated(entry.file_name()));
            left.extend(names.map(|entry| entry.path().to_owned()));
        }
        if found.len() + left.len() > MOST_IN_FOLDER {
            return Vec::new();
        }
    }
    found
}

impl CheckpointPlace {
    /// Whether a path is one of our own records.
    fn skips(&self, path: &Utf8Path) -> bool {
        let relative = path.strip_prefix(&self.worktree).map(Utf8Path::as_str).unwrap_or_default();
        self.skipped.iter().any(|skipped| skipped == relative.as_bytes())
    }
}
