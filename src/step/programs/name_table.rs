//! What is known about names, found by their hash. The compiler fills the table.

use crate::shell::name_hash;

pub struct NameTable<T, const SLOTS: usize>([Option<(&'static str, T)>; SLOTS]);

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
impl<T: Copy, const SLOTS: usize> NameTable<T, SLOTS> {
    pub const fn new() -> Self {
        Self([None; SLOTS])
    }

    /// Under a name that is there already, the first stays the one that is found.
    pub const fn put(&mut self, name: &'static str, value: T) {
        let mut slot = name_hash(name.as_bytes()) % SLOTS;
        while self.0[slot].is_some() {
            slot = (slot + 1) % SLOTS;
        }
        self.0[slot] = Some((name, value));
    }
}

impl<T: Copy, const SLOTS: usize> NameTable<T, SLOTS> {
    pub fn find(&self, name: &str) -> Option<T> {
        let mut slot = name_hash(name.as_bytes()) % SLOTS;
        // Each name stands at its hash or, where that is taken, behind it.
        while let Some((found, value)) = self.0.get(slot)?.as_ref() {
            if *found == name {
                return Some(*value);
            }
            slot = (slot + 1) % SLOTS;
        }
        None
    }
}

/// Sets of numbers.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
impl<const SLOTS: usize> NameTable<u16, SLOTS> {
    /// Adds a number to the set of each of these names.
    pub const fn add(&mut self, names: &[&'static str], number: usize) {
        let mut at = 0;
        while at < names.len() {
            let mut slot = name_hash(names[at].as_bytes()) % SLOTS;
            let mut set = 1 << number;
            while let Some((name, others)) = self.0[slot] {
                if is_same(name.as_bytes(), names[at].as_bytes()) {
                    set |= others;
                    break;
                }
                slot = (slot + 1) % SLOTS;
            }
            self.0[slot] = Some((names[at], set));
            at += 1;
        }
    }
}

#[expect(clippy::indexing_slicing, reason = "within the length of both")]
const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
