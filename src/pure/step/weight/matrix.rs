//! The decision that follows from risk, rationality and side effects, with its reasons.

use crate::pure::step::Decision;
use crate::pure::step::assessment::{
    Assessment, Rationality, Reasoning, Risk, SideEffect, SideEffectSeverity,
};
use crate::pure::step::side_effects::severity;

/// The input of the matrix besides the three analyses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MatrixContext {
    /// The first call of this kind in the session.
    pub is_first: bool,
    /// A rule asks or denies.
    pub is_pattern: bool,
}

/// The table of decisions.
pub(crate) fn table(risk: SideEffectSeverity, rationality: SideEffectSeverity) -> Decision {
    use SideEffectSeverity::{Critical, High, Low, Medium};
    match (risk, rationality) {
        (Critical, _) => Decision::Deny,
        (Low, High | Medium | Critical) | (Medium, High | Critical) => Decision::Silent,
        (Low, Low) | (Medium, Medium) | (High, High | Critical) => Decision::Warn,
        (Medium, Low) | (High, Medium) => Decision::Rewrite,
        (High, Low) => Decision::Deny,
    }
}

/// The table with its three further rules. A risk below `negligible` needs no decision.
pub(crate) fn decision(
    risk: &Risk,
    rationality: &Rationality,
    effects: &[SideEffect],
    standing: MatrixContext,
    negligible: f64,
) -> Decision {
    if severity(effects) == SideEffectSeverity::Critical {
        return Decision::Deny;
    }
    if risk.score < negligible {
        return Decision::Silent;
    }
    match table(risk.severity, rationality.level) {
        Decision::Warn if standing.is_first => Decision::Silent,
        Decision::Warn if standing.is_pattern => Decision::Rewrite,
        base => base,
    }
}

pub(crate) fn reasoning(
    risk: &Risk,
    rationality: &Rationality,
    effects: &[SideEffect],
    decision: Decision,
) -> Reasoning {
    let mut all = Vec::new();
    if risk.score > 0.7 {
        all.push(format!("High risk action: {}", risk.details().join(", ")));
    }
    if rationality.score < 0.5 {
        all.push(format!("Low rationality: {}", rationality.issues.join(", ")));
    }
    if !effects.is_empty() {
        let targets: Vec<&str> = effects.iter().map(|effect| effect.target.as_str()).take(3).collect();
        all.push(format!("Side effects: {}", targets.join(", ")));
    }
    let verb = match decision {
        Decision::Silent => "Allowed",
        Decision::Warn => "Allowed with a warning",
        Decision::Rewrite => "To be changed",
        Decision::Ask => "For a person to decide",
        Decision::Deny => "Blocked",
    };
    let explanation =
        if all.is_empty() { format!("{verb}: no objections") } else { format!("{verb}. {}", all.join(". ")) };
    Reasoning { primary: all.first().cloned(), all, explanation }
}

/// The three analyses and the decision.
pub(crate) fn assessment(
    risk: Risk,
    rationality: Rationality,
    side_effects: Vec<SideEffect>,
    standing: MatrixContext,
    negligible: f64,
    confidence: f64,
) -> Assessment {
    let decision = decision(&risk, &rationality, &side_effects, standing, negligible);
    let reasoning = reasoning(&risk, &rationality, &side_effects, decision);
    let mitigations = side_effects.iter().filter_map(|effect| effect.mitigation.clone());
    let mut alternatives: Vec<String> = Vec::new();
    for advice in mitigations.chain(rationality.suggestions.iter().cloned()) {
        if !alternatives.contains(&advice) {
            alternatives.push(advice);
        }
    }
    Assessment {
        risk,
        rationality,
        side_effects,
        decision,
        confidence,
        reasoning,
        alternatives,
        metadata: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::assessment::{Nature, SideEffectKind};

    fn risk(score: f64, severity: SideEffectSeverity) -> Risk {
        Risk { score, severity, base: Nature::Deletion, factors: Vec::new() }
    }

    fn rationality(score: f64, level: SideEffectSeverity) -> Rationality {
        let issues = vec!["it repeats".into()];
        Rationality { score, level, components: [("", 0.0); 4], issues, suggestions: Vec::new() }
    }

    fn effect(severity: SideEffectSeverity) -> SideEffect {
        SideEffect {
            kind: SideEffectKind::File,
            target: "x".into(),
            reversible: false,
            severity,
            mitigation: None,
        }
    }

    const AGAIN: MatrixContext = MatrixContext { is_first: false, is_pattern: false };

    #[test]
    fn blocks_high_risk_low_rationality_actions() {
        let (risk, rationality) =
            (risk(0.9, SideEffectSeverity::High), rationality(0.2, SideEffectSeverity::Low));
        let assessment =
            assessment(risk, rationality, vec![effect(SideEffectSeverity::High)], AGAIN, 0.3, 1.0);
        assert_eq!(assessment.decision, Decision::Deny);
        assert!(assessment.reasoning.primary.is_some_and(|reason| reason.contains("High risk")));
        let all = assessment.reasoning.all.join("\n");
        assert!(all.contains("Low rationality: it repeats") && all.contains("Side effects: x"), "{all}");
        assert!(assessment.reasoning.explanation.starts_with("Blocked. High risk action: "));
    }

    #[test]
    fn the_table_is_the_documents() {
        use Decision::{Deny, Rewrite, Silent, Warn};
        use SideEffectSeverity::{Critical, High, Low, Medium};
        let rows = [
            (Low, [Silent, Silent, Warn]),
            (Medium, [Silent, Warn, Rewrite]),
            (High, [Warn, Rewrite, Deny]),
            (Critical, [Deny, Deny, Deny]),
        ];
        for (risk, expected) in rows {
            assert_eq!([High, Medium, Low].map(|rationality| table(risk, rationality)), expected, "{risk:?}");
        }
    }

    fn called_for(
        score: f64,
        severity: SideEffectSeverity,
        effects: &[SideEffect],
        standing: MatrixContext,
    ) -> Decision {
        decision(&risk(score, severity), &rationality(1.0, SideEffectSeverity::High), effects, standing, 0.3)
    }

    #[test]
    fn a_critical_side_effect_blocks_whatever_the_scores() {
        assert_eq!(
            called_for(0.1, SideEffectSeverity::Low, &[effect(SideEffectSeverity::Critical)], AGAIN),
            Decision::Deny
        );
    }

    #[test]
    fn a_warning_is_allowed_the_first_time_and_firmer_where_a_rule_sees_a_pattern() {
        let first = MatrixContext { is_first: true, is_pattern: true };
        let pattern = MatrixContext { is_first: false, is_pattern: true };
        assert_eq!(called_for(0.85, SideEffectSeverity::High, &[], first), Decision::Silent);
        assert_eq!(called_for(0.85, SideEffectSeverity::High, &[], pattern), Decision::Rewrite);
        assert_eq!(called_for(0.85, SideEffectSeverity::High, &[], AGAIN), Decision::Warn);
    }

    #[test]
    fn below_the_low_threshold_nothing_is_called_for() {
        let senseless = rationality(0.1, SideEffectSeverity::Low);
        let at =
            |negligible| decision(&risk(0.2, SideEffectSeverity::Low), &senseless, &[], AGAIN, negligible);
        assert_eq!(at(0.3), Decision::Silent);
        assert_eq!(at(0.1), Decision::Warn);
    }
}
