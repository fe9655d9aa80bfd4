//! Reads settings files with checks, and replaces files whole or not at all.

use super::record::{create_parent, ignore_missing};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::edge::file;
use plimsoll::pure::client::registration;
use std::{
    fs, io,
    io::{Read, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
};

const LIMIT: u64 = 4 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{path}: {reason}; fix the file and run this again; nothing was changed")]
    Content { path: Utf8PathBuf, reason: registration::Error },
    #[error("{path} is {what}, nothing was changed")]
    Unfit { path: Utf8PathBuf, what: &'static str },
    #[error("could not read {path}")]
    Read {
        path: Utf8PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("could not write {path}, the file is as it was")]
    Write {
        path: Utf8PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("another program changed {path} at the same time: run this again")]
    Raced { path: Utf8PathBuf },
    #[error("{path} is not a valid backup: move it away and run this again")]
    Backup {
        path: Utf8PathBuf,
        #[source]
        source: serde_json::Error,
    },
}

/// The file behind a symbolic link, which must stay a link.
pub(super) fn target(named: &Utf8Path) -> Result<Utf8PathBuf, Error> {
    if !named.is_symlink() {
        return Ok(named.to_owned());
    }
    named.canonicalize_utf8().map_err(|_| Error::Unfit {
        path: named.to_owned(),
        what: "a symbolic link to a file that is not there: create that file or remove the link",
    })
}

pub(crate) fn read(path: &Utf8Path) -> Result<Option<String>, Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    let unfit = |what| Err(Error::Unfit { path: path.to_owned(), what });
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if !metadata.is_file() {
        return unfit("not a regular file: move it away and run this again");
    }
    if metadata.permissions().readonly() {
        return unfit("read-only: run `chmod u+w` on it and try again");
    }
    let mut bytes = Vec::new();
    file::open_to_read(path).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() as u64 > LIMIT {
        return unfit("larger than 4 MiB: is this a settings file?");
    }
    String::from_utf8(bytes)
        .map(Some)
        .or_else(|_| unfit("not UTF-8 text: save it as UTF-8 and run this again"))
}

/// Writes all or nothing, readable by those who can read `model`.
pub(crate) fn write(path: &Utf8Path, text: &str, model: &Utf8Path) -> Result<(), Error> {
    let mode = fs::metadata(model).ok().map(|metadata| metadata.permissions().mode());
    replace_as(path, text.as_bytes(), mode).map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// The whole file; `None` if there is none.
pub(super) fn read_bytes(path: &Utf8Path) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    match file::open_to_read(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io::Error::new(error.kind(), format!("{path}: {error}"))),
    }
}

/// Replaces the file whole or not at all.
pub(super) fn replace(path: &Utf8Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    replace_as(path, bytes, Some(mode))
}

/// Without a mode, the file gets the one that a new file has.
fn replace_as(path: &Utf8Path, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
    let temporary = replacement(path)?;
    let fill = || {
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true).mode(if mode.is_some() { 0o600 } else { 0o666 });
        let mut file = options.open(&temporary)?;
        file.write_all(bytes)?;
        mode.map_or(Ok(()), |mode| file.set_permissions(fs::Permissions::from_mode(mode)))?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    fill().map_err(|error: io::Error| {
        let _ = fs::remove_file(&temporary);
        io::Error::new(error.kind(), format!("{path}: {error}"))
    })
}

/// Where the new content of a file is prepared. The name is always the same, so that the next run cleans up after one
/// that was interrupted; a lock keeps two runs apart.
pub(super) fn replacement(path: &Utf8Path) -> io::Result<Utf8PathBuf> {
    create_parent(path)?;
    let temporary = Utf8PathBuf::from(format!("{path}.plimsoll-new"));
    ignore_missing(fs::remove_file(&temporary))?;
    Ok(temporary)
}

pub(super) fn delete(path: &Utf8Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::Write { path: path.to_owned(), source: error })
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
