//! A pattern that a rule found, before it becomes an issue.

use super::issue::{Details, Issue, IssueSeverity, Pattern, Refuse, Sign};
use super::trace::TraceEvidence;
use crate::pure::policy::Steps;

#[derive(Debug)]
pub(super) struct FoundPattern {
    pub(super) sign: Sign,
    pub(super) severity: IssueSeverity,
    pub(super) cause: u64,
    pub(super) count: u32,
    pub(super) events: Vec<String>,
    pub(super) began: u64,
    pub(super) refuse: Option<Refuse>,
    pub(super) description: String,
    pub(super) path: Option<String>,
}

impl FoundPattern {
    pub(super) fn new(sign: Sign, severity: IssueSeverity, cause: u64, evidence: &TraceEvidence) -> Self {
        Self {
            sign,
            severity,
            cause,
            count: evidence.count,
            events: evidence.ids(),
            began: evidence.began,
            refuse: None,
            description: String::new(),
            path: None,
        }
    }

    #[must_use]
    pub(super) fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Refuses calls, if the severity is high enough.
    #[must_use]
    pub(super) fn with_refusal(mut self, refuse: Refuse) -> Self {
        self.refuse = (self.severity >= IssueSeverity::High).then_some(refuse);
        self
    }

    #[must_use]
    pub(super) fn with_path(mut self, path: Option<String>) -> Self {
        self.path = path;
        self
    }
}

impl FoundPattern {
    pub(super) fn into_issue(self, details: Details) -> Issue {
        let (pattern, confidence, impact) = self.sign.facts();
        Issue {
            pattern,
            sign: self.sign,
            severity: self.severity,
            confidence,
            impact,
            cause: self.cause,
            description: self.description,
            details,
            events: self.events,
            began: self.began,
            refuse: self.refuse,
        }
    }
}

/// The severity of a count by its thresholds.
pub(super) fn severity_at(count: u32, steps: &Steps) -> Option<IssueSeverity> {
    match count {
        _ if count >= steps.stop => Some(IssueSeverity::Critical),
        _ if count >= steps.deny => Some(IssueSeverity::High),
        _ if count >= steps.soft => Some(IssueSeverity::Low),
        _ => None,
    }
}

impl Sign {
    /// Its pattern, how sure it is, and how much more it weighs by what it touches. The product of confidence and
    /// 1 + impact stays between 1 and 1.12, so that each severity comes to its own intervention.
    fn facts(self) -> (Pattern, f64, f64) {
        match self {
            Self::NoProgress | Self::Cycle => (Pattern::RepetitiveErrors, 0.95, 0.1),
            Self::ErrorFamily | Self::FlipFlop => (Pattern::RepetitiveErrors, 0.9, 0.15),
            Self::ErrorStreak | Self::UnchangedPoll => (Pattern::RepetitiveErrors, 0.85, 0.2),
            Self::ReviewRatchet => (Pattern::RepetitiveErrors, 0.8, 0.3),
            Self::OutOfScope | Self::ForbiddenPath => (Pattern::ScopeCreep, 1.0, 0.1),
            Self::ManyFiles => (Pattern::ScopeCreep, 0.7, 0.5),
            Self::OffGoal => (Pattern::GoalDrift, 0.8, 0.3),
            Self::LimitReached => (Pattern::ResourceSpiral, 0.95, 0.1),
            Self::CallBudget => (Pattern::ResourceSpiral, 0.9, 0.15),
            Self::ErrorRatio => (Pattern::ResourceSpiral, 0.8, 0.3),
            Self::UnprovenClaim => (Pattern::Hallucination, 0.9, 0.15),
            Self::PhantomPath | Self::PhantomCommand => (Pattern::Hallucination, 0.85, 0.2),
            Self::FewerTests => (Pattern::Hallucination, 0.7, 0.5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_severity_comes_to_its_own_intervention() {
        use Sign::*;
        for sign in [
            NoProgress, Cycle, ErrorFamily, ErrorStreak, FlipFlop, UnchangedPoll, ReviewRatchet, OutOfScope,
            ForbiddenPath, ManyFiles, OffGoal, CallBudget, ErrorRatio, LimitReached, PhantomPath,
            PhantomCommand, UnprovenClaim, FewerTests,
        ] {
            let (_, confidence, impact) = sign.facts();
            let score = |base: f64| base * confidence * (1.0 + impact);
            assert!(score(0.2) < 0.3, "{sign:?}: low is a soft correction");
            assert!((0.5..0.7).contains(&score(0.5)), "{sign:?}: medium is throttling");
            assert!((0.7..0.9).contains(&score(0.8)), "{sign:?}: high is a rollback");
            assert!(score(1.0) >= 0.9, "{sign:?}: critical is a stop");
        }
    }

    #[test]
    fn a_count_is_as_bad_as_the_threshold_it_reached() {
        let steps = Steps { soft: 3, deny: 4, stop: 6 };
        let all: Vec<_> = (2..=6).map(|count| severity_at(count, &steps)).collect();
        let expected = [
            None,
            Some(IssueSeverity::Low),
            Some(IssueSeverity::High),
            Some(IssueSeverity::High),
            Some(IssueSeverity::Critical),
        ];
        assert_eq!(all, expected);
    }
}
