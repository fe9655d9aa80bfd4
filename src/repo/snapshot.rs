//! Content that need not be committed anywhere: a tree together with the objects it is made of.

use super::changes::pairs;
use super::error::Result;
use super::git::Git;
use super::objects::{Objects, objects};
use super::scratch::Scratch;
use crate::review::{ObjectId, Pair, TreeId};

/// A tree and what is needed to read it. New objects vanish when this is dropped; the id stays meaningful.
#[derive(Debug)]
pub struct Snapshot {
    pub tree: TreeId,
    git: Git,
    scratch: Scratch,
}

impl Snapshot {
    pub(super) fn new(tree: TreeId, git: Git, scratch: Scratch) -> Self {
        Self { tree, git, scratch }
    }

    /// A git that finds the objects of this snapshot besides those of the repository.
    pub fn git(&self) -> &Git {
        &self.git
    }

    #[cfg(feature = "cli")]
    pub(super) fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// What differs from `base`, or from nothing at all.
    pub fn pairs(&self, base: Option<&TreeId>) -> Result<Vec<Pair>> {
        pairs(&self.git, base, &self.tree)
    }

    /// The content of `ids`, each up to `limit` bytes.
    pub fn blobs(&self, ids: &[ObjectId], limit: u64) -> Result<Objects<'_>> {
        objects(&self.git, ids, limit)
    }
}
