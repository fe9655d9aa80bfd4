//! What is said about a secret: how bad, how sure, and why.

use super::catalogue;

/// How bad it is that this leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Medium,
    High,
    Critical,
}

/// What is to be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// A guess: somebody should look.
    Ask,
    /// Certain enough to stop for.
    Block,
}

impl Severity {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Block => "block",
        }
    }
}

/// A secret that was found. It never holds more of it than four characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub rule: &'static str,
    pub severity: Severity,
    pub verdict: Verdict,
    pub reason: &'static str,
    /// Counted from 1.
    pub line: u32,
    pub redacted: String,
}

/// What spoke for it, the strongest last: of two that overlap the stronger stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evidence {
    Name,
    NameAndForm,
    Address,
    Form,
    KeyBlock,
}

/// A secret before anything is said about it: where it is, not what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub rule: &'static str,
    pub severity: Severity,
    pub verdict: Verdict,
    pub evidence: Evidence,
    pub reason: &'static str,
    pub start: usize,
    pub end: usize,
}

/// Rules that are code and no rows: names, addresses, key blocks, headers, manifests, files.
pub(super) const WRITTEN_OUT: [&str; 17] = [
    "generic-api-key", "jwt-secret", "oauth-client-secret", "generic-secret", "generic-password",
    "generic-key", "authorization-header", "curl-credentials", "curl-header", "discord-bot-token",
    "database-url", "credential-url", "private-key", "encoded-private-key", "kubernetes-secret",
    "rails-master-key", "credential-file",
];

/// How many patterns a scan checks.
pub const PATTERNS: usize = catalogue::COUNT + catalogue::BESIDE.len() + WRITTEN_OUT.len();

/// To be raised when the code around the catalogue finds something else than before.
const ENGINE: u64 = 2;

/// Names what a clean scan was clean of: another value, and it has to be scanned again.
pub const RULE_SET: u64 = catalogue::FINGERPRINT ^ ENGINE.wrapping_mul(0x9e37_79b9_7f4a_7c15);
