//! A command line taken apart into options with their values, and operands.

use super::line::lists;
use crate::shell::{Part, Word};

#[derive(Debug)]
pub(super) enum Piece {
    Flag(String, Option<Word>),
    Operand(Word),
}

/// Reads options in the way of getopt. `valued` lists those that take a value, with blanks between them.
pub(super) fn pieces(arguments: &[Word], valued: &str) -> Vec<Piece> {
    let takes = |name: &str| lists(valued, name);
    let mut pieces = Vec::with_capacity(arguments.len());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.literal_prefix();
        if word.literal() == Some("--") {
            pieces.extend(words.by_ref().cloned().map(Piece::Operand));
        } else if text.starts_with("--") {
            let (name, attached) = text.split_once('=').map_or((text, None), |(name, _)| (name, Some(name)));
            let value = match attached {
                Some(name) => Some(rest_of(word, name.len() + 1)),
                None if takes(name) => words.next().cloned(),
                None => None,
            };
            pieces.push(Piece::Flag(name.to_owned(), value));
        } else if text.starts_with('-') && text.len() > 1 {
            for (at, letter) in text.char_indices().skip(1) {
                let name = String::from_iter(['-', letter]);
                let after = at + letter.len_utf8();
                if !takes(&name) {
                    pieces.push(Piece::Flag(name, None));
                    continue;
                }
                let is_last = after == text.len() && word.parts.len() == 1;
                let value = if is_last { words.next().cloned() } else { Some(rest_of(word, after)) };
                pieces.push(Piece::Flag(name, value));
                break;
            }
        } else {
            pieces.push(Piece::Operand(word.clone()));
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
        let told: Vec<String> = pieces(&words, "-o -d --data --json")
            .into_iter()
            .map(|piece| match piece {
                Piece::Flag(name, None) => name,
                Piece::Flag(name, Some(value)) => format!("{name}:{}", value.text_lossy()),
                Piece::Operand(word) => word.text_lossy().into_owned(),
            })
            .collect();
        assert_eq!(told, ["-s", "-S", "-L", "-o:out", "--data:@f", "--json:x", "-d:@g", "https://a", "-z"]);
    }
}
