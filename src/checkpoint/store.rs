//! The private git directory: made by hand, referred to by files, packed again only when it is tidied.

use super::error::{Error, Result};
use super::git::{in_store, printed};
use crate::file;
use crate::review::ObjectId;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;

const CONFIG: &str =
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogAllRefUpdates = false\n[gc]\n\tauto = 0\n";
/// Nothing in the store is text to git.
const ATTRIBUTES: &str = "* -text -ident -filter -working-tree-encoding -eol\n";
const HEAD: &str = "ref: refs/heads/none\n";

#[derive(Debug, Clone)]
pub struct Store {
    path: Utf8PathBuf,
}

impl Store {
    /// Makes it, or finishes what somebody who was killed began.
    pub fn open(path: &Utf8Path) -> Result<Self> {
        let store = Self { path: path.to_owned() };
        if path.join("HEAD").is_file() {
            return Ok(store);
        }
        for folder in ["objects/info", "objects/pack", "refs/checkpoints", "refs/seen", "info"] {
            let folder = path.join(folder);
            let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
            made.map_err(Error::write(folder.as_std_path()))?;
        }
        for (name, text) in [("config", CONFIG), ("info/attributes", ATTRIBUTES), ("HEAD", HEAD)] {
            store.write(name, text)?;
        }
        Ok(store)
    }

    /// The store if there is one.
    pub fn existing(path: &Utf8Path) -> Option<Self> {
        path.join("HEAD").is_file().then(|| Self { path: path.to_owned() })
    }

    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Whether a reference of ours holds this commit.
    pub(super) fn has(&self, commit: &str) -> bool {
        let folders = ["refs/seen", "refs/checkpoints"].map(|folder| self.path.join(folder));
        folders.iter().any(|folder| {
            let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
            entries.into_iter().any(|entry| {
                file::read(entry.path(), 1024).is_ok_and(|id| id.trim_ascii() == commit.as_bytes())
            })
        })
    }

    /// Keeps a commit until it is forgotten.
    pub fn keep(&self, id: &str, commit: &ObjectId) -> Result<()> {
        self.write(&format!("refs/checkpoints/{id}"), &format!("{commit}\n"))
    }

    pub fn forget(&self, id: &str) -> Result<()> {
        self.remove(&format!("refs/checkpoints/{id}"))
    }

    pub fn forget_worktree(&self, key: &str) -> Result<()> {
        self.remove(&format!("refs/seen/{key}"))
    }

    /// The ids that are kept.
    pub fn kept(&self) -> Vec<String> {
        let entries = self.path.join("refs/checkpoints").read_dir_utf8().into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_owned()).collect()
    }

    pub fn bytes(&self) -> u64 {
        bytes(&self.path.join("objects"))
    }

    /// How many packs there are; many make every look-up slow.
    pub fn packs(&self) -> usize {
        let entries = self.path.join("objects/pack").read_dir_utf8().into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension() == Some("pack")).count()
    }

    /// Packs what is kept into one and drops the rest. Only with the lock held.
    pub fn repack(&self) -> Result<()> {
        let pack = self.path.join("objects/pack");
        for entry in pack.read_dir_utf8().into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.starts_with("tmp_") || name.starts_with(".tmp-") {
                let _ = fs::remove_file(entry.path());
            }
        }
        for entry in self.path.read_dir_utf8().into_iter().flatten().flatten() {
            if entry.file_name().starts_with("fast_import_crash_") {
                let _ = fs::remove_file(entry.path());
            }
        }
        let run =
            |arguments: &[&str], name| printed(in_store(self.path.as_std_path(), arguments), name, 1 << 20);
        run(&["repack", "-a", "-d", "-q", "--window=10", "--threads=1"], "repack")?;
        run(&["prune", "--expire=now"], "prune").map(drop)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path.join(name);
        let failed = |source| Error::Write { path: path.to_string(), source };
        let mut file = tempfile::NamedTempFile::new_in(&self.path).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error)).map(drop)
    }

    fn remove(&self, name: &str) -> Result<()> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::write(path.as_std_path())(error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// What the files below a folder hold.
pub(super) fn bytes(folder: &Utf8Path) -> u64 {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes(entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    sizes.sum()
}
