//! Passwords in options of programs, and cookies.

use super::super::assignment::at;
use super::super::generic::is_password;
use super::super::rule::{FoundSecretSpan, MatchStrength, SecretSeverity, SecretVerdict};
use super::credential::{stands_for_another, value};
use memchr::memchr;
use std::ops::Range;

const LONGEST: usize = 4 * 1024;

/// How an option takes its password.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// `-pPASSWORD`; `-p` alone asks for it.
    Attached,
    /// `-p PASSWORD` or `-pPASSWORD`.
    Either,
    /// `-u USER:PASSWORD` or `-U USER%PASSWORD`.
    WithUser,
}

const OPTIONS: [(&[&str], &str, Takes); 13] = [
    (&["psexec"], "-p", Takes::Either),
    (&["schtasks"], "/rp", Takes::Either),
    (&["mysql", "mariadb", "7z "], "-p", Takes::Attached),
    (&["sshpass", " login", "mongo"], "-p", Takes::Either),
    (&["redis-cli"], "-a", Takes::Either),
    (&["ldap"], "-w", Takes::Either),
    (&["sqlcmd", "zip "], "-P", Takes::Either),
    (&["plink", "pscp"], "-pw", Takes::Either),
    (&["smbclient", "curl "], "-U", Takes::WithUser),
    (&["http -"], "-a", Takes::WithUser),
    (&["curl ", "wget "], "-u", Takes::WithUser),
    (&["curl ", "wget "], "--user", Takes::WithUser),
    (&["curl "], "--proxy-user", Takes::WithUser),
];

const IN_A_COMMAND: &str = "a password in an option of a command";

/// The first password of the command in a file that looks like one, and not like a word or a file name.
pub(in super::super) fn guess(content: &[u8], place: usize) -> Option<FoundSecretSpan> {
    let inside =
        |last: usize| at(content, last).is_ascii_alphanumeric() && at(content, place).is_ascii_alphanumeric();
    let alone = !place.checked_sub(1).is_some_and(inside);
    let real = |span: &Range<usize>| content.get(span.clone()).is_some_and(|text| is_password(text, false));
    let span = passwords(content, place).into_iter().find(real).filter(|_| alone)?;
    let found =
        FoundSecretSpan::new("command-password", SecretVerdict::Ask, MatchStrength::Name, IN_A_COMMAND, span);
    Some(found.with_severity(SecretSeverity::Medium))
}

/// The passwords in the command that begins here.
pub(super) fn passwords(content: &[u8], place: usize) -> Vec<Range<usize>> {
    let rest = content.get(place..content.len().min(place + LONGEST)).unwrap_or_default();
    let begins = |program: &&str| {
        rest.get(..program.len()).is_some_and(|text| text.eq_ignore_ascii_case(program.as_bytes()))
    };
    let known: Vec<_> = OPTIONS.iter().filter(|(programs, ..)| programs.iter().any(begins)).collect();
    let words = words(rest, place);
    let mut all = Vec::new();
    for (number, word) in words.iter().enumerate() {
        for (_, option, takes) in &known {
            let text = content.get(word.clone()).unwrap_or_default();
            let Some(tail) = text.strip_prefix(option.as_bytes()) else { continue };
            let given = match (tail.is_empty(), takes) {
                (false, _) => Some(word.start + option.len() + usize::from(tail.starts_with(b"="))..word.end),
                (true, Takes::Attached) => None,
                (true, Takes::Either | Takes::WithUser) => words.get(number + 1).cloned(),
            };
            all.extend(given.and_then(|given| password(content, given, *takes)));
        }
    }
    all
}

fn password(content: &[u8], given: Range<usize>, takes: Takes) -> Option<Range<usize>> {
    let given = without_quotes(content, given);
    let text = content.get(given.clone())?;
    let start = match takes {
        Takes::Attached | Takes::Either => 0,
        Takes::WithUser => text.iter().position(|byte| b":%".contains(byte))? + 1,
    };
    let span = without_quotes(content, given.start + start..given.end);
    let password = content.get(span.clone())?;
    (password.len() >= 2 && !stands_for_another(password)).then_some(span)
}

fn without_quotes(content: &[u8], span: Range<usize>) -> Range<usize> {
    let text = content.get(span.clone()).unwrap_or_default();
    let quote = |byte: Option<&u8>| usize::from(byte.is_some_and(|byte| b"\"'".contains(byte)));
    let (first, last) = (quote(text.first()), quote(text.last()));
    if text.len() < first + last { span } else { span.start + first..span.end - last }
}

/// The words of one command, quotes kept.
fn words(rest: &[u8], place: usize) -> Vec<Range<usize>> {
    let (mut words, mut start, mut quote) = (Vec::new(), None, None);
    for (at, byte) in rest.iter().enumerate() {
        let ends = quote.is_none() && (byte.is_ascii_whitespace() || b";|&".contains(byte));
        if ends {
            words.extend(start.take().map(|start| place + start..place + at));
            if !b" \t".contains(byte) {
                return words;
            }
            continue;
        }
        start = start.or(Some(at));
        match quote {
            Some(open) if open == *byte => quote = None,
            None if b"\"'".contains(byte) => quote = Some(*byte),
            Some(_) | None => {}
        }
    }
    words.extend(start.map(|start| place + start..place + rest.len()));
    words
}

/// The values of a line of cookies.
pub(super) fn cookies(content: &[u8], place: usize) -> Vec<Range<usize>> {
    let rest = content.get(place..content.len().min(place + LONGEST)).unwrap_or_default();
    let line = rest.get(..rest.iter().position(|byte| b"\n\"'".contains(byte)).unwrap_or(rest.len()));
    let mut offset = place;
    let mut all = Vec::new();
    for cookie in line.unwrap_or_default().split_inclusive(|byte| *byte == b';') {
        if let Some(sign) = memchr(b'=', cookie) {
            let (span, _) = value(content, offset + sign + 1);
            all.extend((span.len() >= 6).then_some(span));
        }
        offset += cookie.len();
    }
    all
}
