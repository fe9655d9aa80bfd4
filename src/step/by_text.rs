//! Sets and maps of paths by their text. Paths of one action have much in common, so that ordering them, or comparing them
//! part by part, costs more than reading the command.

use super::fingerprint::fingerprint;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub type Texts = HashSet<String, BuildHasherDefault<TextHasher>>;
pub type ByText<V> = HashMap<String, V, BuildHasherDefault<TextHasher>>;

/// Quick rather than safe from made-up collisions: those would only slow down the command that names them.
#[derive(Debug, Default)]
pub struct TextHasher(u64);

impl Hasher for TextHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= fingerprint(bytes);
    }

    /// What marks the end of a text says nothing about it.
    fn write_u8(&mut self, _end: u8) {}

    fn finish(&self) -> u64 {
        self.0
    }
}
