//! What a rule found, before it is put into words.

use super::issue::{Pattern, Refuse, Severity, Sign};
use super::trace::Evidence;
use crate::policy::Steps;

#[derive(Debug)]
pub(super) struct Found {
    pub(super) sign: Sign,
    pub(super) severity: Severity,
    pub(super) cause: u64,
    pub(super) count: u32,
    pub(super) events: Vec<String>,
    pub(super) began: u64,
    pub(super) refuse: Option<Refuse>,
    pub(super) description: String,
    pub(super) path: Option<String>,
}

impl Found {
    pub(super) fn new(sign: Sign, severity: Severity, cause: u64, evidence: &Evidence) -> Self {
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
    pub(super) fn saying(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Refused from the severity on at which calls are.
    #[must_use]
    pub(super) fn refusing(mut self, refuse: Refuse) -> Self {
        self.refuse = (self.severity >= Severity::High).then_some(refuse);
        self
    }

    #[must_use]
    pub(super) fn at(mut self, path: Option<String>) -> Self {
        self.path = path;
        self
    }
}

/// How bad a count is by its thresholds.
pub(super) fn reached(count: u32, steps: &Steps) -> Option<Severity> {
    match count {
        _ if count >= steps.stop => Some(Severity::Critical),
        _ if count >= steps.deny => Some(Severity::High),
        _ if count >= steps.soft => Some(Severity::Low),
        _ => None,
    }
}

impl Sign {
    pub fn pattern(self) -> Pattern {
        match self {
            Self::NoProgress
            | Self::Cycle
            | Self::ErrorFamily
            | Self::ErrorStreak
            | Self::FlipFlop
            | Self::UnchangedPoll
            | Self::ReviewRatchet => Pattern::RepetitiveErrors,
            Self::OutOfScope | Self::ForbiddenPath | Self::ManyFiles => Pattern::ScopeCreep,
            Self::OffGoal => Pattern::GoalDrift,
            Self::CallBudget | Self::ErrorRatio | Self::LimitReached => Pattern::ResourceSpiral,
            Self::PhantomPath | Self::PhantomCommand | Self::UnprovenClaim | Self::FewerTests => {
                Pattern::Hallucination
            }
        }
    }

    /// How sure it is, and how much more it weighs by what it touches. The product with 1 + impact stays between 1 and
    /// 1.12, so that each severity comes to its own intervention.
    pub(super) fn weight(self) -> (f64, f64) {
        match self {
            Self::OutOfScope | Self::ForbiddenPath => (1.0, 0.1),
            Self::NoProgress | Self::Cycle | Self::LimitReached => (0.95, 0.1),
            Self::ErrorFamily | Self::FlipFlop | Self::CallBudget | Self::UnprovenClaim => (0.9, 0.15),
            Self::ErrorStreak | Self::UnchangedPoll | Self::PhantomPath | Self::PhantomCommand => (0.85, 0.2),
            Self::ReviewRatchet | Self::OffGoal | Self::ErrorRatio => (0.8, 0.3),
            Self::ManyFiles | Self::FewerTests => (0.7, 0.5),
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
            let (confidence, impact) = sign.weight();
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
        let all: Vec<_> = (2..=6).map(|count| reached(count, &steps)).collect();
        let expected =
            [None, Some(Severity::Low), Some(Severity::High), Some(Severity::High), Some(Severity::Critical)];
        assert_eq!(all, expected);
    }
}
