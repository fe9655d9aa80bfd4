//! Risk, rationality and side effects of a step, as text and as JSON.

use super::printable;
use super::said::word;
use crate::step::{Assessment, Nature, Rationality, Risk, Severity, SideEffect, SideEffectKind};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::fmt::Write;

pub(super) fn text(assessment: &Assessment) -> String {
    let Assessment { risk, rationality, side_effects, course, confidence, .. } = assessment;
    let mut text = format!(
        "\n\u{1b}[1mRisk\u{1b}[0m {:.2}, {}\n  {}",
        risk.score,
        severity(risk.severity),
        nature(risk.base)
    );
    for (name, value) in &risk.factors {
        let _ = write!(text, ", {name} {value:+.2}");
    }
    let _ = write!(
        text,
        "\n\n\u{1b}[1mRationality\u{1b}[0m {:.2}, {}\n",
        rationality.score,
        severity(rationality.level)
    );
    for (name, value) in &rationality.components {
        let _ = writeln!(text, "  {name} {value:.2}");
    }
    for said in rationality.issues.iter().chain(&rationality.suggestions) {
        let _ = writeln!(text, "  {}", printable(said));
    }
    if !side_effects.is_empty() {
        text += "\n\u{1b}[1mSide effects\u{1b}[0m\n";
    }
    for SideEffect { kind, target, reversible, severity: how_bad, mitigation } in side_effects {
        let back = if *reversible { "can be undone" } else { "cannot be undone" };
        let _ = write!(text, "  {} {}: {}, {back}", self::kind(*kind), printable(target), severity(*how_bad));
        text += &mitigation.as_ref().map(|how| format!("; {}", printable(how))).unwrap_or_default();
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "\n\u{1b}[1mMatrix\u{1b}[0m\n  {} risk and {} rationality call for: {} (confidence {confidence:.2})",
        severity(risk.severity),
        severity(rationality.level),
        word(*course)
    );
    text
}

pub(super) fn serialize<S: Serializer>(
    assessment: &Option<Assessment>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    assessment.as_ref().map(value).serialize(serializer)
}

fn value(assessment: &Assessment) -> Value {
    let Assessment { risk, rationality, side_effects, course, confidence, .. } = assessment;
    let Risk { score, severity: level, base, factors, .. } = risk;
    let Rationality { components, issues, suggestions, .. } = rationality;
    let named = |pairs: &[(&'static str, f64)]| {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect::<serde_json::Map<_, _>>()
    };
    let side_effect = |effect: &SideEffect| {
        json!({
            "kind": kind(effect.kind),
            "target": effect.target,
            "reversible": effect.reversible,
            "severity": severity(effect.severity),
            "mitigation": effect.mitigation,
        })
    };
    json!({
        "risk": {
            "score": score,
            "severity": severity(*level),
            "base": nature(*base),
            "factors": named(factors),
        },
        "rationality": {
            "score": rationality.score,
            "level": severity(rationality.level),
            "components": named(components),
            "issues": issues,
            "suggestions": suggestions,
        },
        "side_effects": side_effects.iter().map(side_effect).collect::<Vec<_>>(),
        "matrix": word(*course),
        "confidence": confidence,
    })
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "low",
        Severity::Medium => "medium",
        Severity::High => "high",
        Severity::Critical => "critical",
    }
}

fn nature(nature: Nature) -> &'static str {
    match nature {
        Nature::Read => "reading",
        Nature::Creation => "creation",
        Nature::Modification => "modification",
        Nature::Network => "network",
        Nature::System => "system command",
        Nature::Deletion => "deletion",
    }
}

fn kind(kind: SideEffectKind) -> &'static str {
    match kind {
        SideEffectKind::File => "file",
        SideEffectKind::System => "system",
        SideEffectKind::Network => "network",
        SideEffectKind::Resource => "resource",
    }
}
