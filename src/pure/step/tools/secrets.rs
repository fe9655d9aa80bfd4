//! Secrets in the input of a tool, named for messages.

use crate::pure::secret::{Baseline, ChangedFile, SecretVerdict, scan, scan_change};

/// The first certain secret in a text: a guess is no reason to refuse a call.
pub(crate) fn first(text: &str) -> Option<&'static str> {
    let found = scan("", text.as_bytes());
    found.iter().find(|found| found.verdict == SecretVerdict::Block).map(|found| named(found.rule))
}

/// The first secret in `text` that was not in `before`. A new comment that allows it does not count.
pub(crate) fn added(path: &str, text: &str, before: &str) -> Option<&'static str> {
    let change = ChangedFile { path, old: Some(before.as_bytes()), new: text.as_bytes() };
    let found = scan_change(change, &Baseline::default());
    found.iter().find(|found| found.verdict == SecretVerdict::Block).map(|found| named(found.rule))
}

/// Whether a value looks like a generated secret, not like a placeholder.
pub(crate) fn is_generated(value: &str) -> bool {
    !value.contains(['"', ' ']) && first(&format!("api_key = \"{value}\"")).is_some()
}

fn named(rule: &'static str) -> &'static str {
    match rule {
        "generic-api-key" => "an API key",
        "private-key" => "a private key",
        "aws-access-key" => "an AWS access key",
        "github-token" => "a GitHub token",
        "database-url" => "a database's password",
        "credential-url" => "a password in an address",
        "encoded-private-key" => "a private key",
        "aws-secret-key" => "an AWS secret key",
        "jwt-secret" => "a JWT secret",
        "oauth-client-secret" => "an OAuth client secret",
        token => token,
    }
}

#[cfg(test)]
pub(crate) fn made_up(prefix: &str) -> String {
    let tail = "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUiRo0v";
    format!("{prefix}{tail}")
}
