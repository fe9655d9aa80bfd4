//! Receipts on disk: one sealed file each, in a chain whose head is remembered outside the repository.
//!
//! An edited, foreign, missing or damaged receipt is a problem that the gate must hear of, not a receipt.

use super::error::Error;
use super::layout::{Homes, StateLayout};
use super::lock::Lock;
use super::seal::SealKey;
use super::sealed::SealedKind;
use super::store::{files_in, move_aside, read_bounded, read_json_in_place, write_atomic, write_json};
use crate::pure::review::{RECEIPT_VERSION, Receipt};
use crate::pure::text::digest;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

const SEALED: SealedKind =
    SealedKind { purpose: "receipt", field: "receipt", version: RECEIPT_VERSION as u64 };
/// Older evidence is of no use: what it covered has shipped or changed.
const KEPT: usize = 300;

/// The receipts of one repository.
pub struct Ledger<'a> {
    pub layout: &'a StateLayout,
    pub homes: &'a Homes,
    pub repository: &'a RepositoryIdentity,
}

/// Identifies the repository whose receipts count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryIdentity {
    pub id: String,
    /// In a repository that nobody enrolled, no receipt at all is a new start: it was cloned again, or its state was purged.
    pub enrolled: bool,
}

/// All receipts that hold, and what was wrong with the others.
#[derive(Debug, Default)]
pub struct LedgerContents {
    /// Oldest first.
    pub receipts: Vec<Receipt>,
    pub problems: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    sequence: u64,
    digest: String,
}

impl Ledger<'_> {
    /// Completes the receipt with its place in the chain, seals and writes it. After damage a new chain begins and the
    /// old one is kept beside it: a fresh review is always the way out.
    pub fn append(&self, mut receipt: Receipt) -> Result<Receipt, Error> {
        let _lock = Lock::acquire(&self.layout.receipts_lock())?;
        let key = SealKey::load_or_create(&self.homes.seal_key())?;
        self.set_aside_broken_chain()?;
        let newest = self.files()?.pop();
        // `read` reports a damaged head. The new one below replaces it.
        let head = self.head().ok().flatten();
        let after =
            newest.as_ref().map_or(0, |(sequence, _)| *sequence).max(head.map_or(0, |head| head.sequence));
        receipt.repository = self.repository.id.clone();
        receipt.sequence = after + 1;
        receipt.previous = match &newest {
            Some((_, path)) => read_bounded(path)?.map(|bytes| digest(&bytes)),
            None => None,
        };
        let path = self.layout.receipts().join(format!("{:08}.json", receipt.sequence));
        let bytes = SEALED.encode(&key, &receipt).map_err(Error::encode(&path))?;
        write_atomic(&path, &bytes)?;
        let head = Head { version: 1, sequence: receipt.sequence, digest: digest(&bytes) };
        write_json(&self.homes.receipts_head(&self.repository.id), &head)?;
        self.prune()?;
        Ok(receipt)
    }

    pub fn read(&self) -> Result<LedgerContents, Error> {
        let mut reading = LedgerContents::default();
        let files = self.files()?;
        let Some(key) = SealKey::load(&self.homes.seal_key())? else {
            if !files.is_empty() {
                reading.problems.push(format!("the seal key {} is missing", self.homes.seal_key()));
            }
            return Ok(reading);
        };
        let mut previous: Option<String> = None;
        for (position, (sequence, path)) in files.iter().enumerate() {
            let Some(bytes) = read_bounded(path)? else { continue };
            match self.open(&bytes, &key, *sequence) {
                Ok(receipt) if position > 0 && receipt.previous != previous => {
                    reading.problems.push(format!("a receipt before {path} was removed or replaced"));
                }
                Ok(receipt) => reading.receipts.push(receipt),
                Err(problem) => reading.problems.push(format!("{path} {problem}")),
            }
            previous = Some(digest(&bytes));
        }
        let newest = files.last().map_or(0, |(sequence, _)| *sequence);
        match self.head() {
            Ok(_) if files.is_empty() && !self.repository.enrolled => {}
            Ok(Some(head)) if newest < head.sequence => reading.problems.push(format!(
                "the newest receipt ({}) is gone from {}",
                head.sequence,
                self.layout.receipts()
            )),
            Ok(_) => {}
            Err(error) => reading.problems.push(error.to_string()),
        }
        Ok(reading)
    }

    fn set_aside_broken_chain(&self) -> Result<(), Error> {
        let receipts = self.layout.receipts();
        if self.read()?.problems.is_empty() || !receipts.exists() {
            return Ok(());
        }
        move_aside(&receipts, "damaged").map(drop)
    }

    fn open(&self, bytes: &[u8], key: &SealKey, sequence: u64) -> Result<Receipt, String> {
        let receipt: Receipt = SEALED.open(bytes, key).map_err(|problem| problem.to_string())?;
        match receipt {
            receipt if receipt.repository != self.repository.id => {
                Err("belongs to another repository, or to this one in another folder".into())
            }
            receipt if receipt.sequence != sequence => Err("was renamed".into()),
            receipt => Ok(receipt),
        }
    }

    fn head(&self) -> Result<Option<Head>, Error> {
        read_json_in_place(&self.homes.receipts_head(&self.repository.id), 1)
    }

    /// Receipt files by sequence, oldest first.
    fn files(&self) -> Result<Vec<(u64, Utf8PathBuf)>, Error> {
        let directory = self.layout.receipts();
        let numbered = files_in(&directory)?.into_iter().filter_map(|path| Some((sequence(&path)?, path)));
        let mut files: Vec<_> = numbered.collect();
        files.sort();
        Ok(files)
    }

    fn prune(&self) -> Result<(), Error> {
        let files = self.files()?;
        let excess = files.len().saturating_sub(KEPT);
        files.iter().take(excess).try_for_each(|(_, path)| super::store::remove(path))
    }
}

fn sequence(path: &Utf8Path) -> Option<u64> {
    path.file_name()?.strip_suffix(".json")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::{ObjectId, ReviewScope, ScopeKind, TreeId};
    use std::collections::BTreeMap;

    struct Place {
        repository: RepositoryIdentity,
        _directory: tempfile::TempDir,
        layout: StateLayout,
        homes: Homes,
    }

    impl Place {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
            Self {
                repository: RepositoryIdentity { id: "this".into(), enrolled: true },
                layout: StateLayout::in_repository(&root.join("git")),
                homes: Homes::new(&root.join("data")),
                _directory: directory,
            }
        }

        fn ledger(&self) -> Ledger<'_> {
            Ledger { layout: &self.layout, homes: &self.homes, repository: &self.repository }
        }
    }

    fn receipt(digit: char) -> Receipt {
        let id = ObjectId::parse(&digit.to_string().repeat(40)).unwrap();
        Receipt {
            version: RECEIPT_VERSION,
            sequence: 0,
            previous: None,
            repository: "this".into(),
            time: "2026-01-28T10:30:00Z".into(),
            branch: None,
            head: None,
            base: None,
            tree: TreeId(id),
            scope: ReviewScope { kind: ScopeKind::All, left_out: Vec::new() },
            pairs: Vec::new(),
            policy: "p".into(),
            loops: BTreeMap::new(),
            reviewer: None,
            dismissed: Vec::new(),
        }
    }

    fn three(place: &Place) -> Vec<Utf8PathBuf> {
        for digit in ['1', '2', '3'] {
            place.ledger().append(receipt(digit)).unwrap();
        }
        place.ledger().files().unwrap().into_iter().map(|(_, path)| path).collect()
    }

    #[test]
    fn receipts_come_back_in_order_and_whole() {
        let place = Place::new();
        three(&place);
        let reading = place.ledger().read().unwrap();
        assert_eq!(reading.problems, Vec::<String>::new());
        assert_eq!(reading.receipts.iter().map(|receipt| receipt.sequence).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn every_kind_of_tampering_is_a_problem_and_no_receipt() {
        type Attack = fn(&[Utf8PathBuf]);
        let attacks: [(&str, Attack); 6] = [
            ("edited", |files| {
                let text =
                    std::fs::read_to_string(&files[1]).unwrap().replace(&"2".repeat(40), &"9".repeat(40));
                std::fs::write(&files[1], text).unwrap();
            }),
            ("damaged", |files| std::fs::write(&files[1], "{").unwrap()),
            ("removed or replaced", |files| std::fs::remove_file(&files[1]).unwrap()),
            ("is gone", |files| std::fs::remove_file(&files[2]).unwrap()),
            ("renamed", |files| {
                std::fs::copy(&files[0], &files[2]).unwrap();
            }),
            ("newer", |files| {
                let text = std::fs::read_to_string(&files[1])
                    .unwrap()
                    .replacen("\"version\": 1", "\"version\": 7", 1);
                std::fs::write(&files[1], text).unwrap();
            }),
        ];
        for (word, attack) in attacks {
            let place = Place::new();
            attack(&three(&place));
            let reading = place.ledger().read().unwrap();
            assert!(
                reading.problems.iter().any(|problem| problem.contains(word)),
                "{word}: {:?}",
                reading.problems
            );
            assert!(reading.receipts.iter().all(|receipt| receipt.tree.0.as_str() != "9".repeat(40)));
        }
    }

    #[test]
    fn a_receipt_of_another_repository_or_key_proves_nothing() {
        let (place, other) = (Place::new(), Place::new());
        other.ledger().append(receipt('1')).unwrap();
        std::fs::create_dir_all(place.layout.receipts()).unwrap();
        let foreign = place.layout.receipts().join("00000001.json");
        std::fs::copy(other.layout.receipts().join("00000001.json"), &foreign).unwrap();
        assert!(place.ledger().read().unwrap().receipts.is_empty());
        assert_eq!(place.ledger().read().unwrap().problems.len(), 1);

        let that = RepositoryIdentity { id: "that".into(), enrolled: true };
        let other_id = Ledger { repository: &that, ..other.ledger() };
        let reading = other_id.read().unwrap();
        assert!(reading.receipts.is_empty(), "{reading:?}");
        assert!(reading.problems.iter().any(|problem| problem.contains("another repository")), "{reading:?}");
    }

    #[test]
    fn a_new_review_replaces_a_broken_chain_and_loses_nothing() {
        let place = Place::new();
        let files = three(&place);
        std::fs::write(&files[1], "{").unwrap();
        place.ledger().append(receipt('4')).unwrap();
        let reading = place.ledger().read().unwrap();
        assert_eq!(reading.problems, Vec::<String>::new());
        assert_eq!(reading.receipts.len(), 1);
        let kept = Utf8PathBuf::from(format!("{}.damaged-0", place.layout.receipts()));
        assert_eq!(kept.read_dir_utf8().unwrap().count(), 3);
    }

    #[test]
    fn a_damaged_head_is_a_problem_until_the_next_review() {
        let place = Place::new();
        three(&place);
        std::fs::write(place.homes.receipts_head("this"), "garbage").unwrap();
        for _ in 0..2 {
            assert_eq!(place.ledger().read().unwrap().problems.len(), 1);
        }
        place.ledger().append(receipt('4')).unwrap();
        assert_eq!(place.ledger().read().unwrap().problems, Vec::<String>::new());
    }

    #[test]
    fn removing_everything_is_noticed_too() {
        let place = Place::new();
        three(&place);
        std::fs::remove_dir_all(place.layout.receipts()).unwrap();
        assert_eq!(place.ledger().read().unwrap().problems.len(), 1);
    }

    #[test]
    fn without_enrolment_an_empty_state_is_a_new_start_and_a_missing_newest_receipt_is_not() {
        let mut place = Place::new();
        place.repository.enrolled = false;
        let files = three(&place);
        std::fs::remove_file(&files[2]).unwrap();
        assert_eq!(place.ledger().read().unwrap().problems.len(), 1);
        std::fs::remove_dir_all(place.layout.receipts()).unwrap();
        assert_eq!(place.ledger().read().unwrap().problems, Vec::<String>::new());
        place.ledger().append(receipt('4')).unwrap();
        assert_eq!(place.ledger().read().unwrap().receipts.len(), 1);
    }
}
