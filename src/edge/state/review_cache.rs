//! Long commands that were looked at a moment ago and had nothing to them: what saves their parsing the second time.
//!
//! An entry is found by a sealed name, so that nobody without the key can put one there. A damaged file is forgotten.

use super::error::Error;
use super::layout::StateLayout;
use super::seal::SealKey;
use super::store::{read_bounded, remove, write_atomic};
use crate::edge::file;
use camino::Utf8PathBuf;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::FileExt;

const MAGIC: &[u8; 8] = b"PLIMRC01";
/// Name, time, family, nature, hits; eight bytes each but the name.
const ENTRY: usize = 48;
const HITS_AT: usize = 40;

pub(crate) struct ReviewCache {
    path: Utf8PathBuf,
    key: SealKey,
    /// Milliseconds that an entry lasts.
    ttl: u64,
    max_size: usize,
}

/// The memory of a command without effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Remembered {
    pub family: u64,
    /// As a number; its meaning is the step room's.
    pub nature: u64,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    name: u128,
    time: u64,
    what: Remembered,
    hits: u64,
}

impl ReviewCache {
    pub fn new(layout: &StateLayout, key: SealKey, ttl_minutes: u64, max_size: u32) -> Self {
        let max_size = usize::try_from(max_size).unwrap_or(usize::MAX);
        Self { path: layout.review_cache(), key, ttl: ttl_minutes.saturating_mul(60_000), max_size }
    }

    /// The memory of this action, if it is recent.
    pub fn get(&self, action: &[u8], now: u64) -> Option<Remembered> {
        let mut entries = self.entries().unwrap_or_default();
        entries.retain(|(_, entry)| self.is_fresh(entry, now));
        // To name a long command costs more than to see that there is nothing.
        let name = if entries.is_empty() { None } else { self.name(action) }?;
        let fresh = |entry: &&(usize, Entry)| entry.1.name == name;
        let (at, entry) = entries.iter().rfind(fresh)?;
        // Two at once may count as one; only pruning looks at it.
        if let Ok(file) = file::open(OpenOptions::new().write(true), &self.path) {
            let place = (MAGIC.len() + at * ENTRY + HITS_AT) as u64;
            let _ = file.write_all_at(&(entry.hits + 1).to_le_bytes(), place);
        }
        Some(entry.what)
    }

    pub fn put(&self, action: &[u8], what: Remembered, now: u64) -> Result<(), Error> {
        let Some(name) = self.name(action) else { return Ok(()) };
        let mut kept = match self.entries() {
            Some(entries) => entries,
            None => {
                remove(&self.path)?;
                Vec::new()
            }
        };
        let entry = Entry { name, time: now, what, hits: 0 };
        if kept.len() < self.max_size && !kept.is_empty() {
            return self.append(&entry.encode());
        }
        kept.retain(|(_, entry)| self.is_fresh(entry, now));
        if kept.len() >= self.max_size {
            // The least used go, a tenth at once, so that not every entry rewrites the file.
            kept.sort_by_key(|(_, entry)| std::cmp::Reverse((entry.hits, entry.time)));
            kept.truncate(self.max_size - self.max_size.div_ceil(10));
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(kept.iter().flat_map(|(_, entry)| entry.encode()));
        bytes.extend(entry.encode());
        write_atomic(&self.path, &bytes)
    }

    fn name(&self, action: &[u8]) -> Option<u128> {
        let sealed = self.key.seal("review cache", action);
        u128::from_str_radix(sealed.get(..32)?, 16).ok()
    }

    fn is_fresh(&self, entry: &Entry, now: u64) -> bool {
        entry.time <= now && now - entry.time < self.ttl
    }

    /// Every entry and its number; `None` for a file that is none of ours.
    fn entries(&self) -> Option<Vec<(usize, Entry)>> {
        let Some(bytes) = read_bounded(&self.path).ok()? else { return Some(Vec::new()) };
        let rest = bytes.strip_prefix(MAGIC)?;
        let chunks = rest.chunks_exact(ENTRY);
        chunks.remainder().is_empty().then(|| chunks.map(Entry::decode).enumerate().collect())
    }

    fn append(&self, bytes: &[u8]) -> Result<(), Error> {
        let mut file = match file::open(OpenOptions::new().append(true), &self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return write_atomic(&self.path, &[MAGIC.as_slice(), bytes].concat());
            }
            opened => opened.map_err(Error::write(&self.path))?,
        };
        file.write_all(bytes).map_err(Error::write(&self.path))
    }
}

impl Entry {
    fn encode(&self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        let words = [self.time, self.what.family, self.what.nature, self.hits];
        let all = self.name.to_le_bytes().into_iter().chain(words.into_iter().flat_map(u64::to_le_bytes));
        bytes.iter_mut().zip(all).for_each(|(place, byte)| *place = byte);
        bytes
    }

    fn decode(bytes: &[u8]) -> Self {
        let word = |at: usize| {
            let chunk = bytes.get(at..at + 8).and_then(|chunk| <[u8; 8]>::try_from(chunk).ok());
            u64::from_le_bytes(chunk.unwrap_or_default())
        };
        let name = u128::from(word(0)) | u128::from(word(8)) << 64;
        Self {
            name,
            time: word(16),
            what: Remembered { family: word(24), nature: word(32) },
            hits: word(HITS_AT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHAT: Remembered = Remembered { family: 7, nature: 2 };
    const MINUTE: u64 = 60_000;

    fn cache(ttl: u64, size: u32) -> (tempfile::TempDir, ReviewCache) {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let key = SealKey::load_or_create(&root.join("key")).unwrap();
        let cache = ReviewCache::new(&StateLayout::in_repository(&root), key, ttl, size);
        (directory, cache)
    }

    #[test]
    fn what_was_put_is_found_until_its_time_is_over() {
        let (_directory, cache) = cache(5, 10);
        assert_eq!(cache.get(b"a", 0), None);
        cache.put(b"a", WHAT, MINUTE).unwrap();
        cache.put(b"b", Remembered { family: 8, nature: 0 }, MINUTE).unwrap();
        assert_eq!(cache.get(b"a", 2 * MINUTE), Some(WHAT));
        assert_eq!(cache.get(b"b", 2 * MINUTE).map(|what| what.family), Some(8));
        assert_eq!(cache.get(b"c", 2 * MINUTE), None);
        assert_eq!(cache.get(b"a", 6 * MINUTE), None, "a shorter ttl forgets sooner");
        assert_eq!(cache.get(b"a", 0), None, "from the future");
    }

    #[test]
    fn ttl_and_size_are_what_they_are_set_to() {
        for (ttl, found) in [(1, false), (5, true)] {
            let (_directory, cache) = cache(ttl, 10);
            cache.put(b"a", WHAT, 0).unwrap();
            assert_eq!(cache.get(b"a", 3 * MINUTE).is_some(), found, "{ttl} minutes");
        }
        for (size, found) in [(1, false), (5, true)] {
            let (_directory, cache) = cache(5, size);
            [b"a", b"b", b"c"].iter().for_each(|action| cache.put(*action, WHAT, 0).unwrap());
            assert_eq!(cache.get(b"a", 1).is_some(), found, "{size} entries");
        }
    }

    #[test]
    fn a_full_cache_forgets_the_least_used() {
        let (_directory, cache) = cache(5, 10);
        for number in 0..10_u8 {
            cache.put(&[number], WHAT, 0).unwrap();
        }
        for used in [0_u8, 3] {
            assert!(cache.get(&[used], 1).is_some());
        }
        for number in 10..18_u8 {
            cache.put(&[number], WHAT, 1).unwrap();
            assert!(cache.entries().unwrap().len() <= 10);
        }
        assert!(cache.get(&[0], 2).is_some() && cache.get(&[3], 2).is_some());
        assert_eq!(cache.get(&[1], 2), None);
    }

    #[test]
    fn a_damaged_file_is_forgotten_and_made_anew() {
        let (_directory, cache) = cache(5, 10);
        for junk in [&b""[..], b"x", b"PLIMRC01short", &[0xff; 500]] {
            write_atomic(&cache.path, junk).unwrap();
            assert_eq!(cache.get(b"a", 1), None);
            cache.put(b"a", WHAT, 1).unwrap();
            assert_eq!(cache.get(b"a", 1), Some(WHAT));
        }
    }

    #[test]
    fn an_entry_made_with_another_key_is_not_found() {
        let (directory, cache) = cache(5, 10);
        cache.put(b"a", WHAT, 1).unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let other = SealKey::load_or_create(&root.join("other")).unwrap();
        let other = ReviewCache::new(&StateLayout::in_repository(&root), other, 5, 10);
        assert_eq!(other.get(b"a", 1), None);
    }

    #[test]
    fn many_at_once_leave_a_whole_file() {
        let (directory, _) = cache(5, 10);
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4_u8 {
                let root = &root;
                scope.spawn(move || {
                    let key = SealKey::load_or_create(&root.join("key")).unwrap();
                    let cache = ReviewCache::new(&StateLayout::in_repository(root), key, 5, 20);
                    for number in 0..50_u8 {
                        cache.put(&[writer, number], WHAT, 1).unwrap();
                        cache.get(&[writer, number], 1);
                    }
                });
            }
        });
        let key = SealKey::load_or_create(&root.join("key")).unwrap();
        let cache = ReviewCache::new(&StateLayout::in_repository(&root), key, 5, 20);
        assert!(cache.entries().is_some());
    }
}
