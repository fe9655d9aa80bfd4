//! Where a program's name stands in a table that the compiler filled.

/// The same at compile time and at run time.
#[expect(clippy::indexing_slicing, reason = "within the length")]
pub const fn name_hash(name: &[u8]) -> usize {
    let (mut hash, mut at) = (name.len(), 0);
    while at < name.len() {
        hash = hash.wrapping_mul(31).wrapping_add(name[at] as usize);
        at += 1;
    }
    hash
}
