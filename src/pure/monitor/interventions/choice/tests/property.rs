//! Whatever the history and the settings: nothing that is switched off, and no stop out of the blue.

use super::*;
use proptest::prelude::*;

fn severities() -> impl Strategy<Value = IssueSeverity> {
    proptest::sample::select(vec![Note, Low, Medium, High, Critical])
}

proptest! {
    #[test]
    fn nothing_disabled_is_chosen_and_no_stop_without_severity_or_escalation(
        severity in severities(),
        confidence in -1.0..3.0_f64,
        impact in -1.0..9.0_f64,
        pattern in proptest::sample::select(Pattern::ALL.to_vec()),
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
        let mut history = InterventionHistory::default();
        for (at, (kind, severity, effect, time)) in past.iter().enumerate() {
            let mut past = issue.clone();
            past.severity = *severity;
            history.record(&past, InterventionKind::ALL[*kind], false, "", START + time * SECOND, at as u64);
            history.delivered[at].effect = [InterventionEffect::Open, InterventionEffect::Helped, InterventionEffect::Persisted][*effect];
        }
        match choose(&issue, &history, &policy, START + seconds * SECOND, calls) {
            InterventionChoice::Leave(left) => {
                prop_assert_eq!(left == LeaveReason::Off, !policy.enabled);
                if past.is_empty() && policy.enabled && severity != Note {
                    prop_assert_eq!(left, LeaveReason::NoneEnabled);
                }
            }
            InterventionChoice::Act { kind, escalated } => {
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
