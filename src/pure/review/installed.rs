//! The files that Plimsoll installed into a repository, by exactly the content that it installed.

use super::object::{GitPath, Side};
use std::collections::{BTreeMap, BTreeSet};

/// For every path each content that was installed there, by this version or an earlier one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct InstalledFiles(BTreeMap<GitPath, BTreeSet<Side>>);

impl InstalledFiles {
    pub(crate) fn add(&mut self, path: GitPath, sides: impl IntoIterator<Item = Side>) {
        self.0.entry(path).or_default().extend(sides);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &GitPath> {
        self.0.keys()
    }

    /// Whether this is a file of ours as we installed it. A file with a changed byte or mode is not.
    pub(crate) fn contains(&self, path: &GitPath, side: &Side) -> bool {
        self.0.get(path).is_some_and(|installed| installed.contains(side))
    }
}
