//! One row per key: what it takes, which direction is stricter, and which test shows that it is obeyed.
//!
//! The rows stand in the order of the settings, so that `LAYOUT` changes whenever their binary form does.

use super::kind::Kind::{self, *};
use super::stricter::Stricter::{self, *};

/// One leaf of the settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Dotted, as in `blocking.required_loops`.
    pub name: &'static str,
    pub kind: Kind,
    pub stricter: Stricter,
    pub wired: Wired,
}

/// Whether anything obeys the key yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wired {
    /// The test in which a value other than the default changes an outcome.
    Test(&'static str),
    Later,
}
use Wired::{Later, Test};

/// The row of a dotted name.
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

const fn row(name: &'static str, kind: Kind, stricter: Stricter, wired: Wired) -> Key {
    Key { name, kind, stricter, wired }
}

const SECONDS: Kind = Seconds(1);
const MINUTES: Kind = Count(1, 525_600);
const NUMBER: Kind = Count(1, 1_000_000);

const COMMANDS: Wired = Test("commands_in_the_settings_run_instead_of_the_projects_scripts");
const READERS_CONTEXT: Wired =
    Test("include_commits_include_specs_and_spawn_fresh_context_choose_what_the_reader_is_told");
const MESSAGES: Wired = Test("every_channel_reaches_the_program_that_the_settings_name");
const WINDOW: Wired = Test("the_length_of_the_window_decides_what_grows");
const STORE: Wired = Test("the_bounds_of_the_store_are_those_of_the_settings");
const CRITERIA: Wired = Test("the_criteria_are_those_of_the_settings");
const PATTERNS: Wired = Test("every_threshold_of_the_patterns_moves_its_sign");
const CONTROLLER: Wired = Test("every_setting_of_the_controller_changes_what_is_chosen");
const LIMITS: Wired = Test("each_limit_is_reached_where_it_is_set");
const REINFORCEMENT: Wired = Test("strength_and_examples_change_how_much_is_said");
const REDUCTION: Wired = Test("other_reduction_factors_leave_other_limits");
const TASK_CONTEXT: Wired = Test("every_part_of_the_context_has_its_switch");
const BUILD_AND_TEST: Wired = Test("a_failed_build_or_test_ships_only_where_the_policy_says_so");

pub const KEYS: &[Key] = &[
    // A check that runs out of time fails, so no value of these opens anything.
    row("loop1.tier1_timeout", SECONDS, Neutral, Test("a_shorter_tier1_timeout_fails_a_slow_lint")),
    row("loop1.tier2_timeout", SECONDS, Neutral, Test("a_shorter_tier2_timeout_fails_a_slow_test")),
    row("loop1.parallel_tier1", Flag, Neutral, Test("without_parallel_tier1_one_check_waits_for_the_other")),
    row(
        "loop1.fail_fast_tier2",
        Flag,
        Neutral,
        Test("without_fail_fast_tier2_the_tests_run_after_a_failed_build"),
    ),
    row("loop1.checks.lint", Command, AfterTrust, COMMANDS),
    row("loop1.checks.typecheck", Command, AfterTrust, COMMANDS),
    row("loop1.checks.format", Command, AfterTrust, COMMANDS),
    row("loop1.checks.build", Command, AfterTrust, COMMANDS),
    row("loop1.checks.test", Command, AfterTrust, COMMANDS),
    row("loop2.enabled", Flag, True, Test("loops_that_are_switched_off_are_not_part_of_a_review")),
    row("loop2.model", Word(&["haiku", "sonnet", "opus"]), LaterWord, Test("loop2_model_chooses_who_reads")),
    row("loop2.spawn_fresh_context", Flag, True, READERS_CONTEXT),
    row("loop2.include_specs", Flag, True, READERS_CONTEXT),
    row("loop2.include_commits", Count(0, 100), Higher, READERS_CONTEXT),
    // A reader that runs out of time is skipped, so a shorter time is laxer.
    row("loop2.timeout", SECONDS, Higher, Test("a_shorter_loop2_timeout_ends_the_reading_sooner")),
    row("loop3.enabled", Flag, True, Test("loops_that_are_switched_off_are_not_part_of_a_review")),
    row("loop3.command", Command, AfterTrust, Test("a_command_of_ones_own_reviews_instead_of_coderabbit")),
    // The quota is the machine's: more of it costs money, less of it skips reviews.
    row(
        "loop3.rate_limit_per_hour",
        Count(1, 1000),
        AfterTrust,
        Test("the_quota_is_as_large_as_the_settings_say"),
    ),
    row(
        "loop3.skip_on_rate_limit",
        Flag,
        False,
        Test("an_exhausted_quota_fails_where_it_may_not_be_skipped"),
    ),
    row("loop3.block_on_new_issues", Flag, True, Test("new_issues_block_only_where_the_settings_say_so")),
    row("loop3.timeout", SECONDS, Higher, Test("silence_beyond_the_timeout_is_a_skip")),
    row("loop4.enabled", Flag, True, Test("loops_that_are_switched_off_are_not_part_of_a_review")),
    row("loop4.integration", Command, AfterTrust, Test("integration_and_e2e_commands_are_run_and_judged")),
    row("loop4.e2e", Command, AfterTrust, Test("integration_and_e2e_commands_are_run_and_judged")),
    row("loop4.timeout", SECONDS, Higher, Test("a_shorter_loop4_timeout_fails_a_slow_suite")),
    row(
        "blocking.required_loops",
        Loops,
        Superset,
        Test("required_loops_that_are_not_run_keep_the_gate_shut"),
    ),
    row("blocking.critical_blocks_ship", Flag, True, Test("findings_of_a_reader_block_by_their_severity")),
    row("blocking.major_blocks_ship", Flag, True, Test("findings_of_a_reader_block_by_their_severity")),
    row("blocking.minor_blocks_ship", Flag, True, Test("findings_of_a_reader_block_by_their_severity")),
    row("blocking.secrets_block_ship", Flag, True, Test("a_secret_ships_only_where_the_policy_says_so")),
    row("blocking.build_failure_blocks_ship", Flag, True, BUILD_AND_TEST),
    row("blocking.test_failure_blocks_ship", Flag, True, BUILD_AND_TEST),
    row(
        "blocking.max_evidence_age_minutes",
        MINUTES,
        Lower,
        Test("a_reading_older_than_max_evidence_age_minutes_is_made_again"),
    ),
    row("blocking.max_rounds", NUMBER, Lower, Test("more_than_max_rounds_failed_readings_need_a_person")),
    row(
        "output.show_progress_spinners",
        Flag,
        Neutral,
        Test("spinners_need_a_terminal_and_show_progress_spinners"),
    ),
    row("output.show_elapsed_time", Flag, Neutral, Test("without_show_elapsed_time_the_report_has_no_times")),
    row("output.unified_report", Flag, Neutral, Test("without_unified_report_only_the_results_remain")),
    row("output.save_logs", Flag, Neutral, Test("no_log_is_written_where_save_logs_is_off")),
    row("paths.state_dir", Path, Neutral, Test("the_readable_copies_go_where_the_paths_say")),
    row("paths.log_dir", Path, Neutral, Test("the_readable_copies_go_where_the_paths_say")),
    row("paths.config_dir", Path, UserOnly, Test("the_users_file_moves_the_projects_file")),
    row("step_reviewer.enabled", Flag, True, Test("the_floor_holds_with_the_step_reviewer_switched_off")),
    row(
        "step_reviewer.mode",
        Word(&["observe", "async", "blocking"]),
        LaterWord,
        Test("the_floor_holds_while_only_observing"),
    ),
    row(
        "step_reviewer.risk.low_threshold",
        Fraction,
        Lower,
        Test("each_risk_threshold_changes_what_is_called_for"),
    ),
    row(
        "step_reviewer.risk.medium_threshold",
        Fraction,
        Lower,
        Test("each_risk_threshold_changes_what_is_called_for"),
    ),
    row(
        "step_reviewer.risk.high_threshold",
        Fraction,
        Lower,
        Test("each_risk_threshold_changes_what_is_called_for"),
    ),
    row(
        "step_reviewer.risk.critical_threshold",
        Fraction,
        Lower,
        Test("each_risk_threshold_changes_what_is_called_for"),
    ),
    row("step_reviewer.modifiers.privilege", Fraction, Higher, Test("other_modifiers_are_other_scores")),
    row("step_reviewer.modifiers.pattern", Fraction, Higher, Test("other_modifiers_are_other_scores")),
    row(
        "step_reviewer.rationality.high_threshold",
        Fraction,
        Higher,
        Test("other_thresholds_are_other_levels"),
    ),
    row(
        "step_reviewer.rationality.medium_threshold",
        Fraction,
        Higher,
        Test("other_thresholds_are_other_levels"),
    ),
    row(
        "step_reviewer.rationality.low_threshold",
        Fraction,
        Higher,
        Test("a_question_that_was_refused_against_the_request_becomes_a_refusal"),
    ),
    row("step_reviewer.weights.goal_alignment", Fraction, AfterTrust, Test("each_weight_moves_the_score")),
    row(
        "step_reviewer.weights.logical_progression",
        Fraction,
        AfterTrust,
        Test("each_weight_moves_the_score"),
    ),
    row("step_reviewer.weights.efficiency", Fraction, AfterTrust, Test("each_weight_moves_the_score")),
    row("step_reviewer.weights.completeness", Fraction, AfterTrust, Test("each_weight_moves_the_score")),
    row(
        "step_reviewer.scope.expected_paths",
        Patterns,
        Narrower,
        Test("files_outside_the_declared_scope_are_told_and_then_refused"),
    ),
    row("step_reviewer.scope.forbidden_paths", Patterns, Superset, Test("the_declared_scope_is_kept")),
    row(
        "step_reviewer.rules.builtin",
        Word(&["none", "essential", "all"]),
        LaterWord,
        Test("the_users_settings_reach_the_hook"),
    ),
    row(
        "step_reviewer.rules.custom_rules_path",
        OptionalPath,
        AfterTrust,
        Test("a_rule_of_ones_own_is_obeyed"),
    ),
    row("step_reviewer.rules.disabled", Texts, Subset, Test("the_users_settings_reach_the_hook")),
    row(
        "step_reviewer.rules.max_file_operations",
        NUMBER,
        Lower,
        Test("more_file_operations_than_the_limit_need_a_person"),
    ),
    row(
        "step_reviewer.cache.enabled",
        Flag,
        False,
        Test("a_long_harmless_command_is_remembered_unless_the_cache_is_off"),
    ),
    row("step_reviewer.cache.ttl_minutes", MINUTES, Lower, Test("ttl_and_size_are_what_they_are_set_to")),
    row("step_reviewer.cache.max_size", NUMBER, Neutral, Test("ttl_and_size_are_what_they_are_set_to")),
    row("step_reviewer.performance.max_review_time_ms", Count(1, 60_000), Neutral, Later),
    row(
        "step_reviewer.performance.async_threshold",
        Fraction,
        Lower,
        Test("below_the_async_threshold_only_rules_speak_before_the_step"),
    ),
    row(
        "step_reviewer.overrides",
        Overrides,
        AfterTrust,
        Test("overrides_hold_for_their_agent_and_their_paths_alone"),
    ),
    row("interventions.enabled", Flag, True, CONTROLLER),
    row("interventions.max_interventions_per_execution", NUMBER, Higher, CONTROLLER),
    row("interventions.intervention_cooldown_seconds", Seconds(0), Lower, CONTROLLER),
    row("interventions.patterns.repeat.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.repeat.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.repeat.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_family.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_family.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_family.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_family_with_edits.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_family_with_edits.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_family_with_edits.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_streak.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_streak.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_streak.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.flip_flop.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.flip_flop.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.flip_flop.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.unchanged_polls.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.unchanged_polls.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.unchanged_polls.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.calls_per_prompt.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.calls_per_prompt.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.calls_per_prompt.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.off_goal.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.off_goal.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.off_goal.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.out_of_scope.soft", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.out_of_scope.deny", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.out_of_scope.stop", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.error_ratio", Fraction, Lower, PATTERNS),
    row("interventions.patterns.phantom_paths", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.review_rounds", NUMBER, Lower, PATTERNS),
    row("interventions.patterns.claims_need_evidence", Flag, True, PATTERNS),
    row("interventions.limits.max_commands", NUMBER, Lower, LIMITS),
    row("interventions.limits.max_memory_mb", Count(1, 1_048_576), Lower, LIMITS),
    row("interventions.limits.max_tokens", Count(1, 1_000_000_000), Lower, LIMITS),
    row("interventions.limits.max_execution_seconds", SECONDS, Lower, LIMITS),
    row("interventions.limits.batch_size", NUMBER, Lower, Test("batch_size_limits_the_calls_of_one_batch")),
    row("interventions.session_limits.max_file_operations", NUMBER, Lower, LIMITS),
    row("interventions.session_limits.max_commands", NUMBER, Lower, LIMITS),
    row("interventions.session_limits.max_tokens", Count(1, 1_000_000_000), Lower, LIMITS),
    row("interventions.session_limits.max_execution_seconds", SECONDS, Lower, LIMITS),
    row("interventions.soft_correction.enabled", Flag, True, CONTROLLER),
    // Fewer attempts mean that the next, harder intervention comes sooner.
    row("interventions.soft_correction.max_attempts", NUMBER, Lower, CONTROLLER),
    row(
        "interventions.soft_correction.custom_prompts_path",
        OptionalPath,
        AfterTrust,
        Test("the_file_that_custom_prompts_path_names_has_the_words"),
    ),
    row("interventions.context_reinforcement.enabled", Flag, True, CONTROLLER),
    row(
        "interventions.context_reinforcement.reinforcement_strength",
        Word(&["light", "medium", "strong"]),
        LaterWord,
        REINFORCEMENT,
    ),
    row("interventions.context_reinforcement.include_examples", Flag, Neutral, REINFORCEMENT),
    row("interventions.resource_throttling.enabled", Flag, True, CONTROLLER),
    row("interventions.resource_throttling.reduction_factors.moderate", Fraction, Lower, REDUCTION),
    row("interventions.resource_throttling.reduction_factors.aggressive", Fraction, Lower, REDUCTION),
    row("interventions.resource_throttling.reduction_factors.severe", Fraction, Lower, REDUCTION),
    row("interventions.resource_throttling.metrics_window_seconds", SECONDS, Neutral, WINDOW),
    row("interventions.checkpoint_rollback.enabled", Flag, True, CONTROLLER),
    row(
        "interventions.checkpoint_rollback.mode",
        Word(&["propose", "automatic"]),
        AfterTrust,
        Test("automatic_mode_restores_by_itself_and_propose_does_not"),
    ),
    row(
        "interventions.checkpoint_rollback.before_changes",
        Flag,
        True,
        Test("before_changes_switched_off_takes_none"),
    ),
    row("interventions.checkpoint_rollback.max_rollback_depth", NUMBER, Neutral, CONTROLLER),
    row("interventions.checkpoint_rollback.checkpoint_retention_minutes", MINUTES, Higher, STORE),
    row("interventions.checkpoint_rollback.max_checkpoints", NUMBER, Higher, STORE),
    row("interventions.checkpoint_rollback.max_file_mb", Count(1, 102_400), Higher, STORE),
    row("interventions.checkpoint_rollback.max_checkpoint_mb", Count(1, 1_048_576), Higher, STORE),
    row("interventions.checkpoint_rollback.max_wait_ms", Count(0, 10_000), Higher, STORE),
    row("interventions.checkpoint_rollback.max_store_mb", Count(1, 1_048_576), Higher, STORE),
    row(
        "interventions.checkpoint_rollback.safe_checkpoint_criteria.min_success_rate",
        Fraction,
        Higher,
        CRITERIA,
    ),
    row(
        "interventions.checkpoint_rollback.safe_checkpoint_criteria.no_errors_duration_seconds",
        Seconds(0),
        Higher,
        CRITERIA,
    ),
    row("interventions.emergency_stop.enabled", Flag, True, Test("without_emergency_stop_nothing_is_locked")),
    row(
        "interventions.emergency_stop.auto_cleanup",
        Flag,
        False,
        Test("auto_cleanup_restores_the_safe_checkpoint_on_abort_and_only_then"),
    ),
    row(
        "interventions.emergency_stop.notification_channels",
        Words(super::CHANNELS),
        AfterTrust,
        Test("every_channel_reaches_the_program_that_the_settings_name"),
    ),
    row(
        "interventions.emergency_stop.preserve_incident_data_days",
        Count(1, 36_500),
        Higher,
        Test("incidents_go_after_preserve_incident_data_days_but_never_the_one_that_locks"),
    ),
    row(
        "interventions.strategy.type",
        Word(&["progressive", "pattern_specific", "custom"]),
        AfterTrust,
        CONTROLLER,
    ),
    row(
        "interventions.strategy.handler",
        Command,
        AfterTrust,
        Test("a_handler_is_asked_only_where_the_strategy_is_custom"),
    ),
    row("interventions.strategy.effectiveness_threshold", Fraction, Higher, CONTROLLER),
    row("interventions.strategy.escalation_delay_seconds", Seconds(0), Lower, CONTROLLER),
    row("notifications.desktop_command", Command, AfterTrust, MESSAGES),
    row("notifications.sound_command", Command, AfterTrust, MESSAGES),
    row(
        "notifications.webhook_url",
        OptionalText,
        AfterTrust,
        Test("a_webhook_gets_exactly_one_well_formed_post"),
    ),
    row("notifications.email_command", Command, AfterTrust, MESSAGES),
    row("notifications.command", Command, AfterTrust, MESSAGES),
    row("review.enabled", Flag, True, Test("with_reviews_of_tasks_switched_off_a_task_completes_directly")),
    row("review.command", Text, AfterTrust, Test("another_command_asks_for_the_review_of_a_task")),
    row("review.model", OptionalText, AfterTrust, Test("another_model_reads_the_task")),
    row("review.runner", Command, AfterTrust, Test("done_waits_for_the_runner_and_exits_by_the_result")),
    row("review.max_revisions", NUMBER, Lower, Test("another_number_of_revisions_blocks_at_another_review")),
    row(
        "review.trigger",
        Word(&["explicit", "session_idle", "script_completion"]),
        AfterTrust,
        Test("a_turn_that_ends_after_work_asks_for_exactly_one_review"),
    ),
    row("review.context.include_task_definition", Flag, True, TASK_CONTEXT),
    row("review.context.include_git_diff", Flag, True, TASK_CONTEXT),
    row("review.context.include_test_results", Flag, True, TASK_CONTEXT),
    row("review.context.include_lint_results", Flag, True, TASK_CONTEXT),
    row("review.context.include_session_log", Flag, True, TASK_CONTEXT),
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
pub const LAYOUT: u64 = layout(KEYS);

const fn layout(mut keys: &[Key]) -> u64 {
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
