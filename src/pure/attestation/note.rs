//! A note: envelopes, one per line. Merging is union, so the order of merges does not matter.

use std::collections::BTreeSet;

/// A larger note is not read.
pub const NOTE_LIMIT: u64 = 1024 * 1024;
/// Of more envelopes in a note, the first in order are read.
pub const ENVELOPES_LIMIT: usize = 64;

/// The lines of a note that say something.
pub fn lines(note: &[u8]) -> impl Iterator<Item = &[u8]> {
    note.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
}

/// Every line of all notes, once, in order.
pub fn union<'a>(notes: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let all: BTreeSet<&[u8]> = notes.into_iter().flat_map(lines).collect();
    all.into_iter().flat_map(|line| [line, b"\n"]).flatten().copied().collect()
}

/// Whether every line of the old note is in the new one.
pub fn is_kept(old: &[u8], new: &[u8]) -> bool {
    let new: BTreeSet<&[u8]> = lines(new).collect();
    lines(old).all(|line| new.contains(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn notes_merge_to_the_same_text_in_every_order_and_lose_no_line(
            notes in proptest::collection::vec("([a-c]{0,2}\n?){0,5}", 0..5), seed: usize,
        ) {
            let all = |order: &[&String]| union(order.iter().map(|note| note.as_bytes()));
            let mut order: Vec<&String> = notes.iter().collect();
            let whole = all(&order);
            if !order.is_empty() {
                let by = seed % order.len();
                order.rotate_left(by);
            }
            prop_assert_eq!(&all(&order), &whole);
            order.reverse();
            // One after the other, as fetches do it.
            let stepwise = order.iter().fold(Vec::new(), |merged, note| union([merged.as_slice(), note.as_bytes()]));
            prop_assert_eq!(&stepwise, &whole);
            for note in &notes {
                prop_assert!(is_kept(note.as_bytes(), &whole));
            }
        }
    }

    #[test]
    fn a_line_that_is_gone_is_noticed() {
        assert!(is_kept(b"a\nb\n", b"b\n\nc\na"));
        assert!(!is_kept(b"a\nb\n", b"a\nbb\n"));
    }
}
