//! The state of a worktree at its last capture, so that the next capture reads only changed files. A cache: losing it costs
//! only time.

use super::error::{Error, Result};
use super::folder::ListedFolder;
use super::root::SeenRoot;
use crate::edge::file::{self, checksummed};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

/// Raised whenever anything in `Seen` changes its binary form.
const FORMAT: u64 = 3;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// The tree that holds it, and the commit around it.
    pub(super) tree: String,
    pub(super) commit: String,
    /// When the look began, in milliseconds.
    pub(super) taken: u64,
    pub(super) roots: Vec<SeenRoot>,
    pub(super) folders: Vec<ListedFolder>,
}

impl Seen {
    pub fn read(path: &Utf8Path) -> Option<Self> {
        checksummed::decode(&file::read(path, u64::MAX).ok()?, FORMAT)
    }

    pub fn write(&self, path: &Utf8Path) -> Result<()> {
        let failed = |source| Error::Write { path: path.to_string(), source };
        let bytes = checksummed::encode(self, FORMAT).map_err(failed)?;
        file::replace(path, &bytes).map_err(failed)
    }
}
