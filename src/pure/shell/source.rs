//! A text that is being walked, and where it stands in the original.

use std::ops::Range;

#[derive(Debug, Clone)]
pub(super) enum TextOrigin {
    /// A verbatim piece of the original, from this byte on.
    At(usize),
    /// Something derived from these bytes of the original.
    Within(Range<usize>),
}

#[derive(Debug, Clone)]
pub(super) struct ShellSource<'a> {
    pub(super) text: &'a str,
    pub(super) origin: TextOrigin,
}

impl<'a> ShellSource<'a> {
    /// The bytes of the original that a span of this text stands for.
    pub(super) fn original(&self, start: usize, end: usize) -> Range<usize> {
        match &self.origin {
            TextOrigin::At(base) if self.text.get(start..end).is_some() => base + start..base + end,
            TextOrigin::At(base) => *base..base + self.text.len(),
            TextOrigin::Within(range) => range.clone(),
        }
    }
}
