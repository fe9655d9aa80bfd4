//! Placeholders: examples, templates, lookups, defaults of a local machine.

use super::randomness::{distinct, entropy, is_full_of_signs};
use memchr::memmem;

/// The fewest bits per character of a generated value.
const LEAST_ENTROPY: f64 = 3.0;

/// Parts that no token contains, in lower case.
const WORDS: [&str; 15] = [
    "example", "placeholder", "changeme", "change_me", "change-me", "your_", "your-", "yourapi", "yourtoken",
    "dummy", "redacted", "xxxx", "****", "....", "sample",
];

/// Parts of expressions and of values that people make up, in lower case.
const EXPRESSIONS: [&str; 19] = [
    "process.env", "environ", "getenv", "env.", "secrets.", "config.", "settings.", "var.", "local.",
    "insert", "replace", "todo", "fixme", "foobar", "fake", "mysecret", "my-secret", "my_secret", "sandbox",
];

const SEQUENCES: [&str; 6] = ["1234567890", "0123456789", "abcdefgh", "abcd1234", "abc123", "qwerty"];

const DEFAULT_PASSWORDS: [&str; 24] = [
    "password", "passwd", "pass", "pwd", "secret", "root", "admin", "postgres", "mysql", "mongo", "redis",
    "rabbitmq", "guest", "test", "testing", "tester", "user", "username", "p", "pw", "x", "foo", "bar",
    "x-oauth-basic",
];

/// An example of the documentation, a run of one character, a template.
pub(super) fn is_example(value: &[u8]) -> bool {
    is_filled_in(value) || is_monotonous(value)
}

/// Contains a word or a run that marks a placeholder.
pub(super) fn is_filled_in(value: &[u8]) -> bool {
    has_any(&value.to_ascii_lowercase(), &WORDS) || has_run(value, 5, b"xX*.0#?-_")
}

/// One repeated character, or a sequence.
pub(super) fn is_monotonous(value: &[u8]) -> bool {
    has_run(value, 14, &[])
        || is_alphabet(&value.to_ascii_lowercase())
        || distinct(value) <= 4
        || entropy(value) < 2.2
}

/// Sixteen consecutive characters, or twenty counted digits.
fn is_alphabet(lower: &[u8]) -> bool {
    let (mut last, mut length) = (0_u8, 0);
    let counted = lower.iter().any(|byte| {
        length = if *byte == last.wrapping_add(1) { length + 1 } else { 1 };
        last = *byte;
        length >= 16
    });
    counted || memmem::find(lower, b"12345678901234567890").is_some()
}

/// A sequence on the keyboard.
pub(super) fn is_sequence(value: &[u8]) -> bool {
    has_any(&value.to_ascii_lowercase(), &SEQUENCES)
}

/// A lookup, a template or an implausible value.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let templated =
        matches!(lower.first(), Some(b'$' | b'%' | b'{' | b'[' | b'<' | b'(')) || lower.contains(&b'<');
    templated && !is_full_of_signs(value)
        || has_any(&lower, &EXPRESSIONS)
        || is_templated(value)
        || is_example(value)
        || entropy(value) < LEAST_ENTROPY
}

fn has_any(lower: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| memmem::find(lower, word.as_bytes()).is_some())
}

/// A run of `least` equal bytes; with an empty `of`, of any byte.
fn has_run(value: &[u8], least: u32, of: &[u8]) -> bool {
    let (mut last, mut length) = (0, 0);
    value.iter().any(|byte| {
        length = if *byte == last { length + 1 } else { 1 };
        last = *byte;
        length >= least && (of.is_empty() || of.contains(byte))
    })
}

/// `${name}`, `{{ name }}` and the like, with a plausible name between the brackets.
fn is_templated(value: &[u8]) -> bool {
    const SIGNS: [(&str, &str); 6] =
        [("${", "}"), ("{{", "}}"), ("$(", ")"), ("#{", "}"), ("<%", ">"), ("%(", ")")];
    let named = |byte: &u8| byte.is_ascii_alphanumeric() || b" _.:-|'\"()[]/,+?=!@\\&".contains(byte);
    let inside = |(open, close): &(&str, &str)| {
        let start = memmem::find(value, open.as_bytes())? + open.len();
        let rest = value.get(start..)?;
        rest.get(..memmem::find(rest, close.as_bytes()).unwrap_or(rest.len()))
    };
    let closes_only = || value.ends_with(b"}}") && memmem::find(value, b"{{").is_none();
    SIGNS.iter().any(|signs| inside(signs).is_some_and(|inside| inside.iter().all(named))) || closes_only()
}

/// A usual password of a local machine, or a template.
pub(super) fn is_default_password(password: &[u8]) -> bool {
    let lower = password.to_ascii_lowercase();
    let spoken = ["password", "passwd", "pass-word", "secret"].map(str::as_bytes);
    DEFAULT_PASSWORDS.iter().any(|word| word.as_bytes() == lower)
        || matches!(lower.first(), None | Some(b'$' | b'%' | b'{' | b'<' | b'[' | b':' | b'*'))
        || spoken.iter().any(|word| memmem::find(&lower, word).is_some())
        || has_any(&lower, &WORDS)
        || has_any(&lower, &EXPRESSIONS)
        || is_templated(password)
        || distinct(password) <= 2
}

/// This machine, or a template.
pub(super) fn is_own_host(host: &[u8]) -> bool {
    let lower = host.to_ascii_lowercase();
    let local = ["localhost", "127.", "0.0.0.0", "[::1]", "host.docker.internal", "host:", "hostname"];
    lower.is_empty()
        || lower == b"host"
        || matches!(lower.first(), Some(b'$' | b'{' | b'<' | b'%'))
        || local.iter().any(|name| lower.starts_with(name.as_bytes()))
        || has_any(&lower, &["${", "{{", "yourhost", "your-", "your_"])
}

/// A name that is reserved for documentation.
pub(super) fn is_documented_host(host: &[u8]) -> bool {
    let lower = host.to_ascii_lowercase();
    let name = lower.split(|byte| *byte == b':').next().unwrap_or_default();
    has_any(&lower, &["example."])
        || [".test", ".invalid", ".example"].iter().any(|end| name.ends_with(end.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_examples_and_runs_are_no_secrets() {
        for text in [
            "${API_KEY_2}", "<insert-key-1>", "{{ .Values.key9 }}", "xxxxxxxxxxxxxxxx1",
            "sk-your-key-here-12", "AKIAIOSFODNN7EXAMPLE", "aaaaaaaaaa1111111111", "process.env.KEY_2",
            "CHANGEME-0a9d8f7",
        ] {
            assert!(is_placeholder(text.as_bytes()), "{text}");
        }
        assert!(!is_placeholder(b"kJ3x9QmZr7TtVw2LpB8sNd5F"));
    }

    #[test]
    fn a_sequence_is_weaker_evidence_than_an_example() {
        assert!(is_sequence(b"ABCD1234abcd1234") && !is_example(b"ABCD1234abcd1234"));
    }
}
