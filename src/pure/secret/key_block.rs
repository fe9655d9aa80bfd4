//! Private keys with a body: PEM, OpenSSH, PGP, PuTTY, also inside strings and encoded once more.

use super::assignment::at;
use super::placeholder::is_example;
use super::randomness::{entropy, reads_like_words};
use super::rule::{FoundSecretSpan, MatchStrength, SecretVerdict};
use memchr::memmem;
use std::ops::Range;

const LEAST_BODY: usize = 24;
/// The longest key, line ends included.
const LONGEST_BODY: usize = 64 * 1024;
/// `PRIVATE KEY` in base 64, at each of the three offsets in a group of bytes.
const ENCODED: [&[u8]; 3] = [b"UFJJVkFURSBLRV", b"BSSVZBVEUgS0VZ", b"QUklWQVRFIEtFW"];
const REASON: &str = "a private key with its body";

pub(super) fn key_block(content: &[u8], place: usize) -> Option<FoundSecretSpan> {
    let line = content.get(place.saturating_sub(48)..place)?;
    let putty = content.get(place..place + 8).is_some_and(|text| text.eq_ignore_ascii_case(b"private-"));
    let begin = [&b"-----BEGIN "[..], b"---- BEGIN "].iter().find_map(|dashes| memmem::rfind(line, dashes));
    let begin = begin.map(|at| place - line.len() + at);
    if begin.is_none() && !putty {
        return None;
    }
    let label = content.get(place..)?.iter().take(40).position(|byte| b"\n-".contains(byte))?;
    let mut at_byte = if putty { place + 14 } else { place + label };
    at_byte = body_start(content, at_byte);
    let body = content.get(at_byte..)?;
    let length = body
        .iter()
        .take(2048)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte))
        .count();
    let body = body.get(..length)?;
    let real = length >= LEAST_BODY && entropy(body) >= 3.0 && !reads_like_words(body) && !is_example(body);
    real.then(|| certain("private-key", begin.unwrap_or(place)..at_byte + length))
}

fn certain(rule: &'static str, span: Range<usize>) -> FoundSecretSpan {
    FoundSecretSpan::new(rule, SecretVerdict::Block, MatchStrength::KeyBlock, REASON, span)
}

/// The whole block around a found key: its other lines are just as secret.
pub(super) fn whole(content: &[u8], found: Range<usize>) -> Range<usize> {
    let rest = content.get(found.end..).unwrap_or_default();
    let rest = rest.get(..rest.len().min(LONGEST_BODY)).unwrap_or_default();
    if let Some(end) = memmem::find(rest, b"-----END ") {
        let label = rest.get(end + 9..).unwrap_or_default();
        let label = memmem::find(label, b"-----").map_or(0, |close| close + 5);
        return found.start..found.end + end + 9 + label;
    }
    let part = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=\\\"',".contains(byte)
    };
    found.start..found.end + rest.iter().take_while(part).count()
}

/// The whole block, whether or not its body is a real key.
pub(super) fn any_block(content: &[u8], place: usize) -> Option<Range<usize>> {
    if let Some(found) = key_block(content, place) {
        return Some(whole(content, found.start..found.end));
    }
    let line = content.get(place.saturating_sub(48)..place)?;
    let begin = memmem::rfind(line, b"-----BEGIN ").map(|at| place - line.len() + at)?;
    let label = content.get(place..)?.iter().take(64).position(|byte| *byte == b'-')?;
    let dashes = content.get(place + label..)?.iter().take_while(|byte| **byte == b'-').count();
    Some(whole(content, begin..place + label + dashes))
}

/// The start of the body, after dashes, line ends (also escaped, also between string literals) and headers such as `Proc-Type:`.
fn body_start(content: &[u8], mut place: usize) -> usize {
    loop {
        let escape = at(content, place) == b'\\' && b"nr".contains(&at(content, place + 1));
        if escape {
            place += 2;
        } else if at(content, place).is_ascii_whitespace() || b"-\"'+,;\\|>*#".contains(&at(content, place)) {
            place += 1;
        } else if let Some(end) = header_end(content, place) {
            place = end;
        } else {
            return place;
        }
    }
}

fn header_end(content: &[u8], place: usize) -> Option<usize> {
    let rest = content.get(place..)?;
    let name = rest.iter().take(24).take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-').count();
    let header = name > 0 && rest.get(name..name + 2) == Some(b": ");
    // PuTTY writes the number of lines.
    let count = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    let counted = count > 0 && rest.get(count).is_some_and(|byte| b"\r\n".contains(byte));
    let end = || rest.iter().take(240).position(|byte| b"\r\n\\".contains(byte)).map(|end| place + end);
    (header || counted).then(end)?
}

pub(super) fn encoded(content: &[u8], place: usize) -> Option<FoundSecretSpan> {
    let rest = content.get(place..)?;
    let length = encoded_length(rest);
    let text = rest.get(..length)?;
    let head = text.get(..text.len().min(80))?;
    let private = length >= 120 && ENCODED.iter().any(|word| memmem::find(head, word).is_some());
    private.then(|| certain("encoded-private-key", place..place + length))
}

/// An encoded key with line ends in it.
pub(super) fn encoded_lines(content: &[u8], place: usize) -> Option<Range<usize>> {
    let rest = content.get(place..content.len().min(place + LONGEST_BODY))?;
    let mut length = 0;
    loop {
        let more = encoded_length(rest.get(length..)?);
        length += more;
        let blanks = rest.get(length..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        // The last line is shorter; text after it does not belong to the key.
        if more < 40 || blanks == 0 {
            return Some(place..place + length);
        }
        length += blanks;
    }
}

fn encoded_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte)).count()
}
