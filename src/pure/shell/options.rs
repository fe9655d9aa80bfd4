//! Takes command lines apart into options, their values and operands, as getopt does.
//!
//! A table of options is a list of those that take a value, with blanks between them: `-u --user`.

use super::names::{found, is_edge};
use super::word::Word;
use std::borrow::Cow;

/// One piece of a command line.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    /// By its letter, or by its long name with the dashes.
    Option(&'a str, Option<OptionValue<'a>>),
    /// The first `--`, behind which nothing is an option.
    Separator,
    Operand(&'a Word),
}

/// The value of an option: the next word, or the rest of the option's own word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OptionValue<'a> {
    word: &'a Word,
    /// How many bytes of the word come before the value.
    skipped: usize,
}

impl<'a> OptionValue<'a> {
    pub(crate) fn word(self) -> Cow<'a, Word> {
        match self.skipped {
            0 => Cow::Borrowed(self.word),
            skipped => Cow::Owned(self.word.without_first(skipped)),
        }
    }

    pub(crate) fn literal(self) -> Option<&'a str> {
        self.word.literal()?.get(self.skipped..)
    }
}

/// Which value an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    /// The rest of the word, or the next word.
    Value,
    /// The rest of the word.
    Rest,
}

/// The pieces of a command line, given the table of options that take a value.
pub(crate) fn pieces<'a>(words: &'a [Word], valued: &str) -> Pieces<'a, impl Fn(&str) -> Takes> {
    Pieces::new(words, Word::literal_prefix, move |name| match lists_option(valued, name) {
        true => Takes::Value,
        false => Takes::Nothing,
    })
}

/// The values of these options in every spelling: `-c x`, `-cx`, `-Atc x`, `--command x`, `--command=x`.
pub(crate) fn option_values<'a>(words: &'a [Word], names: &str) -> Vec<Cow<'a, Word>> {
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate().filter(|(_, word)| word.starts_with("-")) {
        let text = word.literal_prefix();
        let next = || words.get(index + 1).map(Cow::Borrowed);
        let cluster = text.get(1..).filter(|letters| {
            letters.len() < 6 && letters.bytes().all(|letter| letter.is_ascii_alphabetic())
        });
        for name in names.split_ascii_whitespace() {
            let letter = name.get(1..).filter(|letter| letter.len() == 1);
            match (text.strip_prefix(name), letter) {
                (Some(""), _) if word.literal().is_some() => found.extend(next()),
                (Some(rest), None) if rest.starts_with('=') => {
                    found.push(Cow::Owned(word.without_first(name.len() + 1)));
                }
                (Some(_), Some(_)) => found.push(Cow::Owned(word.without_first(name.len()))),
                (None, Some(letter)) if cluster.is_some_and(|cluster| cluster.ends_with(letter)) => {
                    found.extend(next());
                }
                (Some(_) | None, _) => {}
            }
        }
    }
    found
}

/// Whether a table names an option, which is given as in `Piece::Option`.
pub(crate) fn lists_option(table: &str, name: &str) -> bool {
    if name.is_empty() || name.contains(' ') {
        return name.is_empty() && table.split(' ').any(|one| matches!(one, "" | "-"));
    }
    found(table, name).any(|(before, after)| {
        let before = before.strip_suffix(b"-").filter(|rest| is_edge(rest.last())).unwrap_or(before);
        is_edge(before.last()) && is_edge(after.first())
    })
}

pub(crate) struct Pieces<'a, T> {
    words: std::slice::Iter<'a, Word>,
    /// The part of a word that is read as an option.
    text: fn(&Word) -> &str,
    takes: T,
    /// A word of letters, and where the next letter stands.
    letters: Option<(&'a Word, usize)>,
    separated: bool,
}

impl<'a, T: Fn(&str) -> Takes> Pieces<'a, T> {
    pub(crate) fn new(words: &'a [Word], text: fn(&Word) -> &str, takes: T) -> Self {
        Self { words: words.iter(), text, takes, letters: None, separated: false }
    }

    /// How many words no piece was taken from yet.
    fn words_left(&self) -> usize {
        self.words.len()
    }

    fn long(&mut self, word: &'a Word, text: &'a str) -> Piece<'a> {
        if let Some((name, _)) = text.split_once('=') {
            return Piece::Option(name, Some(OptionValue { word, skipped: name.len() + 1 }));
        }
        let value = ((self.takes)(text) == Takes::Value).then(|| self.next_word());
        Piece::Option(text, value.flatten())
    }

    fn letter(&mut self, word: &'a Word, at: usize) -> Piece<'a> {
        let text = (self.text)(word);
        let after = text.get(at..).and_then(|rest| rest.chars().next()).map_or(at, |one| at + one.len_utf8());
        let name = text.get(at..after).unwrap_or_default();
        let is_last = after == text.len();
        let value = match (self.takes)(name) {
            Takes::Nothing => {
                self.letters = (!is_last).then_some((word, after));
                None
            }
            Takes::Value if is_last && word.parts.len() == 1 => self.next_word(),
            Takes::Value | Takes::Rest => Some(OptionValue { word, skipped: after }),
        };
        Piece::Option(name, value)
    }

    fn next_word(&mut self) -> Option<OptionValue<'a>> {
        self.words.next().map(|word| OptionValue { word, skipped: 0 })
    }
}

impl<'a, T: Fn(&str) -> Takes> Iterator for Pieces<'a, T> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if let Some((word, at)) = self.letters.take() {
            return Some(self.letter(word, at));
        }
        let word = self.words.next()?;
        let text = (self.text)(word);
        Some(match text.strip_prefix('-') {
            None | Some("") => Piece::Operand(word),
            Some(_) if self.separated => Piece::Operand(word),
            Some("-") if word.literal().is_some() => {
                self.separated = true;
                Piece::Separator
            }
            Some(rest) if rest.starts_with('-') => self.long(word, text),
            Some(_) => self.letter(word, 1),
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Flag {
    name: String,
    value: Option<Word>,
}

/// The flags seen so far and the index of the first word that is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct WrapperOptions {
    flags: Vec<Flag>,
    /// Where the operands stand that come before the command.
    pub(super) operands: Vec<usize>,
    pub(super) rest: usize,
}

impl WrapperOptions {
    /// Nothing read yet but the name of the program.
    pub(super) fn after_program() -> Self {
        Self { rest: 1, ..Self::default() }
    }

    pub(super) fn has(&self, names: &str) -> bool {
        self.flags.iter().any(|flag| lists_option(names, &flag.name))
    }

    pub(super) fn value<'a>(&'a self, names: &'a str) -> Option<&'a Word> {
        self.values(names).next()
    }

    pub(super) fn values<'a>(&'a self, names: &'a str) -> impl Iterator<Item = &'a Word> {
        let named = self.flags.iter().filter(move |flag| lists_option(names, &flag.name));
        named.filter_map(|flag| flag.value.as_ref())
    }

    /// Reads options from `rest` on, up to the first operand.
    pub(super) fn read(&mut self, words: &[Word], valued: &str) {
        let Some(unread) = words.get(self.rest..) else { return };
        let mut pieces = pieces(unread, valued);
        loop {
            self.rest = words.len() - pieces.words_left();
            match pieces.next() {
                Some(Piece::Option(name, value)) => {
                    let value = value.map(|value| value.word().into_owned());
                    self.flags.push(Flag { name: name.to_owned(), value });
                }
                // `-$x` has letters that only the run knows.
                Some(Piece::Operand(word)) if word.literal().is_none() && word.starts_with("-") => {}
                Some(Piece::Separator) => {
                    self.rest += 1;
                    return;
                }
                Some(Piece::Operand(_)) | None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, valued: &str) -> (Vec<String>, usize) {
        let words: Vec<_> = line.split(' ').map(Word::plain).collect();
        let mut options = WrapperOptions::after_program();
        options.read(&words, valued);
        let shown = |flag: &Flag| match &flag.value {
            Some(value) => format!("{}={}", flag.name, value.text_lossy()),
            None => flag.name.clone(),
        };
        (options.flags.iter().map(shown).collect(), options.rest)
    }

    #[test]
    fn values_are_found_attached_and_apart() {
        assert_eq!(read("sudo -u root -nE ls", "-u"), (vec!["u=root".into(), "n".into(), "E".into()], 4));
        assert_eq!(read("sudo -uroot ls", "-u"), (vec!["u=root".into()], 2));
        assert_eq!(read("sudo --user=root ls", ""), (vec!["--user=root".into()], 2));
        assert_eq!(read("sudo --user root ls", "--user"), (vec!["--user=root".into()], 3));
        assert_eq!(read("sudo -nu root ls", "-u"), (vec!["n".into(), "u=root".into()], 3));
    }

    #[test]
    fn pieces_keep_their_order() {
        let words: Vec<Word> =
            "-sSLo out --data=@f --json x -d@g https://a -- -z".split(' ').map(Word::plain).collect();
        let shown: Vec<String> = pieces(&words, "-o -d --data --json")
            .map(|piece| match piece {
                Piece::Option(name, None) => name.to_owned(),
                Piece::Option(name, Some(value)) => format!("{name}:{}", value.word().text_lossy()),
                Piece::Separator => "--".to_owned(),
                Piece::Operand(word) => word.text_lossy().into_owned(),
            })
            .collect();
        assert_eq!(shown, ["s", "S", "L", "o:out", "--data:@f", "--json:x", "d:@g", "https://a", "--", "-z"]);
    }

    #[test]
    fn options_end_at_the_first_operand_and_at_two_dashes() {
        assert_eq!(read("x -a b -c", ""), (vec!["a".into()], 2));
        assert_eq!(read("x -- -c", ""), (vec![], 2));
        assert_eq!(read("x - -c", ""), (vec![], 1));
        assert_eq!(read("x -u", "-u"), (vec!["u".into()], 2));
    }
}
