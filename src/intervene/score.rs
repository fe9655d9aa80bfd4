//! How heavy an issue weighs, and which intervention that weight calls for.

use super::kind::Kind;
use crate::pattern::{Issue, Severity};

/// What one level of escalation adds.
const ESCALATION_WEIGHT: f64 = 0.3;

/// From this on, the intervention; below all of them, a soft correction.
const THRESHOLDS: [(f64, Kind); 4] = [
    (0.9, Kind::EmergencyStop),
    (0.7, Kind::CheckpointRollback),
    (0.5, Kind::ResourceThrottling),
    (0.3, Kind::ContextReinforcement),
];

/// Base by severity × confidence × (1 + impact).
pub fn severity_score(issue: &Issue) -> f64 {
    let base = match issue.severity {
        Severity::Note => 0.0,
        Severity::Low => 0.2,
        Severity::Medium => 0.5,
        Severity::High => 0.8,
        Severity::Critical => 1.0,
    };
    base * within(issue.confidence, 1.0) * (1.0 + within(issue.impact, 10.0))
}

/// What is no number weighs nothing.
fn within(value: f64, most: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, most) }
}

/// The intervention for a score and a level of escalation.
pub fn by_score(score: f64, escalation: u32) -> Kind {
    let combined = score + f64::from(escalation) * ESCALATION_WEIGHT;
    // Sums such as 0.6 + 0.3 come out a hair below what they mean.
    let combined = (combined * 1e9).round() / 1e9;
    let found = THRESHOLDS.iter().find(|(from, _)| combined >= *from);
    found.map_or(Kind::SoftCorrection, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::super::sample::issue;
    use super::*;
    use crate::pattern::Pattern;

    #[test]
    fn each_threshold_belongs_to_the_harder_intervention() {
        for (score, kind) in [
            (0.0, Kind::SoftCorrection),
            (0.299, Kind::SoftCorrection),
            (0.3, Kind::ContextReinforcement),
            (0.499, Kind::ContextReinforcement),
            (0.5, Kind::ResourceThrottling),
            (0.699, Kind::ResourceThrottling),
            (0.7, Kind::CheckpointRollback),
            (0.899, Kind::CheckpointRollback),
            (0.9, Kind::EmergencyStop),
            (7.0, Kind::EmergencyStop),
            (f64::NAN, Kind::SoftCorrection),
        ] {
            assert_eq!(by_score(score, 0), kind, "{score}");
        }
    }

    #[test]
    fn a_level_of_escalation_adds_three_tenths_to_the_hair() {
        assert_eq!(by_score(0.2, 1), Kind::ResourceThrottling);
        assert_eq!(by_score(0.19, 1), Kind::ContextReinforcement);
        assert_eq!(by_score(0.0, 1), Kind::ContextReinforcement);
        assert_eq!(by_score(0.6, 1), Kind::EmergencyStop);
        assert_eq!(by_score(0.3, 2), Kind::EmergencyStop);
        assert_eq!(by_score(0.1, 2), Kind::CheckpointRollback);
    }

    #[test]
    fn the_score_is_base_times_confidence_times_impact() {
        let score = |severity, confidence, impact| {
            let mut issue = issue(Pattern::RepetitiveErrors, severity);
            (issue.confidence, issue.impact) = (confidence, impact);
            (severity_score(&issue) * 1000.0).round() / 1000.0
        };
        for (severity, confidence, impact, expected) in [
            (Severity::Note, 1.0, 1.0, 0.0),
            (Severity::Low, 1.0, 0.0, 0.2),
            (Severity::Low, 1.0, 0.5, 0.3),
            (Severity::Medium, 0.9, 0.0, 0.45),
            (Severity::High, 0.9, 0.2, 0.864),
            (Severity::Critical, 1.0, 0.0, 1.0),
            (Severity::Critical, 7.0, -3.0, 1.0),
            (Severity::Critical, f64::NAN, 0.0, 0.0),
            (Severity::High, 1.0, f64::NAN, 0.8),
        ] {
            assert_eq!(score(severity, confidence, impact), expected, "{severity:?} {confidence} {impact}");
        }
    }

    #[test]
    fn a_sure_issue_without_further_impact_gets_the_intervention_of_its_severity() {
        for (severity, kind) in [
            (Severity::Low, Kind::SoftCorrection),
            (Severity::Medium, Kind::ResourceThrottling),
            (Severity::High, Kind::CheckpointRollback),
            (Severity::Critical, Kind::EmergencyStop),
        ] {
            assert_eq!(
                by_score(severity_score(&issue(Pattern::GoalDrift, severity)), 0),
                kind,
                "{severity:?}"
            );
        }
    }
}
