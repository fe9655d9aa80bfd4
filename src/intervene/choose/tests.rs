use super::super::history::Effect;
use super::super::naming::{PATTERNS, pattern_name, severity_name};
use super::super::sample::{act, issue};
use super::super::strategy::handler;
use super::*;
use crate::pattern::Pattern;
use crate::policy::StrategyKind;
use Kind::*;
use Severity::*;
use proptest::prelude::*;

const SECOND: u64 = 1000;
const START: u64 = 1_700_000_000_000;

fn policy(change: impl FnOnce(&mut Interventions)) -> Interventions {
    let mut policy = Interventions::default();
    change(&mut policy);
    policy
}

fn loop_of(severity: Severity) -> Issue {
    issue(Pattern::RepetitiveErrors, severity)
}

/// One earlier intervention about the cause, so many seconds after the start and ten calls from the next.
fn earlier(rows: &[(Kind, Severity, Effect, u64)]) -> History {
    let mut history = History::default();
    for (at, (kind, severity, effect, seconds)) in rows.iter().enumerate() {
        let time = START + seconds * SECOND;
        history.deliver(&loop_of(*severity), *kind, false, "", time, 10 * at as u64);
        history.delivered[at].effect = *effect;
    }
    history
}

fn chosen(severity: Severity, history: &History, policy: &Interventions, seconds: u64) -> Choice {
    choose(&loop_of(severity), history, policy, START + seconds * SECOND, 1000)
}

/// Pattern × severity × strategy, the first time: the same table stands in the documentation.
const TABLE: [(Pattern, Severity, Kind, Kind); 20] = [
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
            let choice = choose(&issue(pattern, severity), &History::default(), &policy, START, 1);
            assert_eq!(choice, act(expected, false), "{pattern:?} {severity:?} {strategy:?}");
        }
    }
    assert_eq!(
        PATTERNS.map(|pattern| TABLE.iter().filter(|row| row.0 == pattern).count()),
        [4; 5],
        "every pattern at every severity"
    );
}

#[test]
fn the_page_has_the_same_table() {
    let page = include_str!("../../../docs/interventions.md");
    for (pattern, severity, by_score, by_pattern) in TABLE {
        let row = format!(
            "| `{}` | {} | `{}` | `{}` |",
            pattern_name(pattern),
            severity_name(severity),
            by_score.name(),
            by_pattern.name()
        );
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn a_note_is_only_recorded() {
    assert_eq!(chosen(Note, &History::default(), &Interventions::default(), 0), Choice::Leave(Left::Noted));
}

#[test]
fn a_failing_command_that_is_repeated_is_corrected_then_refused_then_stopped() {
    let policy = Interventions::default();
    let mut history = History::default();
    let steps = [
        (3, Low, act(SoftCorrection, false)),
        (4, High, act(CheckpointRollback, false)),
        (5, High, Choice::Leave(Left::Cooling)),
        (6, Critical, act(EmergencyStop, false)),
    ];
    for (calls, severity, expected) in steps {
        let issue = loop_of(severity);
        let now = START + calls * SECOND;
        history.judge(std::slice::from_ref(&issue), "", calls);
        let choice = choose(&issue, &history, &policy, now, calls);
        assert_eq!(choice, expected, "call {calls}");
        if let Choice::Act { kind, escalated } = choice {
            history.deliver(&issue, kind, escalated, "", now, calls);
        }
    }
    let effects: Vec<_> = history.delivered.iter().map(|one| one.effect).collect();
    assert_eq!(effects, [Effect::Persisted, Effect::Persisted, Effect::Open]);
}

#[test]
fn the_cooldown_holds_for_its_seconds_for_its_cause_and_unless_it_gets_worse() {
    let history = earlier(&[(SoftCorrection, Medium, Effect::Open, 0)]);
    let policy = Interventions::default();
    assert_eq!(chosen(Medium, &history, &policy, 29), Choice::Leave(Left::Cooling));
    assert_eq!(chosen(Low, &history, &policy, 29), Choice::Leave(Left::Cooling));
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
    let mut history = History::default();
    history.deliver(&loop_of(Low), SoftCorrection, false, "", START, 100);
    let at = |severity, calls| choose(&loop_of(severity), &history, &policy, START + SECOND, calls);
    assert_eq!(at(Low, 104), Choice::Leave(Left::TooSoon));
    assert_eq!(at(Low, 105), act(SoftCorrection, false));
    assert_eq!(at(Medium, 101), act(ResourceThrottling, false));
}

#[test]
fn persistence_escalates_by_pairs_and_one_step_at_a_time() {
    let policy = policy(|policy| policy.strategy.escalation_delay_seconds = 0);
    let soft = (SoftCorrection, Low, Effect::Persisted, 0);
    for (rows, expected) in [
        (vec![soft], act(SoftCorrection, false)),
        (vec![soft, soft], act(ContextReinforcement, true)),
        (vec![soft, soft, (ContextReinforcement, Low, Effect::Persisted, 0)], act(ResourceThrottling, true)),
        (
            vec![
                soft,
                soft,
                (ContextReinforcement, Low, Effect::Persisted, 0),
                (ResourceThrottling, Low, Effect::Persisted, 0),
            ],
            act(CheckpointRollback, true),
        ),
        (
            vec![
                soft,
                soft,
                soft,
                (ContextReinforcement, Low, Effect::Persisted, 0),
                (ResourceThrottling, Low, Effect::Persisted, 0),
                (CheckpointRollback, Low, Effect::Persisted, 0),
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
    let history = earlier(&[(SoftCorrection, Low, Effect::Persisted, 0); 2]);
    assert_eq!(chosen(Low, &history, &policy, 300), act(ContextReinforcement, true));
    assert_eq!(chosen(Low, &history, &policy, 301), act(SoftCorrection, false));
}

#[test]
fn a_message_of_the_person_starts_anew() {
    let policy = policy(|policy| policy.strategy.escalation_delay_seconds = 0);
    let mut history = earlier(&[(SoftCorrection, Low, Effect::Persisted, 0); 3]);
    assert_eq!(chosen(Low, &history, &policy, 60), act(ContextReinforcement, true));
    history.forget_prompt();
    assert_eq!(chosen(Low, &history, &policy, 1), act(SoftCorrection, false));
}

#[test]
fn what_helped_is_followed_by_something_gentler() {
    let history = earlier(&[
        (SoftCorrection, Low, Effect::Persisted, 0),
        (SoftCorrection, Low, Effect::Persisted, 0),
        (ResourceThrottling, Low, Effect::Helped, 0),
        (ResourceThrottling, Low, Effect::Helped, 0),
        (ResourceThrottling, Low, Effect::Helped, 0),
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
    let soft = (SoftCorrection, Low, Effect::Persisted, 0);
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

/// Every setting of the controller: a situation, and what comes of it with the default and with another value.
#[test]
fn every_setting_of_the_controller_changes_what_is_chosen() {
    type Change = fn(&mut Interventions);
    let none = History::default();
    let persisted = earlier(&[(SoftCorrection, Low, Effect::Persisted, 0); 2]);
    let half = earlier(&[
        (SoftCorrection, Low, Effect::Helped, 0),
        (SoftCorrection, Low, Effect::Helped, 0),
        (SoftCorrection, Low, Effect::Persisted, 0),
        (SoftCorrection, Low, Effect::Persisted, 0),
    ]);
    let one = earlier(&[(SoftCorrection, Low, Effect::Open, 0)]);
    let rollback = earlier(&[(CheckpointRollback, High, Effect::Open, 0)]);
    let rows: [(&str, &History, Severity, u64, Choice, Change, Choice); 12] = [
        (
            "enabled",
            &none,
            Low,
            0,
            act(SoftCorrection, false),
            |p| p.enabled = false,
            Choice::Leave(Left::Off),
        ),
        (
            "max_interventions_per_execution",
            &one,
            Low,
            60,
            act(SoftCorrection, false),
            |p| p.max_interventions_per_execution = 1,
            Choice::Leave(Left::UsedUp),
        ),
        (
            "intervention_cooldown_seconds",
            &one,
            Low,
            20,
            Choice::Leave(Left::Cooling),
            |p| p.intervention_cooldown_seconds = 20,
            act(SoftCorrection, false),
        ),
        (
            "soft_correction.enabled",
            &none,
            Low,
            0,
            act(SoftCorrection, false),
            |p| p.soft_correction.enabled = false,
            act(ContextReinforcement, false),
        ),
        (
            "soft_correction.max_attempts",
            &one,
            Low,
            60,
            act(SoftCorrection, false),
            |p| p.soft_correction.max_attempts = 1,
            act(ContextReinforcement, true),
        ),
        (
            "context_reinforcement.enabled",
            &persisted,
            Low,
            200,
            act(ContextReinforcement, true),
            |p| p.context_reinforcement.enabled = false,
            act(ResourceThrottling, true),
        ),
        (
            "resource_throttling.enabled",
            &none,
            Medium,
            0,
            act(ResourceThrottling, false),
            |p| p.resource_throttling.enabled = false,
            act(CheckpointRollback, false),
        ),
        (
            "checkpoint_rollback.enabled",
            &none,
            High,
            0,
            act(CheckpointRollback, false),
            |p| p.checkpoint_rollback.enabled = false,
            act(ResourceThrottling, false),
        ),
        (
            "checkpoint_rollback.max_rollback_depth",
            &rollback,
            High,
            60,
            act(CheckpointRollback, false),
            |p| p.checkpoint_rollback.max_rollback_depth = 1,
            act(EmergencyStop, true),
        ),
        (
            "emergency_stop.enabled",
            &none,
            Critical,
            0,
            act(EmergencyStop, false),
            |p| p.emergency_stop.enabled = false,
            act(CheckpointRollback, false),
        ),
        (
            "strategy.type",
            &none,
            Medium,
            0,
            act(ResourceThrottling, false),
            |p| p.strategy.r#type = StrategyKind::PatternSpecific,
            act(ContextReinforcement, false),
        ),
        (
            "strategy.escalation_delay_seconds",
            &persisted,
            Low,
            60,
            act(SoftCorrection, false),
            |p| p.strategy.escalation_delay_seconds = 60,
            act(ContextReinforcement, true),
        ),
    ];
    for (key, history, severity, seconds, by_default, change, otherwise) in rows {
        assert_eq!(chosen(severity, history, &Interventions::default(), seconds), by_default, "{key}");
        assert_eq!(chosen(severity, history, &policy(change), seconds), otherwise, "{key}");
        assert_ne!(by_default, otherwise, "{key}");
    }
    // More soft corrections than attempts allow by default, so that only the threshold decides.
    let with = |threshold| {
        policy(|policy| {
            policy.soft_correction.max_attempts = 9;
            policy.strategy.effectiveness_threshold = threshold;
        })
    };
    assert_eq!(chosen(Low, &half, &with(0.6), 200), act(ContextReinforcement, true));
    assert_eq!(chosen(Low, &half, &with(0.5), 200), act(SoftCorrection, false));
}

#[test]
fn a_stop_comes_even_where_the_number_of_interventions_is_used_up() {
    let mut history = History::default();
    for call in 0..10 {
        let mut issue = loop_of(Low);
        issue.cause = 100 + call;
        history.deliver(&issue, SoftCorrection, false, "", START, call);
    }
    let policy = Interventions::default();
    assert_eq!(chosen(High, &history, &policy, 60), Choice::Leave(Left::UsedUp));
    assert_eq!(chosen(Critical, &history, &policy, 60), act(EmergencyStop, false));
    history.forget_prompt();
    assert_eq!(chosen(High, &history, &policy, 60), act(CheckpointRollback, false));
}

#[test]
fn automatic_mode_restores_by_itself_and_propose_does_not() {
    let automatic = policy(|policy| policy.checkpoint_rollback.mode = RollbackMode::Automatic);
    assert!(restores_by_itself(CheckpointRollback, &automatic));
    assert!(!restores_by_itself(CheckpointRollback, &Interventions::default()));
    assert!(!restores_by_itself(EmergencyStop, &automatic));
}

#[test]
fn a_handler_is_asked_only_where_the_strategy_is_custom() {
    let named = |strategy| {
        policy(|policy| {
            policy.strategy.handler = vec!["choose".into()];
            policy.strategy.r#type = strategy;
        })
    };
    assert_eq!(handler(&named(StrategyKind::Custom)), Some(&["choose".to_owned()][..]));
    assert_eq!(handler(&named(StrategyKind::Progressive)), None);
    assert_eq!(handler(&policy(|policy| policy.strategy.r#type = StrategyKind::Custom)), None);
}

fn severities() -> impl Strategy<Value = Severity> {
    proptest::sample::select(vec![Note, Low, Medium, High, Critical])
}

proptest! {
    #[test]
    fn nothing_disabled_is_chosen_and_no_stop_without_severity_or_escalation(
        severity in severities(),
        confidence in -1.0..3.0_f64,
        impact in -1.0..9.0_f64,
        pattern in proptest::sample::select(PATTERNS.to_vec()),
        strategy in 0..3_usize,
        enabled in proptest::collection::vec(any::<bool>(), 6),
        past in proptest::collection::vec((0..5_usize, severities(), 0..3_usize, 0..400_u64), 0..12),
        seconds in 0..800_u64,
        calls in 0..40_u64,
        numbers in (1..4_u32, 1..4_u32, 1..20_u32, 0..200_u64),
    ) {
        let mut policy = Interventions { enabled: enabled[0], ..Interventions::default() };
        policy.soft_correction.enabled = enabled[1];
        policy.context_reinforcement.enabled = enabled[2];
        policy.resource_throttling.enabled = enabled[3];
        policy.checkpoint_rollback.enabled = enabled[4];
        policy.emergency_stop.enabled = enabled[5];
        policy.strategy.r#type =
            [StrategyKind::Progressive, StrategyKind::PatternSpecific, StrategyKind::Custom][strategy];
        policy.soft_correction.max_attempts = numbers.0;
        policy.checkpoint_rollback.max_rollback_depth = numbers.1;
        policy.max_interventions_per_execution = numbers.2;
        policy.strategy.escalation_delay_seconds = numbers.3;
        let mut issue = issue(pattern, severity);
        (issue.confidence, issue.impact) = (confidence, impact);
        let mut history = History::default();
        for (at, (kind, severity, effect, time)) in past.iter().enumerate() {
            let mut past = issue.clone();
            past.severity = *severity;
            history.deliver(&past, Kind::ALL[*kind], false, "", START + time * SECOND, at as u64);
            history.delivered[at].effect = [Effect::Open, Effect::Helped, Effect::Persisted][*effect];
        }
        match choose(&issue, &history, &policy, START + seconds * SECOND, calls) {
            Choice::Leave(left) => {
                prop_assert_eq!(left == Left::Off, !policy.enabled);
                if past.is_empty() && policy.enabled && severity != Note {
                    prop_assert_eq!(left, Left::NoneEnabled);
                }
            }
            Choice::Act { kind, escalated } => {
                prop_assert!(policy.enabled && severity != Note);
                prop_assert!(kind.is_enabled(&policy), "{:?}", kind);
                prop_assert!(kind != EmergencyStop || severity >= High || escalated);
                let over = history.since_prompt >= u64::from(policy.max_interventions_per_execution);
                prop_assert!(!over || kind == EmergencyStop);
                if past.is_empty() {
                    prop_assert!(!escalated);
                }
            }
        }
    }
}
