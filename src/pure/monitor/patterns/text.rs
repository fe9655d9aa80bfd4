//! Texts cut to a bound, and marks instead of texts where only equality matters.

use crate::pure::step::fingerprint;
use crate::pure::text::{cut, one_line};

/// The start of a text, at most so many bytes, on a character's border.
pub(super) fn start(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

pub(super) fn end(text: &str, most: usize) -> &str {
    text.get(text.ceil_char_boundary(text.len().saturating_sub(most))..).unwrap_or_default()
}

/// One line of at most so many characters, with an ellipsis where something is missing.
pub(super) fn line(text: &str, most: usize) -> String {
    cut(&one_line(start(text, most * 8)), most)
}

/// Half a fingerprint: enough among the few steps that are kept.
pub(super) fn mark(text: &str) -> u32 {
    short(fingerprint(text.as_bytes()))
}

/// Never 0, which stands for nothing.
pub(super) fn short(fingerprint: u64) -> u32 {
    (fingerprint as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_its_bound_and_never_within_a_character() {
        assert_eq!(line("a\n  b", 10), "a b");
        assert_eq!(line("héllo wörld", 8).chars().count(), 8);
        assert_eq!(line(&"é".repeat(500), 160).chars().count(), 160);
        assert_eq!(start("éé", 3), "é");
        assert_eq!(end("éé", 3), "é");
    }
}
