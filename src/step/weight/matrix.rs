//! What risk, rationality and side effects together call for, and why.

use crate::step::assess::{Assessment, Rationality, Reasoning, Risk, Severity, SideEffect};
use crate::step::rule::Course;
use crate::step::side_effects::severity;

/// What a verdict is made from, besides the three analyses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    /// Nothing like it was done before in this session.
    pub is_first: bool,
    /// A rule speaks of a danger.
    pub is_pattern: bool,
}

/// The table of decisions.
pub fn table(risk: Severity, rationality: Severity) -> Course {
    use Severity::{Critical, High, Low, Medium};
    match (risk, rationality) {
        (Critical, _) => Course::Block,
        (Low, High | Medium | Critical) | (Medium, High | Critical) => Course::Allow,
        (Low, Low) | (Medium, Medium) | (High, High | Critical) => Course::Warn,
        (Medium, Low) | (High, Medium) => Course::Modify,
        (High, Low) => Course::Block,
    }
}

/// The table with its three further rules. Below `negligible` risk nothing is called for.
pub fn course(
    risk: &Risk,
    rationality: &Rationality,
    effects: &[SideEffect],
    standing: Standing,
    negligible: f64,
) -> Course {
    if severity(effects) == Severity::Critical {
        return Course::Block;
    }
    if risk.score < negligible {
        return Course::Allow;
    }
    match table(risk.severity, rationality.level) {
        Course::Warn if standing.is_first => Course::Allow,
        Course::Warn if standing.is_pattern => Course::Modify,
        base => base,
    }
}

pub fn reasoning(
    risk: &Risk,
    rationality: &Rationality,
    effects: &[SideEffect],
    course: Course,
) -> Reasoning {
    let mut all = Vec::new();
    if risk.score > 0.7 {
        all.push(format!("High risk action: {}", risk.details.join(", ")));
    }
    if rationality.score < 0.5 {
        all.push(format!("Low rationality: {}", rationality.issues.join(", ")));
    }
    if !effects.is_empty() {
        let targets: Vec<&str> = effects.iter().map(|effect| effect.target.as_str()).take(3).collect();
        all.push(format!("Side effects: {}", targets.join(", ")));
    }
    let verb = match course {
        Course::Allow => "Allowed",
        Course::Warn => "Allowed with a warning",
        Course::Modify => "To be changed",
        Course::Ask => "For a person to decide",
        Course::Block => "Blocked",
    };
    let explanation = if all.is_empty() {
        format!("{verb}: nothing stands against it")
    } else {
        format!("{verb}. {}", all.join(". "))
    };
    Reasoning { primary: all.first().cloned(), all, explanation }
}

/// The three analyses and what they come to.
pub fn assessment(
    risk: Risk,
    rationality: Rationality,
    side_effects: Vec<SideEffect>,
    standing: Standing,
    negligible: f64,
    confidence: f64,
) -> Assessment {
    let course = course(&risk, &rationality, &side_effects, standing, negligible);
    let reasoning = reasoning(&risk, &rationality, &side_effects, course);
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
        course,
        confidence,
        reasoning,
        alternatives,
        metadata: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::assess::{Nature, SideEffectKind};

    fn risk(score: f64, severity: Severity) -> Risk {
        Risk {
            score,
            severity,
            base: Nature::Deletion,
            factors: Vec::new(),
            details: vec!["file_deletion".into()],
        }
    }

    fn rationality(score: f64, level: Severity) -> Rationality {
        let issues = vec!["it repeats".into()];
        Rationality { score, level, components: [("", 0.0); 4], issues, suggestions: Vec::new() }
    }

    fn effect(severity: Severity) -> SideEffect {
        SideEffect {
            kind: SideEffectKind::File,
            target: "x".into(),
            reversible: false,
            severity,
            mitigation: None,
        }
    }

    const AGAIN: Standing = Standing { is_first: false, is_pattern: false };

    #[test]
    fn blocks_high_risk_low_rationality_actions() {
        let (risk, rationality) = (risk(0.9, Severity::High), rationality(0.2, Severity::Low));
        let assessment = assessment(risk, rationality, vec![effect(Severity::High)], AGAIN, 0.3, 1.0);
        assert_eq!(assessment.course, Course::Block);
        assert!(assessment.reasoning.primary.is_some_and(|reason| reason.contains("High risk")));
        let all = assessment.reasoning.all.join("\n");
        assert!(all.contains("Low rationality: it repeats") && all.contains("Side effects: x"), "{all}");
        assert!(assessment.reasoning.explanation.starts_with("Blocked. High risk action: "));
    }

    #[test]
    fn the_table_is_the_documents() {
        use Course::{Allow, Block, Modify, Warn};
        use Severity::{Critical, High, Low, Medium};
        let rows = [
            (Low, [Allow, Allow, Warn]),
            (Medium, [Allow, Warn, Modify]),
            (High, [Warn, Modify, Block]),
            (Critical, [Block, Block, Block]),
        ];
        for (risk, expected) in rows {
            assert_eq!([High, Medium, Low].map(|rationality| table(risk, rationality)), expected, "{risk:?}");
        }
    }

    fn called_for(score: f64, severity: Severity, effects: &[SideEffect], standing: Standing) -> Course {
        course(&risk(score, severity), &rationality(1.0, Severity::High), effects, standing, 0.3)
    }

    #[test]
    fn a_critical_side_effect_blocks_whatever_the_scores() {
        assert_eq!(called_for(0.1, Severity::Low, &[effect(Severity::Critical)], AGAIN), Course::Block);
    }

    #[test]
    fn a_warning_is_allowed_the_first_time_and_firmer_where_a_rule_sees_a_pattern() {
        let first = Standing { is_first: true, is_pattern: true };
        let pattern = Standing { is_first: false, is_pattern: true };
        assert_eq!(called_for(0.85, Severity::High, &[], first), Course::Allow);
        assert_eq!(called_for(0.85, Severity::High, &[], pattern), Course::Modify);
        assert_eq!(called_for(0.85, Severity::High, &[], AGAIN), Course::Warn);
    }

    #[test]
    fn below_the_low_threshold_nothing_is_called_for() {
        let senseless = rationality(0.1, Severity::Low);
        let at = |negligible| course(&risk(0.2, Severity::Low), &senseless, &[], AGAIN, negligible);
        assert_eq!(at(0.3), Course::Allow);
        assert_eq!(at(0.1), Course::Warn);
    }
}
