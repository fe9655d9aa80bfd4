//! One row of the catalogue: a token known by its own form, or a value known by the name beside it.

use super::super::randomness::{entropy, reads_like_words};
use super::super::rule::SecretVerdict;

pub(super) const UUID: &str = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/// A token with a form of its own.
#[derive(Clone, Copy)]
pub(in super::super) struct Token {
    pub name: &'static str,
    /// A pattern for the text before the mark; mostly empty.
    pub before: &'static str,
    /// A literal that every such token contains; case matters.
    pub mark: &'static str,
    /// Marks of tokens that are the same otherwise.
    pub other_marks: &'static [&'static str],
    /// A pattern for the text after the mark.
    pub rest: &'static str,
    pub verdict: SecretVerdict,
    /// A further condition.
    pub proof: Proof,
}

/// A condition besides the form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Proof {
    None,
    /// It is assigned to a name: public ones are mentioned in many places.
    Given,
    /// Its first part is the header of a JSON Web Token.
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
    /// Letters, digits and the punctuation of tokens.
    Wide,
    Uuid,
    /// Letters, digits and the signs of base 64, drawn by a generator.
    Drawn,
    /// A number, `:A`, and 34 of `Word`.
    Bot,
}

/// A token that begins with its mark.
pub(super) const fn token(name: &'static str, mark: &'static str, rest: &'static str) -> Token {
    Token {
        name,
        before: "",
        mark,
        other_marks: &[],
        rest,
        verdict: SecretVerdict::Block,
        proof: Proof::None,
    }
}

/// A token with its mark in the middle.
pub(super) const fn around(
    name: &'static str,
    before: &'static str,
    mark: &'static str,
    rest: &'static str,
) -> Token {
    Token { name, before, mark, other_marks: &[], rest, verdict: SecretVerdict::Block, proof: Proof::None }
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
    pub(super) const fn also(mut self, marks: &'static [&'static str]) -> Self {
        self.other_marks = marks;
        self
    }

    /// Often public, or of a form that other values have too.
    pub(super) const fn uncertain(mut self) -> Self {
        self.verdict = SecretVerdict::Ask;
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
            Self::Drawn => is_drawn(value),
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

fn is_drawn(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let signs = value.len() - digits - letters;
    digits >= 3
        && letters >= 4
        && signs * 6 <= value.len()
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-+/=".contains(byte))
        && entropy(value) >= 3.1
        && !reads_like_words(value)
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
