//! Values given to a name, in any language: `name = "value"`, `"name": "value"`, `<name>value</name>`, `set("name", "value")`,
//! `name string = "value"`, `key="name" value="value"`, `--name value`.

use std::ops::Range;

const LONGEST_NAME: usize = 80;
const LONGEST_VALUE: usize = 1024;
const LONGEST_TYPE: usize = 32;

/// A value and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AssignedValue {
    pub span: Range<usize>,
    pub quoted: bool,
}

/// The whole name around a place in it.
pub(super) fn name_around(content: &[u8], place: usize) -> Range<usize> {
    let before = content.get(place.saturating_sub(LONGEST_NAME)..place).unwrap_or_default();
    let mut left = before.iter().rev().take_while(|byte| is_name(**byte) || **byte == b'.').count();
    // `\n` in a string ends a line; its letter belongs to no name.
    let start = place - left;
    if left > 0 && start > 0 && at(content, start - 1) == b'\\' && b"nrt".contains(&at(content, start)) {
        left -= 1;
    }
    place - left..name_end(content, place)
}

pub(super) fn name_end(content: &[u8], place: usize) -> usize {
    let mut end = place;
    while end - place < LONGEST_NAME
        && (is_name(at(content, end)) || at(content, end) == b'.' && is_name(at(content, end + 1)))
    {
        end += 1;
    }
    end
}

/// The value that a name which ends at `end` is given.
pub(super) fn value_after(content: &[u8], name: &Range<usize>) -> Option<AssignedValue> {
    given_to(content, name).or_else(|| compared_with(content, name.start))
}

fn given_to(content: &[u8], name: &Range<usize>) -> Option<AssignedValue> {
    let mut place = name.end;
    while place < name.end + 5 && b"\"'`])\\".contains(&at(content, place)) {
        place += 1;
    }
    let closed = place > name.end;
    let spaced = skip_blanks(content, place);
    if let Some(after) = operator(content, spaced) {
        let value = value_at(content, after, &[]);
        let quoted = value.as_ref().is_some_and(|value| value.quoted);
        return if quoted { value } else { behind_a_type(content, after).or(value) };
    }
    if at(content, spaced) == b',' && closed {
        let next = skip_space(content, spaced + 1);
        let next = value_field(content, next).unwrap_or(next);
        return value_at(content, next, &[]).filter(|value| value.quoted);
    }
    if at(content, place) == b'>' && name.start > 0 && at(content, name.start - 1) == b'<' {
        return value_at(content, skip_space(content, place + 1), b"<");
    }
    // `<key>name</key> <string>value</string>`, `<string name="name">value</string>`
    let element = content.get(place..).and_then(|rest| rest.strip_prefix(b"</key>")).map(|_| place + 6);
    let element = element.map(|end| skip_space(content, end));
    if let Some(open) =
        element.filter(|open| content.get(*open..).is_some_and(|rest| rest.starts_with(b"<string>")))
    {
        return value_at(content, open + 8, b"<");
    }
    if closed && at(content, place) == b'>' {
        return value_at(content, skip_space(content, place + 1), b"<")
            .filter(|value| at(content, value.span.end) == b'<');
    }
    if let Some(next) = value_field(content, skip_space(content, place)) {
        return value_at(content, next, &[]);
    }
    if let Some(value) = default_of(content, spaced).or_else(|| set_by_call(content, name)) {
        return Some(value);
    }
    if spaced > place {
        let option = [name.start, name.start.wrapping_sub(1)].iter().any(|place| at(content, *place) == b'-');
        let value = value_at(content, spaced, &[]);
        let quoted = value.as_ref().is_some_and(|value| value.quoted);
        if quoted || option || is_netrc(content, name.start) {
            return value;
        }
        return behind_a_type(content, spaced);
    }
    None
}

/// `name || "value"`, `name ?? "value"`, `name or "value"`: what counts where the name has none.
fn default_of(content: &[u8], place: usize) -> Option<AssignedValue> {
    let rest = content.get(place..)?;
    let sign = ["||", "??", "or "].iter().find(|sign| rest.starts_with(sign.as_bytes()))?;
    value_at(content, place + sign.len(), &[]).filter(|value| value.quoted)
}

/// `setPassword("value")`, `.with_token("value")`: a setter takes nothing else.
fn set_by_call(content: &[u8], name: &Range<usize>) -> Option<AssignedValue> {
    let text = content.get(name.clone())?;
    let last = text.rsplit(|byte| *byte == b'.').next()?;
    let sets = ["set", "with", "use"]
        .iter()
        .any(|verb| last.get(..verb.len()).is_some_and(|start| start.eq_ignore_ascii_case(verb.as_bytes())));
    let open = (sets && at(content, name.end) == b'(').then_some(name.end + 1)?;
    let value = value_at(content, open, &[]).filter(|value| value.quoted)?;
    (at(content, skip_blanks(content, value.span.end + 1)) == b')').then_some(value)
}

/// `"value" == name`.
fn compared_with(content: &[u8], name: usize) -> Option<AssignedValue> {
    let before = content.get(name.saturating_sub(LONGEST_VALUE)..name)?;
    let before = before.strip_suffix(b"$").unwrap_or(before).trim_ascii_end();
    let signs = before.iter().rev().take_while(|byte| b"=!".contains(byte)).count();
    let before = before.get(..before.len() - signs).filter(|_| (2..=3).contains(&signs))?.trim_ascii_end();
    let (quote, text) = before.split_last().filter(|(last, _)| b"\"'`".contains(last))?;
    let start = memchr::memrchr(*quote, text)? + 1;
    let line = text.get(start..).filter(|value| !value.is_empty() && !value.contains(&b'\n'))?;
    let start = name.saturating_sub(LONGEST_VALUE) + start;
    Some(AssignedValue { span: start..start + line.len(), quoted: true })
}

/// `:`, `=`, `:=`, `=>`, `::=`, `?=`, `.=`, `===` …, and where it ends.
pub(super) fn operator(content: &[u8], place: usize) -> Option<usize> {
    let run = content.get(place..)?.iter().take(4).take_while(|byte| b"=:?.+|!~".contains(byte)).count();
    let signs = content.get(place..place + run)?;
    if signs == b"::" || !signs.iter().any(|byte| b"=:".contains(byte)) {
        return None;
    }
    let arrow = at(content, place + run) == b'>' && signs.ends_with(b"=");
    let default = signs == b":" && at(content, place + 1) == b'-' && is_name(at(content, place + 2));
    Some(place + run + usize::from(arrow || default))
}

/// `value="` of XML, `value: ` of YAML and JSON.
fn value_field(content: &[u8], place: usize) -> Option<usize> {
    let quote = usize::from(b"\"'".contains(&at(content, place)));
    let field = content.get(place + quote..)?;
    let rest = field.get(..5).filter(|word| word.eq_ignore_ascii_case(b"value"))?.len() + place + quote;
    let after = rest + usize::from(b"\"'".contains(&at(content, rest)));
    let after = skip_blanks(content, after);
    b"=:".contains(&at(content, after)).then_some(after + 1)
}

/// `name: string = "value"`, `name string = "value"`: what stands first is only the type.
fn behind_a_type(content: &[u8], place: usize) -> Option<AssignedValue> {
    let text = content.get(place..)?.iter().take(LONGEST_TYPE);
    let kind = |byte: &u8| byte.is_ascii_alphanumeric() || b"_<>&'[]|?*., :".contains(byte);
    let place = place + text.take_while(|byte| kind(byte)).count();
    let assigned = at(content, place) == b'=' && !b"=>".contains(&at(content, place + 1));
    assigned.then(|| value_at(content, place + 1, &[]))?.filter(|value| value.quoted)
}

fn value_at(content: &[u8], place: usize, ends: &[u8]) -> Option<AssignedValue> {
    let mut start = skip_blanks(content, place);
    let prefix =
        content.get(start..)?.iter().take(3).take_while(|byte| b"bBrRfFuULN@$&".contains(byte)).count();
    if prefix > 0 && b"\"'`".contains(&at(content, start + prefix)) {
        start += prefix;
    }
    let escaped = at(content, start) == b'\\' && b"\"'".contains(&at(content, start + 1));
    start += usize::from(escaped);
    if b"\"'`".contains(&at(content, start)) {
        return quoted(content, start, escaped);
    }
    let bare = |byte: &u8| {
        !byte.is_ascii_whitespace() && !b"\"'`<>(){}[];,\\&".contains(byte) && !ends.contains(byte)
    };
    let text = content.get(start..content.len().min(start + LONGEST_VALUE))?;
    let mut length = text.iter().take_while(|byte| bare(byte)).count();
    if at(content, start + length) == b'(' && b"\"'`".contains(&at(content, start + length + 1)) {
        return quoted(content, start + length + 1, false);
    }
    if b"([{".contains(&at(content, start + length)) {
        return None;
    }
    let trimmed = text.get(..length)?;
    length -= trimmed.iter().rev().take_while(|byte| b".:!?*".contains(byte)).count();
    (length > 0)
        .then(|| AssignedValue { span: without_scheme(content, start..start + length), quoted: false })
}

fn quoted(content: &[u8], place: usize, escaped: bool) -> Option<AssignedValue> {
    let quote = at(content, place);
    let triple = at(content, place + 1) == quote && at(content, place + 2) == quote;
    let start = place + if triple { 3 } else { 1 };
    let text = content.get(start..content.len().min(start + LONGEST_VALUE))?;
    let end = text.iter().position(|byte| *byte == quote || *byte == b'\n')?;
    let end = if escaped && end > 0 && text.get(end - 1) == Some(&b'\\') { end - 1 } else { end };
    let closed = text.get(end).is_some_and(|byte| *byte == quote || *byte == b'\\');
    let span = without_scheme(content, start..start + end);
    (closed && !span.is_empty()).then_some(AssignedValue { span, quoted: true })
}

/// `Bearer abc` → `abc`.
fn without_scheme(content: &[u8], span: Range<usize>) -> Range<usize> {
    let text = content.get(span.clone()).unwrap_or_default();
    let schemes = ["bearer ", "basic ", "token ", "apikey ", "base64:"];
    let scheme = schemes.iter().find(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()))
    });
    span.start + scheme.map_or(0, |scheme| scheme.len())..span.end
}

fn is_netrc(content: &[u8], place: usize) -> bool {
    let before = content.get(place.saturating_sub(160)..place).unwrap_or_default();
    let words = [&b"machine "[..], b"login ", b"IDENTIFIED BY "];
    words.iter().any(|word| memchr::memmem::find(before, word).is_some())
}

pub(super) fn skip_blanks(content: &[u8], mut place: usize) -> usize {
    while b" \t".contains(&at(content, place)) {
        place += 1;
    }
    place
}

pub(super) fn skip_space(content: &[u8], place: usize) -> usize {
    let space = content.get(place..).unwrap_or_default().iter().take(200);
    place + space.take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The byte at a place; behind the end a NUL, which is no part of anything.
pub(super) fn at(content: &[u8], place: usize) -> u8 {
    content.get(place).copied().unwrap_or_default()
}
