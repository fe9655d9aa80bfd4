//! A command line taken apart into options with their values, and operands.

use super::line::lists;
use crate::shell::{Part, Word};
use std::borrow::Cow;

#[derive(Debug)]
pub(super) enum Piece<'a> {
    /// By its letter, or by its long name with the dashes.
    Flag(&'a str, Option<Cow<'a, Word>>),
    Operand(&'a Word),
}

/// The options of a program that take a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Valued {
    pub letters: &'static str,
    /// With their dashes, and blanks between them.
    pub names: &'static str,
}

/// Reads options in the way of getopt.
pub(super) fn pieces(arguments: &[Word], valued: Valued) -> Vec<Piece<'_>> {
    let mut pieces = Vec::with_capacity(arguments.len());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.literal_prefix();
        if word.literal() == Some("--") {
            pieces.extend(words.by_ref().map(Piece::Operand));
        } else if text.starts_with("--") {
            let (name, attached) = text.split_once('=').map_or((text, None), |(name, _)| (name, Some(name)));
            let value = match attached {
                Some(name) => Some(Cow::Owned(rest_of(word, name.len() + 1))),
                None if lists(valued.names, name) => words.next().map(Cow::Borrowed),
                None => None,
            };
            pieces.push(Piece::Flag(name, value));
        } else if text.starts_with('-') && text.len() > 1 {
            for (at, letter) in text.char_indices().skip(1) {
                let after = at + letter.len_utf8();
                let name = text.get(at..after).unwrap_or_default();
                if !valued.letters.contains(letter) {
                    pieces.push(Piece::Flag(name, None));
                    continue;
                }
                let is_last = after == text.len() && word.parts.len() == 1;
                let value = match is_last {
                    true => words.next().map(Cow::Borrowed),
                    false => Some(Cow::Owned(rest_of(word, after))),
                };
                pieces.push(Piece::Flag(name, value));
                break;
            }
        } else {
            pieces.push(Piece::Operand(word));
        }
    }
    pieces
}

/// The word without the first bytes of its text.
pub(super) fn rest_of(word: &Word, bytes: usize) -> Word {
    let mut parts = word.parts.clone();
    if let Some(Part::Literal(text)) = parts.first_mut() {
        *text = text.get(bytes..).unwrap_or_default().to_owned();
        if text.is_empty() && parts.len() > 1 {
            parts.remove(0);
        }
    }
    Word { parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_attached_or_apart() {
        let words: Vec<Word> =
            "-sSLo out --data=@f --json x -d@g https://a -- -z".split(' ').map(Word::plain).collect();
        let valued = Valued { letters: "od", names: "--data --json" };
        let told: Vec<String> = pieces(&words, valued)
            .into_iter()
            .map(|piece| match piece {
                Piece::Flag(name, None) => name.to_owned(),
                Piece::Flag(name, Some(value)) => format!("{name}:{}", value.text_lossy()),
                Piece::Operand(word) => word.text_lossy().into_owned(),
            })
            .collect();
        assert_eq!(told, ["s", "S", "L", "o:out", "--data:@f", "--json:x", "d:@g", "https://a", "-z"]);
    }
}
