//! Every setting has a test in which a value other than the default changes a result.

#![expect(clippy::unwrap_used, reason = "sources that cannot be read have to fail the test")]

use plimsoll::pure::policy::KEYS;
use std::fs;
use std::path::Path;

/// Each key with its test; `None`: nothing uses the key yet.
pub(crate) const TESTS: &[(&str, Option<&str>)] = &[
    ("loop1.tier1_timeout", Some("a_shorter_tier1_timeout_fails_a_slow_lint")),
    ("loop1.tier2_timeout", Some("a_shorter_tier2_timeout_fails_a_slow_test")),
    ("loop1.parallel_tier1", Some("without_parallel_tier1_one_check_waits_for_the_other")),
    ("loop1.fail_fast_tier2", Some("without_fail_fast_tier2_the_tests_run_after_a_failed_build")),
    ("loop1.checks.lint", Some("commands_in_the_settings_run_instead_of_the_projects_scripts")),
    ("loop1.checks.typecheck", Some("commands_in_the_settings_run_instead_of_the_projects_scripts")),
    ("loop1.checks.format", Some("commands_in_the_settings_run_instead_of_the_projects_scripts")),
    ("loop1.checks.build", Some("commands_in_the_settings_run_instead_of_the_projects_scripts")),
    ("loop1.checks.test", Some("commands_in_the_settings_run_instead_of_the_projects_scripts")),
    ("loop2.enabled", Some("loops_that_are_switched_off_are_not_part_of_a_review")),
    ("loop2.model", Some("loop2_model_chooses_who_reads")),
    (
        "loop2.spawn_fresh_context",
        Some("include_commits_include_specs_and_spawn_fresh_context_choose_what_the_reviewer_is_told"),
    ),
    (
        "loop2.include_specs",
        Some("include_commits_include_specs_and_spawn_fresh_context_choose_what_the_reviewer_is_told"),
    ),
    (
        "loop2.include_commits",
        Some("include_commits_include_specs_and_spawn_fresh_context_choose_what_the_reviewer_is_told"),
    ),
    ("loop2.timeout", Some("a_shorter_loop2_timeout_ends_the_reading_sooner")),
    ("loop3.enabled", Some("loops_that_are_switched_off_are_not_part_of_a_review")),
    ("loop3.command", Some("a_command_of_ones_own_reviews_instead_of_coderabbit")),
    ("loop3.rate_limit_per_hour", Some("the_quota_is_as_large_as_the_settings_say")),
    ("loop3.skip_on_rate_limit", Some("an_exhausted_quota_fails_where_it_may_not_be_skipped")),
    ("loop3.block_on_new_issues", Some("new_issues_block_only_where_the_settings_say_so")),
    ("loop3.timeout", Some("silence_beyond_the_timeout_is_a_skip")),
    ("loop4.enabled", Some("loops_that_are_switched_off_are_not_part_of_a_review")),
    ("loop4.integration", Some("integration_and_e2e_commands_are_run_and_judged")),
    ("loop4.e2e", Some("integration_and_e2e_commands_are_run_and_judged")),
    ("loop4.timeout", Some("a_shorter_loop4_timeout_fails_a_slow_suite")),
    ("blocking.required_loops", Some("required_loops_that_are_not_run_keep_the_gate_closed")),
    ("blocking.critical_blocks_ship", Some("findings_of_a_reviewer_block_by_their_severity")),
    ("blocking.major_blocks_ship", Some("findings_of_a_reviewer_block_by_their_severity")),
    ("blocking.minor_blocks_ship", Some("findings_of_a_reviewer_block_by_their_severity")),
    ("blocking.secrets_block_ship", Some("a_secret_ships_only_where_the_policy_says_so")),
    (
        "blocking.build_failure_blocks_ship",
        Some("a_failed_build_or_test_ships_only_where_the_policy_says_so"),
    ),
    ("blocking.test_failure_blocks_ship", Some("a_failed_build_or_test_ships_only_where_the_policy_says_so")),
    (
        "blocking.max_evidence_age_minutes",
        Some("a_reading_older_than_max_evidence_age_minutes_is_made_again"),
    ),
    ("blocking.max_rounds", Some("more_than_max_rounds_failed_readings_need_a_person")),
    ("output.show_progress_spinners", Some("spinners_need_a_terminal_and_show_progress_spinners")),
    ("output.show_elapsed_time", Some("without_show_elapsed_time_the_report_has_no_times")),
    ("output.unified_report", Some("without_unified_report_only_the_results_remain")),
    ("output.save_logs", Some("no_log_is_written_where_save_logs_is_off")),
    ("paths.state_dir", Some("the_readable_copies_go_where_the_paths_say")),
    ("paths.log_dir", Some("the_readable_copies_go_where_the_paths_say")),
    ("paths.config_dir", Some("the_users_file_moves_the_projects_file")),
    ("step_reviewer.enabled", Some("the_floor_holds_with_the_step_reviewer_switched_off")),
    ("step_reviewer.mode", Some("the_floor_holds_while_only_observing")),
    ("step_reviewer.risk.low_threshold", Some("each_risk_threshold_changes_what_is_called_for")),
    ("step_reviewer.risk.medium_threshold", Some("each_risk_threshold_changes_what_is_called_for")),
    ("step_reviewer.risk.high_threshold", Some("each_risk_threshold_changes_what_is_called_for")),
    ("step_reviewer.risk.critical_threshold", Some("each_risk_threshold_changes_what_is_called_for")),
    ("step_reviewer.modifiers.privilege", Some("other_modifiers_are_other_scores")),
    ("step_reviewer.modifiers.pattern", Some("other_modifiers_are_other_scores")),
    ("step_reviewer.rationality.high_threshold", Some("other_thresholds_are_other_levels")),
    ("step_reviewer.rationality.medium_threshold", Some("other_thresholds_are_other_levels")),
    (
        "step_reviewer.rationality.low_threshold",
        Some("a_question_that_was_refused_against_the_request_becomes_a_refusal"),
    ),
    ("step_reviewer.weights.goal_alignment", Some("each_weight_moves_the_score")),
    ("step_reviewer.weights.logical_progression", Some("each_weight_moves_the_score")),
    ("step_reviewer.weights.efficiency", Some("each_weight_moves_the_score")),
    ("step_reviewer.weights.completeness", Some("each_weight_moves_the_score")),
    (
        "step_reviewer.scope.expected_paths",
        Some("files_outside_the_declared_scope_are_told_and_then_refused"),
    ),
    ("step_reviewer.scope.forbidden_paths", Some("the_declared_scope_is_kept")),
    ("step_reviewer.rules.builtin", Some("the_users_settings_reach_the_hook")),
    ("step_reviewer.rules.custom_rules_path", Some("a_rule_of_ones_own_is_obeyed")),
    ("step_reviewer.rules.disabled", Some("the_users_settings_reach_the_hook")),
    ("step_reviewer.rules.max_file_operations", Some("more_file_operations_than_the_limit_need_a_person")),
    ("step_reviewer.cache.enabled", Some("a_long_harmless_command_is_remembered_unless_the_cache_is_off")),
    ("step_reviewer.cache.ttl_minutes", Some("ttl_and_size_are_what_they_are_set_to")),
    ("step_reviewer.cache.max_size", Some("ttl_and_size_are_what_they_are_set_to")),
    ("step_reviewer.performance.max_review_time_ms", None),
    (
        "step_reviewer.performance.async_threshold",
        Some("below_the_async_threshold_only_rules_speak_before_the_step"),
    ),
    ("step_reviewer.overrides", Some("overrides_hold_for_their_agent_and_their_paths_alone")),
    ("interventions.enabled", Some("every_setting_of_the_controller_changes_what_is_chosen")),
    (
        "interventions.max_interventions_per_execution",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    (
        "interventions.intervention_cooldown_seconds",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    ("interventions.patterns.repeat.soft", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.repeat.deny", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.repeat.stop", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.error_family.soft", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.error_family.deny", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.error_family.stop", Some("every_threshold_of_the_patterns_moves_its_sign")),
    (
        "interventions.patterns.error_family_with_edits.soft",
        Some("every_threshold_of_the_patterns_moves_its_sign"),
    ),
    (
        "interventions.patterns.error_family_with_edits.deny",
        Some("every_threshold_of_the_patterns_moves_its_sign"),
    ),
    (
        "interventions.patterns.error_family_with_edits.stop",
        Some("every_threshold_of_the_patterns_moves_its_sign"),
    ),
    ("interventions.patterns.error_streak.soft", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.error_streak.deny", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.error_streak.stop", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.flip_flop.soft", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.flip_flop.deny", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.flip_flop.stop", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.unchanged_polls.soft", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.unchanged_polls.deny", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.unchanged_polls.stop", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.calls_per_prompt.soft", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.calls_per_prompt.deny", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.calls_per_prompt.stop", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.off_goal.soft", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.off_goal.deny", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.off_goal.stop", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.out_of_scope.soft", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.out_of_scope.deny", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.out_of_scope.stop", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.error_ratio", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.phantom_paths", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.review_rounds", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.patterns.claims_need_evidence", Some("every_threshold_of_the_patterns_moves_its_sign")),
    ("interventions.limits.max_commands", Some("each_limit_is_reached_where_it_is_set")),
    ("interventions.limits.max_memory_mb", Some("each_limit_is_reached_where_it_is_set")),
    ("interventions.limits.max_tokens", Some("each_limit_is_reached_where_it_is_set")),
    ("interventions.limits.max_execution_seconds", Some("each_limit_is_reached_where_it_is_set")),
    ("interventions.limits.batch_size", Some("batch_size_limits_the_calls_of_one_batch")),
    ("interventions.session_limits.max_file_operations", Some("each_limit_is_reached_where_it_is_set")),
    ("interventions.session_limits.max_commands", Some("each_limit_is_reached_where_it_is_set")),
    ("interventions.session_limits.max_tokens", Some("each_limit_is_reached_where_it_is_set")),
    ("interventions.session_limits.max_execution_seconds", Some("each_limit_is_reached_where_it_is_set")),
    ("interventions.soft_correction.enabled", Some("every_setting_of_the_controller_changes_what_is_chosen")),
    (
        "interventions.soft_correction.max_attempts",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    (
        "interventions.soft_correction.custom_prompts_path",
        Some("the_file_that_custom_prompts_path_names_has_the_words"),
    ),
    (
        "interventions.context_reinforcement.enabled",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    (
        "interventions.context_reinforcement.reinforcement_strength",
        Some("strength_and_examples_change_how_much_is_said"),
    ),
    (
        "interventions.context_reinforcement.include_examples",
        Some("strength_and_examples_change_how_much_is_said"),
    ),
    (
        "interventions.resource_throttling.enabled",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    (
        "interventions.resource_throttling.reduction_factors.moderate",
        Some("other_reduction_factors_leave_other_limits"),
    ),
    (
        "interventions.resource_throttling.reduction_factors.aggressive",
        Some("other_reduction_factors_leave_other_limits"),
    ),
    (
        "interventions.resource_throttling.reduction_factors.severe",
        Some("other_reduction_factors_leave_other_limits"),
    ),
    (
        "interventions.resource_throttling.metrics_window_seconds",
        Some("the_length_of_the_window_decides_what_grows"),
    ),
    (
        "interventions.checkpoint_rollback.enabled",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    (
        "interventions.checkpoint_rollback.mode",
        Some("automatic_mode_restores_by_itself_and_propose_does_not"),
    ),
    ("interventions.checkpoint_rollback.before_changes", Some("before_changes_switched_off_takes_none")),
    (
        "interventions.checkpoint_rollback.max_rollback_depth",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    (
        "interventions.checkpoint_rollback.checkpoint_retention_minutes",
        Some("the_bounds_of_the_store_are_those_of_the_settings"),
    ),
    (
        "interventions.checkpoint_rollback.max_checkpoints",
        Some("the_bounds_of_the_store_are_those_of_the_settings"),
    ),
    (
        "interventions.checkpoint_rollback.max_file_mb",
        Some("the_bounds_of_the_store_are_those_of_the_settings"),
    ),
    (
        "interventions.checkpoint_rollback.max_checkpoint_mb",
        Some("the_bounds_of_the_store_are_those_of_the_settings"),
    ),
    (
        "interventions.checkpoint_rollback.max_wait_ms",
        Some("the_bounds_of_the_store_are_those_of_the_settings"),
    ),
    (
        "interventions.checkpoint_rollback.max_store_mb",
        Some("the_bounds_of_the_store_are_those_of_the_settings"),
    ),
    (
        "interventions.checkpoint_rollback.safe_checkpoint_criteria.min_success_rate",
        Some("the_criteria_are_those_of_the_settings"),
    ),
    (
        "interventions.checkpoint_rollback.safe_checkpoint_criteria.no_errors_duration_seconds",
        Some("the_criteria_are_those_of_the_settings"),
    ),
    ("interventions.emergency_stop.enabled", Some("without_emergency_stop_nothing_is_locked")),
    (
        "interventions.emergency_stop.auto_cleanup",
        Some("auto_cleanup_restores_the_safe_checkpoint_on_abort_and_only_then"),
    ),
    (
        "interventions.emergency_stop.notification_channels",
        Some("every_channel_reaches_the_program_that_the_settings_name"),
    ),
    (
        "interventions.emergency_stop.preserve_incident_data_days",
        Some("incidents_go_after_preserve_incident_data_days_but_never_the_one_that_locks"),
    ),
    ("interventions.strategy.type", Some("every_setting_of_the_controller_changes_what_is_chosen")),
    ("interventions.strategy.handler", Some("a_handler_is_asked_only_where_the_strategy_is_custom")),
    (
        "interventions.strategy.effectiveness_threshold",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    (
        "interventions.strategy.escalation_delay_seconds",
        Some("every_setting_of_the_controller_changes_what_is_chosen"),
    ),
    ("notifications.desktop_command", Some("every_channel_reaches_the_program_that_the_settings_name")),
    ("notifications.sound_command", Some("every_channel_reaches_the_program_that_the_settings_name")),
    ("notifications.webhook_url", Some("a_webhook_gets_exactly_one_well_formed_post")),
    ("notifications.email_command", Some("every_channel_reaches_the_program_that_the_settings_name")),
    ("notifications.command", Some("every_channel_reaches_the_program_that_the_settings_name")),
    ("review.enabled", Some("with_reviews_of_tasks_switched_off_a_task_completes_directly")),
    ("review.command", Some("another_command_asks_for_the_review_of_a_task")),
    ("review.model", Some("another_model_reads_the_task")),
    ("review.runner", Some("done_waits_for_the_runner_and_exits_by_the_result")),
    ("review.max_revisions", Some("another_number_of_revisions_blocks_at_another_review")),
    ("review.trigger", Some("a_turn_that_ends_after_work_asks_for_exactly_one_review")),
    ("review.context.include_task_definition", Some("every_part_of_the_context_has_its_switch")),
    ("review.context.include_git_diff", Some("every_part_of_the_context_has_its_switch")),
    ("review.context.include_test_results", Some("every_part_of_the_context_has_its_switch")),
    ("review.context.include_lint_results", Some("every_part_of_the_context_has_its_switch")),
    ("review.context.include_session_log", Some("every_part_of_the_context_has_its_switch")),
    ("sandbox.check_network", Some("checks_reach_the_network_where_the_settings_say_so")),
    ("sandbox.unsandboxed_checks", Some("a_check_that_the_user_names_runs_without_the_sandbox")),
];

fn sources(directory: &Path, text: &mut String) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_setting_names_a_test_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    sources(&root.join("src"), &mut text);
    sources(&root.join("tests"), &mut text);
    let listed: Vec<&str> = TESTS.iter().map(|(key, _)| *key).collect();
    assert_eq!(listed, KEYS.iter().map(|key| key.name).collect::<Vec<_>>());
    for (key, test) in TESTS {
        let missing = test.filter(|test| !text.contains(&format!("fn {test}(")));
        assert_eq!(missing, None, "{key}: no such test");
    }
}
