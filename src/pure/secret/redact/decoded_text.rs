//! Decoded text: with joined lines or resolved escapes. Each byte has its origin in the source text.

use memchr::arch::all::memchr::{One, Three};
use std::borrow::Cow;
use std::ops::Range;

/// The encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// A backslash before the end of a line.
    Continued,
    /// The escapes of JSON and of most languages.
    Escaped,
    /// `%3D` and the like.
    Percent,
    /// The ends of lines, the blanks around them, and the backslashes before them.
    Lines,
}

impl Join {
    pub(super) const ALL: [Self; 4] = [Self::Continued, Self::Escaped, Self::Percent, Self::Lines];

    /// The decoded byte, if any, and the length of its source.
    fn undone(self, rest: &[u8]) -> Option<(Option<u8>, usize)> {
        match (self, rest) {
            (Self::Continued, [b'\\', b'\n', ..]) => Some((None, 2)),
            (Self::Continued, [b'\\', b'\r', b'\n', ..]) => Some((None, 3)),
            (Self::Escaped, [b'\\', b'u', b'0', b'0', high, low, ..]) => Some((Some(hex(*high, *low)?), 6)),
            (Self::Escaped, [b'\\', b'x', high, low, ..]) => Some((Some(hex(*high, *low)?), 4)),
            (Self::Escaped, [b'\\', b'n' | b'r', ..]) => Some((Some(b'\n'), 2)),
            (Self::Escaped, [b'\\', b't', ..]) => Some((Some(b'\t'), 2)),
            (Self::Escaped, [b'\\', sign, ..]) if sign.is_ascii_punctuation() => Some((Some(*sign), 2)),
            (Self::Percent, [b'%', high, low, ..]) => Some((Some(hex(*high, *low)?), 3)),
            (Self::Lines, [first, ..]) if b"\\\r\n".contains(first) => {
                let signs = rest.iter().take_while(|byte| **byte == b'\\').count();
                let blanks = rest.iter().skip(signs).take_while(|byte| byte.is_ascii_whitespace()).count();
                (blanks > 0).then_some((None, signs + blanks))
            }
            _ => None,
        }
    }
}

fn hex(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

pub(super) struct DecodedText<'a> {
    bytes: Cow<'a, [u8]>,
    /// The source of each byte; empty for plain text.
    origins: Vec<Range<usize>>,
}

impl<'a> DecodedText<'a> {
    pub(super) fn plain(text: &'a str) -> Self {
        Self { bytes: Cow::Borrowed(text.as_bytes()), origins: Vec::new() }
    }

    /// `None` if decoding changes nothing.
    pub(super) fn joined(text: &'a str, join: Join) -> Option<Self> {
        let text = text.as_bytes();
        let changes = |at: &usize| text.get(*at..).is_some_and(|rest| join.undone(rest).is_some());
        // Not by `memchr` itself, which first asks the processor what it can do: most texts here are ids.
        let first = match join {
            Join::Continued | Join::Escaped => One::new(b'\\').iter(text).find(changes),
            Join::Percent => One::new(b'%').iter(text).find(changes),
            Join::Lines => Three::new(b'\n', b'\r', b'\\').iter(text).find(changes),
        }?;
        let mut bytes = Vec::with_capacity(text.len());
        let mut origins = Vec::with_capacity(text.len());
        bytes.extend(text.get(..first)?);
        origins.extend((0..first).map(|at| at..at + 1));
        let mut at = first;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let (byte, length) = join.undone(rest).unwrap_or((rest.first().copied(), 1));
            if let Some(byte) = byte {
                bytes.push(byte);
                origins.push(at..at + length);
            }
            at += length;
        }
        Some(Self { bytes: Cow::Owned(bytes), origins })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The source of a decoded piece.
    pub(super) fn original(&self, span: Range<usize>) -> Range<usize> {
        let origin = |place: usize| self.origins.get(place);
        match (origin(span.start), span.end.checked_sub(1).and_then(origin)) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => span,
        }
    }
}
