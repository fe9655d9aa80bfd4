//! One row per key: the values it takes, and which direction is stricter.
//!
//! The rows stand in the order of the settings, so that `LAYOUT` changes whenever their binary form does.

use super::kind::KeyKind::{self, *};
use super::stricter::Stricter::{self, *};

/// One leaf of the settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SettingsKey {
    /// Dotted, as in `blocking.required_loops`.
    pub name: &'static str,
    pub kind: KeyKind,
    pub stricter: Stricter,
}

/// The row of a dotted name.
pub(crate) fn key(name: &str) -> Option<&'static SettingsKey> {
    KEYS.iter().find(|key| key.name == name)
}

const fn row(name: &'static str, kind: KeyKind, stricter: Stricter) -> SettingsKey {
    SettingsKey { name, kind, stricter }
}

const SECONDS: KeyKind = Seconds(1);
const MINUTES: KeyKind = Count(1, 525_600);
const NUMBER: KeyKind = Count(1, 1_000_000);

pub const KEYS: &[SettingsKey] = &[
    // A check that runs out of time fails, so no value of these opens anything.
    row("loop1.tier1_timeout", SECONDS, Neutral),
    row("loop1.tier2_timeout", SECONDS, Neutral),
    row("loop1.parallel_tier1", Flag, Neutral),
    row("loop1.fail_fast_tier2", Flag, Neutral),
    row("loop1.only_affected_tests", Flag, False),
    row("loop1.checks.lint", Command, AfterTrust),
    row("loop1.checks.typecheck", Command, AfterTrust),
    row("loop1.checks.format", Command, AfterTrust),
    row("loop1.checks.build", Command, AfterTrust),
    row("loop1.checks.test", Command, AfterTrust),
    row("loop2.enabled", Flag, True),
    row("loop2.model", Word(&["haiku", "sonnet", "opus"]), LaterWord),
    row("loop2.spawn_fresh_context", Flag, True),
    row("loop2.include_specs", Flag, True),
    row("loop2.include_commits", Count(0, 100), Higher),
    // A reviewer that runs out of time is skipped, so a shorter time is laxer.
    row("loop2.timeout", SECONDS, Higher),
    row("loop3.enabled", Flag, True),
    row("loop3.command", Command, AfterTrust),
    // The quota is the machine's: more of it costs money, less of it skips reviews.
    row("loop3.rate_limit_per_hour", Count(1, 1000), AfterTrust),
    row("loop3.skip_on_rate_limit", Flag, False),
    row("loop3.block_on_new_issues", Flag, True),
    row("loop3.timeout", SECONDS, Higher),
    row("loop4.enabled", Flag, True),
    row("loop4.integration", Command, AfterTrust),
    row("loop4.e2e", Command, AfterTrust),
    row("loop4.timeout", SECONDS, Higher),
    row("blocking.required_loops", Loops, Superset),
    row("blocking.critical_blocks_ship", Flag, True),
    row("blocking.major_blocks_ship", Flag, True),
    row("blocking.minor_blocks_ship", Flag, True),
    row("blocking.secrets_block_ship", Flag, True),
    row("blocking.build_failure_blocks_ship", Flag, True),
    row("blocking.test_failure_blocks_ship", Flag, True),
    row("blocking.max_evidence_age_minutes", MINUTES, Lower),
    row("blocking.max_rounds", NUMBER, Lower),
    row("output.show_progress_spinners", Flag, Neutral),
    row("output.show_elapsed_time", Flag, Neutral),
    row("output.unified_report", Flag, Neutral),
    row("output.save_logs", Flag, Neutral),
    row("paths.state_dir", Path, Neutral),
    row("paths.log_dir", Path, Neutral),
    row("paths.config_dir", Path, UserOnly),
    row("step_reviewer.enabled", Flag, True),
    row("step_reviewer.mode", Word(&["observe", "async", "blocking"]), LaterWord),
    row("step_reviewer.matrix", Word(&["advise", "enforce"]), LaterWord),
    row("step_reviewer.risk.low_threshold", Fraction, Lower),
    row("step_reviewer.risk.medium_threshold", Fraction, Lower),
    row("step_reviewer.risk.high_threshold", Fraction, Lower),
    row("step_reviewer.risk.critical_threshold", Fraction, Lower),
    row("step_reviewer.modifiers.privilege", Fraction, Higher),
    row("step_reviewer.modifiers.pattern", Fraction, Higher),
    row("step_reviewer.rationality.high_threshold", Fraction, Higher),
    row("step_reviewer.rationality.medium_threshold", Fraction, Higher),
    row("step_reviewer.rationality.low_threshold", Fraction, Higher),
    row("step_reviewer.weights.goal_alignment", Fraction, AfterTrust),
    row("step_reviewer.weights.logical_progression", Fraction, AfterTrust),
    row("step_reviewer.weights.efficiency", Fraction, AfterTrust),
    row("step_reviewer.weights.completeness", Fraction, AfterTrust),
    row("step_reviewer.scope.expected_paths", Patterns, Narrower),
    row("step_reviewer.scope.forbidden_paths", Patterns, Superset),
    row("step_reviewer.rules.builtin", Word(&["none", "essential", "all"]), LaterWord),
    row("step_reviewer.rules.custom_rules_path", OptionalPath, AfterTrust),
    row("step_reviewer.rules.disabled", Texts, Subset),
    row("step_reviewer.rules.max_file_operations", NUMBER, Lower),
    row("step_reviewer.cache.enabled", Flag, False),
    row("step_reviewer.cache.ttl_minutes", MINUTES, Lower),
    row("step_reviewer.cache.max_size", NUMBER, Neutral),
    row("step_reviewer.performance.max_review_time_ms", Count(1, 60_000), Neutral),
    row("step_reviewer.performance.async_threshold", Fraction, Lower),
    row("step_reviewer.overrides", Overrides, AfterTrust),
    row("interventions.enabled", Flag, True),
    row("interventions.max_interventions_per_execution", NUMBER, Higher),
    row("interventions.intervention_cooldown_seconds", Seconds(0), Lower),
    row("interventions.patterns.repeat.soft", NUMBER, Lower),
    row("interventions.patterns.repeat.deny", NUMBER, Lower),
    row("interventions.patterns.repeat.stop", NUMBER, Lower),
    row("interventions.patterns.error_family.soft", NUMBER, Lower),
    row("interventions.patterns.error_family.deny", NUMBER, Lower),
    row("interventions.patterns.error_family.stop", NUMBER, Lower),
    row("interventions.patterns.error_family_with_edits.soft", NUMBER, Lower),
    row("interventions.patterns.error_family_with_edits.deny", NUMBER, Lower),
    row("interventions.patterns.error_family_with_edits.stop", NUMBER, Lower),
    row("interventions.patterns.error_streak.soft", NUMBER, Lower),
    row("interventions.patterns.error_streak.deny", NUMBER, Lower),
    row("interventions.patterns.error_streak.stop", NUMBER, Lower),
    row("interventions.patterns.flip_flop.soft", NUMBER, Lower),
    row("interventions.patterns.flip_flop.deny", NUMBER, Lower),
    row("interventions.patterns.flip_flop.stop", NUMBER, Lower),
    row("interventions.patterns.unchanged_polls.soft", NUMBER, Lower),
    row("interventions.patterns.unchanged_polls.deny", NUMBER, Lower),
    row("interventions.patterns.unchanged_polls.stop", NUMBER, Lower),
    row("interventions.patterns.calls_per_prompt.soft", NUMBER, Lower),
    row("interventions.patterns.calls_per_prompt.deny", NUMBER, Lower),
    row("interventions.patterns.calls_per_prompt.stop", NUMBER, Lower),
    row("interventions.patterns.off_goal.soft", NUMBER, Lower),
    row("interventions.patterns.off_goal.deny", NUMBER, Lower),
    row("interventions.patterns.off_goal.stop", NUMBER, Lower),
    row("interventions.patterns.out_of_scope.soft", NUMBER, Lower),
    row("interventions.patterns.out_of_scope.deny", NUMBER, Lower),
    row("interventions.patterns.out_of_scope.stop", NUMBER, Lower),
    row("interventions.patterns.error_ratio", Fraction, Lower),
    row("interventions.patterns.phantom_paths", NUMBER, Lower),
    row("interventions.patterns.review_rounds", NUMBER, Lower),
    row("interventions.patterns.claims_need_evidence", Flag, True),
    row("interventions.limits.max_commands", NUMBER, Lower),
    row("interventions.limits.max_memory_mb", Count(1, 1_048_576), Lower),
    row("interventions.limits.max_tokens", Count(1, 1_000_000_000), Lower),
    row("interventions.limits.max_execution_seconds", SECONDS, Lower),
    row("interventions.limits.batch_size", NUMBER, Lower),
    row("interventions.session_limits.max_file_operations", NUMBER, Lower),
    row("interventions.session_limits.max_commands", NUMBER, Lower),
    row("interventions.session_limits.max_tokens", Count(1, 1_000_000_000), Lower),
    row("interventions.session_limits.max_execution_seconds", SECONDS, Lower),
    row("interventions.soft_correction.enabled", Flag, True),
    // Fewer attempts mean that the next, harder intervention comes sooner.
    row("interventions.soft_correction.max_attempts", NUMBER, Lower),
    row("interventions.soft_correction.custom_prompts_path", OptionalPath, AfterTrust),
    row("interventions.context_reinforcement.enabled", Flag, True),
    row(
        "interventions.context_reinforcement.reinforcement_strength",
        Word(&["light", "medium", "strong"]),
        LaterWord,
    ),
    row("interventions.context_reinforcement.include_examples", Flag, Neutral),
    row("interventions.resource_throttling.enabled", Flag, True),
    row("interventions.resource_throttling.reduction_factors.moderate", Fraction, Lower),
    row("interventions.resource_throttling.reduction_factors.aggressive", Fraction, Lower),
    row("interventions.resource_throttling.reduction_factors.severe", Fraction, Lower),
    row("interventions.resource_throttling.metrics_window_seconds", SECONDS, Neutral),
    row("interventions.checkpoint_rollback.enabled", Flag, True),
    row("interventions.checkpoint_rollback.mode", Word(&["propose", "automatic"]), AfterTrust),
    row("interventions.checkpoint_rollback.before_changes", Flag, True),
    row("interventions.checkpoint_rollback.max_rollback_depth", NUMBER, Neutral),
    row("interventions.checkpoint_rollback.checkpoint_retention_minutes", MINUTES, Higher),
    row("interventions.checkpoint_rollback.max_checkpoints", NUMBER, Higher),
    row("interventions.checkpoint_rollback.max_file_mb", Count(1, 102_400), Higher),
    row("interventions.checkpoint_rollback.max_checkpoint_mb", Count(1, 1_048_576), Higher),
    row("interventions.checkpoint_rollback.max_wait_ms", Count(0, 10_000), Higher),
    row("interventions.checkpoint_rollback.max_store_mb", Count(1, 1_048_576), Higher),
    row("interventions.checkpoint_rollback.safe_checkpoint_criteria.min_success_rate", Fraction, Higher),
    row(
        "interventions.checkpoint_rollback.safe_checkpoint_criteria.no_errors_duration_seconds",
        Seconds(0),
        Higher,
    ),
    row("interventions.emergency_stop.enabled", Flag, True),
    row("interventions.emergency_stop.auto_cleanup", Flag, False),
    row("interventions.emergency_stop.notification_channels", Words(super::CHANNELS), AfterTrust),
    row("interventions.emergency_stop.preserve_incident_data_days", Count(1, 36_500), Higher),
    row("interventions.strategy.type", Word(&["progressive", "pattern_specific", "custom"]), AfterTrust),
    row("interventions.strategy.handler", Command, AfterTrust),
    row("interventions.strategy.effectiveness_threshold", Fraction, Higher),
    row("interventions.strategy.escalation_delay_seconds", Seconds(0), Lower),
    row("notifications.desktop", Flag, True),
    row("notifications.desktop_command", Command, AfterTrust),
    row("notifications.sound_command", Command, AfterTrust),
    row("notifications.webhook_url", OptionalText, AfterTrust),
    row("notifications.email_command", Command, AfterTrust),
    row("notifications.command", Command, AfterTrust),
    row("review.enabled", Flag, True),
    row("review.command", Text, AfterTrust),
    row("review.model", OptionalText, AfterTrust),
    row("review.runner", Command, AfterTrust),
    row("review.max_revisions", NUMBER, Lower),
    row("review.trigger", Word(&["explicit", "session_idle", "script_completion"]), AfterTrust),
    row("review.context.include_task_definition", Flag, True),
    row("review.context.include_git_diff", Flag, True),
    row("review.context.include_test_results", Flag, True),
    row("review.context.include_lint_results", Flag, True),
    row("review.context.include_session_log", Flag, True),
    row("sandbox.check_network", Flag, False),
    row("sandbox.unsandboxed_checks", Texts, UserOnly),
    row("attestation.on_push", Flag, True),
    row("attestation.key", OptionalText, UserOnly),
    row("attestation.max_age_days", Count(1, 36_500), Lower),
];

/// Keys whose values must not fall in this order.
pub(super) const ASCENDING: &[&[&str]] = &[
    &[
        "step_reviewer.risk.low_threshold",
        "step_reviewer.risk.medium_threshold",
        "step_reviewer.risk.high_threshold",
        "step_reviewer.risk.critical_threshold",
    ],
    &[
        "step_reviewer.rationality.low_threshold",
        "step_reviewer.rationality.medium_threshold",
        "step_reviewer.rationality.high_threshold",
    ],
];

/// A number that changes with the names and order of the keys: a binary copy with another one is unreadable.
pub(crate) const LAYOUT: u64 = layout(KEYS);

const fn layout(mut keys: &[SettingsKey]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    while let Some((key, others)) = keys.split_first() {
        let mut bytes = key.name.as_bytes();
        while let Some((byte, rest)) = bytes.split_first() {
            hash = (hash ^ *byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
            bytes = rest;
        }
        keys = others;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;
    use serde_json::Value;

    fn leaves(prefix: &str, value: &Value, found: &mut Vec<String>) {
        let Value::Object(fields) = value else { return found.push(prefix.to_owned()) };
        for (name, value) in fields {
            let dotted = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            leaves(&dotted, value, found);
        }
    }

    #[test]
    fn every_setting_has_one_row_in_the_order_of_the_settings() {
        let mut found = Vec::new();
        leaves("", &serde_json::to_value(Settings::default()).unwrap(), &mut found);
        let rows: Vec<_> = KEYS.iter().map(|key| key.name.to_owned()).collect();
        assert_eq!(found, rows);
    }

    #[test]
    fn every_default_is_a_value_its_row_accepts() {
        let defaults = serde_json::to_value(Settings::default()).unwrap();
        for key in KEYS {
            let value = defaults.pointer(&format!("/{}", key.name.replace('.', "/"))).unwrap();
            assert_eq!(key.kind.checked(value.clone()).as_ref(), Ok(value), "{}", key.name);
        }
    }

    #[test]
    fn another_order_of_the_keys_is_another_layout() {
        let mut swapped = KEYS.to_vec();
        swapped.swap(0, 1);
        assert_ne!(layout(&swapped), LAYOUT);
    }
}
