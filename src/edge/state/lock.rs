//! The one door to locks. Held by a value, released when it is dropped or the process dies.

use super::error::Error;
use crate::edge::file;
use camino::Utf8Path;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Duration, Instant};

/// An exclusive advisory lock on a file of its own.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits a bounded while: a hook that hangs is killed by the client, and a killed guard guards nothing.
    pub fn acquire(path: &Utf8Path) -> Result<Self, Error> {
        const PATIENCE: Duration = Duration::from_secs(6);
        Self::acquire_within(path, PATIENCE)?.ok_or_else(|| Error::Busy { path: path.to_owned() })
    }

    /// Waits no longer than that; `None` if somebody else holds it all the while.
    pub fn acquire_within(path: &Utf8Path, patience: Duration) -> Result<Option<Self>, Error> {
        const PAUSE: Duration = Duration::from_millis(4);
        let file = open(path)?;
        let begun = Instant::now();
        loop {
            if is_free(&file, path)? {
                return Ok(Some(Self { _file: file }));
            }
            if begun.elapsed() >= patience {
                return Ok(None);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Does not wait; `None` if somebody else holds it.
    pub fn try_acquire(path: &Utf8Path) -> Result<Option<Self>, Error> {
        let file = open(path)?;
        Ok(is_free(&file, path)?.then_some(Self { _file: file }))
    }
}

fn open(path: &Utf8Path) -> Result<File, Error> {
    super::store::create_folder_of(path)?;
    let mut options = OpenOptions::new();
    file::open(options.create(true).truncate(false).write(true).mode(0o600), path).map_err(Error::write(path))
}

/// Takes the lock if nobody else holds it.
fn is_free(file: &File, path: &Utf8Path) -> Result<bool, Error> {
    match fs2::FileExt::try_lock_exclusive(file) {
        Ok(()) => Ok(true),
        Err(error) if error.raw_os_error() == fs2::lock_contended_error().raw_os_error() => Ok(false),
        Err(source) => Err(Error::Write { path: path.to_owned(), source }),
    }
}
