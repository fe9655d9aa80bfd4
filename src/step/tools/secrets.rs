//! Secrets in what a tool is given, by the words a person would use.

use crate::secret::{Match, scan};

/// The first secret in a text.
pub fn first(text: &str) -> Option<&'static str> {
    scan("", text.as_bytes()).first().map(|found| named(found.rule))
}

/// The first secret that is in `text` and was not in `before`.
pub fn added(path: &str, text: &str, before: &str) -> Option<&'static str> {
    let found = scan(path, text.as_bytes());
    let old = if found.is_empty() { Vec::new() } else { scan(path, before.as_bytes()) };
    let is_new = |new: &&Match| !old.iter().any(|old| old.rule == new.rule && old.redacted == new.redacted);
    found.iter().find(is_new).map(|found| named(found.rule))
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
