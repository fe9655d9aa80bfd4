//! Files that are whole or absent: written beside their place and renamed, readable by their owner only.

use super::error::Error;
use super::redacting::{Names, Redacting};
use crate::edge::file;
use crate::pure::secret::{redact, redact_code};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Serialize, de::DeserializeOwned};
use std::io::{ErrorKind, Read};

/// No file of ours comes near this.
const LIMIT: u64 = 64 * 1024 * 1024;

/// The folder that a file is going to be in.
pub(super) fn create_folder_of(path: &Utf8Path) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    file::create_private_folder(folder).map_err(Error::write(folder))
}

/// The files in a folder; none if there is no such folder.
pub(super) fn files_in(folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>, Error> {
    match folder.read_dir_utf8() {
        Ok(entries) => entries.map(|entry| Ok(entry.map_err(Error::read(folder))?.into_path())).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(Error::Read { path: folder.to_owned(), source }),
    }
}

/// Bytes as they are, for what holds no words from outside. A crash at any point leaves the old file or the new one.
pub(crate) fn write_atomic(path: &Utf8Path, bytes: &[u8]) -> Result<(), Error> {
    file::replace(path, bytes).map_err(Error::write(path))
}

/// Every string in it is read by the scanner first.
pub fn write_json<T: Serialize>(path: &Utf8Path, value: &T) -> Result<(), Error> {
    write_lines(path, &Redacting { value, names: Names::Redacted })
}

/// The same for a record of files, whose names it needs as they are.
pub(crate) fn write_json_of_files<T: Serialize>(path: &Utf8Path, value: &T) -> Result<(), Error> {
    write_lines(path, &Redacting { value, names: Names::Kept })
}

fn write_lines<T: Serialize>(path: &Utf8Path, value: &T) -> Result<(), Error> {
    write_atomic(path, &to_lines(value).map_err(Error::encode(path))?)
}

/// JSON that people can read.
pub(super) fn to_lines<T: Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Words for people, read by the scanner.
pub(crate) fn write_text(path: &Utf8Path, text: &str) -> Result<(), Error> {
    write_atomic(path, redact(text).as_bytes())
}

/// Source code among words, read as the scan of files reads it.
pub fn write_code(path: &Utf8Path, text: &str) -> Result<(), Error> {
    write_atomic(path, redact_code(text).as_bytes())
}

/// Room for nearly every line of a log.
const USUAL_LINE: usize = 1024;

/// Adds a line of JSON for each value, read by the scanner. One write, so that lines of two processes never mix.
pub(crate) fn append_json<T: Serialize>(path: &Utf8Path, values: &[T]) -> Result<(), Error> {
    if values.is_empty() {
        return Ok(());
    }
    let mut lines = Vec::with_capacity(USUAL_LINE * values.len());
    for value in values {
        serde_json::to_writer(&mut lines, &Redacting { value, names: Names::Redacted })
            .map_err(Error::encode(path))?;
        lines.push(b'\n');
    }
    file::append(path, &lines).map_err(Error::write(path))
}

/// `None` if there is no such file.
pub fn read_bounded(path: &Utf8Path) -> Result<Option<Vec<u8>>, Error> {
    let file = match file::open_to_read(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(Error::Read { path: path.to_owned(), source }),
    };
    let mut bytes = Vec::new();
    file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(Error::read(path))?;
    if bytes.len() as u64 > LIMIT {
        return Err(Error::TooLarge { path: path.to_owned(), limit: LIMIT });
    }
    Ok(Some(bytes))
}

/// Reads a versioned JSON file. A damaged one is moved aside, named in the error, and never silently replaced.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Utf8Path, known: u64) -> Result<Option<T>, Error> {
    read_json_in_place(path, known).map_err(|error| match error {
        Error::Damaged { source, .. } => set_aside(path, source),
        other => other,
    })
}

/// The same for a file whose absence would open something: a damaged one stays where it is and stays an error.
pub(crate) fn read_json_in_place<T: DeserializeOwned>(
    path: &Utf8Path,
    known: u64,
) -> Result<Option<T>, Error> {
    #[derive(serde::Deserialize)]
    struct Version {
        version: u64,
    }
    let Some(bytes) = read_bounded(path)? else { return Ok(None) };
    let damaged = |source| Error::Damaged { path: path.to_owned(), source };
    let Version { version } = serde_json::from_slice(&bytes).map_err(damaged)?;
    if version > known {
        return Err(Error::Newer { path: path.to_owned(), found: version, known });
    }
    serde_json::from_slice(&bytes).map(Some).map_err(damaged)
}

pub(super) fn set_aside(path: &Utf8Path, source: serde_json::Error) -> Error {
    match move_aside(path, "damaged") {
        Ok(kept) => Error::Corrupt { path: path.to_owned(), kept, source },
        Err(error) => error,
    }
}

/// Renames the file to a free name beside it, and returns that name.
pub(super) fn move_aside(path: &Utf8Path, word: &str) -> Result<Utf8PathBuf, Error> {
    let free = |kept: &Utf8PathBuf| !kept.exists();
    let kept = (0..1_000)
        .map(|n| Utf8PathBuf::from(format!("{path}.{word}-{n}")))
        .find(free)
        .unwrap_or_else(|| Utf8PathBuf::from(format!("{path}.{word}")));
    std::fs::rename(path, &kept).map_err(Error::read(path))?;
    Ok(kept)
}

/// Removing what is not there is fine.
pub fn remove(path: &Utf8Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(source) => Err(Error::Write { path: path.to_owned(), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
    struct Sample {
        version: u64,
        word: String,
    }

    fn place() -> (tempfile::TempDir, Utf8PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(directory.path().join("deep/er/file.json")).unwrap();
        (directory, path)
    }

    #[test]
    fn what_is_written_is_read_back_and_private() {
        let (_directory, path) = place();
        let sample = Sample { version: 1, word: "x".into() };
        write_json(&path, &sample).unwrap();
        assert_eq!(read_json::<Sample>(&path, 1).unwrap(), Some(sample));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_damaged_file_is_kept_beside_its_place_and_named() {
        let (_directory, path) = place();
        for (n, content) in ["{\"version\":1,\"wor", "garbage"].iter().enumerate() {
            write_atomic(&path, content.as_bytes()).unwrap();
            let error = read_json::<Sample>(&path, 1).unwrap_err();
            let kept = format!("{path}.damaged-{n}");
            assert!(error.to_string().contains(&kept), "{error}");
            assert_eq!(std::fs::read_to_string(kept).unwrap(), *content);
            assert!(!path.exists());
        }
        assert_eq!(read_json::<Sample>(&path, 1).unwrap(), None);
    }

    #[test]
    fn what_must_not_vanish_stays_damaged_until_somebody_fixes_it() {
        let (_directory, path) = place();
        write_atomic(&path, b"garbage").unwrap();
        for _ in 0..2 {
            assert!(matches!(read_json_in_place::<Sample>(&path, 1), Err(Error::Damaged { .. })));
        }
        assert!(path.exists());
    }

    #[test]
    fn a_file_of_a_newer_version_is_refused_and_left_alone() {
        let (_directory, path) = place();
        write_atomic(&path, b"{\"version\":9,\"shape\":\"unknown\"}").unwrap();
        assert!(matches!(read_json::<Sample>(&path, 1), Err(Error::Newer { found: 9, known: 1, .. })));
        assert!(path.exists());
    }
}
