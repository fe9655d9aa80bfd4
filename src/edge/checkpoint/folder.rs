//! One folder as it was seen: names, what they were, and by what the file system knew them.

use super::stat::Stat;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum EntryKind {
    File,
    Link,
    Folder,
    Ignored,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FolderEntry {
    pub(super) name: Vec<u8>,
    pub(super) what: EntryKind,
    pub(super) stat: Stat,
}

/// Entries sorted by name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct ListedFolder {
    pub(super) path: Vec<u8>,
    pub(super) stat: Stat,
    /// Nothing at all lies in it.
    pub(super) empty: bool,
    /// Its own permissions are part of the checkpoint; not so where all around is ignored.
    pub(super) kept: bool,
    pub(super) entries: Vec<FolderEntry>,
}

impl ListedFolder {
    pub(super) fn entry(&self, name: &[u8]) -> Option<&FolderEntry> {
        let at = self.entries.binary_search_by(|entry| entry.name.as_slice().cmp(name)).ok()?;
        self.entries.get(at)
    }
}

impl FolderEntry {
    /// Whether its content is in the tree.
    pub(super) fn is_content(&self) -> bool {
        matches!(self.what, EntryKind::File | EntryKind::Link)
    }
}

pub(super) fn joined(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if folder.is_empty() {
        return name.to_vec();
    }
    [folder, b"/", name].concat()
}
