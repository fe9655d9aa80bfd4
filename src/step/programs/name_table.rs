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
