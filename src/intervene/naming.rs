//! The names of patterns, signs and severities as they stand in messages, records and templates.

use super::kind::Kind;
use crate::pattern::{Issue, Pattern, Severity, Sign};

pub const PATTERNS: [Pattern; 5] = [
    Pattern::RepetitiveErrors,
    Pattern::ScopeCreep,
    Pattern::GoalDrift,
    Pattern::ResourceSpiral,
    Pattern::Hallucination,
];

pub fn pattern_name(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::RepetitiveErrors => "repetitive_errors",
        Pattern::ScopeCreep => "scope_creep",
        Pattern::GoalDrift => "goal_drift",
        Pattern::ResourceSpiral => "resource_spiral",
        Pattern::Hallucination => "hallucination",
    }
}

pub fn pattern_named(name: &str) -> Option<Pattern> {
    PATTERNS.into_iter().find(|pattern| pattern_name(*pattern) == name)
}

pub fn sign_name(sign: Sign) -> &'static str {
    match sign {
        Sign::NoProgress => "no_progress",
        Sign::Cycle => "cycle",
        Sign::ErrorFamily => "error_family",
        Sign::ErrorStreak => "error_streak",
        Sign::FlipFlop => "flip_flop",
        Sign::UnchangedPoll => "unchanged_poll",
        Sign::ReviewRatchet => "review_ratchet",
        Sign::OutOfScope => "out_of_scope",
        Sign::ForbiddenPath => "forbidden_path",
        Sign::ManyFiles => "many_files",
        Sign::OffGoal => "off_goal",
        Sign::CallBudget => "call_budget",
        Sign::ErrorRatio => "error_ratio",
        Sign::LimitReached => "limit_reached",
        Sign::PhantomPath => "phantom_path",
        Sign::PhantomCommand => "phantom_command",
        Sign::UnprovenClaim => "unproven_claim",
        Sign::FewerTests => "fewer_tests",
    }
}

pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Low => "low",
        Severity::Medium => "medium",
        Severity::High => "high",
        Severity::Critical => "critical",
    }
}

/// How every word of an intervention begins, so that logs and replays know it: `Plimsoll [kind/pattern/sign]: `.
pub fn tag(kind: Kind, issue: &Issue) -> String {
    format!("Plimsoll [{}/{}/{}]: ", kind.name(), pattern_name(issue.pattern), sign_name(issue.sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_records() {
        for pattern in PATTERNS {
            assert_eq!(serde_json::to_value(pattern).unwrap(), pattern_name(pattern));
            assert_eq!(pattern_named(pattern_name(pattern)), Some(pattern));
        }
        for sign in Sign::ALL {
            assert_eq!(serde_json::to_value(sign).unwrap(), sign_name(sign));
        }
        for severity in [Severity::Note, Severity::Low, Severity::Medium, Severity::High, Severity::Critical]
        {
            assert_eq!(serde_json::to_value(severity).unwrap(), severity_name(severity));
        }
    }
}
