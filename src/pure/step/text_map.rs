//! Hash sets and maps keyed by the text of a path. The paths of one tool call share long prefixes, so that ordering them or
//! comparing them component by component costs more than parsing the command.

use super::fingerprint::fingerprint;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Keyed by a value that holds paths.
pub(crate) type PathSet<K> = HashSet<K, BuildHasherDefault<TextHasher>>;
pub(crate) type PathMap<K, V> = HashMap<K, V, BuildHasherDefault<TextHasher>>;
pub(crate) type TextSet = PathSet<String>;
pub(crate) type TextMap<V> = PathMap<String, V>;

/// Fast, but not safe against chosen collisions: those would only slow down the command that contains them.
#[derive(Debug, Default)]
pub struct TextHasher(u64);

impl Hasher for TextHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(7) ^ fingerprint(bytes);
    }

    /// The terminator that `str` hashes after its bytes carries no information.
    fn write_u8(&mut self, _end: u8) {}

    fn finish(&self) -> u64 {
        self.0
    }
}
