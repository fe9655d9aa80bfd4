//! Secrets in what a tool is given, by the words a person would use.

use crate::secret::scan;
use std::collections::BTreeSet;

/// The first secret in a text.
pub fn first(text: &str) -> Option<&'static str> {
    scan("", text.as_bytes()).first().map(|found| named(found.rule))
}

/// The first secret that is in `text` and was not in `before`.
pub fn added(path: &str, text: &str, before: &str) -> Option<&'static str> {
    let found = scan(path, text.as_bytes());
    if found.is_empty() || before.is_empty() {
        return found.first().map(|found| named(found.rule));
    }
    scan(path, without_words_of(before, text).as_bytes()).first().map(|found| named(found.rule))
}

/// `text` with every word shortened that is long enough to be a secret and stands in `before` too.
fn without_words_of(before: &str, text: &str) -> String {
    const SHORTEST: usize = 8;
    let is_break = |c: char| !c.is_ascii_alphanumeric() && !"_-+/=.~".contains(c);
    let known: BTreeSet<&str> = before.split(is_break).filter(|word| word.len() >= SHORTEST).collect();
    let shortened = |piece: &str| {
        let word = piece.trim_end_matches(is_break);
        if known.contains(word) { piece.replace(word, "x") } else { piece.to_owned() }
    };
    text.split_inclusive(is_break).map(shortened).collect()
}

/// Whether a value that is called a secret looks like one, not like a placeholder.
pub fn is_generated(value: &str) -> bool {
    !value.contains(['"', ' ']) && !scan("", format!("api_key = \"{value}\"").as_bytes()).is_empty()
}

fn named(rule: &str) -> &'static str {
    match rule {
        "generic-api-key" => "an API key",
        "private-key" => "a private key",
        "aws-access-key" => "an AWS access key",
        "github-token" => "a GitHub token",
        "database-url" => "a database's password",
        "jwt-secret" => "a JWT secret",
        "oauth-client-secret" => "an OAuth client secret",
        _ => "a secret",
    }
}

#[cfg(test)]
pub fn made_up(prefix: &str) -> String {
    let tail = "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUiRo0v";
    format!("{prefix}{tail}")
}
