//! The journal of one session: append-only records that several processes write at once without a lock.
//!
//! A record is one `write` on an O_APPEND file. Every 32nd writer adds the totals so far, so that counters and the last
//! actions come from the tail alone, however long the session is. O_APPEND is not atomic on network file systems.

use super::error::Error;
use super::lock::Lock;
use super::record::{JournalRecord, Outcome, RecordKind, SIZE, Totals};
use crate::edge::file;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

const TOTALS_EVERY: u64 = 32;
/// Enough to hold the newest totals even when many writers race, and the actions that detection looks at.
const TAIL: u64 = 3 * TOTALS_EVERY;

pub struct Journal {
    path: Utf8PathBuf,
    file: File,
}

/// The end of the journal.
#[derive(Debug)]
pub struct Tail {
    /// Oldest first; without the totals.
    pub records: Vec<JournalRecord>,
    pub totals: Totals,
    /// Pieces that are no records: a write that was cut short.
    pub damaged: usize,
}

impl Journal {
    pub fn open(path: &Utf8Path) -> Result<Self, Error> {
        let open = || file::open(OpenOptions::new().read(true).append(true).create(true).mode(0o600), path);
        let file = match open() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                super::store::create_folder_of(path)?;
                open()
            }
            opened => opened,
        };
        Ok(Self { path: path.to_owned(), file: file.map_err(Error::write(path))? })
    }

    pub fn append(&self, record: &JournalRecord) -> Result<(), Error> {
        let length = self.length()?;
        if length % SIZE as u64 != 0 {
            self.realign()?;
        }
        self.write(&record.encode())?;
        let count = length / SIZE as u64 + 1;
        if count.is_multiple_of(TOTALS_EVERY) { self.append_totals(record.time) } else { Ok(()) }
    }

    pub fn tail(&self) -> Result<Tail, Error> {
        self.tail_before(self.length()? / SIZE as u64)
    }

    /// The newest record that is wanted, from as far back as a call may still be running.
    pub fn last(&self, wanted: impl Fn(&JournalRecord) -> bool) -> Result<Option<JournalRecord>, Error> {
        const LOOKS: u64 = 8;
        let mut end = self.length()? / SIZE as u64;
        for _ in 0..LOOKS {
            let first = end.saturating_sub(TOTALS_EVERY);
            let found = self.pieces(first, end)?.into_iter().flatten().rev().find(&wanted);
            if found.is_some() || first == 0 {
                return Ok(found);
            }
            end = first;
        }
        Ok(None)
    }

    /// The records before `end`, from as far back as the totals reach. Usually the first look has them; a writer that was
    /// held up between reading and writing leaves totals that cover too little, and then the look goes further back.
    fn tail_before(&self, end: u64) -> Result<Tail, Error> {
        let mut reach = TAIL;
        loop {
            let first = end.saturating_sub(reach);
            let pieces = self.pieces(first, end)?;
            if let Some(tail) = fold(&pieces, first) {
                return Ok(tail);
            }
            reach *= 4;
        }
    }

    fn pieces(&self, first: u64, end: u64) -> Result<Vec<Option<JournalRecord>>, Error> {
        let mut bytes = vec![0; usize::try_from((end - first) * SIZE as u64).unwrap_or_default()];
        self.file.read_exact_at(&mut bytes, first * SIZE as u64).map_err(Error::read(&self.path))?;
        Ok(bytes.chunks_exact(SIZE).map(JournalRecord::decode).collect())
    }

    fn append_totals(&self, time: u64) -> Result<(), Error> {
        let covered = self.length()? / SIZE as u64;
        let totals = self.tail_before(covered)?.totals;
        self.write(
            &JournalRecord { covered, totals, ..JournalRecord::new(RecordKind::Totals, Outcome::None, time) }
                .encode(),
        )
    }

    fn length(&self) -> Result<u64, Error> {
        Ok(self.file.metadata().map_err(Error::read(&self.path))?.len())
    }

    fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        let written = (&self.file).write(bytes).map_err(Error::write(&self.path))?;
        if written == bytes.len() {
            return Ok(());
        }
        self.realign()?;
        Err(Error::Write { path: self.path.clone(), source: std::io::ErrorKind::StorageFull.into() })
    }

    /// After a write that was cut short (a full disk) the rest of that record is filled up, so that later ones line up.
    fn realign(&self) -> Result<(), Error> {
        let _lock = Lock::acquire(&self.path.with_extension("lock"))?;
        let excess = usize::try_from(self.length()? % SIZE as u64).unwrap_or_default();
        if excess == 0 {
            return Ok(());
        }
        (&self.file).write_all(&vec![0; SIZE - excess]).map_err(Error::write(&self.path))
    }
}

/// The tail that these pieces hold, the first of which is record number `first`; `None` if no totals reach that far.
fn fold(pieces: &[Option<JournalRecord>], first: u64) -> Option<Tail> {
    let totals = pieces.iter().flatten().filter(|record| record.kind == RecordKind::Totals);
    let newest = totals.max_by_key(|record| record.covered).filter(|record| record.covered >= first);
    let (mut totals, covered) = match newest {
        Some(record) => (record.totals, record.covered),
        None if first == 0 => (Totals::default(), 0),
        None => return None,
    };
    let uncovered = usize::try_from(covered - first).unwrap_or(usize::MAX);
    for record in pieces.iter().skip(uncovered).flatten() {
        totals.add(record);
    }
    let actions = pieces.iter().flatten().filter(|record| record.kind != RecordKind::Totals);
    let recent = actions.clone().count().saturating_sub(usize::try_from(TAIL).unwrap_or_default());
    Some(Tail {
        records: actions.skip(recent).copied().collect(),
        totals,
        damaged: pieces.iter().filter(|piece| piece.is_none()).count(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::Decision;

    fn journal() -> (tempfile::TempDir, Utf8PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(directory.path().join("s/journal.bin")).unwrap();
        (directory, path)
    }

    fn call(number: u64) -> JournalRecord {
        JournalRecord {
            call: number,
            ..JournalRecord::new(RecordKind::Before, Outcome::Decided(Decision::Silent), number)
        }
    }

    #[test]
    fn totals_stay_exact_over_a_long_session_and_the_tail_stays_short() {
        let (_directory, path) = journal();
        let journal = Journal::open(&path).unwrap();
        for number in 0..10_000 {
            let outcome = if number % 10 == 0 {
                Outcome::Decided(Decision::Deny)
            } else {
                Outcome::Decided(Decision::Silent)
            };
            journal.append(&JournalRecord { outcome, ..call(number) }).unwrap();
        }
        let tail = journal.tail().unwrap();
        assert_eq!((tail.totals.calls, tail.totals.denied, tail.damaged), (10_000, 1_000, 0));
        assert!(tail.records.len() <= TAIL as usize);
        assert_eq!(tail.records.last().map(|record| record.call), Some(9_999));
    }

    #[test]
    fn a_call_is_found_again_among_the_newest_and_the_look_back_stays_short() {
        let (_directory, path) = journal();
        let journal = Journal::open(&path).unwrap();
        for number in 0..1_000 {
            journal.append(&call(number)).unwrap();
        }
        let found = |number: u64| journal.last(|record| record.call == number).unwrap();
        assert_eq!(found(800).map(|record| record.time), Some(800));
        assert_eq!(found(3), None);
        assert_eq!(found(999).map(|record| record.time), Some(999));
        assert_eq!(found(5_000), None);
    }

    #[test]
    fn a_record_cut_short_costs_itself_alone() {
        let (_directory, path) = journal();
        let journal = Journal::open(&path).unwrap();
        journal.append(&call(1)).unwrap();
        (&journal.file).write_all(&call(2).encode()[..50]).unwrap();
        journal.append(&call(3)).unwrap();
        let tail = journal.tail().unwrap();
        assert_eq!(tail.records.iter().map(|record| record.call).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(tail.damaged, 1);
    }

    #[test]
    fn totals_that_were_written_late_lose_nothing() {
        let (_directory, path) = journal();
        let journal = Journal::open(&path).unwrap();
        for number in 0..40 {
            journal.append(&call(number)).unwrap();
        }
        let late = JournalRecord {
            covered: 10,
            totals: Totals { calls: 10, ..Totals::default() },
            ..JournalRecord::new(RecordKind::Totals, Outcome::None, 0)
        };
        for number in 40..200 {
            journal.write(&call(number).encode()).unwrap();
        }
        journal.write(&late.encode()).unwrap();
        assert_eq!(journal.tail().unwrap().totals.calls, 200);
    }

    #[test]
    fn many_writers_at_once_lose_nothing() {
        let (_directory, path) = journal();
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for number in 0..500 {
                        Journal::open(path).unwrap().append(&call(writer * 1_000 + number)).unwrap();
                    }
                });
            }
        });
        let tail = Journal::open(&path).unwrap().tail().unwrap();
        assert_eq!((tail.totals.calls, tail.damaged), (4_000, 0));
    }
}
