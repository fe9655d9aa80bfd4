//! Ignored files that somebody may have written by hand: copied once before a step that may overwrite anything. From then on
//! they are named, so every checkpoint holds them.

use super::keeping::keep;
use super::listing::{find, of};
use super::place::Place;
use crate::checkpoint::Note;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::review::GitPath;
use crate::step::made_again;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::fs;

/// A folder with more files than this was not written by hand.
const MOST_IN_FOLDER: usize = 200;
/// So many are copied before one step; the next one copies more.
const MOST_FILES: usize = 500;
const MOST_BYTES: u64 = 20 * 1024 * 1024;

/// Copies what the checkpoint `id` left to git's ignore rules and no copy holds yet.
pub fn keep_ignored(scene: &Scene, session: &str, id: &str) -> Result<(), Failure> {
    let place = Place::of(scene)?;
    let around = of(&place, &find(&place, id)?)?;
    if around.cut || around.ignored.is_empty() {
        return Ok(());
    }
    let known: BTreeSet<GitPath> =
        place.singles().notes().into_iter().filter(Note::is_inside).map(|note| note.path).collect();
    let (mut files, mut bytes) = (0, 0);
    let entries = around.ignored.iter().filter_map(|path| std::str::from_utf8(&path.0).ok());
    for entry in entries.filter(|entry| !entry.split('/').any(made_again)) {
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
fn written_by_hand(place: &Place, entry: &str) -> Vec<(Utf8PathBuf, u64)> {
    let (mut left, mut found) = (vec![place.worktree.join(entry)], Vec::new());
    while let Some(path) = left.pop() {
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        if metadata.is_file() {
            found.push((path, metadata.len()));
        } else if metadata.is_dir() && !path.join(".git").exists() && !place.skips(&path) {
            let entries = path.read_dir_utf8().into_iter().flatten().flatten();
            let names = entries.filter(|entry| !made_again(entry.file_name()));
            left.extend(names.map(|entry| entry.path().to_owned()));
        }
        if found.len() + left.len() > MOST_IN_FOLDER {
            return Vec::new();
        }
    }
    found
}

impl Place {
    /// Whether a path is one of our own records.
    fn skips(&self, path: &Utf8Path) -> bool {
        let relative = path.strip_prefix(&self.worktree).map(Utf8Path::as_str).unwrap_or_default();
        self.skipped.iter().any(|skipped| skipped == relative.as_bytes())
    }
}
