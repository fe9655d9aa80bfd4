//! The audit log of a project: lines of JSON that several processes append at once, in files of bounded size.

use super::error::Error;
use super::layout::StateLayout;
use super::lock::Lock;
use super::store::{append_json, read_bounded};
use crate::edge::file::metadata;
use camino::Utf8Path;
use serde::{Serialize, de::DeserializeOwned};
use std::io::ErrorKind;

/// A file that has reached this size is followed by a new one.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// The number of older files that are kept.
const OLDER: usize = 3;

/// All lines that can be read, the oldest first, and how many cannot.
#[derive(Debug)]
pub struct AuditLog<T> {
    pub lines: Vec<T>,
    pub damaged: usize,
    /// Up to here the newest file is read.
    end: u64,
}

impl<T> AuditLog<T> {
    pub(crate) fn append(layout: &StateLayout, lines: &[T]) -> Result<(), Error>
    where
        T: Serialize,
    {
        let path = layout.audit();
        append_json(&path, lines)?;
        if length(&path) >= MOST_BYTES { rotate(layout) } else { Ok(()) }
    }

    pub(crate) fn read(layout: &StateLayout) -> Result<Self, Error>
    where
        T: DeserializeOwned,
    {
        let mut log = Self { lines: Vec::new(), damaged: 0, end: 0 };
        for path in (0..=OLDER).rev().map(|number| layout.older_audit(number)) {
            let bytes = read_bounded(&path)?.unwrap_or_default();
            log.end = log.add(&bytes);
            log.damaged += usize::from(log.end < bytes.len() as u64);
        }
        Ok(log)
    }

    /// The lines added since this log was read.
    pub(crate) fn newer(&self, layout: &StateLayout) -> Result<Self, Error>
    where
        T: DeserializeOwned,
    {
        let mut log = Self { lines: Vec::new(), damaged: 0, end: self.end };
        let size = length(&layout.audit());
        if size == self.end {
            return Ok(log);
        }
        let mut from = self.end;
        if size < from {
            // A new file has begun; the one that was read is the first of the older ones.
            log.add(&unread(&layout.older_audit(1), from)?);
            from = 0;
        }
        log.end = from + log.add(&unread(&layout.audit(), from)?);
        Ok(log)
    }

    /// Takes whole lines, and returns how many bytes they are: another process may be about to write the rest of the last.
    fn add(&mut self, bytes: &[u8]) -> u64
    where
        T: DeserializeOwned,
    {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines = bytes.get(..whole).unwrap_or_default().split(|byte| *byte == b'\n');
        for line in lines.filter(|line| !line.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(line) => self.lines.push(line),
                Err(_) => self.damaged += 1,
            }
        }
        whole as u64
    }
}

fn unread(path: &Utf8Path, from: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = read_bounded(path)?.unwrap_or_default();
    let from = usize::try_from(from).unwrap_or(usize::MAX).min(bytes.len());
    Ok(bytes.split_off(from))
}

fn length(path: &Utf8Path) -> u64 {
    metadata::size(path).unwrap_or_default()
}

/// Every file takes the next number; the last one goes. Whoever still has the newest open writes into it under its new name.
fn rotate(layout: &StateLayout) -> Result<(), Error> {
    // Whoever holds the lock does it.
    let Some(_lock) = Lock::try_acquire(&layout.audit_lock())? else { return Ok(()) };
    if length(&layout.audit()) < MOST_BYTES {
        return Ok(());
    }
    for number in (0..OLDER).rev() {
        let (from, to) = (layout.older_audit(number), layout.older_audit(number + 1));
        match metadata::rename(&from, &to) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::Write { path: to, source: error });
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn layout() -> (tempfile::TempDir, StateLayout) {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        (directory, StateLayout::in_repository(&root))
    }

    #[test]
    fn the_log_stays_within_its_size_and_keeps_the_newest() {
        let (_directory, layout) = layout();
        let text = "word ".repeat(13_000);
        for number in 0..400_u64 {
            AuditLog::append(&layout, &[(number, text.as_str())]).unwrap();
        }
        let log = AuditLog::<(u64, String)>::read(&layout).unwrap();
        let numbers: Vec<u64> = log.lines.iter().map(|(number, _)| *number).collect();
        assert_eq!((numbers.last(), log.damaged), (Some(&399), 0));
        assert!(numbers.is_sorted() && numbers.len() < 300, "{}", numbers.len());
        let size: u64 = (0..=OLDER + 1).map(|number| length(&layout.older_audit(number))).sum();
        assert!(size <= (OLDER as u64 + 1) * (MOST_BYTES + text.len() as u64 + 100), "{size}");
        assert_eq!(length(&layout.older_audit(OLDER + 1)), 0);
    }

    #[test]
    fn what_is_added_later_is_read_once_also_when_a_new_file_begins() {
        let (_directory, layout) = layout();
        let text = "word ".repeat(200_000);
        AuditLog::append(&layout, &[(0_u64, text.as_str())]).unwrap();
        let mut log = AuditLog::<(u64, String)>::read(&layout).unwrap();
        let mut numbers = Vec::new();
        for number in 1..=12_u64 {
            assert!(log.newer(&layout).unwrap().lines.is_empty());
            AuditLog::append(&layout, &[(number, text.as_str())]).unwrap();
            log = log.newer(&layout).unwrap();
            numbers.extend(log.lines.iter().map(|(number, _)| *number));
        }
        assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
    }

    #[test]
    fn many_writers_at_once_lose_no_line_of_the_newest_files() {
        let (_directory, layout) = layout();
        let text = "word ".repeat(6_000);
        std::thread::scope(|scope| {
            for writer in 0..4_u64 {
                let (layout, text) = (&layout, text.as_str());
                scope.spawn(move || {
                    for number in 0..60 {
                        AuditLog::append(layout, &[(writer * 1_000 + number, text)]).unwrap();
                    }
                });
            }
        });
        let log = AuditLog::<(u64, String)>::read(&layout).unwrap();
        assert_eq!((log.lines.len(), log.damaged), (240, 0));
    }
}
