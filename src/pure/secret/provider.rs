//! A value with a provider's form beside the provider's name.

use super::assignment::{at, name_around, name_end, value_after};
use super::catalogue::{Alphabet, BESIDE, Beside};
use super::generic::is_unmistakable;
use super::name::{Class, class};
use super::placeholder::{is_example, is_sequence};
use super::randomness::{is_composed, reads_like_words};
use super::rule::{FoundSecretSpan, MatchStrength, SecretVerdict};
use std::ops::Range;

/// At most so many words between the provider and the assignment operator.
const BETWEEN: usize = 5;
const REASON: &str = "a value of the provider's form beside its name";

pub(super) fn beside(content: &[u8], place: usize, row: u16) -> Option<FoundSecretSpan> {
    let beside = BESIDE.get(usize::from(row))?;
    beside.words.iter().find(|word| {
        let text = content.get(place..place + word.len());
        text.is_some_and(|text| text.eq_ignore_ascii_case(word.as_bytes()))
            && is_word(content, place, place + word.len())
    })?;
    let mut name = name_around(content, place);
    // `<secret>{provider value}</secret>`
    let mut keyed = content.get(..place).is_some_and(|before| before.ends_with(b"secret>{"));
    for _ in 0..BETWEEN {
        if let Some(value) = value_after(content, &name) {
            let text = content.get(value.span.clone())?;
            let label = content.get(name)?;
            if is_of_content(label) || beside.alphabet == Alphabet::Drawn && is_label(label) {
                return None;
            }
            let class = class(label);
            let certain = match class {
                Some(Class::ApiKey | Class::JwtSecret | Class::OauthSecret) => true,
                Some(Class::Secret | Class::AwsSecret | Class::NamedKey) => is_unmistakable(text),
                Some(Class::Password | Class::Key) | None => false,
            };
            return fits(beside, text).then(|| found(beside, value.span, text, certain));
        }
        keyed |= content.get(name.clone()).and_then(class).is_some();
        name = next_word(content, &name)?;
        // `provider api key value`: nothing but blanks stands between them.
        let text = content.get(name.clone())?;
        if keyed && is_unmistakable(text) && fits(beside, text) {
            return Some(found(beside, name, text, false));
        }
    }
    None
}

/// A name of something that is no secret, though a generator may have made it.
fn is_label(name: &[u8]) -> bool {
    const ENDS: [&str; 18] = [
        "id", "ids", "url", "uri", "version", "name", "host", "region", "path", "model", "channel", "image",
        "tag", "uuid", "guid", "nonce", "rev", "file",
    ];
    let last = name.rsplit(|byte| b"_-.".contains(byte)).next().unwrap_or_default();
    let hump = [&b"Id"[..], b"ID", b"Url", b"URL", b"Version", b"Name", b"Uuid"];
    ENDS.iter().any(|end| last.eq_ignore_ascii_case(end.as_bytes()))
        || hump.iter().any(|end| last.ends_with(end))
}

fn found(beside: &Beside, span: Range<usize>, text: &[u8], certain: bool) -> FoundSecretSpan {
    let block = certain && !is_sequence(text) && text.len() >= 20 && !text.iter().all(u8::is_ascii_digit);
    let verdict = if block { SecretVerdict::Block } else { SecretVerdict::Ask };
    FoundSecretSpan::new(beside.name, verdict, MatchStrength::NameAndForm, REASON, span)
}

fn fits(beside: &Beside, text: &[u8]) -> bool {
    let lengths = usize::from(beside.least)..=usize::from(beside.most);
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    lengths.contains(&text.len())
        && beside.alphabet.holds(text)
        && digits > 0
        && memchr::memmem::find(text, b"://").is_none()
        && !is_example(text)
        && (digits > 1 && !text.iter().any(|byte| b"_-./:".contains(byte)) || !is_composed(text))
        && (digits > 1 || !reads_like_words(text))
}

/// A name of a hash, which grants no access.
fn is_of_content(name: &[u8]) -> bool {
    const ENDS: [&str; 12] = [
        "commit", "sha", "sha1", "sha256", "md5", "digest", "checksum", "hash", "revision", "etag",
        "integrity", "ref",
    ];
    let last = name.rsplit(|byte| b"_-.".contains(byte)).next().unwrap_or_default();
    ENDS.iter().any(|end| last.eq_ignore_ascii_case(end.as_bytes()))
}

fn next_word(content: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let start = name.end + 1;
    let end = name_end(content, start);
    (at(content, name.end) == b' ' && end > start).then_some(start..end)
}

/// A word of its own, or one of a name in camel case.
fn is_word(content: &[u8], start: usize, end: usize) -> bool {
    let first = at(content, start);
    let last = start.checked_sub(1).map_or(0, |place| at(content, place));
    let begins = !last.is_ascii_alphabetic() || last.is_ascii_lowercase() && first.is_ascii_uppercase();
    let next = at(content, end);
    let shouted = at(content, end.saturating_sub(1)).is_ascii_uppercase();
    let ends = !next.is_ascii_alphabetic() || next.is_ascii_uppercase() && !shouted || goes_on(content, end);
    begins && ends
}

/// `algoliatoken`, `DATADOGKEY`.
fn goes_on(content: &[u8], end: usize) -> bool {
    ["token", "key", "secret", "api", "private", "password", "iam", "access", "auth"].iter().any(|word| {
        let text = content.get(end..end + word.len());
        text.is_some_and(|text| text.eq_ignore_ascii_case(word.as_bytes()))
    })
}
