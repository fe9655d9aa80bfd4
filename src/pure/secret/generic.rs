//! Generic secrets: values with a telling name.

use super::assignment::{AssignedValue, name_around, value_after};
use super::catalogue::is_uuid;
use super::file_role::FileRole;
use super::name::{Class, class};
use super::placeholder::{is_default_password, is_documented_host, is_own_host, is_placeholder, is_sequence};
use super::randomness::{
    distinct, entropy, is_composed, is_full_of_signs, is_search_pattern, reads_like_words,
};
use super::rule::{FoundSecretSpan, MatchStrength, SecretSeverity, SecretVerdict};
use std::ops::Range;

const GENERATED: &str = "a generated value under a name that says secret";
const LITERAL: &str = "a literal password";
const PARAMETER: &str = "secret-parameter";
const CONNECTION: &str = "a connection string with a password, to a machine that is not this one";
const LONGEST_PARAMETER: usize = 16;
const LONGEST_CONNECTION: usize = 240;

/// The name around `place`, and the secret that is assigned to it.
pub(super) fn named(content: &[u8], place: usize, kind: FileRole) -> (Range<usize>, Option<FoundSecretSpan>) {
    let name = name_around(content, place);
    let found = content.get(name.clone()).and_then(class).and_then(|class| {
        let Some(value) = value_after(content, &name) else { return spoken(class, content, &name, kind) };
        let text = content.get(value.span.clone())?;
        let found = judged(class, text, &value, kind)?;
        Some(if class == Class::Password { of_a_connection(content, text, found) } else { found })
    });
    (name, found)
}

/// `aws configure set aws_secret_access_key value`: only a blank stands between them.
fn spoken(class: Class, content: &[u8], name: &Range<usize>, kind: FileRole) -> Option<FoundSecretSpan> {
    let secret = match class {
        Class::ApiKey | Class::JwtSecret | Class::OauthSecret | Class::AwsSecret | Class::Secret => true,
        Class::Password | Class::Key | Class::NamedKey => false,
    };
    let start = name.end + 1;
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-+/=".contains(byte);
    let length = content.get(start..)?.iter().take(200).take_while(part).count();
    let text = content.get(start..start + length)?;
    let drawn = secret && kind.guesses() && content.get(name.end) == Some(&b' ') && is_unmistakable(text);
    drawn.then(|| {
        FoundSecretSpan::new(
            "generic-secret",
            SecretVerdict::Ask,
            MatchStrength::Name,
            GENERATED,
            start..start + length,
        )
    })
}

/// The password of a connection string that names another machine, which is as certain as one in an address.
fn of_a_connection(content: &[u8], text: &[u8], found: FoundSecretSpan) -> FoundSecretSpan {
    const SERVERS: [&[u8]; 4] = [b"server=", b"data source=", b"host=", b"hostname="];
    let before = content.get(found.start.saturating_sub(LONGEST_CONNECTION)..found.start).unwrap_or_default();
    let before =
        before.rsplit(|byte| b"\n\"'".contains(byte)).next().unwrap_or_default().to_ascii_lowercase();
    let host = SERVERS.iter().find_map(|server| {
        let rest = before.get(memchr::memmem::find(&before, server)? + server.len()..)?;
        rest.strip_prefix(b"tcp:").unwrap_or(rest).split(|byte| b";, :\\/".contains(byte)).next()
    });
    let has = |word: &&[u8]| memchr::memmem::find(&before, word).is_some();
    let names_user = [&b"uid="[..], b"user id=", b"user=", b"username="].iter().any(has);
    let host = host.filter(|host| host.contains(&b'.') && !is_own_host(host) && !is_documented_host(host));
    if host.is_none() || !names_user || text.len() < 10 || reads_like_words(text) {
        return found;
    }
    FoundSecretSpan {
        verdict: SecretVerdict::Block,
        severity: SecretSeverity::High,
        reason: CONNECTION,
        ..found
    }
}

/// The value of a parameter of an address, such as `?key=` or `&sig=`.
pub(super) fn parameter(content: &[u8], place: usize, kind: FileRole) -> Option<FoundSecretSpan> {
    let start =
        place + content.get(place..)?.iter().take(LONGEST_PARAMETER).position(|byte| *byte == b'=')? + 1;
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.~%+/=".contains(byte);
    let length = content.get(start..)?.iter().take_while(part).count();
    let text = content.get(start..start + length)?;
    let drawn = text.iter().any(u8::is_ascii_digit) && is_generated(text) && entropy(text) >= 3.2;
    let secret = kind.guesses() && length >= 32 && drawn && !is_sequence(text) && !is_placeholder(text);
    let found = || {
        FoundSecretSpan::new(
            PARAMETER,
            SecretVerdict::Ask,
            MatchStrength::Name,
            GENERATED,
            start..start + length,
        )
    };
    secret.then(found)
}

fn judged(class: Class, text: &[u8], value: &AssignedValue, kind: FileRole) -> Option<FoundSecretSpan> {
    if is_escaped_prose(text) {
        return None;
    }
    let generated =
        || is_generated(text) && !is_sequence(text) && !is_placeholder(text) && !is_search_pattern(text);
    let single = || !text.contains(&b':') || is_full_of_signs(text);
    let long = text.len() >= if value.quoted { 16 } else { 20 };
    let found = |rule, verdict, reason| {
        FoundSecretSpan::new(rule, verdict, MatchStrength::Name, reason, value.span.clone())
    };
    let sure = |rule| {
        let block = long && (text.iter().any(u8::is_ascii_digit) || !is_full_of_signs(text));
        let verdict = if block { SecretVerdict::Block } else { SecretVerdict::Ask };
        (generated() && text.len() >= 12).then(|| found(rule, verdict, GENERATED))
    };
    let guess = |rule, reason| found(rule, SecretVerdict::Ask, reason);
    let weak = |rule, reason| guess(rule, reason).with_severity(SecretSeverity::Medium);
    match class {
        Class::ApiKey => sure("generic-api-key"),
        Class::JwtSecret => sure("jwt-secret"),
        Class::OauthSecret => sure("oauth-client-secret"),
        Class::AwsSecret if text.len() == 40 => sure("aws-secret-key"),
        Class::AwsSecret | Class::Secret => {
            let verdict = if is_unmistakable(text) { SecretVerdict::Block } else { SecretVerdict::Ask };
            (kind.guesses() && text.len() >= 12 && single() && generated())
                .then(|| found("generic-secret", verdict, GENERATED))
        }
        Class::Password => {
            (kind.guesses() && is_password(text, value.quoted)).then(|| weak("generic-password", LITERAL))
        }
        Class::Key => (kind.guesses() && is_key(text, value.quoted)).then(|| weak("generic-key", GENERATED)),
        Class::NamedKey => (kind.guesses() && (is_drawn_hex(text) || value.quoted && is_drawn(text)))
            .then(|| weak("generic-key", GENERATED)),
    }
}

/// Letters of other scripts, as JSON escapes them: a text for people.
fn is_escaped_prose(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b"\\u").any(|at| {
        let digits = text.get(at + 2..at + 6).unwrap_or_default();
        digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit) && !digits.starts_with(b"00")
            || digits.starts_with(b"00") && digits.get(2).is_some_and(|digit| *digit >= b'8')
    })
}

/// Letters in both cases and digits, as no person mixes them.
fn is_drawn(text: &[u8]) -> bool {
    text.len() >= 16
        && !text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
        && text.iter().any(u8::is_ascii_uppercase)
        && text.iter().any(u8::is_ascii_lowercase)
        && text.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
        && !text.contains(&b':')
        && is_generated(text)
        && entropy(text) >= 3.5
        && !is_sequence(text)
        && !is_placeholder(text)
}

/// Long enough and mixed enough that nothing but a generator writes it.
pub(super) fn is_unmistakable(text: &[u8]) -> bool {
    is_drawn_hex(text) || text.len() >= 24 && is_drawn(text) && entropy(text) >= 3.9 && distinct(text) >= 15
}

/// Sixteen bytes or more, drawn by a generator and written in one case.
fn is_drawn_hex(text: &[u8]) -> bool {
    let lower = text.iter().any(|byte| matches!(byte, b'a'..=b'f'));
    let upper = text.iter().any(|byte| matches!(byte, b'A'..=b'F'));
    (32..=128).contains(&text.len())
        && text.len().is_multiple_of(8)
        && text.iter().all(u8::is_ascii_hexdigit)
        && lower != upper
        && text.iter().any(u8::is_ascii_digit)
        && !is_sequence(text)
        && !is_placeholder(text)
}

/// Whether a generator made the text rather than a person.
pub(super) fn is_generated(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let signs = text.len() - digits - letters;
    let spaced = text.len() >= 48 && signs * 6 > text.len();
    if text.iter().any(|byte| !(byte.is_ascii_graphic() || spaced && *byte == b' '))
        || letters == 0
        || is_address_or_path(text)
    {
        return false;
    }
    if is_uuid(text) {
        return true;
    }
    // The address of a blockchain account is public.
    if text.len() == 42 && text.starts_with(b"0x") {
        return false;
    }
    // Django and Rails use all punctuation.
    if signs * 6 > text.len() {
        let drawn = digits > 0 && !reads_like_words(text) || is_full_of_signs(text);
        return text.len() >= 20 && entropy(text) >= 3.8 && drawn;
    }
    let mixed = text.iter().any(u8::is_ascii_lowercase) && text.iter().any(u8::is_ascii_uppercase);
    (digits > 0 || mixed && text.len() >= 20)
        && !is_composed(text)
        && (!reads_like_words(text) || digits * 5 >= text.len())
}

/// A literal that a person might have chosen as a password.
pub(super) fn is_password(text: &[u8], quoted: bool) -> bool {
    let letter = text.iter().any(u8::is_ascii_alphabetic);
    let digit = text.iter().any(u8::is_ascii_digit);
    let sign = text.iter().any(|byte| b"!@#$%^&*?+~".contains(byte));
    (8..=128).contains(&text.len())
        && text.iter().all(u8::is_ascii_graphic)
        && letter
        && (digit || quoted && sign)
        && distinct(text) >= 6
        && !is_default_password(text)
        && !is_search_pattern(text)
        && !is_address_or_path(text)
        && (sign || !is_composed(text))
        && (quoted || !text.iter().any(|byte| b"$%*|=".contains(byte)))
}

/// Strict, since the name mostly means something else.
fn is_key(text: &[u8], quoted: bool) -> bool {
    quoted && text.len() >= 24 && entropy(text) >= 3.8 && is_drawn(text)
}

fn is_address_or_path(text: &[u8]) -> bool {
    let slashes = text.iter().filter(|byte| **byte == b'/').count();
    memchr::memmem::find(text, b"://").is_some()
        || matches!(text.first(), Some(b'/' | b'.' | b'~' | b'@' | b'#'))
        || slashes >= 3 && text.len() < slashes * 16
        || memchr::memmem::find(text, b"::").is_some()
        || memchr::memmem::find(text, b"->").is_some()
}
