//! Results of checks by what they depended on, so that a check is not run twice on the same content.
//!
//! Every entry is sealed like a receipt: whoever writes here without the key cannot make a check pass. An entry that does not hold
//! is as good as none, since running the check again is always right.

use super::error::Error;
use super::layout::{Homes, StateLayout};
use super::seal::SealKey;
use super::sealed::SealedKind;
use super::store::{read_bounded, remove};
use crate::edge::file;
use crate::pure::review::loop1::CheckResult;
use crate::pure::text::digest;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::fs::FileTimes;
use std::time::{Duration, SystemTime};

const SEALED: SealedKind = SealedKind { purpose: "check", field: "entry", version: 1 };
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);
const ROOM: u64 = 200 * 1024 * 1024;

pub(crate) struct CheckCache {
    folder: Utf8PathBuf,
    key: SealKey,
}

/// A result and its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KnownResult {
    /// Milliseconds since 1970.
    pub time: u64,
    pub judged: CheckResult,
}

impl KnownResult {
    /// Nothing for a result from the future.
    pub fn age(&self, now: SystemTime) -> Option<Duration> {
        now.duration_since(SystemTime::UNIX_EPOCH + Duration::from_millis(self.time)).ok()
    }
}

/// The key is part of what is sealed, so that an entry proves nothing under another name.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: String,
    result: KnownResult,
}

impl CheckCache {
    pub fn open(layout: &StateLayout, homes: &Homes) -> Result<Self, Error> {
        Ok(Self { folder: layout.check_cache(), key: SealKey::load_or_create(&homes.seal_key())? })
    }

    /// The known result under a key.
    pub fn get(&self, key: &str, now: SystemTime) -> Option<KnownResult> {
        let path = self.path(key);
        let bytes = read_bounded(&path).ok()??;
        let entry: Entry = SEALED.open(&bytes, &self.key).ok()?;
        let holds = entry.key == key && entry.result.age(now)? <= KEPT;
        if holds {
            // The least used goes first; a time that cannot be set only makes it look less used.
            let _ =
                file::open_to_read(&path).and_then(|file| file.set_times(FileTimes::new().set_modified(now)));
        }
        holds.then_some(entry.result)
    }

    pub fn put(&self, key: &str, result: &KnownResult) -> Result<(), Error> {
        SEALED.write(&self.path(key), &self.key, &Entry { key: key.into(), result: result.clone() })
    }

    /// Removes what is too old or too much.
    pub fn prune(&self, now: SystemTime) -> Result<(), Error> {
        self.prune_to(now, ROOM)
    }

    fn prune_to(&self, now: SystemTime, room: u64) -> Result<(), Error> {
        let mut files = self.files();
        files.sort_by_key(|(used, _, _)| std::cmp::Reverse(*used));
        let mut taken = 0;
        for (used, size, path) in files {
            taken += size;
            if taken > room || now.duration_since(used).is_ok_and(|age| age > KEPT) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    fn files(&self) -> Vec<(SystemTime, u64, Utf8PathBuf)> {
        let entries = self.folder.read_dir_utf8().into_iter().flatten().flatten();
        let described = entries.filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some((metadata.modified().ok()?, metadata.len(), entry.into_path()))
        });
        described.collect()
    }

    fn path(&self, key: &str) -> Utf8PathBuf {
        self.folder.join(digest(key)).with_extension("json")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8Path;

    const DAY: u64 = 24 * 60 * 60 * 1000;

    fn day(number: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(number * DAY)
    }

    struct Place {
        _directory: tempfile::TempDir,
        root: Utf8PathBuf,
    }

    impl Place {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
            Self { _directory: directory, root }
        }

        fn cache(&self) -> CheckCache {
            self.cache_of("data")
        }

        fn cache_of(&self, data: &str) -> CheckCache {
            let layout = StateLayout::in_repository(&self.root.join("git"));
            CheckCache::open(&layout, &Homes::new(&self.root.join(data))).unwrap()
        }
    }

    fn result(word: &str) -> KnownResult {
        KnownResult { time: DAY, judged: CheckResult::skipped("lint", word) }
    }

    #[test]
    fn a_result_comes_back_under_its_key_alone_and_for_fourteen_days() {
        let place = Place::new();
        place.cache().put("a", &result("x")).unwrap();
        assert_eq!(place.cache().get("a", day(15)), Some(result("x")));
        assert_eq!(place.cache().get("b", day(15)), None);
        assert_eq!(place.cache().get("a", day(16)), None);
        assert_eq!(place.cache().get("a", day(0)), None, "a result from the future is not believed");
    }

    #[test]
    fn an_edited_renamed_damaged_or_foreign_entry_is_no_result() {
        type Attack = fn(&Place, &Utf8Path);
        let attacks: [(&str, Attack); 4] = [
            ("edited", |_, path| {
                let text = std::fs::read_to_string(path).unwrap().replace("refused", "granted");
                std::fs::write(path, text).unwrap();
            }),
            ("renamed", |place, path| {
                place.cache().put("b", &result("other")).unwrap();
                std::fs::rename(place.cache().path("b"), path).unwrap();
            }),
            ("damaged", |_, path| std::fs::write(path, "{").unwrap()),
            ("foreign", |place, _| place.cache_of("elsewhere").put("a", &result("forged")).unwrap()),
        ];
        for (word, attack) in attacks {
            let place = Place::new();
            let cache = place.cache();
            cache.put("a", &result("refused")).unwrap();
            attack(&place, &cache.path("a"));
            assert_eq!(cache.get("a", day(1)), None, "{word}");
        }
    }

    #[test]
    fn the_least_used_goes_when_there_is_no_room_and_the_old_in_any_case() {
        let place = Place::new();
        let cache = place.cache();
        for (key, number) in [("old", 2), ("used", 3), ("new", 4)] {
            cache.put(key, &result("x")).unwrap();
            cache.get(key, day(number)).unwrap();
        }
        cache.get("old", day(5)).unwrap();
        let size = cache.files()[0].1;
        cache.prune_to(day(6), 2 * size + size / 2).unwrap();
        let kept = ["old", "used", "new"].map(|key| cache.get(key, day(6)).is_some());
        assert_eq!(kept, [true, false, true]);
        cache.prune(day(21)).unwrap();
        assert!(cache.files().is_empty());
    }
}
