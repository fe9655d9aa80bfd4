//! Secrets in what a tool is given, by the words a person would use.

use crate::secret::{Baseline, Change, Verdict, scan, scan_change};

/// The first secret in a text, as far as it is certain: a guess is no reason to stop a step.
pub fn first(text: &str) -> Option<&'static str> {
    let found = scan("", text.as_bytes());
    found.iter().find(|found| found.verdict == Verdict::Block).map(|found| named(found.rule))
}

/// The first secret that is in `text` and was not in `before`. A comment beside it that is just being written changes nothing.
pub fn added(path: &str, text: &str, before: &str) -> Option<&'static str> {
    let change = Change { path, old: Some(before.as_bytes()), new: text.as_bytes() };
    let found = scan_change(change, &Baseline::default());
    found.iter().find(|found| found.verdict == Verdict::Block).map(|found| named(found.rule))
}

/// Whether a value that is called a secret looks like one, not like a placeholder.
pub fn is_generated(value: &str) -> bool {
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
pub fn made_up(prefix: &str) -> String {
    let tail = "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUiRo0v";
    format!("{prefix}{tail}")
}
