//! Passwords that a function takes by position: `login("user", "password")`.

use super::assignment::{at, skip_space};
use super::generic::{is_generated, is_password};
use super::placeholder::{is_placeholder, is_sequence};
use super::rule::{FoundSecretSpan, MatchStrength, SecretSeverity, SecretVerdict};
use memchr::memchr;
use std::ops::Range;

const LONGEST: usize = 400;
const MOST_ARGUMENTS: usize = 6;
const CONVERSION: &[u8] = b"securestring";
const REASON: &str = "a literal password in a call that signs in";

/// The first literal in the call at `place` that looks like a password. One argument has to stand before it.
pub(super) fn password(content: &[u8], place: usize) -> Option<FoundSecretSpan> {
    let rest = content.get(place..content.len().min(place + LONGEST))?;
    let span = match rest.get(..CONVERSION.len()) {
        Some(name) if name.eq_ignore_ascii_case(CONVERSION) => converted(content, place + CONVERSION.len()),
        _ if rest.starts_with(b"IDENTIFIED BY ") || rest.starts_with(b"identified by ") => {
            let start = skip_space(content, place + 14);
            literal(content, start).filter(|literal| is_literal_password(content, literal.clone()))
        }
        _ => argument(content, place + memchr(b'(', rest)? + 1),
    }?;
    let found = FoundSecretSpan::new("call-password", SecretVerdict::Ask, MatchStrength::Name, REASON, span);
    Some(found.with_severity(SecretSeverity::Medium))
}

fn argument(content: &[u8], first: usize) -> Option<Range<usize>> {
    let mut place = skip_space(content, first);
    for count in 0..MOST_ARGUMENTS {
        let literal = literal(content, place);
        if count > 0 && literal.clone().is_some_and(|literal| is_literal_password(content, literal)) {
            return literal;
        }
        let name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.$[]-".contains(byte);
        let length = || content.get(place..).map(|rest| rest.iter().take(80).take_while(name).count());
        let end = literal.map_or_else(|| place + length().unwrap_or_default(), |literal| literal.end + 1);
        let comma = skip_space(content, end);
        if at(content, comma) != b',' {
            return None;
        }
        place = skip_space(content, comma + 1);
    }
    None
}

/// `ConvertTo-SecureString -AsPlainText -Force -String "password"`.
fn converted(content: &[u8], end: usize) -> Option<Range<usize>> {
    let mut place = skip_space(content, end);
    while at(content, place) == b'-' {
        let option = content.get(place..)?.iter().take(20).take_while(|byte| !byte.is_ascii_whitespace());
        place = skip_space(content, place + option.count());
    }
    literal(content, place).filter(|literal| is_literal_password(content, literal.clone()))
}

fn literal(content: &[u8], place: usize) -> Option<Range<usize>> {
    let quote = at(content, place);
    let text = content.get(place + 1..content.len().min(place + LONGEST))?;
    let length = memchr(quote, text).filter(|_| b"\"'".contains(&quote))?;
    Some(place + 1..place + 1 + length)
}

fn is_literal_password(content: &[u8], literal: Range<usize>) -> bool {
    let text = content.get(literal).unwrap_or_default();
    let drawn = || text.len() >= 20 && is_generated(text) && !is_placeholder(text) && !is_sequence(text);
    let digit = text.iter().any(u8::is_ascii_digit);
    let other = text.iter().any(|byte| b"/\\,:= ".contains(byte));
    digit && !other && (is_password(text, true) || drawn())
}
