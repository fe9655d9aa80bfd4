//! Behaviour of the controller: the table, cooldown, persistence, effectiveness.

mod property;
mod settings;

use super::super::history::InterventionEffect;
use super::super::sample::{act, issue};
use super::*;
use crate::pure::monitor::patterns::Pattern;
use crate::pure::policy::StrategyKind;
use InterventionKind::*;
use IssueSeverity::*;

const SECOND: u64 = 1000;
const START: u64 = 1_700_000_000_000;

fn policy(change: impl FnOnce(&mut Interventions)) -> Interventions {
    let mut policy = Interventions::default();
    change(&mut policy);
    policy
}

fn loop_of(severity: IssueSeverity) -> Issue {
    issue(Pattern::RepetitiveErrors, severity)
}

/// One earlier intervention about the cause, so many seconds after the start and ten calls from the next.
fn earlier(rows: &[(InterventionKind, IssueSeverity, InterventionEffect, u64)]) -> InterventionHistory {
    let mut history = InterventionHistory::default();
    for (at, (kind, severity, effect, seconds)) in rows.iter().enumerate() {
        let time = START + seconds * SECOND;
        history.record(&loop_of(*severity), *kind, false, "", time, 10 * at as u64);
        history.delivered[at].effect = *effect;
    }
    history
}

fn chosen(
    severity: IssueSeverity,
    history: &InterventionHistory,
    policy: &Interventions,
    seconds: u64,
) -> InterventionChoice {
    choose(&loop_of(severity), history, policy, START + seconds * SECOND, 1000)
}

/// Pattern × severity × strategy, the first time: the same table stands in the documentation.
const TABLE: [(Pattern, IssueSeverity, InterventionKind, InterventionKind); 20] = [
    (Pattern::RepetitiveErrors, Low, SoftCorrection, SoftCorrection),
    (Pattern::RepetitiveErrors, Medium, ResourceThrottling, ContextReinforcement),
    (Pattern::RepetitiveErrors, High, CheckpointRollback, CheckpointRollback),
    (Pattern::RepetitiveErrors, Critical, EmergencyStop, CheckpointRollback),
    (Pattern::ScopeCreep, Low, SoftCorrection, ContextReinforcement),
    (Pattern::ScopeCreep, Medium, ResourceThrottling, ResourceThrottling),
    (Pattern::ScopeCreep, High, CheckpointRollback, EmergencyStop),
    (Pattern::ScopeCreep, Critical, EmergencyStop, EmergencyStop),
    (Pattern::GoalDrift, Low, SoftCorrection, SoftCorrection),
    (Pattern::GoalDrift, Medium, ResourceThrottling, ContextReinforcement),
    (Pattern::GoalDrift, High, CheckpointRollback, CheckpointRollback),
    (Pattern::GoalDrift, Critical, EmergencyStop, CheckpointRollback),
    (Pattern::ResourceSpiral, Low, SoftCorrection, ResourceThrottling),
    (Pattern::ResourceSpiral, Medium, ResourceThrottling, CheckpointRollback),
    (Pattern::ResourceSpiral, High, CheckpointRollback, EmergencyStop),
    (Pattern::ResourceSpiral, Critical, EmergencyStop, EmergencyStop),
    (Pattern::Hallucination, Low, SoftCorrection, ContextReinforcement),
    (Pattern::Hallucination, Medium, ResourceThrottling, CheckpointRollback),
    (Pattern::Hallucination, High, CheckpointRollback, EmergencyStop),
    (Pattern::Hallucination, Critical, EmergencyStop, EmergencyStop),
];

#[test]
fn each_pattern_and_severity_gets_the_intervention_of_the_strategy() {
    for (pattern, severity, by_score, by_pattern) in TABLE {
        for (strategy, expected) in [
            (StrategyKind::Progressive, by_score),
            (StrategyKind::PatternSpecific, by_pattern),
            (StrategyKind::Custom, by_score),
        ] {
            let policy = policy(|policy| policy.strategy.r#type = strategy);
            let choice =
                choose(&issue(pattern, severity), &InterventionHistory::default(), &policy, START, 1);
            assert_eq!(choice, act(expected, false), "{pattern:?} {severity:?} {strategy:?}");
        }
    }
    assert_eq!(
        Pattern::ALL.map(|pattern| TABLE.iter().filter(|row| row.0 == pattern).count()),
        [4; 5],
        "every pattern at every severity"
    );
}

#[test]
fn the_page_has_the_same_table() {
    let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/interventions.md"));
    for (pattern, severity, by_score, by_pattern) in TABLE {
        let row =
            format!("| `{}` | {} | `{}` | `{}` |", pattern, severity, by_score.name(), by_pattern.name());
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn a_note_is_only_recorded() {
    assert_eq!(
        chosen(Note, &InterventionHistory::default(), &Interventions::default(), 0),
        InterventionChoice::Leave(LeaveReason::Noted)
    );
}

#[test]
fn a_failing_command_that_is_repeated_is_corrected_then_refused_then_stopped() {
    let policy = Interventions::default();
    let mut history = InterventionHistory::default();
    let steps = [
        (3, Low, act(SoftCorrection, false)),
        (4, High, act(CheckpointRollback, false)),
        (5, High, InterventionChoice::Leave(LeaveReason::Cooling)),
        (6, Critical, act(EmergencyStop, false)),
    ];
    for (calls, severity, expected) in steps {
        let issue = loop_of(severity);
        let now = START + calls * SECOND;
        history.judge(std::slice::from_ref(&issue), "", calls);
        let choice = choose(&issue, &history, &policy, now, calls);
        assert_eq!(choice, expected, "call {calls}");
        if let InterventionChoice::Act { kind, escalated } = choice {
            history.record(&issue, kind, escalated, "", now, calls);
        }
    }
    let effects: Vec<_> = history.delivered.iter().map(|one| one.effect).collect();
    assert_eq!(
        effects,
        [InterventionEffect::Persisted, InterventionEffect::Persisted, InterventionEffect::Open]
    );
}

#[test]
fn the_cooldown_holds_for_its_seconds_for_its_cause_and_unless_it_gets_worse() {
    let history = earlier(&[(SoftCorrection, Medium, InterventionEffect::Open, 0)]);
    let policy = Interventions::default();
    assert_eq!(chosen(Medium, &history, &policy, 29), InterventionChoice::Leave(LeaveReason::Cooling));
    assert_eq!(chosen(Low, &history, &policy, 29), InterventionChoice::Leave(LeaveReason::Cooling));
    assert_eq!(chosen(Medium, &history, &policy, 30), act(ResourceThrottling, false));
    assert_eq!(chosen(High, &history, &policy, 0), act(CheckpointRollback, false));
    let mut other = loop_of(Medium);
    other.cause = 99;
    assert_eq!(choose(&other, &history, &policy, START, 0), act(ResourceThrottling, false));
    let before = choose(&loop_of(Medium), &history, &policy, START - SECOND, 1000);
    assert_eq!(before, act(ResourceThrottling, false), "a clock that was set back silences nothing");
}

#[test]
fn within_five_calls_nothing_is_said_twice() {
    let policy = policy(|policy| policy.intervention_cooldown_seconds = 0);
    let mut history = InterventionHistory::default();
    history.record(&loop_of(Low), SoftCorrection, false, "", START, 100);
    let at = |severity, calls| choose(&loop_of(severity), &history, &policy, START + SECOND, calls);
    assert_eq!(at(Low, 104), InterventionChoice::Leave(LeaveReason::TooSoon));
    assert_eq!(at(Low, 105), act(SoftCorrection, false));
    assert_eq!(at(Medium, 101), act(ResourceThrottling, false));
}

#[test]
fn persistence_escalates_by_pairs_and_one_step_at_a_time() {
    let policy = policy(|policy| policy.strategy.escalation_delay_seconds = 0);
    let soft = (SoftCorrection, Low, InterventionEffect::Persisted, 0);
    for (rows, expected) in [
        (vec![soft], act(SoftCorrection, false)),
        (vec![soft, soft], act(ContextReinforcement, true)),
        (
            vec![soft, soft, (ContextReinforcement, Low, InterventionEffect::Persisted, 0)],
            act(ResourceThrottling, true),
        ),
        (
            vec![
                soft,
                soft,
                (ContextReinforcement, Low, InterventionEffect::Persisted, 0),
                (ResourceThrottling, Low, InterventionEffect::Persisted, 0),
            ],
            act(CheckpointRollback, true),
        ),
        (
            vec![
                soft,
                soft,
                soft,
                (ContextReinforcement, Low, InterventionEffect::Persisted, 0),
                (ResourceThrottling, Low, InterventionEffect::Persisted, 0),
                (CheckpointRollback, Low, InterventionEffect::Persisted, 0),
            ],
            act(EmergencyStop, true),
        ),
    ] {
        assert_eq!(chosen(Low, &earlier(&rows), &policy, 60), expected, "{rows:?}");
    }
}

#[test]
fn what_is_older_than_five_minutes_escalates_nothing() {
    let policy = policy(|policy| policy.strategy.escalation_delay_seconds = 0);
    let history = earlier(&[(SoftCorrection, Low, InterventionEffect::Persisted, 0); 2]);
    assert_eq!(chosen(Low, &history, &policy, 300), act(ContextReinforcement, true));
    assert_eq!(chosen(Low, &history, &policy, 301), act(SoftCorrection, false));
}

#[test]
fn a_message_of_the_person_starts_anew() {
    let policy = policy(|policy| policy.strategy.escalation_delay_seconds = 0);
    let mut history = earlier(&[(SoftCorrection, Low, InterventionEffect::Persisted, 0); 3]);
    assert_eq!(chosen(Low, &history, &policy, 60), act(ContextReinforcement, true));
    history.start_prompt();
    assert_eq!(chosen(Low, &history, &policy, 1), act(SoftCorrection, false));
}

#[test]
fn what_helped_is_followed_by_something_gentler() {
    let history = earlier(&[
        (SoftCorrection, Low, InterventionEffect::Persisted, 0),
        (SoftCorrection, Low, InterventionEffect::Persisted, 0),
        (ResourceThrottling, Low, InterventionEffect::Helped, 0),
        (ResourceThrottling, Low, InterventionEffect::Helped, 0),
        (ResourceThrottling, Low, InterventionEffect::Helped, 0),
    ]);
    assert_eq!(chosen(Low, &history, &Interventions::default(), 200), act(ContextReinforcement, true));
}

#[test]
fn a_pattern_escalates_along_its_own_row_and_then_beyond() {
    let policy = policy(|policy| {
        policy.strategy.r#type = StrategyKind::PatternSpecific;
        policy.strategy.escalation_delay_seconds = 0;
        policy.soft_correction.max_attempts = 100;
    });
    let soft = (SoftCorrection, Low, InterventionEffect::Persisted, 0);
    for (count, expected) in [
        (1, act(SoftCorrection, false)),
        (2, act(ContextReinforcement, true)),
        (4, act(CheckpointRollback, true)),
        (6, act(EmergencyStop, true)),
        (20, act(EmergencyStop, true)),
    ] {
        assert_eq!(chosen(Low, &earlier(&vec![soft; count]), &policy, 60), expected, "{count}");
    }
}
