//! The content of one file or link, read without following links and without waiting for anybody.

use super::folder::EntryKind;
use super::stat::Stat;
use crate::pure::restore::LeftOutReason;
use rustix::fs::OFlags;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Reading again while somebody writes ends some time.
const TRIES: usize = 3;

pub(super) enum Contents {
    Whole {
        bytes: Vec<u8>,
        stat: Stat,
    },
    /// Gone, or something else by now.
    Gone,
    LeftOut(LeftOutReason),
}

pub(super) fn contents(path: &Path, what: EntryKind, limit: u64) -> Contents {
    let read = match what {
        EntryKind::Link => link(path),
        EntryKind::File | EntryKind::Folder | EntryKind::Ignored => file(path, limit),
    };
    read.unwrap_or_else(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => {
            Contents::Gone
        }
        kind => Contents::LeftOut(LeftOutReason::Unreadable(kind.to_string())),
    })
}

fn link(path: &Path) -> io::Result<Contents> {
    let stat = Stat::of(&fs::symlink_metadata(path)?);
    Ok(Contents::Whole { bytes: fs::read_link(path)?.into_os_string().into_vec(), stat })
}

fn file(path: &Path, limit: u64) -> io::Result<Contents> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    let mut bytes = Vec::new();
    for _ in 0..TRIES {
        let mut file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                return Ok(Contents::Gone);
            }
            opened => opened?,
        };
        let before = file.metadata()?;
        if !before.is_file() {
            return Ok(Contents::Gone);
        }
        bytes.clear();
        file.by_ref().take(limit + 1).read_to_end(&mut bytes)?;
        let stat = Stat::of(&before);
        let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if read > limit {
            return Ok(Contents::LeftOut(LeftOutReason::TooLarge(file.metadata()?.len())));
        }
        if Stat::of(&file.metadata()?) == stat && read == stat.size {
            return Ok(Contents::Whole { bytes, stat });
        }
    }
    Ok(Contents::LeftOut(LeftOutReason::Unreadable("it is being written".into())))
}
