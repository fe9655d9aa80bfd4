//! Risk: the worst nature of a tool call, and the factors that raise it.

use crate::pure::policy::{RiskModifiers, RiskThresholds};
use crate::pure::step::assessment::{Nature, Risk, SideEffectSeverity};
use crate::pure::step::effect::{Effect, FoundEffect, Loss, Target};
use crate::pure::step::known::Known;
use crate::pure::step::place::Place;
use crate::pure::step::survey::Survey;
use crate::pure::step::zone::{self, DeletionRisk, lies_below};

pub(crate) const OUT_OF_SCOPE: &str = "out_of_scope";
pub(crate) const REPEATED_FAILURE: &str = "repeated_failure";
pub(crate) const PRIVILEGED: &str = "privileged";
pub(crate) const DANGEROUS_PATTERN: &str = "dangerous_pattern";

/// The factors that raise the risk above its base.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RiskFactors {
    pub out_of_scope: bool,
    /// Similar calls that failed.
    pub failures: usize,
    pub privileged: bool,
    /// A rule asks or denies.
    pub pattern: bool,
}

pub(crate) fn risk(
    base: Nature,
    raised: RiskFactors,
    modifiers: &RiskModifiers,
    thresholds: &RiskThresholds,
) -> Risk {
    let repetition = match raised.failures {
        0 => 0.0,
        1 => 0.1,
        2 => 0.2,
        _ => 0.4,
    };
    let all = [
        (OUT_OF_SCOPE, if raised.out_of_scope { 0.3 } else { 0.0 }),
        (REPEATED_FAILURE, repetition),
        (PRIVILEGED, if raised.privileged { modifiers.privilege } else { 0.0 }),
        (DANGEROUS_PATTERN, if raised.pattern { modifiers.pattern } else { 0.0 }),
    ];
    let factors: Vec<(&'static str, f64)> = all.into_iter().filter(|(_, number)| *number > 0.0).collect();
    let score = rounded((base.base_risk() + factors.iter().map(|(_, number)| number).sum::<f64>()).min(1.0));
    Risk { score, severity: severity(score, thresholds), base, factors }
}

/// Removes the rounding error of sums of tenths: 0.7 + 0.1 is 0.8.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn severity(score: f64, thresholds: &RiskThresholds) -> SideEffectSeverity {
    match score {
        _ if score >= thresholds.critical_threshold => SideEffectSeverity::Critical,
        _ if score >= thresholds.high_threshold => SideEffectSeverity::High,
        _ if score >= thresholds.medium_threshold => SideEffectSeverity::Medium,
        _ => SideEffectSeverity::Low,
    }
}

/// The worst nature of a call, with the answers about losses.
pub(crate) fn worst(survey: &Survey, place: &Place, known: &Known) -> Nature {
    let effects = survey.found.iter().map(|found| nature(found, survey.nature, place, known));
    effects.fold(survey.nature, Nature::max)
}

/// The nature of one effect; `by_program` distinguishes creation from modification.
fn nature(found: &FoundEffect, by_program: Nature, place: &Place, known: &Known) -> Nature {
    match &found.effect {
        Effect::Delete { target, recursive } => {
            let standing = zone::deletion_risk(target, *recursive, place);
            match standing {
                DeletionRisk::Harmless => Nature::Modification,
                _ => lost(standing.losing().and_then(|losing| known.losses.get(losing))),
            }
        }
        Effect::Discard { losing, .. } => lost(known.losses.get(losing)),
        Effect::Write { target: Target::Path(path), .. } if lies_below(path, "/dev") => Nature::Read,
        Effect::Write { .. } if by_program == Nature::Creation => Nature::Creation,
        Effect::Write { .. } | Effect::SecretContent { .. } => Nature::Modification,
        // The write that is recorded beside it counts.
        Effect::Replace { .. } | Effect::Merge { .. } => Nature::Read,
        Effect::Read { .. } | Effect::Reveal { .. } => Nature::Read,
        Effect::Destroy { .. } | Effect::RewriteRemote { .. } => Nature::Deletion,
        Effect::Send { .. }
        | Effect::Network { .. }
        | Effect::Publish { .. }
        | Effect::ForgeWrite { .. }
        | Effect::Leave { .. } => Nature::Network,
        Effect::Format { .. }
        | Effect::ForkBomb
        | Effect::RunFetched { .. }
        | Effect::NetworkShell { .. }
        | Effect::Disrupt { .. }
        | Effect::Expose { .. }
        | Effect::Bypass { .. }
        | Effect::PossibleBypass { .. }
        | Effect::Impersonate { .. }
        | Effect::Later { .. }
        | Effect::Opaque { .. } => Nature::System,
    }
}

/// A deletion that git can restore is a modification.
fn lost(loss: Option<&Loss>) -> Nature {
    match loss {
        Some(Loss::Nothing | Loss::Copies(_) | Loss::Unkept) => Nature::Modification,
        Some(Loss::TooLarge(_) | Loss::Matters(_) | Loss::Unknown(_)) | None => Nature::Deletion,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::effect::Losing;
    use crate::pure::step::sample;

    fn scored(base: Nature, raised: RiskFactors) -> Risk {
        risk(base, raised, &RiskModifiers::default(), &RiskThresholds::default())
    }

    fn deletion(loss: Loss) -> Nature {
        let (place, path) = (sample::place(), "/home/user/project/important/file.txt");
        let target = Target::Path(path.into());
        let mut known = Known::default();
        known.losses.insert(Losing::Path { path: path.into(), recursive: false }, loss);
        let effect = Effect::Delete { target, recursive: false };
        let found = FoundEffect { effect, span: 0..0, privileged: false, typed: true, inside: None };
        worst(&Survey { found: vec![found], ..Survey::default() }, &place, &known)
    }

    #[test]
    fn calculates_high_risk_for_file_deletion() {
        let risk = scored(deletion(Loss::Matters("file.txt".into())), RiskFactors::default());
        assert!(risk.score > 0.7);
        assert_eq!(risk.severity, SideEffectSeverity::High);
    }

    #[test]
    fn what_git_can_bring_back_is_a_modification() {
        assert_eq!(deletion(Loss::Nothing), Nature::Modification);
        assert_eq!(deletion(Loss::Unknown("x".into())), Nature::Deletion);
    }

    #[test]
    fn what_is_temporary_is_nobodys_loss() {
        let natures = ["rm -rf /tmp/x", "rm -rf /opt/x"].map(sample::nature);
        assert_eq!(natures, [Nature::Modification, Nature::Deletion]);
    }

    #[test]
    fn every_nature_has_the_base_of_the_table() {
        let bases = [
            (Nature::Deletion, 0.8),
            (Nature::System, 0.7),
            (Nature::Network, 0.6),
            (Nature::Modification, 0.4),
            (Nature::Creation, 0.3),
            (Nature::Read, 0.1),
        ];
        for (nature, base) in bases {
            assert_eq!(scored(nature, RiskFactors::default()).score, base, "{nature:?}");
        }
    }

    #[test]
    fn repeated_failures_add_a_tenth_two_tenths_and_four() {
        for (failures, score) in [(0, 0.4), (1, 0.5), (2, 0.6), (3, 0.8), (9, 0.8)] {
            assert_eq!(
                scored(Nature::Modification, RiskFactors { failures, ..RiskFactors::default() }).score,
                score
            );
        }
    }

    #[test]
    fn sums_are_clipped_and_named() {
        let raised = RiskFactors { out_of_scope: true, failures: 3, privileged: true, pattern: true };
        let risk = scored(Nature::Deletion, raised);
        assert_eq!((risk.score, risk.severity), (1.0, SideEffectSeverity::Critical));
        let names = risk.factors.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names, [OUT_OF_SCOPE, REPEATED_FAILURE, PRIVILEGED, DANGEROUS_PATTERN]);
    }

    #[test]
    fn other_thresholds_are_other_severities() {
        let at = |score_of: Nature, thresholds: RiskThresholds| {
            risk(score_of, RiskFactors::default(), &RiskModifiers::default(), &thresholds).severity
        };
        let usual = RiskThresholds::default();
        assert_eq!(at(Nature::Network, usual.clone()), SideEffectSeverity::Medium);
        let medium = RiskThresholds { medium_threshold: 0.65, ..usual.clone() };
        assert_eq!(at(Nature::Network, medium), SideEffectSeverity::Low);
        let high = RiskThresholds { high_threshold: 0.6, ..usual.clone() };
        assert_eq!(at(Nature::Network, high), SideEffectSeverity::High);
        let critical = RiskThresholds { critical_threshold: 0.6, ..usual };
        assert_eq!(at(Nature::Network, critical), SideEffectSeverity::Critical);
    }

    #[test]
    fn other_modifiers_are_other_scores() {
        let raised = RiskFactors { privileged: true, pattern: true, ..RiskFactors::default() };
        let score = |privilege, pattern| {
            let modifiers = RiskModifiers { privilege, pattern };
            risk(Nature::Read, raised, &modifiers, &RiskThresholds::default()).score
        };
        assert_eq!(score(0.2, 0.2), 0.5);
        assert_eq!(score(0.5, 0.2), 0.8);
        assert_eq!(score(0.2, 0.4), 0.7);
    }
}
