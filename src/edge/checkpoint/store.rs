//! The private git directory: made by hand, referred to by files, packed again only when it is tidied.

use super::error::{Error, Result};
use super::pace::PATIENCE;
use crate::edge::file;
use crate::edge::git::GitCommand;
use crate::pure::review::ObjectId;
use camino::{Utf8Path, Utf8PathBuf};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::time::Duration;

const CONFIG: &str =
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogAllRefUpdates = false\n[gc]\n\tauto = 0\n";
/// Nothing in the store is text to git.
const ATTRIBUTES: &str = "* -text -ident -filter -working-tree-encoding -eol\n";
const HEAD: &str = "ref: refs/heads/none\n";
/// A store is bounded; packing one takes seconds, on a slow disk minutes.
const PACKING: Duration = Duration::from_secs(15 * 60);

/// No reference is longer.
const LONGEST: u64 = 1024;

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

    /// Whether one of our refs still holds the tree of the worktree's last capture.
    pub(super) fn holds(&self, key: &str, commit: &str) -> bool {
        let next = file::read(self.path.join(Self::next(key)), LONGEST);
        if next.is_ok_and(|id| id.trim_ascii() == commit.as_bytes()) {
            // Killed before it could do so itself.
            return self.advance(key).is_ok();
        }
        self.has(commit)
    }

    fn has(&self, commit: &str) -> bool {
        let folders = ["refs/seen", "refs/checkpoints"].map(|folder| self.path.join(folder));
        folders.iter().any(|folder| {
            let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
            entries.into_iter().any(|entry| {
                file::read(entry.path(), LONGEST).is_ok_and(|id| id.trim_ascii() == commit.as_bytes())
            })
        })
    }

    /// The ref of a portion until its state file is written, so that a kill in between loses neither.
    pub(super) fn next(key: &str) -> String {
        format!("refs/seen/{key}-next")
    }

    /// From now on the portion is what the worktree's next look goes on from.
    pub(super) fn advance(&self, key: &str) -> Result<()> {
        let path = self.path.join(format!("refs/seen/{key}"));
        fs::rename(self.path.join(Self::next(key)), &path).map_err(Error::write(path.as_std_path()))
    }

    /// Keeps a commit until it is forgotten.
    pub fn keep(&self, id: &str, commit: &ObjectId) -> Result<()> {
        self.write(&format!("refs/checkpoints/{id}"), &format!("{commit}\n"))
    }

    pub fn forget(&self, id: &str) -> Result<()> {
        self.remove(&format!("refs/checkpoints/{id}"))
    }

    pub fn forget_worktree(&self, key: &str) -> Result<()> {
        self.remove(&Self::next(key))?;
        self.remove(&format!("refs/seen/{key}"))
    }

    /// The tree of the worktree's last capture.
    pub fn last_tree(&self, key: &str) -> Option<String> {
        let bytes = file::read(self.path.join(format!("refs/seen/{key}")), LONGEST).ok()?;
        Some(String::from_utf8_lossy(bytes.trim_ascii()).into_owned())
    }

    /// The ids that are kept.
    pub fn kept_ids(&self) -> Vec<String> {
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
        self.run(["repack", "-a", "-d", "-q", "--window=10", "--threads=1"])?;
        self.run(["prune", "--expire=now"])
    }

    /// Makes few packs of many, and drops nothing: others may read and write meanwhile.
    pub fn combine(&self) -> Result<()> {
        self.run(["repack", "--geometric=2", "-d", "-q", "--window=10", "--threads=1"])
    }

    fn run<const N: usize>(&self, arguments: [&str; N]) -> Result<()> {
        Ok(self.git(arguments).deadline(PACKING).bytes().map(drop)?)
    }

    /// A git command on the store.
    pub(super) fn git<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> GitCommand {
        GitCommand::in_store(self.path.as_std_path(), arguments).deadline(PATIENCE)
    }

    /// Temporary files of killed git processes. Call it only with the store's lock and the lock for combining packs held, so that
    /// no other process is at work.
    pub fn leftovers(&self) -> Vec<Utf8PathBuf> {
        let inside = |folder: &str, is_one: fn(&str) -> bool| {
            let entries = self.path.join(folder).read_dir_utf8().into_iter().flatten().flatten();
            entries.filter(move |entry| is_one(entry.file_name())).map(|entry| entry.path().to_owned())
        };
        let in_packs = inside("objects/pack", |name| name.starts_with("tmp_") || name.starts_with(".tmp-"));
        let objects = inside("objects", |name| name.starts_with("tmp_obj_"));
        let own = inside("", |name| name.starts_with("fast_import_crash_") || is_temporary(name));
        in_packs.chain(objects).chain(own).collect()
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

/// Whether the name is that of one of our temporary files.
pub(crate) fn is_temporary(name: &str) -> bool {
    let rest = name.strip_prefix(".tmp").unwrap_or_default();
    rest.len() == 6 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The size of all files below a folder.
pub(crate) fn bytes(folder: &Utf8Path) -> u64 {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes(entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    sizes.sum()
}
