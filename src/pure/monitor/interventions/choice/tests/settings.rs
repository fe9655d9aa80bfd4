//! Every setting of the controller changes what is chosen.

use super::*;
use crate::pure::monitor::interventions::strategy::handler;

/// Every setting of the controller: a situation, and what comes of it with the default and with another value.
#[test]
fn every_setting_of_the_controller_changes_what_is_chosen() {
    type Change = fn(&mut Interventions);
    let none = InterventionHistory::default();
    let persisted = earlier(&[(SoftCorrection, Low, InterventionEffect::Persisted, 0); 2]);
    let half = earlier(&[
        (SoftCorrection, Low, InterventionEffect::Helped, 0),
        (SoftCorrection, Low, InterventionEffect::Helped, 0),
        (SoftCorrection, Low, InterventionEffect::Persisted, 0),
        (SoftCorrection, Low, InterventionEffect::Persisted, 0),
    ]);
    let one = earlier(&[(SoftCorrection, Low, InterventionEffect::Open, 0)]);
    let rollback = earlier(&[(CheckpointRollback, High, InterventionEffect::Open, 0)]);
    let rows: [(
        &str,
        &InterventionHistory,
        IssueSeverity,
        u64,
        InterventionChoice,
        Change,
        InterventionChoice,
    ); 12] = [
        (
            "enabled",
            &none,
            Low,
            0,
            act(SoftCorrection, false),
            |p| p.enabled = false,
            InterventionChoice::Leave(LeaveReason::Off),
        ),
        (
            "max_interventions_per_execution",
            &one,
            Low,
            60,
            act(SoftCorrection, false),
            |p| p.max_interventions_per_execution = 1,
            InterventionChoice::Leave(LeaveReason::UsedUp),
        ),
        (
            "intervention_cooldown_seconds",
            &one,
            Low,
            20,
            InterventionChoice::Leave(LeaveReason::Cooling),
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
    let mut history = InterventionHistory::default();
    for call in 0..10 {
        let mut issue = loop_of(Low);
        issue.cause = 100 + call;
        history.record(&issue, SoftCorrection, false, "", START, call);
    }
    let policy = Interventions::default();
    assert_eq!(chosen(High, &history, &policy, 60), InterventionChoice::Leave(LeaveReason::UsedUp));
    assert_eq!(chosen(Critical, &history, &policy, 60), act(EmergencyStop, false));
    history.start_prompt();
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
