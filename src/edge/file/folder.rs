//! Folders: what lies in one, and removing it with all of that.

use camino::{Utf8Path, Utf8PathBuf};
use std::io;

/// The paths of the entries; none if the folder is missing or cannot be read.
pub(crate) fn entries(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    entries.map(|entry| entry.path().to_owned()).collect()
}

/// Removes the folder; one that is missing is no error.
pub(crate) fn remove(folder: &Utf8Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
