//! The data that git's trees lack: permissions, empty folders, nested repositories and left-out files.

use crate::pure::review::GitPath;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Stored once for all checkpoints with the same data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Surroundings {
    pub version: u64,
    pub files: Modes,
    pub folders: Modes,
    pub empty_folders: Vec<GitPath>,
    pub nested: Vec<Nested>,
    pub left_out: Vec<LeftOut>,
    /// Ignored files and folders, which the capture did not look into.
    pub ignored: Vec<GitPath>,
    /// The two lists before are incomplete.
    pub cut: bool,
}

impl Surroundings {
    pub const VERSION: u64 = 1;

    /// The paths whose content the checkpoint does not know.
    pub fn unseen(&self) -> Unseen<'_> {
        let left_out = self.left_out.iter().map(|one| &one.path);
        Unseen { paths: self.ignored.iter().chain(left_out).collect(), everything: self.cut }
    }
}

/// Paths whose content the checkpoint does not know.
pub struct Unseen<'a> {
    paths: BTreeSet<&'a GitPath>,
    everything: bool,
}

impl Unseen<'_> {
    pub fn holds(&self, path: &GitPath) -> bool {
        let slashes = path.0.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        let mut around = slashes.chain([path.0.len()]).filter_map(|at| path.0.get(..at));
        self.everything || around.any(|folder| self.paths.contains(&GitPath(folder.to_vec())))
    }
}

/// Permissions: the most common ones once, the others by path.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Modes {
    pub usual: u32,
    pub usual_executable: u32,
    /// Sorted by path.
    pub others: Vec<(GitPath, u32)>,
}

impl Modes {
    /// Paths are spelt out by `name` only where they are needed.
    pub fn gather<P>(all: impl Iterator<Item = (P, u32)> + Clone, name: impl Fn(P) -> GitPath) -> Self {
        let executable = |mode: u32| mode & 0o100 != 0;
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for (_, mode) in all.clone() {
            *counts.entry(mode).or_default() += 1;
        }
        let usual = |wanted: bool| {
            let some = counts.iter().filter(|(mode, _)| executable(**mode) == wanted);
            some.max_by_key(|(_, count)| **count).map(|(mode, _)| *mode)
        };
        let (plain, runs) = (usual(false).unwrap_or(0o644), usual(true).unwrap_or(0o755));
        let others = all.filter(|(_, mode)| *mode != if executable(*mode) { runs } else { plain });
        let mut others: Vec<_> = others.map(|(path, mode)| (name(path), mode)).collect();
        others.sort();
        Self { usual: plain, usual_executable: runs, others }
    }

    pub fn of(&self, path: &GitPath, executable: bool) -> u32 {
        match self.others.binary_search_by(|(other, _)| other.cmp(path)) {
            Ok(at) => self.others.get(at).map_or(self.usual, |(_, mode)| *mode),
            Err(_) if executable => self.usual_executable,
            Err(_) => self.usual,
        }
    }
}

/// A repository inside the project: its files are kept like all others, its history is its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nested {
    pub path: GitPath,
    pub head: Option<String>,
    /// A worktree of the same repository, where somebody else may be at work.
    pub linked: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    pub path: GitPath,
    pub why: LeftOutReason,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason {
    TooLarge(u64),
    /// Too much at once; a later checkpoint takes it in, if the store has room.
    NextTime(u64),
    Unreadable(String),
    /// A socket, pipe or device.
    NoFile,
    /// Made by tools, but not ignored by git.
    MadeAgain,
    /// An ignored folder with too many entries to search for precious files.
    NotLookedThrough,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_permissions_are_said_once_and_the_others_by_name() {
        let all: Vec<_> = [("a", 0o600), ("b", 0o600), ("c", 0o444), ("run", 0o700), ("other", 0o755)]
            .map(|(path, mode)| (GitPath::new(path), mode))
            .into();
        let modes = Modes::gather(all.iter().map(|(path, mode)| (path, *mode)), GitPath::clone);
        for (path, mode) in &all {
            assert_eq!(modes.of(path, mode & 0o100 != 0), *mode, "{path}");
        }
        assert!(modes.others.len() <= 2, "{modes:?}");
    }
}
