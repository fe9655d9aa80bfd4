//! The one door to locks. Held by a value, released when it is dropped or the process dies.

use super::error::Error;
use camino::Utf8Path;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::time::Duration;

/// An exclusive advisory lock on a file of its own.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits a bounded while: a hook that hangs is killed by the client, and a killed guard guards nothing.
    pub fn acquire(path: &Utf8Path) -> Result<Self, Error> {
        const TRIES: u32 = 1_500;
        const PAUSE: Duration = Duration::from_millis(4);
        if let Some(parent) = path.parent() {
            super::store::create_private_directory(parent)?;
        }
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(path)
            .map_err(Error::write(path))?;
        for _ in 0..TRIES {
            match fs2::FileExt::try_lock_exclusive(&file) {
                Ok(()) => return Ok(Self { _file: file }),
                Err(error) if error.raw_os_error() == fs2::lock_contended_error().raw_os_error() => {
                    std::thread::sleep(PAUSE)
                }
                Err(source) => return Err(Error::Write { path: path.to_owned(), source }),
            }
        }
        Err(Error::Busy { path: path.to_owned() })
    }
}
