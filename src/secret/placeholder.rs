//! Values that only stand for a secret: examples, templates, lookups, defaults of a local machine.

use memchr::memmem;

/// Bits per character under which a value of this length was not made by a generator.
const LEAST_ENTROPY: f64 = 3.0;

/// Parts that no generated secret has, in lower case.
const WORDS: [&str; 28] = [
    "example", "xxxx", "placeholder", "changeme", "change_me", "change-me", "your_", "your-", "yourapi",
    "dummy", "redacted", "insert", "replace", "todo", "****", "....", "${", "{{", "$(", "#{", "<",
    "process.env", "environ", "getenv", "env.", "secrets.", "1234567890", "abcdefghij",
];

pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let spoken = !value.iter().any(u8::is_ascii_digit) && words_only(value);
    let templated = matches!(lower.first(), Some(b'$' | b'%' | b'{' | b'['));
    spoken || templated || entropy(value) < LEAST_ENTROPY || has_word(&lower)
}

fn has_word(lower: &[u8]) -> bool {
    WORDS.iter().any(|word| memmem::find(lower, word.as_bytes()).is_some())
}

/// An identifier such as `settings_provider_get_api_key`, or a phrase such as `keep-this-to-yourself`.
fn words_only(value: &[u8]) -> bool {
    let separated = value.iter().any(|byte| b"_-./".contains(byte));
    let mut parts = value.split(|byte| b"_-./".contains(byte));
    separated && parts.all(|part| part.len() <= 16 && one_case(part))
}

fn one_case(word: &[u8]) -> bool {
    let tail = word.get(1..).unwrap_or_default();
    tail.iter().all(u8::is_ascii_lowercase) || word.iter().all(u8::is_ascii_uppercase)
}

/// A connection string gives nothing away if its password is a template or a default, or the server is this machine.
pub(super) fn is_placeholder_url(url: &[u8]) -> bool {
    let lower = String::from_utf8_lossy(url).to_lowercase();
    let rest = lower.split_once("://").map_or("", |(_, rest)| rest);
    let Some((user_info, server)) = rest.rsplit_once('@') else { return true };
    let (user, password) = user_info.split_once(':').unwrap_or((user_info, ""));
    let host = server.split(['/', '?']).next().unwrap_or_default();
    let local = ["localhost", "127.", "0.0.0.0", "[::1]", "host.docker.internal"];
    let defaults = [
        "password", "passwd", "pass", "pwd", "secret", "root", "admin", "postgres", "mysql", "test", "user",
        "p",
    ];
    let template =
        matches!(password.as_bytes().first(), None | Some(b'$' | b'%' | b'{' | b'<' | b'[' | b':'));
    local.iter().any(|name| host.starts_with(name))
        || template
        || password == user
        || defaults.contains(&password)
        || has_word(password.as_bytes())
        || host.starts_with(['$', '{', '<', '%'])
        || host.contains("example.")
}

/// Shannon entropy in bits per byte.
fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let length = value.len() as f64;
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / length);
    shares.map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_tells_repetition_from_chance() {
        assert_eq!(entropy(b"aaaaaaaa"), 0.0);
        assert_eq!(entropy(b"abcdabcd"), 2.0);
        assert_eq!(entropy(b""), 0.0);
    }

    #[test]
    fn identifiers_and_phrases_are_not_secrets() {
        for text in
            ["settings_provider_get_api_key", "keep-this-to-yourself-please", "self.config.client_secret"]
        {
            assert!(is_placeholder(text.as_bytes()), "{text}");
        }
        assert!(!is_placeholder(b"kJ3x9QmZr7TtVw2LpB8sNd5F"));
    }
}
