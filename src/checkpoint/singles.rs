//! Single files as they were before a tool wrote them: a copy under the name of its content, and one line in a log.

use super::contents::{Contents, contents};
use super::error::{Error, Result};
use super::folder::What;
use super::git::{in_store, printed};
use super::store::{Store, bytes};
use crate::review::{GitPath, ObjectId};
use crate::secret::redact;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

/// The whole log is read at every checkpoint; beyond this only its end.
const LONGEST_LOG: usize = 4 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Before {
    Absent,
    File {
        digest: String,
        permissions: u32,
    },
    Link {
        digest: String,
    },
    /// Too large, or not to be read.
    LeftOut,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Milliseconds since 1970.
    pub time: u64,
    pub session: String,
    /// Relative to the worktree, or absolute outside of it.
    pub path: GitPath,
    pub before: Before,
    /// The copy that holds the path, where that could be a secret: the log shows only its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Singles {
    copies: Utf8PathBuf,
    log: Utf8PathBuf,
}

impl Singles {
    pub fn new(copies: Utf8PathBuf, log: Utf8PathBuf) -> Self {
        Self { copies, log }
    }

    /// Copies what is at `place` now.
    pub fn copy(&self, place: &Utf8Path, limit: u64) -> Result<Before> {
        let what = match fs::symlink_metadata(place) {
            Ok(found) if found.is_symlink() => What::Link,
            Ok(found) if found.is_file() => What::File,
            Ok(_) => return Ok(Before::LeftOut),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Before::Absent),
            Err(error) => return Err(Error::read(place.as_std_path())(error)),
        };
        match contents(place.as_std_path(), what, limit) {
            Contents::Whole { bytes, stat } => {
                let digest = self.save(&bytes)?;
                Ok(match what {
                    What::Link => Before::Link { digest },
                    What::File | What::Folder | What::Ignored => {
                        Before::File { digest, permissions: stat.permissions() }
                    }
                })
            }
            Contents::Gone => Ok(Before::Absent),
            Contents::LeftOut(_) => Ok(Before::LeftOut),
        }
    }

    fn save(&self, bytes: &[u8]) -> Result<String> {
        let digest = blake3::hash(bytes).to_hex().to_string();
        let path = self.place(&digest);
        let failed = |source| Error::Write { path: path.to_string(), source };
        if fs::metadata(&path).is_ok_and(|found| found.len() == bytes.len() as u64) {
            return Ok(digest);
        }
        fs::create_dir_all(&self.copies).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.copies).map_err(failed)?;
        file.write_all(bytes).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(digest)
    }

    fn place(&self, digest: &str) -> Utf8PathBuf {
        self.copies.join(digest)
    }

    /// One write, so that writers at the same time do not mix.
    pub fn note(&self, note: &Note) -> Result<()> {
        let failed = |source| Error::Write { path: self.log.to_string(), source };
        let line = self.line(note)?;
        let open = || OpenOptions::new().append(true).create(true).mode(0o600).open(&self.log);
        let mut file = match open() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                fs::create_dir_all(self.log.parent().unwrap_or(&self.log)).map_err(failed)?;
                open()
            }
            opened => opened,
        }
        .map_err(failed)?;
        file.write_all(&line).map_err(failed)
    }

    fn line(&self, note: &Note) -> Result<Vec<u8>> {
        let path = note.path.to_string();
        let shown = redact(&path);
        let mut note = note.clone();
        if shown != path {
            note.named = Some(self.save(&note.path.0)?);
            note.path = GitPath::unquote(&shown);
        }
        let failed = |source| Error::Write { path: self.log.to_string(), source };
        let mut line = serde_json::to_vec(&note).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        Ok(line)
    }

    /// Every line that can be read, in order. One that was cut short says nothing.
    pub fn notes(&self) -> Vec<Note> {
        let bytes = fs::read(&self.log).unwrap_or_default();
        let end = bytes.get(bytes.len().saturating_sub(LONGEST_LOG)..).unwrap_or_default();
        let lines = end.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let notes = lines.filter_map(|line| serde_json::from_slice(line).ok());
        notes.filter_map(|note| self.with_path(note)).collect()
    }

    fn with_path(&self, mut note: Note) -> Option<Note> {
        if let Some(named) = &note.named {
            note.path = GitPath(fs::read(self.place(named)).ok()?);
        }
        Some(note)
    }

    /// Puts copies into the store; for each digest the name of the blob.
    pub fn into_store(&self, store: &Store, digests: &[&str]) -> Result<Vec<ObjectId>> {
        if digests.is_empty() {
            return Ok(Vec::new());
        }
        let arguments = ["hash-object", "-w", "--no-filters", "--"];
        let mut named = Vec::new();
        // So many names fit into one command line.
        for some in digests.chunks(500) {
            let mut command = in_store(store.path().as_std_path(), &arguments);
            command.args(some.iter().map(|digest| self.place(digest)));
            let listed = printed(command, "hash-object", 1 << 20)?;
            let text = String::from_utf8_lossy(&listed);
            named.extend(text.lines().filter_map(ObjectId::parse));
        }
        let unexpected = Error::Unexpected { command: "hash-object" };
        if named.len() == digests.len() { Ok(named) } else { Err(unexpected) }
    }

    /// Drops lines older than `since`, the oldest copies beyond `most` bytes, and copies that no line names.
    /// `other_logs` name copies too.
    pub fn tidy(&self, since: u64, most: u64, other_logs: &[Utf8PathBuf]) -> Result<()> {
        let mut notes = self.notes();
        let before = notes.len();
        notes.retain(|note| note.time >= since);
        let total = bytes(&self.copies);
        let mut excess = total.saturating_sub(most);
        let mut kept = Vec::new();
        for note in notes {
            let size = note
                .digest()
                .map_or(0, |digest| fs::metadata(self.place(digest)).map_or(0, |found| found.len()));
            match excess {
                0 => kept.push(note),
                _ => excess = excess.saturating_sub(size),
            }
        }
        if kept.len() < before {
            self.rewrite(&kept)?;
        }
        let others = other_logs.iter().map(|log| Self::new(self.copies.clone(), log.clone()));
        let named: BTreeSet<String> = others
            .flat_map(|other| other.notes())
            .chain(kept)
            .flat_map(|note| [note.digest().map(str::to_owned), note.named])
            .flatten()
            .collect();
        for entry in self.copies.read_dir_utf8().into_iter().flatten().flatten() {
            if !named.contains(entry.file_name()) {
                fs::remove_file(entry.path()).map_err(Error::write(entry.path().as_std_path()))?;
            }
        }
        Ok(())
    }

    fn rewrite(&self, notes: &[Note]) -> Result<()> {
        let failed = |source| Error::Write { path: self.log.to_string(), source };
        let mut file =
            tempfile::NamedTempFile::new_in(self.log.parent().unwrap_or(&self.log)).map_err(failed)?;
        for note in notes {
            file.write_all(&self.line(note)?).map_err(failed)?;
        }
        file.persist(&self.log).map_err(|error| failed(error.error)).map(drop)
    }
}

impl Note {
    /// Whether it is about a file of the worktree, and not of git.
    pub fn is_inside(&self) -> bool {
        !self.path.0.starts_with(b"/") && !self.path.0.split(|byte| *byte == b'/').any(|name| name == b".git")
    }

    pub fn digest(&self) -> Option<&str> {
        match &self.before {
            Before::File { digest, .. } | Before::Link { digest } => Some(digest),
            Before::Absent | Before::LeftOut => None,
        }
    }
}
