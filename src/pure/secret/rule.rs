//! A found secret: severity, verdict, evidence and reason.

use super::catalogue;
use std::ops::Range;

/// How bad a leak would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SecretSeverity {
    Medium,
    High,
    Critical,
}

/// How certain the finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SecretVerdict {
    /// A guess: a person decides.
    Ask,
    /// Certain enough to block.
    Block,
}

impl SecretSeverity {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl SecretVerdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Block => "block",
        }
    }
}

/// A finding. It holds at most four characters of the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub rule: &'static str,
    pub severity: SecretSeverity,
    pub verdict: SecretVerdict,
    pub reason: &'static str,
    /// Counted from 1.
    pub line: u32,
    pub redacted: String,
}

/// The evidence, the strongest last. Of two overlapping findings the stronger is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchStrength {
    Name,
    NameAndForm,
    Address,
    Form,
    KeyBlock,
}

/// A found secret by its position in the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FoundSecretSpan {
    pub rule: &'static str,
    pub severity: SecretSeverity,
    pub verdict: SecretVerdict,
    pub evidence: MatchStrength,
    pub reason: &'static str,
    pub start: usize,
    pub end: usize,
}

impl FoundSecretSpan {
    /// A certain secret is critical, a guess is high.
    pub(super) fn new(
        rule: &'static str,
        verdict: SecretVerdict,
        evidence: MatchStrength,
        reason: &'static str,
        span: Range<usize>,
    ) -> Self {
        let severity = match verdict {
            SecretVerdict::Block => SecretSeverity::Critical,
            SecretVerdict::Ask => SecretSeverity::High,
        };
        Self { rule, severity, verdict, evidence, reason, start: span.start, end: span.end }
    }

    pub(super) fn with_severity(self, severity: SecretSeverity) -> Self {
        Self { severity, ..self }
    }
}

/// Rules without a row in the catalogue: names, addresses, key blocks, headers, manifests, files.
pub(super) const RULES_IN_CODE: [&str; 20] = [
    "secret-parameter", "call-password", "command-password", "generic-api-key", "jwt-secret",
    "oauth-client-secret", "generic-secret", "generic-password", "generic-key", "authorization-header",
    "curl-credentials", "curl-header", "discord-bot-token", "database-url", "credential-url", "private-key",
    "encoded-private-key", "kubernetes-secret", "rails-master-key", "credential-file",
];

/// How many patterns a scan checks.
pub(crate) const PATTERNS: usize = catalogue::COUNT + catalogue::BESIDE.len() + RULES_IN_CODE.len();
