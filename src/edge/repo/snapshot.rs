//! Content that need not be committed anywhere: a tree together with the objects it is made of.

use super::changes::pairs;
use super::error::Result;
use super::git::Git;
use super::objects::{Objects, objects};
use super::scratch::Scratch;
use crate::pure::review::{GitPath, ObjectId, Pair, TreeId};
use std::collections::BTreeSet;

/// A tree and what is needed to read it. New objects vanish when this is dropped; the id stays meaningful.
#[derive(Debug)]
pub struct Snapshot {
    /// The content that receipts belong to: as git would record it, without our installed files.
    pub tree: TreeId,
    /// The same with those files of ours that somebody changed and git ignores: they cannot leave, but are to be seen.
    pub content: TreeId,
    /// Paths of the files of ours that are as they were installed.
    unchanged: BTreeSet<GitPath>,
    git: Git,
    _scratch: Scratch,
}

impl Snapshot {
    pub(super) fn new(tree: TreeId, git: Git, scratch: Scratch) -> Self {
        Self { content: tree.clone(), tree, unchanged: BTreeSet::new(), git, _scratch: scratch }
    }

    pub(super) fn with_installed(self, content: TreeId, unchanged: BTreeSet<GitPath>) -> Self {
        Self { content, unchanged, ..self }
    }

    /// A git that finds the objects of this snapshot besides those of the repository.
    pub fn git(&self) -> &Git {
        &self.git
    }

    /// The differences from `base`, or from nothing at all.
    pub fn pairs(&self, base: Option<&TreeId>) -> Result<Vec<Pair>> {
        let mut pairs = pairs(&self.git, base, &self.content)?;
        pairs.retain(|pair| !self.unchanged.contains(&pair.path));
        Ok(pairs)
    }

    /// Paths that the user's own index does not have: untracked files, as far as they are part of the snapshot.
    pub fn untracked(&self) -> Result<Vec<GitPath>> {
        let index = self.git.repo().git_dir.join("index").into_os_string();
        let git = self.git.clone().with_variables([("GIT_INDEX_FILE", index)]);
        let arguments = ["diff-index", "--cached", "--name-only", "-z", "--no-renames", "--diff-filter=D"];
        let paths = git.call(arguments.into_iter().chain([self.content.0.as_str()])).names()?;
        Ok(paths.into_iter().map(GitPath).collect())
    }

    /// The content of `ids`, each up to `limit` bytes.
    pub fn blobs(&self, ids: &[ObjectId], limit: u64) -> Result<Objects<'_>> {
        objects(&self.git, ids, limit)
    }
}
