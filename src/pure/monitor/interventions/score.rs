//! The score of an issue, and the intervention for a score.

use super::kind::InterventionKind;
use crate::pure::monitor::patterns::{Issue, IssueSeverity};

/// The weight of one level of escalation.
const ESCALATION_WEIGHT: f64 = 0.3;

/// From this on, the intervention; below all of them, a soft correction.
const THRESHOLDS: [(f64, InterventionKind); 4] = [
    (0.9, InterventionKind::EmergencyStop),
    (0.7, InterventionKind::CheckpointRollback),
    (0.5, InterventionKind::ResourceThrottling),
    (0.3, InterventionKind::ContextReinforcement),
];

/// Base by severity × confidence × (1 + impact).
pub(crate) fn severity_score(issue: &Issue) -> f64 {
    let base = match issue.severity {
        IssueSeverity::Note => 0.0,
        IssueSeverity::Low => 0.2,
        IssueSeverity::Medium => 0.5,
        IssueSeverity::High => 0.8,
        IssueSeverity::Critical => 1.0,
    };
    base * within(issue.confidence, 1.0) * (1.0 + within(issue.impact, 10.0))
}

/// A value that is not a number counts as zero.
fn within(value: f64, most: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, most) }
}

/// The intervention for a score and a level of escalation.
pub(crate) fn by_score(score: f64, escalation: u32) -> InterventionKind {
    let combined = score + f64::from(escalation) * ESCALATION_WEIGHT;
    // Sums such as 0.6 + 0.3 come out a hair below what they mean.
    let combined = (combined * 1e9).round() / 1e9;
    let found = THRESHOLDS.iter().find(|(from, _)| combined >= *from);
    found.map_or(InterventionKind::SoftCorrection, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::super::sample::issue;
    use super::*;
    use crate::pure::monitor::patterns::Pattern;

    #[test]
    fn each_threshold_belongs_to_the_harder_intervention() {
        for (score, kind) in [
            (0.0, InterventionKind::SoftCorrection),
            (0.299, InterventionKind::SoftCorrection),
            (0.3, InterventionKind::ContextReinforcement),
            (0.499, InterventionKind::ContextReinforcement),
            (0.5, InterventionKind::ResourceThrottling),
            (0.699, InterventionKind::ResourceThrottling),
            (0.7, InterventionKind::CheckpointRollback),
            (0.899, InterventionKind::CheckpointRollback),
            (0.9, InterventionKind::EmergencyStop),
            (7.0, InterventionKind::EmergencyStop),
            (f64::NAN, InterventionKind::SoftCorrection),
        ] {
            assert_eq!(by_score(score, 0), kind, "{score}");
        }
    }

    #[test]
    fn a_level_of_escalation_adds_three_tenths_to_the_hair() {
        assert_eq!(by_score(0.2, 1), InterventionKind::ResourceThrottling);
        assert_eq!(by_score(0.19, 1), InterventionKind::ContextReinforcement);
        assert_eq!(by_score(0.0, 1), InterventionKind::ContextReinforcement);
        assert_eq!(by_score(0.6, 1), InterventionKind::EmergencyStop);
        assert_eq!(by_score(0.3, 2), InterventionKind::EmergencyStop);
        assert_eq!(by_score(0.1, 2), InterventionKind::CheckpointRollback);
    }

    #[test]
    fn the_score_is_base_times_confidence_times_impact() {
        let score = |severity, confidence, impact| {
            let mut issue = issue(Pattern::RepetitiveErrors, severity);
            (issue.confidence, issue.impact) = (confidence, impact);
            (severity_score(&issue) * 1000.0).round() / 1000.0
        };
        for (severity, confidence, impact, expected) in [
            (IssueSeverity::Note, 1.0, 1.0, 0.0),
            (IssueSeverity::Low, 1.0, 0.0, 0.2),
            (IssueSeverity::Low, 1.0, 0.5, 0.3),
            (IssueSeverity::Medium, 0.9, 0.0, 0.45),
            (IssueSeverity::High, 0.9, 0.2, 0.864),
            (IssueSeverity::Critical, 1.0, 0.0, 1.0),
            (IssueSeverity::Critical, 7.0, -3.0, 1.0),
            (IssueSeverity::Critical, f64::NAN, 0.0, 0.0),
            (IssueSeverity::High, 1.0, f64::NAN, 0.8),
        ] {
            assert_eq!(score(severity, confidence, impact), expected, "{severity:?} {confidence} {impact}");
        }
    }

    #[test]
    fn a_sure_issue_without_further_impact_gets_the_intervention_of_its_severity() {
        for (severity, kind) in [
            (IssueSeverity::Low, InterventionKind::SoftCorrection),
            (IssueSeverity::Medium, InterventionKind::ResourceThrottling),
            (IssueSeverity::High, InterventionKind::CheckpointRollback),
            (IssueSeverity::Critical, InterventionKind::EmergencyStop),
        ] {
            assert_eq!(
                by_score(severity_score(&issue(Pattern::GoalDrift, severity)), 0),
                kind,
                "{severity:?}"
            );
        }
    }
}
