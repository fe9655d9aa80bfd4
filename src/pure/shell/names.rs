//! Lists of names with blanks between them, and tables that the compiler fills from such lists.

/// Whether a name stands in a list.
pub(crate) fn lists(names: &str, name: &str) -> bool {
    if name.is_empty() || name.contains(' ') {
        return name.is_empty() && names.split(' ').any(str::is_empty);
    }
    found(names, name).any(|(before, after)| is_edge(before.last()) && is_edge(after.first()))
}

/// The text before and after each place of a name in a text.
pub(super) fn found<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
    // The last byte is rarer than the first, which all options share.
    let last = name.as_bytes().last().copied().unwrap_or_default();
    memchr::memchr_iter(last, text.as_bytes()).filter_map(move |at| {
        let (until, after) = text.as_bytes().split_at_checked(at + 1)?;
        Some((until.strip_suffix(name.as_bytes())?, after))
    })
}

/// Whether a name may end beside this byte.
pub(super) fn is_edge(beside: Option<&u8>) -> bool {
    beside.is_none_or(|byte| *byte == b' ')
}

/// Facts about names, found by their hash.
pub(crate) struct NameTable<T, const SLOTS: usize>([Option<(&'static str, T)>; SLOTS]);

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
impl<T: Copy, const SLOTS: usize> NameTable<T, SLOTS> {
    pub(crate) const fn new() -> Self {
        Self([None; SLOTS])
    }

    /// A table of one list.
    pub(crate) const fn of(names: &'static str, value: T) -> Self {
        let mut table = Self::new();
        table.put(names, value);
        table
    }

    /// Adds a value under each name of a list. Under a name that is there already, the first value is found first.
    pub(crate) const fn put(&mut self, names: &'static str, value: T) {
        let mut rest = names;
        while let Some((name, after)) = split_first(rest) {
            let mut slot = slot::<SLOTS>(name);
            while self.0[slot].is_some() {
                slot = (slot + 1) % SLOTS;
            }
            self.0[slot] = Some((name, value));
            rest = after;
        }
    }
}

impl<T: Copy, const SLOTS: usize> NameTable<T, SLOTS> {
    pub(crate) fn find(&self, name: &str) -> Option<T> {
        self.find_all(name).next()
    }

    /// Every value under a name, in the order in which they were added.
    pub(crate) fn find_all(&self, name: &str) -> impl Iterator<Item = T> {
        // Each name stands at its hash or, where that is taken, behind it.
        let (front, back) = self.0.split_at(slot::<SLOTS>(name));
        let entries = back.iter().chain(front).map_while(Option::as_ref);
        entries.filter(move |(found, _)| *found == name).map(|(_, value)| *value)
    }
}

/// Sets of numbers.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
impl<const SLOTS: usize> NameTable<u16, SLOTS> {
    /// Adds a number to the set of each name of a list.
    pub(crate) const fn add(&mut self, names: &'static str, number: usize) {
        let mut rest = names;
        while let Some((name, after)) = split_first(rest) {
            let mut slot = slot::<SLOTS>(name);
            let mut set = 1 << number;
            while let Some((found, others)) = self.0[slot] {
                if is_same(found.as_bytes(), name.as_bytes()) {
                    set |= others;
                    break;
                }
                slot = (slot + 1) % SLOTS;
            }
            self.0[slot] = Some((name, set));
            rest = after;
        }
    }
}

#[expect(clippy::indexing_slicing, reason = "within the length")]
const fn slot<const SLOTS: usize>(name: &str) -> usize {
    let name = name.as_bytes();
    let (mut hash, mut at) = (name.len(), 0);
    while at < name.len() {
        hash = hash.wrapping_mul(31).wrapping_add(name[at] as usize);
        at += 1;
    }
    hash % SLOTS
}

/// The first name of a list and the rest of the list.
#[expect(clippy::indexing_slicing, reason = "within the length")]
const fn split_first(names: &str) -> Option<(&str, &str)> {
    let names = names.trim_ascii_start();
    let mut end = 0;
    while end < names.len() && names.as_bytes()[end] != b' ' {
        end += 1;
    }
    if end == 0 { None } else { Some(names.split_at(end)) }
}

#[expect(clippy::indexing_slicing, reason = "within the length of both")]
const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_whole_names_only() {
        for names in ["cp mv cpio tar", "a", "", "a  b", "-f --force --f"] {
            for name in
                ["cp", "mv", "cpio", "pio", "c", "tar", "a", "b", "", "a b", "-f", "--f", "--force", "f"]
            {
                assert_eq!(lists(names, name), names.split(' ').any(|one| one == name), "{name} in {names}");
            }
        }
    }
}
