//! One row of the catalogue: a token known by its own form, or a value known by the name beside it.

use super::super::rule::Verdict;

/// A token that its own form gives away.
#[derive(Clone, Copy)]
pub(in super::super) struct Token {
    pub name: &'static str,
    /// What stands before the mark, as a pattern; mostly nothing.
    pub before: &'static str,
    /// A literal that no such token is without, spelled exactly so.
    pub mark: &'static str,
    /// What follows the mark, as a pattern.
    pub rest: &'static str,
    pub verdict: Verdict,
    /// What else has to be true of it.
    pub proof: Proof,
}

/// What a form alone does not show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Proof {
    None,
    /// It is given to something: public ones are mentioned all over the place.
    Given,
    /// Its first part is the head of a JSON Web Token.
    WebToken,
}

/// A value that only counts beside the name of its provider.
#[derive(Clone, Copy)]
pub(in super::super) struct Beside {
    pub name: &'static str,
    /// Words for the provider, in lower case.
    pub words: &'static [&'static str],
    pub alphabet: Alphabet,
    pub least: u16,
    pub most: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Alphabet {
    Digits,
    Hex,
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_`, `-`.
    Word,
    /// Letters, digits and what else tokens are written with.
    Wide,
    Uuid,
    /// A number, `:A`, and 34 of `Word`.
    Bot,
}

/// A token that begins with its mark.
pub(super) const fn token(name: &'static str, mark: &'static str, rest: &'static str) -> Token {
    Token { name, before: "", mark, rest, verdict: Verdict::Block, proof: Proof::None }
}

/// A token with its mark in the middle.
pub(super) const fn around(
    name: &'static str,
    before: &'static str,
    mark: &'static str,
    rest: &'static str,
) -> Token {
    Token { name, before, mark, rest, verdict: Verdict::Block, proof: Proof::None }
}

pub(super) const fn beside(
    name: &'static str,
    words: &'static [&'static str],
    alphabet: Alphabet,
    least: u16,
    most: u16,
) -> Beside {
    Beside { name, words, alphabet, least, most }
}

impl Token {
    /// Public by design in many places, or of a form that other things have too.
    pub(super) const fn asked(mut self) -> Self {
        self.verdict = Verdict::Ask;
        self
    }

    pub(super) const fn with(mut self, proof: Proof) -> Self {
        self.proof = proof;
        self
    }
}

impl Alphabet {
    pub(in super::super) fn holds(self, value: &[u8]) -> bool {
        match self {
            Self::Digits => value.iter().all(u8::is_ascii_digit),
            Self::Hex => value.iter().all(u8::is_ascii_hexdigit),
            Self::Alnum => value.iter().all(u8::is_ascii_alphanumeric),
            Self::Word => value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte)),
            Self::Wide => {
                value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-+/=.~:|%".contains(byte))
            }
            Self::Uuid => is_uuid(value),
            Self::Bot => is_bot(value),
        }
    }
}

pub(in super::super) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_bot(value: &[u8]) -> bool {
    let colon = value.iter().position(|byte| *byte == b':').unwrap_or_default();
    let (number, secret) = value.split_at(colon);
    (5..=16).contains(&number.len())
        && Alphabet::Digits.holds(number)
        && secret.len() == 36
        && secret.starts_with(b":A")
        && secret.get(1..).is_some_and(|secret| Alphabet::Word.holds(secret))
}
