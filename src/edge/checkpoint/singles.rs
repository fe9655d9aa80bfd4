//! Single files as they were before a tool wrote them: a copy under the name of its content, and one line in a log.

use super::contents::{Contents, contents};
use super::error::{Error, Result};
use super::folder::EntryKind;
use super::store::{Store, bytes};
use crate::edge::file;
use crate::pure::review::{GitPath, ObjectId};
use crate::pure::secret::redact;
use crate::pure::text::digest;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::time::{Duration, SystemTime};

/// The whole log is read at every checkpoint; beyond this only its end.
const LONGEST_LOG: usize = 4 * 1024 * 1024;
/// The copies are counted again each time this part of their limit is filled, because writers at the same time miscount.
const COUNTED: u64 = 16;
/// A copy that no line names may belong to a line that is just being written.
const YOUNG: Duration = Duration::from_secs(60 * 60);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Before {
    Absent,
    File {
        digest: String,
        permissions: u32,
        /// When it had last changed, in milliseconds since 1970.
        #[serde(default)]
        changed: Option<u64>,
    },
    Link {
        digest: String,
        #[serde(default)]
        changed: Option<u64>,
    },
    /// Too large, or not to be read.
    LeftOut,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
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
pub(crate) struct Singles {
    copies: Utf8PathBuf,
    log: Utf8PathBuf,
    /// Bytes that the copies may hold.
    most: u64,
}

impl Singles {
    pub fn new(copies: Utf8PathBuf, log: Utf8PathBuf, most: u64) -> Self {
        Self { copies, log, most }
    }

    /// Copies what is at `place` now.
    pub fn copy(&self, place: &Utf8Path, limit: u64) -> Result<Before> {
        let what = match fs::symlink_metadata(place) {
            Ok(found) if found.is_symlink() => EntryKind::Link,
            Ok(found) if found.is_file() => EntryKind::File,
            Ok(_) => return Ok(Before::LeftOut),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Before::Absent),
            Err(error) => return Err(Error::read(place.as_std_path())(error)),
        };
        match contents(place.as_std_path(), what, limit) {
            Contents::Whole { bytes, stat } => {
                let (digest, changed) = (self.save(&bytes)?, Some(stat.changed_at()));
                Ok(match what {
                    EntryKind::Link => Before::Link { digest, changed },
                    EntryKind::File | EntryKind::Folder | EntryKind::Ignored => {
                        Before::File { digest, permissions: stat.permissions(), changed }
                    }
                })
            }
            Contents::Gone => Ok(Before::Absent),
            Contents::LeftOut(_) => Ok(Before::LeftOut),
        }
    }

    fn save(&self, bytes: &[u8]) -> Result<String> {
        let digest = digest(bytes);
        let path = self.place(&digest);
        let failed = |source| Error::Write { path: path.to_string(), source };
        if fs::metadata(&path).is_ok_and(|found| found.len() == bytes.len() as u64) {
            // Wanted again, and so no longer among the oldest.
            let _ = file::open_to_read(&path).and_then(|file| file.set_modified(SystemTime::now()));
            return Ok(digest);
        }
        file::replace(&path, bytes).map_err(failed)?;
        self.make_room(bytes.len() as u64);
        Ok(digest)
    }

    /// Keeps the copies within their limit: a running total, and the oldest go when it is reached.
    fn make_room(&self, added: u64) {
        let path = self.copies.with_extension("size");
        let noted = file::read(&path, 64).ok();
        let noted = noted.and_then(|text| String::from_utf8_lossy(&text).trim().parse::<u64>().ok());
        let part = (self.most / COUNTED).max(1);
        let total = match noted.map(|noted| (noted, noted.saturating_add(added))) {
            Some((before, after)) if before / part == after / part => after,
            Some(_) | None => bytes(&self.copies),
        };
        let total = if total > self.most { self.drop_oldest() } else { total };
        // Without it they are counted again the next time.
        let _ = fs::write(path, total.to_string());
    }

    /// Leaves some room, so that not every copy pays for it; never the newest one.
    fn drop_oldest(&self) -> u64 {
        let entries = self.copies.read_dir_utf8().into_iter().flatten().flatten();
        let mut copies: Vec<_> = entries
            .filter_map(|entry| {
                let found = entry.metadata().ok()?;
                Some((found.modified().ok()?, entry.path().to_owned(), found.len()))
            })
            .collect();
        copies.sort();
        let mut total = copies.iter().map(|(_, _, size)| size).sum();
        copies.pop();
        for (_, path, size) in copies {
            if total <= self.most / 4 * 3 {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= size;
            }
        }
        total
    }

    fn place(&self, digest: &str) -> Utf8PathBuf {
        self.copies.join(digest)
    }

    /// One write, so that writers at the same time do not mix.
    pub fn note(&self, note: &Note) -> Result<()> {
        file::append(&self.log, &self.line(note)?).map_err(Error::write(self.log.as_std_path()))
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

    /// The paths in the worktree that tools wrote.
    pub fn written(&self) -> impl Iterator<Item = Vec<u8>> {
        self.lines().into_iter().filter(Note::is_inside).map(|note| note.path.0)
    }

    /// Every line that can be read, in order. One whose copy had to go says that it was left out.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = self.lines();
        let copies: BTreeSet<String> = match notes.is_empty() {
            true => BTreeSet::new(),
            false => {
                let entries = self.copies.read_dir_utf8().into_iter().flatten().flatten();
                entries.map(|entry| entry.file_name().to_owned()).collect()
            }
        };
        for note in &mut notes {
            if note.digest().is_some_and(|digest| !copies.contains(digest)) {
                note.before = Before::LeftOut;
            }
        }
        notes
    }

    /// One that was cut short says nothing.
    fn lines(&self) -> Vec<Note> {
        let bytes = file::read(&self.log, u64::MAX).unwrap_or_default();
        let end = bytes.get(bytes.len().saturating_sub(LONGEST_LOG)..).unwrap_or_default();
        let lines = end.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let notes = lines.filter_map(|line| serde_json::from_slice(line).ok());
        notes.filter_map(|note| self.with_path(note)).collect()
    }

    fn with_path(&self, mut note: Note) -> Option<Note> {
        if let Some(named) = &note.named {
            note.path = GitPath(file::read(self.place(named), u64::MAX).ok()?);
        }
        Some(note)
    }

    /// Puts copies into the store; for each digest the name of the blob.
    pub fn put_into_store(&self, store: &Store, digests: &[&str]) -> Result<Vec<ObjectId>> {
        if digests.is_empty() {
            return Ok(Vec::new());
        }
        let arguments = ["hash-object", "-w", "--no-filters", "--"];
        let mut named = Vec::new();
        // The number of names that fit into one command line.
        for some in digests.chunks(500) {
            let listed =
                store.git(arguments).arguments(some.iter().map(|digest| self.place(digest))).line()?;
            named.extend(listed.lines().filter_map(ObjectId::parse));
        }
        if named.len() == digests.len() { Ok(named) } else { Err(Error::unexpected("hash-object")) }
    }

    /// Drops lines older than `since`, the oldest copies beyond the limit, and copies that no line names.
    /// `other_logs` name copies too. Returns how many bytes that frees; `dry`: nothing is done.
    pub fn tidy(&self, since: u64, other_logs: &[Utf8PathBuf], dry: bool) -> Result<u64> {
        let read = fs::metadata(&self.log).map_or(0, |found| found.len());
        let mut notes = self.lines();
        let before = notes.len();
        notes.retain(|note| note.time >= since);
        if notes.len() < before && !dry {
            self.rewrite(&notes, read)?;
        }
        let total = bytes(&self.copies);
        let others = other_logs.iter().filter(|log| **log != self.log);
        let others = others.map(|log| Self { log: log.clone(), ..self.clone() });
        let named: BTreeSet<String> = others
            .flat_map(|other| other.lines())
            .chain(notes)
            .flat_map(|note| [note.digest().map(str::to_owned), note.named])
            .flatten()
            .collect();
        let mut freed = 0;
        for entry in self.copies.read_dir_utf8().into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            let young = found.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age < YOUNG));
            if named.contains(entry.file_name()) || young {
                continue;
            }
            freed += found.len();
            if !dry {
                fs::remove_file(entry.path()).map_err(Error::write(entry.path().as_std_path()))?;
            }
        }
        let left = total.saturating_sub(freed);
        if left > self.most {
            freed += if dry { left - self.most / 4 * 3 } else { left.saturating_sub(self.drop_oldest()) };
        }
        Ok(freed)
    }

    /// The bytes that the copies hold.
    pub fn bytes(&self) -> u64 {
        bytes(&self.copies)
    }

    /// `read`: how long the log was when the notes were read from it.
    fn rewrite(&self, notes: &[Note], read: u64) -> Result<()> {
        let failed = |source| Error::Write { path: self.log.to_string(), source };
        let mut old = file::open_to_read(&self.log).map_err(failed)?;
        let mut file =
            tempfile::NamedTempFile::new_in(self.log.parent().unwrap_or(&self.log)).map_err(failed)?;
        for note in notes {
            file.write_all(&self.line(note)?).map_err(failed)?;
        }
        let mut file = file.persist(&self.log).map_err(|error| failed(error.error))?;
        // Lines that somebody wrote meanwhile belong to the new log.
        let mut added = Vec::new();
        old.seek(SeekFrom::Start(read)).and_then(|_| old.read_to_end(&mut added)).map_err(failed)?;
        file.write_all(&added).map_err(failed)
    }
}

impl Note {
    pub fn new(time: u64, session: &str, path: GitPath, before: Before) -> Self {
        Self { time, session: session.to_owned(), path, before, named: None }
    }

    /// Whether it is about a file of the worktree, and not of git.
    pub fn is_inside(&self) -> bool {
        !self.path.0.starts_with(b"/") && !self.path.0.split(|byte| *byte == b'/').any(|name| name == b".git")
    }

    pub fn digest(&self) -> Option<&str> {
        match &self.before {
            Before::File { digest, .. } | Before::Link { digest, .. } => Some(digest),
            Before::Absent | Before::LeftOut => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn singles(most: u64) -> (tempfile::TempDir, Utf8PathBuf, Singles) {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let singles = Singles::new(root.join("singles"), root.join("written/w.jsonl"), most);
        (directory, root, singles)
    }

    #[test]
    fn copies_stay_within_their_bound_at_every_write() {
        let (_directory, root, singles) = singles(10_000);
        let file = root.join("file");
        for number in 0..150 {
            let text = format!("{number:0500}");
            fs::write(&file, &text).unwrap();
            let before = singles.copy(&file, 1 << 20).unwrap();
            let path = GitPath::new("file");
            singles.note(&Note::new(number, "s", path, before)).unwrap();
            assert!(singles.bytes() <= 10_000, "{} after {number}", singles.bytes());
            let newest = singles.notes().pop().unwrap();
            let copy = fs::read_to_string(singles.place(newest.digest().unwrap())).unwrap();
            assert_eq!(copy, text, "the newest copy is always there");
        }
        let notes = singles.notes();
        assert_eq!(notes.len(), 150);
        assert_eq!(notes.first().map(|note| &note.before), Some(&Before::LeftOut), "its copy had to go");
    }

    #[test]
    fn what_is_noted_while_the_log_is_rewritten_is_kept() {
        let (_directory, _, singles) = singles(10_000);
        let note = |time| Note::new(time, "s", GitPath::new("f"), Before::Absent);
        singles.note(&note(1)).unwrap();
        singles.note(&note(2)).unwrap();
        let read = fs::metadata(&singles.log).unwrap().len();
        singles.note(&note(3)).unwrap();
        singles.rewrite(&[note(2)], read).unwrap();
        assert_eq!(singles.notes(), [note(2), note(3)]);
    }

    #[test]
    fn a_pipe_in_place_of_the_log_makes_nobody_wait() {
        let (_directory, root, singles) = singles(10_000);
        fs::create_dir(root.join("written")).unwrap();
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mkfifoat(rustix::fs::CWD, singles.log.as_std_path(), mode).unwrap();
        assert_eq!(singles.notes(), []);
        let path = GitPath::new("f");
        let note = Note::new(1, "s", path, Before::Absent);
        assert!(singles.note(&note).is_err());
    }
}
