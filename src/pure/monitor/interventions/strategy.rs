//! The three strategies: progressive, by a table for each pattern, or by a custom command.

use super::history::{Delivered, InterventionEffect, InterventionHistory};
use super::kind::InterventionKind::{self, *};
use super::score::{by_score, severity_score};
use crate::pure::monitor::patterns::{Issue, IssueSeverity, Pattern};
use crate::pure::policy::{Interventions, StrategyKind};

/// How far back interventions count for escalation.
const RECENT_MS: u64 = 5 * 60 * 1000;

/// The intervention that a strategy chooses, before settings limit it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WantedIntervention {
    pub kind: InterventionKind,
    /// Harder than the issue alone asks for, since its cause persisted.
    pub escalated: bool,
}

/// The intervention that the strategy in force chooses. For `custom` it applies where the handler gives no valid answer.
pub(crate) fn wanted(
    issue: &Issue,
    history: &InterventionHistory,
    policy: &Interventions,
    now: u64,
) -> WantedIntervention {
    let score = severity_score(issue);
    let level = escalation(issue, history, policy, now);
    let first = alone(issue, policy);
    let kind = match policy.strategy.r#type {
        StrategyKind::Progressive => {
            first.max(progressed(issue, history, policy, now).min(by_score(score, level)))
        }
        StrategyKind::PatternSpecific => escalated_in_row(issue, level),
        StrategyKind::Custom => first.max(if level > 0 { by_score(score, level) } else { first }),
    };
    WantedIntervention { kind, escalated: kind > first }
}

/// The command behind `custom`, if that is the strategy and there is one.
pub(crate) fn handler(policy: &Interventions) -> Option<&[String]> {
    let chosen = policy.strategy.r#type == StrategyKind::Custom && !policy.strategy.handler.is_empty();
    chosen.then_some(policy.strategy.handler.as_slice())
}

/// The first intervention for an issue. Below high severity it is never a stop.
fn alone(issue: &Issue, policy: &Interventions) -> InterventionKind {
    let kind = match policy.strategy.r#type {
        StrategyKind::PatternSpecific => pattern_specific(issue.pattern, issue.severity),
        StrategyKind::Progressive | StrategyKind::Custom => by_score(severity_score(issue), 0),
    };
    if issue.severity < IssueSeverity::High { kind.min(CheckpointRollback) } else { kind }
}

/// One level for each two recent interventions that the cause outlived; none before the present kind had its time.
fn escalation(issue: &Issue, history: &InterventionHistory, policy: &Interventions, now: u64) -> u32 {
    let recent = |one: &&Delivered| now.checked_sub(one.time).is_some_and(|age| age <= RECENT_MS);
    let persisted =
        history.about(issue.cause).filter(recent).filter(|one| one.effect == InterventionEffect::Persisted);
    let pairs = u32::try_from(persisted.count() / 2).unwrap_or(u32::MAX);
    match policy.strategy.r#type {
        StrategyKind::Progressive => pairs,
        StrategyKind::PatternSpecific | StrategyKind::Custom => {
            if has_waited(issue, history, policy, now) {
                pairs
            } else {
                pairs.saturating_sub(1)
            }
        }
    }
}

/// From the last intervention for the cause: one step up if they did not help, one down if they did.
fn progressed(
    issue: &Issue,
    history: &InterventionHistory,
    policy: &Interventions,
    now: u64,
) -> InterventionKind {
    let Some(last) = history.about(issue.cause).next() else { return SoftCorrection };
    let threshold = policy.strategy.effectiveness_threshold;
    let effectiveness = history.effectiveness_for(issue.cause).unwrap_or(1.0);
    let step = next(last.kind, effectiveness, threshold);
    if step > last.kind && !has_waited(issue, history, policy, now) { last.kind } else { step }
}

/// Whether the kind that was delivered last has been tried for `escalation_delay_seconds`.
fn has_waited(issue: &Issue, history: &InterventionHistory, policy: &Interventions, now: u64) -> bool {
    let mut about = history.about(issue.cause);
    let Some(last) = about.next() else { return true };
    let since = about.take_while(|one| one.kind == last.kind).last().unwrap_or(last).time;
    let delay = policy.strategy.escalation_delay_seconds.saturating_mul(1000);
    now.checked_sub(since).is_none_or(|age| age >= delay)
}

/// Ineffective: one step harder; effective: one gentler.
pub(crate) fn next(kind: InterventionKind, effectiveness: f64, threshold: f64) -> InterventionKind {
    if effectiveness < threshold { kind.harder() } else { kind.gentler() }
}

/// Which intervention a pattern gets for low, medium and high severity; critical gets the last.
const fn row(pattern: Pattern) -> [InterventionKind; 3] {
    match pattern {
        Pattern::RepetitiveErrors | Pattern::GoalDrift => {
            [SoftCorrection, ContextReinforcement, CheckpointRollback]
        }
        Pattern::ScopeCreep => [ContextReinforcement, ResourceThrottling, EmergencyStop],
        Pattern::ResourceSpiral => [ResourceThrottling, CheckpointRollback, EmergencyStop],
        Pattern::Hallucination => [ContextReinforcement, CheckpointRollback, EmergencyStop],
    }
}

/// The table's intervention for a pattern and a severity.
pub(crate) fn pattern_specific(pattern: Pattern, severity: IssueSeverity) -> InterventionKind {
    let [low, medium, high] = row(pattern);
    match severity {
        IssueSeverity::Note | IssueSeverity::Low => low,
        IssueSeverity::Medium => medium,
        IssueSeverity::High | IssueSeverity::Critical => high,
    }
}

/// Along the pattern's row, and behind its end to the next harder kind.
fn escalated_in_row(issue: &Issue, level: u32) -> InterventionKind {
    let mut kind = pattern_specific(issue.pattern, issue.severity);
    for _ in 0..level.min(8) {
        kind = row(issue.pattern).into_iter().find(|other| *other > kind).unwrap_or(kind.harder());
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ineffective_intervention_is_followed_by_a_harder_one() {
        assert_eq!(next(SoftCorrection, 0.5, 0.6), ContextReinforcement);
        assert_eq!(next(SoftCorrection, 0.6, 0.6), SoftCorrection);
        assert_eq!(next(CheckpointRollback, 0.6, 0.6), ResourceThrottling);
        assert_eq!(next(CheckpointRollback, 0.0, 0.6), EmergencyStop);
        assert_eq!(next(EmergencyStop, 0.0, 0.6), EmergencyStop);
    }
}
