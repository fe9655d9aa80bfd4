//! Receipts on disk: one sealed file each, in a chain whose head is remembered outside the repository.
//!
//! An edited, foreign, missing or damaged receipt is a problem that the gate must hear of, not a receipt.

use super::error::Error;
use super::layout::{Homes, Layout};
use super::lock::Lock;
use super::seal::Key;
use super::store::{read_bounded, read_json_in_place, write_atomic, write_json};
use crate::review::{RECEIPT_VERSION, Receipt};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

const PURPOSE: &str = "receipt";
/// Older evidence is of no use: what it covered has shipped or changed.
const KEPT: usize = 300;

/// The receipts of one enrolled repository.
pub struct Ledger<'a> {
    pub layout: &'a Layout,
    pub homes: &'a Homes,
    pub repository: &'a str,
}

/// All receipts that hold, and what was wrong with the others.
#[derive(Debug, Default)]
pub struct Reading {
    /// Oldest first.
    pub receipts: Vec<Receipt>,
    pub problems: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Sealed<'a> {
    version: u32,
    #[serde(borrow)]
    receipt: &'a RawValue,
    seal: String,
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
        let key = Key::load_or_create(&self.homes.seal_key())?;
        self.set_aside_broken_chain()?;
        let newest = self.files()?.pop();
        // A damaged head was said by `read`, and is written anew below.
        let head = self.head().ok().flatten();
        let after =
            newest.as_ref().map_or(0, |(sequence, _)| *sequence).max(head.map_or(0, |head| head.sequence));
        receipt.sequence = after + 1;
        receipt.previous = match &newest {
            Some((_, path)) => read_bounded(path)?.map(|bytes| digest(&bytes)),
            None => None,
        };
        let path = self.layout.receipts().join(format!("{:08}.json", receipt.sequence));
        let bytes = encode(&receipt, &key)
            .map_err(|error| Error::Write { path: path.clone(), source: error.into() })?;
        write_atomic(&path, &bytes)?;
        let head = Head { version: 1, sequence: receipt.sequence, digest: digest(&bytes) };
        write_json(&self.homes.receipts_head(self.repository), &head)?;
        self.prune()?;
        Ok(receipt)
    }

    pub fn read(&self) -> Result<Reading, Error> {
        let mut reading = Reading::default();
        let files = self.files()?;
        let Some(key) = Key::load(&self.homes.seal_key())? else {
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
        let free = (0..1_000)
            .map(|n| Utf8PathBuf::from(format!("{receipts}.damaged-{n}")))
            .find(|path| !path.exists());
        let kept = free.unwrap_or_else(|| Utf8PathBuf::from(format!("{receipts}.damaged")));
        std::fs::rename(&receipts, &kept).map_err(Error::write(&kept))
    }

    fn open(&self, bytes: &[u8], key: &Key, sequence: u64) -> Result<Receipt, String> {
        let sealed: Sealed =
            serde_json::from_slice(bytes).map_err(|error| format!("is damaged ({error})"))?;
        if sealed.version > RECEIPT_VERSION {
            return Err("was written by a newer Plimsoll; update Plimsoll".into());
        }
        if !key.verify(PURPOSE, sealed.receipt.get().as_bytes(), &sealed.seal) {
            return Err("was edited after it was written, or sealed with another key".into());
        }
        let receipt: Receipt =
            serde_json::from_str(sealed.receipt.get()).map_err(|error| format!("is damaged ({error})"))?;
        match receipt {
            receipt if receipt.repository != self.repository => Err("belongs to another repository".into()),
            receipt if receipt.sequence != sequence => Err("was renamed".into()),
            receipt => Ok(receipt),
        }
    }

    fn head(&self) -> Result<Option<Head>, Error> {
        read_json_in_place(&self.homes.receipts_head(self.repository), 1)
    }

    /// Receipt files by sequence, oldest first.
    fn files(&self) -> Result<Vec<(u64, Utf8PathBuf)>, Error> {
        let directory = self.layout.receipts();
        let entries = match directory.read_dir_utf8() {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(Error::Read { path: directory, source }),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(Error::read(&directory))?.into_path();
            if let Some(sequence) = sequence(&path) {
                files.push((sequence, path));
            }
        }
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

fn encode(receipt: &Receipt, key: &Key) -> Result<Vec<u8>, serde_json::Error> {
    let (raw, seal) = key.sealed(PURPOSE, receipt)?;
    serde_json::to_vec(&Sealed { version: RECEIPT_VERSION, receipt: &raw, seal })
}

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{ObjectId, Scope, ScopeKind, TreeId};
    use std::collections::BTreeMap;

    struct Place {
        _directory: tempfile::TempDir,
        layout: Layout,
        homes: Homes,
    }

    impl Place {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
            Self {
                layout: Layout::in_repository(&root.join("git")),
                homes: Homes::new(&root.join("data")),
                _directory: directory,
            }
        }

        fn ledger(&self) -> Ledger<'_> {
            Ledger { layout: &self.layout, homes: &self.homes, repository: "this" }
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
            scope: Scope { kind: ScopeKind::All, left_out: Vec::new() },
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
                let text =
                    std::fs::read_to_string(&files[1]).unwrap().replacen("\"version\":1", "\"version\":7", 1);
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

        let other_id = Ledger { repository: "that", ..other.ledger() };
        let reading = other_id.read().unwrap();
        assert!(reading.receipts.is_empty(), "{reading:?}");
        assert!(reading.problems.iter().any(|problem| problem.contains("another repository")), "{reading:?}");
    }

    #[test]
    fn a_fresh_review_mends_a_broken_chain_and_loses_nothing() {
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
}
