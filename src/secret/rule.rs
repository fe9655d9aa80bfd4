//! The patterns: what a secret looks like, and the literals without which it cannot be there.

use super::placeholder::{is_placeholder, is_placeholder_url};
use regex::bytes::{Regex, RegexBuilder};
use std::sync::LazyLock;

/// How bad it is that this leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Critical,
    High,
}

/// One kind of secret.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) severity: Severity,
    /// In lower case; one of them must occur before the pattern is even compiled.
    pub(super) literals: &'static [&'static str],
    /// The first group that takes part in a match is the secret itself.
    pub(super) pattern: LazyLock<Option<Regex>>,
    /// Whether a value only stands for a secret.
    pub(super) placeholder: fn(&[u8]) -> bool,
}

/// How many patterns a scan checks.
pub const PATTERNS: usize = 7;

#[derive(PartialEq)]
enum Case {
    Kept,
    Any,
}

/// A name, then `=`, `:`, `:=` or `=>` with or without space and quotes, then a value of some length.
macro_rules! assignment {
    ($names:literal) => {
        concat!(
            "(?:",
            $names,
            r#")(?:[_-]?(?:key|value|token))?["'\]]*[ \t]*(?::=|=>|[=:])[ \t]*"#,
            r#"(?:"([^"\s]{16,})"|'([^'\s]{16,})'|`([^`\s]{16,})`|([A-Za-z0-9_\-./+=~]{20,}))"#
        )
    };
}

pub(super) static RULES: [Rule; PATTERNS] = [
    Rule {
        name: "generic-api-key",
        severity: Severity::Critical,
        literals: &["api_key", "api-key", "apikey", "api_secret", "api-secret", "apisecret"],
        pattern: LazyLock::new(|| compile(assignment!("api[_-]?key|api[_-]?secret"), Case::Any)),
        placeholder: is_placeholder,
    },
    Rule {
        name: "private-key",
        severity: Severity::Critical,
        literals: &["private key-----", "private key block-----"],
        pattern: LazyLock::new(|| {
            // In source code the line ends may be escapes, and each line a string of its own.
            let line_end = r#"(?:\s|\\[nr]|["'+,;])*"#;
            let header = r"(?:[A-Za-z-]+: [^\r\n\\]{0,200}(?:[\r\n]|\\[nr])+)*";
            let begin = "-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----";
            compile(&format!("{begin}{line_end}{header}{line_end}([A-Za-z0-9+/]{{40,}})"), Case::Kept)
        }),
        placeholder: is_placeholder,
    },
    Rule {
        name: "aws-access-key",
        severity: Severity::Critical,
        literals: &["akia", "asia"],
        pattern: LazyLock::new(|| compile(r"\b((?:AKIA|ASIA)[0-9A-Z]{16})\b", Case::Kept)),
        placeholder: is_placeholder,
    },
    Rule {
        name: "github-token",
        severity: Severity::Critical,
        literals: &["gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_"],
        pattern: LazyLock::new(|| {
            compile(r"\b(gh[oprsu]_[A-Za-z0-9_]{36,255}|github_pat_[A-Za-z0-9_]{22,255})", Case::Kept)
        }),
        placeholder: is_placeholder,
    },
    Rule {
        name: "database-url",
        severity: Severity::High,
        literals: &["postgres", "mysql", "mariadb", "mongodb"],
        pattern: LazyLock::new(|| {
            let schemes = r"\b(?:postgres(?:ql)?|mysql|mariadb|mongodb)(?:\+[a-z0-9]+)?";
            compile(&format!("({schemes}://{})", r#"[^\s:@/"'`]*:[^\s/"'`]+@[^\s"'`]+"#), Case::Any)
        }),
        placeholder: is_placeholder_url,
    },
    Rule {
        name: "jwt-secret",
        severity: Severity::Critical,
        literals: &["jwt_secret", "jwt-secret", "jwtsecret"],
        pattern: LazyLock::new(|| compile(assignment!("jwt[_-]?secret"), Case::Any)),
        placeholder: is_placeholder,
    },
    Rule {
        name: "oauth-client-secret",
        severity: Severity::Critical,
        literals: &[
            "client_secret", "client-secret", "clientsecret", "oauth_secret", "oauth-secret", "oauthsecret",
        ],
        pattern: LazyLock::new(|| compile(assignment!("client[_-]?secret|oauth[_-]?secret"), Case::Any)),
        placeholder: is_placeholder,
    },
];

/// `None` would be a mistake in a pattern of ours; a test compiles them all.
fn compile(pattern: &str, case: Case) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).case_insensitive(case == Case::Any).build().ok()
}
