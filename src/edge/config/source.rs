//! Edge: one file of the configuration, read whole or known by its stamp.

use super::{Error, LIMIT};
use crate::edge::file;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

pub(crate) const FILE_NAME: &str = "review-config.yaml";

/// The coarsest time stamp of a file system in use.
const GRANULARITY: Duration = Duration::from_secs(2);

/// Identifies the state of a file without reading it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceStamp {
    pub path: Utf8PathBuf,
    /// `None` where there is no file.
    pub state: Option<FileState>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    pub mtime_ns: i64,
    /// Nobody can set this one back.
    pub ctime_ns: i64,
    pub size: u64,
    pub inode: u64,
}

impl SourceStamp {
    /// Of the file as it is now.
    pub fn of(path: &Utf8Path) -> Result<Self, Error> {
        let state =
            FileState::at(path).map_err(|source| Error::Unreadable { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), state })
    }

    pub fn is_current(&self) -> bool {
        FileState::at(&self.path).is_ok_and(|now| now == self.state)
    }

    /// Whether a further change could leave the very same stamp, because the last one is too recent.
    pub fn is_racy(&self, now: SystemTime) -> bool {
        self.state.is_some_and(|state| {
            let age = Duration::from_nanos(state.ctime_ns.max(0).cast_unsigned());
            let apart = match now.duration_since(SystemTime::UNIX_EPOCH + age) {
                Ok(past) => past,
                Err(ahead) => ahead.duration(),
            };
            apart < GRANULARITY
        })
    }
}

impl FileState {
    fn at(path: &Utf8Path) -> io::Result<Option<Self>> {
        let metadata = match std::fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let nanoseconds =
            |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Ok(Some(Self {
            mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            size: metadata.size(),
            inode: metadata.ino(),
        }))
    }
}

/// A file's text, if there is a file, and the stamp that it had before it was read.
#[derive(Debug, Clone)]
pub struct SourceText {
    pub text: Option<String>,
    pub stamp: SourceStamp,
}

impl SourceText {
    pub fn read(path: &Utf8Path) -> Result<Self, Error> {
        let unreadable = |source| Error::Unreadable { path: path.to_owned(), source };
        let stamp = SourceStamp::of(path)?;
        let Some(state) = stamp.state else { return Ok(Self { text: None, stamp }) };
        if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(Error::NotAFile { path: path.to_owned() });
        }
        let mut bytes = Vec::new();
        let file = file::open_to_read(path).map_err(unreadable)?;
        file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if state.size > LIMIT || bytes.len() as u64 > LIMIT {
            return Err(Error::TooLarge { path: path.to_owned(), limit: LIMIT });
        }
        let text = String::from_utf8(bytes).map_err(|_| Error::NotText { path: path.to_owned() })?;
        Ok(Self { text: Some(text), stamp })
    }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
