//! The record of an installation, kept in the data directory until uninstall.
//!
//! `installed/<id>/place` names the `.claude` folder, `files/` holds each file as it was written there, `next/` a file
//! that is being written, and `directories` the folders that had to be made.

use super::whole_file::{read_bytes, replace};
use crate::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::pure::text::short_digest;
use std::{fs, io};

pub(crate) struct InstallFolder {
    folder: Utf8PathBuf,
}

impl InstallFolder {
    /// The record of this `.claude` folder, or an empty one for it.
    pub(crate) fn of(data: &Utf8Path, claude: &Utf8Path) -> io::Result<Self> {
        let known = Self::all(data)?.into_iter().find(|(_, place)| place == claude);
        let new = || Self { folder: data.join("installed").join(short_digest(claude.as_str(), 16)) };
        Ok(known.map_or_else(new, |(record, _)| record))
    }

    /// The record in this folder.
    pub(crate) fn at(folder: Utf8PathBuf) -> Self {
        Self { folder }
    }

    /// The record of the link on the person's PATH, which belongs to all installations.
    pub(crate) fn of_link(data: &Utf8Path) -> Self {
        Self { folder: data.join("installed/link") }
    }

    /// Every installation of this user, with its `.claude` folder.
    pub(crate) fn all(data: &Utf8Path) -> io::Result<Vec<(Self, Utf8PathBuf)>> {
        let mut found = Vec::new();
        for folder in children(&data.join("installed"))?.into_iter().filter(|path| path.is_dir()) {
            if let Some(place) = read_bytes(&folder.join("place"))? {
                let place: Utf8PathBuf = String::from_utf8_lossy(&place).trim_end_matches('\n').into();
                found.push((Self { folder }, place));
            }
        }
        found.sort_by(|(_, one), (_, other)| one.cmp(other));
        Ok(found)
    }

    pub(crate) fn begin(&self, claude: &Utf8Path) -> io::Result<()> {
        replace(&self.path("place"), format!("{claude}\n").as_bytes(), 0o644)
    }

    pub(crate) fn path(&self, name: &str) -> Utf8PathBuf {
        self.folder.join(name)
    }

    /// Whether the installer wrote exactly this as that file.
    pub(crate) fn has_written(&self, file: &str, bytes: &[u8]) -> io::Result<bool> {
        for kept in [format!("files/{file}"), format!("next/{file}")] {
            if read_bytes(&self.path(&kept))?.is_some_and(|known| known == bytes) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(crate) fn knows(&self, file: &str) -> bool {
        self.path(&format!("files/{file}")).exists()
    }

    /// Calls `write`; whenever this is interrupted, the file is one that `wrote` knows.
    pub(crate) fn remember(
        &self,
        file: &str,
        text: &str,
        write: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let [next, kept] = ["next", "files"].map(|folder| self.path(&format!("{folder}/{file}")));
        replace(&next, text.as_bytes(), 0o644)?;
        write()?;
        create_parent(&kept)?;
        fs::rename(next, kept)
    }

    pub(crate) fn forget(&self, file: &str) -> io::Result<()> {
        ignore_missing(fs::remove_file(self.path(&format!("files/{file}"))))
    }

    /// The files that the record knows, by their paths below `.claude`.
    pub(crate) fn files(&self) -> io::Result<Vec<String>> {
        let top = self.path("files");
        let (mut waiting, mut found) = (vec![top.clone()], Vec::new());
        while let Some(folder) = waiting.pop() {
            for path in children(&folder)? {
                match path.is_dir() {
                    true => waiting.push(path),
                    false => found.extend(path.strip_prefix(&top).map(Utf8Path::to_string)),
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Makes a folder and those above it, and remembers which were missing.
    pub(crate) fn make_directory(&self, directory: &Utf8Path) -> Result<(), CommandError> {
        if directory.is_dir() {
            return Ok(());
        }
        if let Some(parent) = directory.parent() {
            self.make_directory(parent)?;
        }
        let mut listed = self.directories()?;
        listed.push(directory.to_owned());
        self.list_directories(&listed)?;
        Ok(fs::create_dir(directory).map_err(|error| format!("{directory}: {error}"))?)
    }

    /// Removes the folders that are empty; the others stay in the record for the next time.
    pub(crate) fn remove_directories(&self) -> io::Result<()> {
        let mut listed = self.directories()?;
        listed.sort();
        listed.dedup();
        let left: Vec<Utf8PathBuf> =
            listed.into_iter().rev().filter(|path| fs::remove_dir(path).is_err() && path.is_dir()).collect();
        match left.is_empty() {
            true => ignore_missing(fs::remove_dir_all(&self.folder)),
            false => self.list_directories(&left),
        }
    }

    /// Forgets everything but the folders.
    pub(crate) fn end(&self) -> io::Result<()> {
        for path in children(&self.folder)? {
            match path.file_name() {
                Some("directories") => {}
                _ if path.is_dir() => fs::remove_dir_all(path)?,
                _ => fs::remove_file(path)?,
            }
        }
        self.remove_directories()
    }

    fn directories(&self) -> io::Result<Vec<Utf8PathBuf>> {
        let text = read_bytes(&self.path("directories"))?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&text).lines().map(Utf8PathBuf::from).collect())
    }

    fn list_directories(&self, directories: &[Utf8PathBuf]) -> io::Result<()> {
        let text: String = directories.iter().map(|path| format!("{path}\n")).collect();
        replace(&self.path("directories"), text.as_bytes(), 0o644)
    }
}

/// The entries of a folder; none if the folder does not exist.
pub(super) fn children(folder: &Utf8Path) -> io::Result<Vec<Utf8PathBuf>> {
    match folder.read_dir_utf8() {
        Ok(entries) => entries.map(|entry| entry.map(camino::Utf8DirEntry::into_path)).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

pub(super) fn create_parent(path: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))
}

/// A file or folder that is not there has been removed.
pub(super) fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
