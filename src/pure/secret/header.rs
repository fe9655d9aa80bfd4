//! Credentials in requests: `Authorization:` headers, and the user of a `curl` command.

use super::assignment::at;
use super::generic::is_generated;
use super::name::class;
use super::placeholder::{is_default_password, is_placeholder, is_sequence};
use super::rule::{FoundSecretSpan, MatchStrength, SecretVerdict};
use memchr::{memchr, memmem};

const HEADER: &str = "a credential in the header of a request";
const CURL: &str = "a user with a password in a command";

/// The value after `Bearer`, or after `Authorization:` and a scheme.
pub(super) fn header(content: &[u8], place: usize) -> Option<FoundSecretSpan> {
    let rest = content.get(place..content.len().min(place + 400))?;
    let line = rest.get(..memchr(b'\n', rest).unwrap_or(rest.len()))?;
    let mut words =
        line.split(|byte| b" \t\"':=,".contains(byte)).filter(|word| !word.is_empty()).skip(1).take(4);
    let scheme = |word: &[u8]| {
        ["bearer", "basic", "token", "apikey", "digest"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
    };
    let value = words.find(|word| word.len() >= 12 && !scheme(word))?;
    let value = value.split(|byte| b"\\`);}]&<".contains(byte)).next().unwrap_or_default();
    if value.len() < 12 || !is_generated(value) || is_placeholder(value) {
        return None;
    }
    let start = place + memmem::find(line, value)?;
    Some(guess("authorization-header", HEADER, start, start + value.len()))
}

/// `curl -u user:password`, `curl -H 'Api-Token: value'`.
pub(super) fn curl(content: &[u8], place: usize) -> Option<FoundSecretSpan> {
    let rest = content.get(place..content.len().min(place + 2000))?;
    let mut end = 0;
    // A backslash before the line end continues the command.
    for newline in memchr::memchr_iter(b'\n', rest).chain([rest.len()]) {
        end = newline;
        if newline == 0 || at(rest, newline - 1) != b'\\' {
            break;
        }
    }
    let command = rest.get(..end)?;
    sent_by_header(command)
        .map(|(start, end)| guess("curl-header", HEADER, place + start, place + end))
        .or_else(|| {
            let (start, end) = user_password(command)?;
            Some(guess("curl-credentials", CURL, place + start, place + end))
        })
}

/// A header with a telling name. In a command a short value counts too; elsewhere only a long one.
fn sent_by_header(command: &[u8]) -> Option<(usize, usize)> {
    [&b"-H "[..], b"--header ", b"-H", b"--header="].iter().find_map(|option| {
        memmem::find_iter(command, option).find_map(|at| {
            let start = at + option.len();
            let quote = at_quote(command, start)?;
            let text = command.get(start + 1..)?;
            let text = text.get(..memchr(quote, text)?)?;
            let colon = memchr(b':', text)?;
            class(text.get(..colon)?)?;
            let value = text.get(colon + 1..)?.trim_ascii();
            let mixed = value.iter().any(u8::is_ascii_lowercase) && value.iter().any(u8::is_ascii_uppercase);
            let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
            let plain = value.iter().all(u8::is_ascii_alphanumeric);
            let real = (8..12).contains(&value.len())
                && plain
                && mixed
                && digits > 1
                && !is_placeholder(value)
                && !is_sequence(value);
            let start = start + 1 + memmem::find(text, value)?;
            real.then_some((start, start + value.len()))
        })
    })
}

fn at_quote(command: &[u8], place: usize) -> Option<u8> {
    Some(at(command, place)).filter(|byte| b"\"'".contains(byte))
}

fn user_password(command: &[u8]) -> Option<(usize, usize)> {
    let options = [" -u ", " --user ", " -u", " --user=", " --proxy-user ", " -U "];
    options.iter().find_map(|option| {
        let start = memmem::find(command, option.as_bytes())? + option.len();
        let quote = at(command, start);
        let start = start + usize::from(b"\"'".contains(&quote));
        let text = command.get(start..)?;
        let ends =
            |byte: &u8| if b"\"'".contains(&quote) { *byte == quote } else { byte.is_ascii_whitespace() };
        let text = text.get(..text.iter().position(ends).unwrap_or(text.len()))?;
        let colon = memchr(b':', text)?;
        let (user, password) = (text.get(..colon)?, text.get(colon + 1..)?);
        let quotes = password.iter().take_while(|byte| b"\"'".contains(byte)).count();
        let bare = password.get(quotes..)?;
        let bare = bare.get(..bare.iter().position(|byte| b"\"'".contains(byte)).unwrap_or(bare.len()))?;
        let digit = bare.iter().any(u8::is_ascii_digit);
        let real = bare.len() >= 6 && digit && bare != user && !is_default_password(bare);
        let start = start + colon + 1 + quotes;
        real.then_some((start, start + bare.len()))
    })
}

fn guess(rule: &'static str, reason: &'static str, start: usize, end: usize) -> FoundSecretSpan {
    FoundSecretSpan::new(rule, SecretVerdict::Ask, MatchStrength::Name, reason, start..end)
}
