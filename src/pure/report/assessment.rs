//! Risk, rationality and side effects of a tool call, as text and JSON.

use crate::pure::step::{Assessment, Decision, Rationality, Risk, SideEffect};
use crate::pure::text::{bold, printable};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::fmt::Write;

/// `answer` is what was decided; the course by the scores alone is told beside it.
pub(super) fn text(assessment: &Assessment, answer: Decision) -> String {
    let Assessment { risk, rationality, side_effects, decision, confidence, reasoning, alternatives, .. } =
        assessment;
    let mut text =
        format!("\n{} {:.2}, {}\n  {}", bold("Risk"), risk.score, risk.severity.as_str(), risk.base.as_str());
    for (name, value) in &risk.factors {
        let _ = write!(text, ", {name} {value:+.2}");
    }
    let _ = write!(
        text,
        "\n\n{} {:.2}, {}\n",
        bold("Rationality"),
        rationality.score,
        rationality.level.as_str()
    );
    for (name, value) in &rationality.components {
        let _ = writeln!(text, "  {name} {value:.2}");
    }
    for said in rationality.issues.iter().chain(&rationality.suggestions) {
        let _ = writeln!(text, "  {}", printable(said));
    }
    if !side_effects.is_empty() {
        let _ = writeln!(text, "\n{}", bold("Side effects"));
    }
    for SideEffect { kind, target, reversible, severity: how_bad, mitigation } in side_effects {
        let back = if *reversible { "can be undone" } else { "cannot be undone" };
        let _ = write!(text, "  {} {}: {}, {back}", kind.as_str(), printable(target), how_bad.as_str());
        text += &mitigation.as_ref().map(|how| format!("; {}", printable(how))).unwrap_or_default();
        text.push('\n');
    }
    let beside = if *decision == answer { ", as decided" } else { "; the rules decided otherwise" };
    let _ = writeln!(
        text,
        "\n{}\n  {} risk and {} rationality alone: {}{beside} (confidence {confidence:.2})",
        bold("Matrix"),
        risk.severity.as_str(),
        rationality.level.as_str(),
        decision.as_str()
    );
    for said in &reasoning.all {
        let _ = writeln!(text, "  {}", printable(said));
    }
    if !alternatives.is_empty() {
        let _ = writeln!(text, "\n{}", bold("Alternatives"));
    }
    for alternative in alternatives {
        let _ = writeln!(text, "  {}", printable(alternative));
    }
    text
}

pub(super) fn serialize<S: Serializer>(
    assessment: &Option<Assessment>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    assessment.as_ref().map(value).serialize(serializer)
}

fn value(assessment: &Assessment) -> Value {
    let Assessment {
        risk,
        rationality,
        side_effects,
        decision,
        confidence,
        reasoning,
        alternatives,
        metadata,
    } = assessment;
    let Risk { score, severity: level, base, factors } = risk;
    let Rationality { components, issues, suggestions, .. } = rationality;
    let named = |pairs: &[(&'static str, f64)]| {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect::<serde_json::Map<_, _>>()
    };
    let side_effect = |effect: &SideEffect| {
        json!({
            "kind": effect.kind.as_str(),
            "target": effect.target,
            "reversible": effect.reversible,
            "severity": effect.severity.as_str(),
            "mitigation": effect.mitigation,
        })
    };
    json!({
        "risk": {
            "score": score,
            "severity": level.as_str(),
            "base": base.as_str(),
            "factors": named(factors),
            "details": risk.details(),
        },
        "rationality": {
            "score": rationality.score,
            "level": rationality.level.as_str(),
            "components": named(components),
            "issues": issues,
            "suggestions": suggestions,
        },
        "side_effects": side_effects.iter().map(side_effect).collect::<Vec<_>>(),
        "matrix": decision.word_in_rules(),
        "confidence": confidence,
        "reasoning": {
            "primary": reasoning.primary,
            "all": reasoning.all,
            "explanation": reasoning.explanation,
        },
        "alternatives": alternatives,
        "metadata": metadata.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect::<serde_json::Map<_, _>>(),
    })
}
