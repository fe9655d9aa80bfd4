//! Possible credentials in prose and commands. Rather too many than too few.

use super::super::address::authority;
use super::super::assignment::{at, name_around, operator, skip_blanks, skip_space, value_after};
use super::super::catalogue::TOKENS;
use super::super::file_role::FileRole;
use super::super::generic::{is_generated, parameter};
use super::super::keyword::{Trigger, each};
use super::super::name::{Class, class};
use super::super::{bot_token, call, form, key_block, provider};
use super::{command, span};
use memchr::memchr;
use std::ops::Range;

const LONGEST_VALUE: usize = 8 * 1024;
/// The greatest distance of a secret from the ID of its key.
const BESIDE_ID: usize = 120;

/// All spans, unordered.
pub(super) fn all(content: &[u8]) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    each(content, |place, trigger| match trigger {
        Trigger::Token(row) => {
            let token = form::shaped(content, place, row);
            all.extend(token.clone().and_then(|token| beside_id(content, token.end, row)));
            all.extend(token);
        }
        Trigger::Beside(row) => {
            all.extend(provider::beside(content, place, row).map(|found| found.start..found.end))
        }
        Trigger::Name => all.extend(named(content, place)),
        Trigger::Header => all.extend(header(content, place)),
        Trigger::Address => all.extend(address(content, place)),
        Trigger::BotToken => {
            all.extend(bot_token::bot_token(content, place).map(|found| found.start..found.end))
        }
        Trigger::KeyBlock => all.extend(key_block::any_block(content, place)),
        Trigger::EncodedKeyBlock => all.extend(key_block::encoded_lines(content, place)),
        Trigger::Manifest => all.extend(manifest(content, place)),
        Trigger::Parameter => {
            all.extend(parameter(content, place, FileRole::Source).map(|found| found.start..found.end));
        }
        Trigger::Call => all.extend(call::password(content, place).map(|found| found.start..found.end)),
        Trigger::Curl | Trigger::Client => all.extend(command::passwords(content, place)),
        Trigger::Cookie => all.extend(command::cookies(content, place)),
    });
    all
}

/// Only tokens with a form of their own, in any context.
pub(super) fn forms(content: &[u8]) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    each(content, |place, trigger| {
        if let Trigger::Token(row) = trigger {
            all.extend(form::shaped(content, place, row));
        }
    });
    all
}

/// The secret key that follows the ID of an AWS key.
fn beside_id(content: &[u8], end: usize, row: u16) -> Option<Range<usize>> {
    TOKENS.get(usize::from(row)).filter(|token| token.name.starts_with("aws-access-key"))?;
    let near = content.get(end..content.len().min(end + BESIDE_ID))?;
    let mut start = 0;
    for word in near.split(|byte| !(byte.is_ascii_alphanumeric() || b"+/".contains(byte))) {
        if word.len() == 40 {
            return Some(end + start..end + start + 40);
        }
        start += word.len() + 1;
    }
    None
}

/// How a name and its value belong together.
#[derive(PartialEq, Eq)]
enum Given {
    /// `NAME=value`, `--name value`, or in quotes.
    Closely,
    /// `name: value`.
    Loosely,
    /// `name is value`.
    InASentence,
}

fn named(content: &[u8], place: usize) -> Option<Range<usize>> {
    let name = name_around(content, place);
    let text = content.get(name.clone())?;
    let option = at(content, name.start) == b'-' || name.start > 0 && at(content, name.start - 1) == b'-';
    let telling = matches!(
        class(text),
        Some(
            Class::ApiKey
                | Class::JwtSecret
                | Class::OauthSecret
                | Class::AwsSecret
                | Class::Secret
                | Class::Password
        )
    ) || option && ends_tellingly(text);
    let (start, given) = value_place(content, &name, option)?;
    let (span, quoted) = value(content, start);
    let value = content.get(span.clone())?;
    let taken = match (telling, given) {
        _ if stands_for_another(value) => false,
        (true, Given::Closely) => value.len() >= 3 && !is_plain_word(value),
        (true, Given::Loosely) if quoted => value.len() >= 3 && !is_plain_word(value),
        (true, Given::Loosely | Given::InASentence) => value.len() >= 5 && is_mixed(value),
        (false, _) => value.len() >= 16 && is_generated(value),
    };
    taken.then_some(span)
}

fn ends_tellingly(name: &[u8]) -> bool {
    ["pass", "pwd", "pw", "auth", "credential", "key"].iter().any(|end| {
        name.len() >= end.len()
            && name
                .get(name.len() - end.len()..)
                .is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
    })
}

/// Where the value of a name begins.
fn value_place(content: &[u8], name: &Range<usize>, option: bool) -> Option<(usize, Given)> {
    let closely = |start: usize| {
        let between = content.get(name.end..start).unwrap_or_default();
        let blank = between.iter().any(u8::is_ascii_whitespace);
        let quoted = between.last().is_some_and(|byte| b"\"'`".contains(byte));
        if option || quoted || !blank { Given::Closely } else { Given::Loosely }
    };
    if let Some(value) = value_after(content, name) {
        return Some((value.span.start, closely(value.span.start)));
    }
    let mut place = name.end;
    while place < name.end + 5 && b"\"'`])\\".contains(&at(content, place)) {
        place += 1;
    }
    let spaced = skip_blanks(content, place);
    if let Some(after) = operator(content, spaced) {
        // The value may stand on the next line.
        let mut start = skip_space(content, after);
        while start < after + 8 && b"\\\"'`".contains(&at(content, start)) {
            start += 1;
        }
        return Some((start, closely(start)));
    }
    let bare = ["pass", "key", "keys", "auth", "login"];
    let word = content.get(name.clone())?;
    if spaced == place || bare.iter().any(|bare| word.eq_ignore_ascii_case(bare.as_bytes())) {
        return None;
    }
    let joined = ["is ", "was ", "to ", "as ", "= "].iter().find(|joint| {
        content
            .get(spaced..spaced + joint.len())
            .is_some_and(|text| text.eq_ignore_ascii_case(joint.as_bytes()))
    });
    let start = skip_blanks(content, spaced + joined.map_or(0, |joint| joint.len()));
    Some((start + usize::from(b"\"'`".contains(&at(content, start))), Given::InASentence))
}

/// The value that begins here, up to its quote or the end of the word.
pub(super) fn value(content: &[u8], start: usize) -> (Range<usize>, bool) {
    let rest = content.get(start..content.len().min(start + LONGEST_VALUE)).unwrap_or_default();
    let quote = start.checked_sub(1).map(|before| at(content, before)).filter(|byte| b"\"'`".contains(byte));
    let length = match quote {
        Some(quote) => closing(rest, quote).unwrap_or_else(|| line_end(rest)),
        None => {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`;|&<>,".contains(byte);
            let word = rest.iter().position(ends).unwrap_or(rest.len());
            let text = rest.get(..word).unwrap_or_default();
            word - text.iter().rev().take_while(|byte| b")}].:!?".contains(byte)).count()
        }
    };
    (start..start + length, quote.is_some())
}

fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut from = 0;
    loop {
        let end = from + memchr(quote, text.get(from..)?)?;
        if end == 0 || at(text, end - 1) != b'\\' {
            return Some(end);
        }
        from = end + 1;
    }
}

fn line_end(text: &[u8]) -> usize {
    memchr(b'\n', text).unwrap_or(text.len())
}

/// A reference to another value, or already redacted.
pub(super) fn stands_for_another(value: &[u8]) -> bool {
    let looked_up = matches!(value.first(), None | Some(b'$' | b'{' | b'<' | b'%' | b'*' | b'-' | b'('))
        && !(value.first() == Some(&b'$') && value.iter().any(|byte| b"!#@%^&".contains(byte)));
    looked_up || span::is_cut(value) || value.iter().all(|byte| b"xX*.".contains(byte))
}

/// A word that people write in place of a value.
fn is_plain_word(value: &[u8]) -> bool {
    const WORDS: [&str; 22] = [
        "true", "false", "null", "none", "nil", "undefined", "string", "str", "bytes", "required",
        "optional", "password", "passwd", "token", "secret", "key", "value", "env", "stdin", "prompt",
        "file", "self",
    ];
    WORDS.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()))
}

/// Not a word of a sentence.
fn is_mixed(value: &[u8]) -> bool {
    let letters = value.iter().any(u8::is_ascii_alphabetic);
    let digits = value.iter().any(u8::is_ascii_digit);
    let signs = value.iter().any(|byte| b"!@#$%^&*+=~".contains(byte));
    letters && (digits || signs) || digits && value.len() >= 8
}

/// The value after `Bearer`, or after `Authorization:` and a scheme.
fn header(content: &[u8], place: usize) -> Option<Range<usize>> {
    const SCHEMES: [&str; 7] = ["bearer", "basic", "token", "apikey", "digest", "negotiate", "header"];
    let rest = content.get(place..content.len().min(place + LONGEST_VALUE))?;
    let line = rest.get(..line_end(rest))?;
    let mut start = 0;
    for word in line.split(|byte| b" \t\"'`:=,".contains(byte)).take(8) {
        let first = start == 0;
        let here = start;
        start += word.len() + 1;
        let scheme = SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme.as_bytes()));
        if first || word.is_empty() || scheme {
            continue;
        }
        let (span, _) = value(content, place + here);
        let text = content.get(span.clone())?;
        let long = text.len() >= 20;
        return (!stands_for_another(text) && text.len() >= 6 && (long || is_mixed(text))).then_some(span);
    }
    None
}

/// The password of an address, or a token in place of its user.
fn address(content: &[u8], place: usize) -> Option<Range<usize>> {
    let start = place + 3;
    let (user_info, _) = authority(content, start, LONGEST_VALUE)?;
    let sign = user_info.len();
    let colon = memchr(b':', user_info);
    let user = user_info.get(..colon.unwrap_or(sign))?;
    let is_token = |text: &[u8]| text.len() >= 16 && is_mixed(text);
    match colon.map(|colon| (colon + 1, user_info.get(colon + 1..).unwrap_or_default())) {
        Some((_, b"x-oauth-basic")) => Some(start..start + user.len()),
        Some((at, password))
            if !stands_for_another(password) && password != user && !is_plain_word(password) =>
        {
            let from = if is_token(user) { start } else { start + at };
            Some(from..start + sign)
        }
        Some(_) | None => is_token(user).then_some(start..start + user.len()),
    }
}

/// Every value of a Secret in a manifest.
fn manifest(content: &[u8], place: usize) -> Vec<Range<usize>> {
    const LONGEST: usize = 32 * 1024;
    let kind = skip_blanks(content, place + 5);
    let (word, _) = value(content, kind + usize::from(b"\"'".contains(&at(content, kind))));
    if !content.get(word).is_some_and(|word| word.eq_ignore_ascii_case(b"secret")) {
        return Vec::new();
    }
    let first = place.saturating_sub(LONGEST);
    let near = content.get(first..content.len().min(place + LONGEST)).unwrap_or_default();
    let (mut all, mut under_data, mut offset) = (Vec::new(), None, first);
    for line in near.split_inclusive(|byte| *byte == b'\n') {
        let indent = line.iter().take_while(|byte| b" \t".contains(byte)).count();
        let text = line.trim_ascii();
        if text == b"data:" || text == b"stringData:" {
            under_data = Some(indent);
        } else if text.starts_with(b"---")
            || under_data.is_some_and(|outer| indent <= outer && !text.is_empty())
        {
            under_data = None;
        } else if under_data.is_some()
            && let Some(colon) = memchr(b':', line)
        {
            let start = skip_blanks(content, offset + colon + 1);
            let (span, _) = value(content, start + usize::from(b"\"'".contains(&at(content, start))));
            all.extend((span.len() >= 4).then_some(span));
        }
        offset += line.len();
    }
    all
}
