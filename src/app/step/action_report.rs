//! An action in the audit log: its subject, type, intent, scope, scores and side effects.

use super::audit::{AuditLine, LoggedSideEffect};
use crate::pure::secret::{Redacted, Secrets};
use crate::pure::step::{self, ActionSummary, Scores, SideEffect};

/// The most bytes of a subject that are read before it is shortened.
const AROUND: usize = 2048;

/// An action and its scores, for the audit log.
pub(crate) struct ActionReport {
    pub subject: String,
    pub summary: ActionSummary,
    pub scores: Scores,
}

impl ActionReport {
    pub fn fill(&self, line: AuditLine, secrets: &Secrets) -> AuditLine {
        let Self { subject, summary, scores } = self;
        let Scores { risk, rationality, confidence, course, side_effects } = scores;
        AuditLine {
            kind: Some(summary.kind),
            what: Redacted::beginning(subject, AROUND, step::short),
            intent: Redacted::beginning(&summary.intent, AROUND, step::short),
            scope: summary.scope.clone(),
            risk: Some(*risk),
            rationality: Some(*rationality),
            confidence: Some(*confidence),
            matrix: course.word_in_rules().to_owned(),
            side_effects: side_effects.iter().map(|effect| logged(effect, secrets)).collect(),
            ..line
        }
    }
}

fn logged(effect: &SideEffect, secrets: &Secrets) -> LoggedSideEffect {
    LoggedSideEffect {
        kind: effect.kind.as_str().to_owned(),
        target: secrets.beginning(&effect.target, AROUND, step::short),
        reversible: effect.reversible,
        severity: effect.severity.as_str().to_owned(),
    }
}
