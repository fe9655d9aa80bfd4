//! Tokens with a form of their own. A pattern is compiled only after its mark was seen.

use super::assignment::at;
use super::catalogue::{COUNT, Proof, TOKENS, Token};
use super::placeholder::{is_filled_in, is_monotonous, is_sequence};
use super::rule::{FoundSecretSpan, MatchStrength, SecretVerdict};
use regex::bytes::{Regex, RegexBuilder};
use std::ops::Range;
use std::sync::OnceLock;

const FURTHEST_BEFORE: usize = 160;
const LONGEST: usize = 4096;
const REASON: &str = "it has the form of a token that only its provider makes";
const ON_SIGHT: &str = "it has the form of a token, which may be public or something else";
const MADE_UP: &str = "it has the form of a token, but its characters are counted up or repeated";

static PATTERNS: [OnceLock<Option<Regex>>; COUNT] = [const { OnceLock::new() }; COUNT];

pub(super) fn token(content: &[u8], mark: usize, row: u16) -> Option<FoundSecretSpan> {
    let token = TOKENS.get(usize::from(row))?;
    let after = mark + token.mark.len();
    if !is_long_enough(content, after, token) {
        return None;
    }
    if !token.before.is_empty() {
        return around(content, mark, row, token);
    }
    if !begins(content, mark) {
        return None;
    }
    let span = matched(content, mark, mark, row, token)?;
    judged(content, span, after, token)
}

/// For redaction: also inside a longer word, also if it looks made up, and up to the end of the word.
pub(super) fn shaped(content: &[u8], mark: usize, row: u16) -> Option<Range<usize>> {
    let token = TOKENS.get(usize::from(row))?;
    let after = mark + token.mark.len();
    if !is_long_enough(content, after, token) {
        return None;
    }
    if token.proof == Proof::WebToken {
        return web_token(content, mark);
    }
    let span = if token.before.is_empty() {
        let glued =
            token.mark.len() >= 4 || mark.checked_sub(1).is_some_and(|last| at(content, last) == b'.');
        (glued || begins(content, mark)).then(|| found(content, mark, mark, row, token))??
    } else {
        around(content, mark, row, token).map(|found| found.start..found.end)?
    };
    let proven = match token.proof {
        Proof::None => true,
        Proof::Given => token.mark.len() >= 4 || is_given(content, span.start),
        Proof::WebToken => true,
    };
    let word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let more = content.get(span.end..)?.iter().take_while(word).count();
    proven.then_some(span.start..span.end + more)
}

/// A web token of any length, with or without signature.
fn web_token(content: &[u8], mark: usize) -> Option<Range<usize>> {
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.=".contains(byte);
    let length = content.get(mark..)?.iter().take_while(part).count();
    let text = content.get(mark..mark + length)?;
    (length >= 20 && is_json(text)).then_some(mark..mark + length)
}

fn around(content: &[u8], mark: usize, row: u16, token: &Token) -> Option<FoundSecretSpan> {
    let before = content.get(mark.saturating_sub(FURTHEST_BEFORE)..mark)?;
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.~+/".contains(byte);
    let left = before.iter().rev().take_while(|byte| word(byte)).count();
    if left < least(token.before) {
        return None;
    }
    let earliest = mark - left;
    // The token may be the end of a longer word: `x=` and the like have been cut off, `KEY_` has not.
    let span = (earliest..mark).filter(|start| begins(content, *start)).find_map(|start| {
        matched(content, start, mark, row, token).filter(|span| span.end >= mark + token.mark.len())
    })?;
    judged(content, span, mark, token)
}

fn matched(content: &[u8], start: usize, mark: usize, row: u16, token: &Token) -> Option<Range<usize>> {
    found(content, start, mark, row, token).filter(|span| ends(content, span.end))
}

fn found(content: &[u8], start: usize, mark: usize, row: u16, token: &Token) -> Option<Range<usize>> {
    let pattern = PATTERNS.get(usize::from(row))?.get_or_init(|| compile(token)).as_ref()?;
    let end = content.len().min(mark + LONGEST);
    let found = pattern.find(content.get(start..end)?)?;
    Some(start + found.start()..start + found.end())
}

fn judged(content: &[u8], span: Range<usize>, body: usize, token: &Token) -> Option<FoundSecretSpan> {
    let text = content.get(span.clone())?;
    let body = content.get(body.min(span.end)..span.end).filter(|body| body.len() >= 8).unwrap_or(text);
    let monotonous = is_monotonous(body);
    let made_up = monotonous || is_sequence(body);
    let nothing = is_filled_in(body) || monotonous && !is_shouted(body);
    let proven = match token.proof {
        Proof::None => true,
        Proof::Given => is_given(content, span.start),
        Proof::WebToken => is_web_token(text),
    };
    if nothing || !proven || made_up && token.verdict == SecretVerdict::Ask {
        return None;
    }
    let (verdict, reason) = match token.verdict {
        SecretVerdict::Block if made_up => (SecretVerdict::Ask, MADE_UP),
        SecretVerdict::Block => (SecretVerdict::Block, REASON),
        SecretVerdict::Ask => (SecretVerdict::Ask, ON_SIGHT),
    };
    Some(FoundSecretSpan::new(token.name, verdict, MatchStrength::Form, reason, span))
}

/// Capitals over and over: gaps are filled with small letters and digits. Zeros in base 64 are neither.
fn is_shouted(body: &[u8]) -> bool {
    let capitals = body.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    capitals * 2 > body.len() && memchr::memmem::find(body, b"AAAAAAAA").is_none()
}

/// A value that begins like a token and is too short for one: the author left the rest out.
pub(super) fn is_cut_short(content: &[u8], mark: usize, row: u16) -> bool {
    TOKENS.get(usize::from(row)).is_some_and(|token| {
        let after = mark + token.mark.len();
        token.before.is_empty()
            && token.mark.len() >= 5
            && begins(content, mark)
            && !is_long_enough(content, after, token)
    })
}

/// Behind a quote or a sign of assignment.
fn is_given(content: &[u8], place: usize) -> bool {
    let before = content.get(..place).unwrap_or_default().trim_ascii_end();
    before.last().is_some_and(|byte| b"\"'`=:,(>[".contains(byte))
}

fn is_web_token(text: &[u8]) -> bool {
    // Subject 1234567890, the example of every manual.
    is_json(text) && memchr::memmem::find(text, b"IxMjM0NTY3ODkwI").is_none()
}

/// The first part is JSON, in the alphabet of web tokens.
fn is_json(text: &[u8]) -> bool {
    let head = text.split(|byte| *byte == b'.').next().unwrap_or_default();
    let (mut bits, mut held, mut last) = (0_u32, 0, 0);
    for byte in head.iter().take_while(|byte| **byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' | b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            last = (bits >> held) & 0xff;
            if !(0x20..0x7f).contains(&last) && !b"\r\n\t".iter().any(|space| u32::from(*space) == last) {
                return false;
            }
        }
    }
    last == u32::from(b'}')
}

/// `None` would be a mistake in a row; a test compiles them all.
fn compile(token: &Token) -> Option<Regex> {
    let pattern = format!(r"\A(?:{}){}(?:{})", token.before, regex::escape(token.mark), token.rest);
    RegexBuilder::new(&pattern).unicode(false).size_limit(1 << 22).build().ok()
}

/// No word goes on here; the letter of an escape such as `\n` or `%3D` belongs to no word.
pub(super) fn begins(content: &[u8], place: usize) -> bool {
    let Some(last) = place.checked_sub(1).map(|last| at(content, last)) else { return true };
    let escaped =
        |back: usize, sign: u8| place.checked_sub(back).is_some_and(|place| at(content, place) == sign);
    let member =
        last == b'.' && place.checked_sub(2).is_some_and(|place| at(content, place).is_ascii_alphanumeric());
    !last.is_ascii_alphanumeric() && !member
        || b"nrt".contains(&last) && escaped(2, b'\\')
        || escaped(3, b'%')
}

fn ends(content: &[u8], place: usize) -> bool {
    let next = at(content, place);
    let after = at(content, place + 1);
    let goes_on = next == b'-' && (after.is_ascii_alphanumeric() || b"#*".contains(&after));
    !(next.is_ascii_alphanumeric() || next == b'_' || goes_on)
}

/// Spares the compilation where too little follows.
fn is_long_enough(content: &[u8], after: usize, token: &Token) -> bool {
    let rest = content.get(after..).unwrap_or_default().iter();
    let solid = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'`<>".contains(byte);
    let least = if token.rest.starts_with("[^") { 0 } else { least(token.rest) };
    rest.take(least).take_while(solid).count() >= least
}

/// How many bytes a pattern takes at least, as far as its counts say; with a choice in it, a few.
fn least(pattern: &str) -> usize {
    if pattern.contains('"') {
        return 0;
    }
    if pattern.contains(['|', '?']) {
        return 8;
    }
    let counts = pattern.split('{').skip(1).map(|count| count.split([',', '}']).next().unwrap_or_default());
    counts.filter_map(|count| count.parse::<usize>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for token in &TOKENS {
            assert!(compile(token).is_some(), "{} {}", token.name, token.mark);
        }
    }
}
