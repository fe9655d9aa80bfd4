//! `git status` for some paths, in one call and without running anything of the user's.

use super::super::changes::without_filters;
use super::super::error::Result;
use super::super::git::Git;
use super::located;
use camino::{Utf8Path, Utf8PathBuf};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

/// Names of this many bytes together are more than anybody looks through.
const LIMIT: usize = 8 * 1024 * 1024;

/// All that git does not track, folders without what is in them.
pub(crate) const FOLDED: [&str; 2] = ["--untracked-files=normal", "--ignored=matching"];

pub(crate) struct RepoStatus {
    pub entries: Vec<StatusEntry>,
}

pub(crate) struct StatusEntry {
    pub kind: StatusKind,
    /// Relative to the worktree; a directory without its slash.
    pub path: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusKind {
    /// The file differs from the index, or is in conflict.
    Changed,
    /// The index differs from the commit, and the file is as in the index.
    Staged,
    Untracked,
    Ignored,
    /// Only missing.
    Deleted,
}

impl RepoStatus {
    /// Everywhere if `paths` is empty; nothing if none of them lies in the worktree.
    pub fn read(git: &Git, paths: &[Utf8PathBuf], options: &[&str]) -> Result<Option<Self>> {
        let worktree = &git.repo().worktree;
        let mut arguments =
            vec!["status".to_owned(), "--porcelain=v1".into(), "-z".into(), "--no-renames".into()];
        arguments.push("--ignore-submodules=dirty".into());
        arguments.extend(options.iter().map(ToString::to_string));
        arguments.push("--".into());
        let inside = paths.iter().filter_map(|path| relative(path, worktree)).collect::<Vec<_>>();
        if inside.is_empty() && !paths.is_empty() {
            return Ok(None);
        }
        let whole = inside.iter().any(String::is_empty);
        // A path with such signs is a pattern to git, and itself as well.
        let is_pattern = |path: &str| path.contains(['*', '?', '[']);
        let specs = inside.iter().filter(|_| !whole).map(|path| match is_pattern(path) {
            true => format!(":(top){path}"),
            false => format!(":(top,literal){path}"),
        });
        arguments.extend(specs);
        let printed = without_filters(git, git.call(arguments).limit(LIMIT))?.bytes()?;
        let entries = printed.split(|byte| *byte == 0).filter_map(StatusEntry::parse).collect();
        Ok(Some(Self { entries }))
    }
}

/// The changed files of each worktree that was asked about, so that many files cost one call.
#[derive(Default)]
pub(crate) struct ChangedFiles {
    known: RefCell<BTreeMap<Utf8PathBuf, Vec<String>>>,
}

impl ChangedFiles {
    pub fn contains(&self, git: &Git, path: &Utf8Path) -> Result<bool> {
        let worktree = &git.repo().worktree;
        let Ok(relative) = path.strip_prefix(worktree) else { return Ok(false) };
        let mut known = self.known.borrow_mut();
        let changed = match known.entry(worktree.clone()) {
            Slot::Occupied(entry) => entry.into_mut(),
            Slot::Vacant(entry) => {
                let status = RepoStatus::read(git, &[], &["--untracked-files=no"])?;
                let entries = status.into_iter().flat_map(|status| status.entries);
                let changed = entries.filter(|entry| entry.kind == StatusKind::Changed);
                entry.insert(changed.map(|entry| entry.path).collect())
            }
        };
        Ok(changed.iter().any(|path| relative == path.as_str()))
    }
}

/// The path below the worktree, empty for the worktree itself.
fn relative(path: &Utf8Path, worktree: &Utf8Path) -> Option<String> {
    let located = located(path).unwrap_or_else(|_| path.to_owned());
    located.strip_prefix(worktree).ok().map(|rest| rest.to_string())
}

impl StatusEntry {
    fn parse(entry: &[u8]) -> Option<Self> {
        let (letters, path) = (entry.get(..2)?, entry.get(3..)?);
        let path = String::from_utf8_lossy(path).trim_end_matches('/').to_owned();
        let kind = match letters {
            b"??" => StatusKind::Untracked,
            b"!!" => StatusKind::Ignored,
            [b'U', _] | [_, b'U' | b'M' | b'T' | b'A'] => StatusKind::Changed,
            [b'M' | b'A' | b'T' | b'R' | b'C', _] => StatusKind::Staged,
            _ => StatusKind::Deleted,
        };
        Some(Self { kind, path })
    }
}
