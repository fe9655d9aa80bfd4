//! What the last look at a worktree saw, so that the next one reads only what changed. A cache: lost or damaged, it costs time.

use super::error::{Error, Result};
use super::folder::Folder;
use super::root::SeenRoot;
use crate::file;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;

const MAGIC: &[u8] = b"plimsoll seen 2\n";
const DIGEST: usize = 32;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Seen {
    /// The tree that holds it, and the commit around it.
    pub(super) tree: String,
    pub(super) commit: String,
    /// When the look began, in milliseconds.
    pub(super) taken: u64,
    pub(super) roots: Vec<SeenRoot>,
    pub(super) folders: Vec<Folder>,
}

impl Seen {
    pub fn read(path: &Utf8Path) -> Option<Self> {
        let bytes = file::read(path, u64::MAX).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (digest, body) = rest.split_at_checked(DIGEST)?;
        (blake3::hash(body).as_bytes() == digest).then(|| postcard::from_bytes(body).ok()).flatten()
    }

    pub fn write(&self, path: &Utf8Path) -> Result<()> {
        let failed = |source| Error::Write { path: path.to_string(), source };
        let body = postcard::to_allocvec(self).map_err(|error| failed(std::io::Error::other(error)))?;
        let parent = path.parent().unwrap_or(path);
        fs::create_dir_all(parent).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(parent).map_err(failed)?;
        for part in [MAGIC, blake3::hash(&body).as_bytes(), &body] {
            file.write_all(part).map_err(failed)?;
        }
        file.persist(path).map_err(|error| failed(error.error)).map(drop)
    }
}
