//! Every setting of `review-config.yaml`, with its default.
//!
//! The names and numbers are part of the product's contract. `schema.rs` says for each key which direction is
//! stricter; a key that is missing there fails a test.

use super::section::{sections, words};
use super::{Interventions, LoopNumber, StepReviewer};
use serde::{Deserialize, Serialize};

/// All settings after merging; what hooks and commands obey.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    pub loop1: Loop1,
    pub loop2: Loop2,
    pub loop3: Loop3,
    pub loop4: Loop4,
    pub blocking: Blocking,
    pub output: Output,
    pub paths: Paths,
    pub step_reviewer: StepReviewer,
    pub interventions: Interventions,
    pub notifications: Notifications,
    pub review: TaskReview,
    pub sandbox: CheckSandbox,
    pub attestation: Attestation,
}

sections! {
    /// The project's own checks. Times in seconds.
    Loop1 {
        tier1_timeout: u64 = 30,
        tier2_timeout: u64 = 120,
        parallel_tier1: bool = true,
        fail_fast_tier2: bool = true,
        /// Where the test tool can tell which tests a change affects.
        only_affected_tests: bool = false,
        checks: CheckCommands = CheckCommands::default(),
    }

    /// Commands that replace what was detected; an empty list leaves detection in charge.
    CheckCommands {
        lint: Vec<String> = Vec::new(),
        typecheck: Vec<String> = Vec::new(),
        format: Vec<String> = Vec::new(),
        build: Vec<String> = Vec::new(),
        test: Vec<String> = Vec::new(),
    }

    /// The Claude reviewer.
    Loop2 {
        enabled: bool = true,
        model: ReviewModel = ReviewModel::Opus,
        spawn_fresh_context: bool = true,
        include_specs: bool = true,
        include_commits: u32 = 5,
        timeout: u64 = 300,
    }

    /// The outside reviewer.
    Loop3 {
        enabled: bool = true,
        /// A command that prints SARIF; empty means CodeRabbit.
        command: Vec<String> = Vec::new(),
        rate_limit_per_hour: u32 = 8,
        skip_on_rate_limit: bool = true,
        block_on_new_issues: bool = false,
        timeout: u64 = 180,
    }

    /// Integration, end-to-end tests and the feedback on the pull request.
    Loop4 {
        enabled: bool = true,
        integration: Vec<String> = Vec::new(),
        e2e: Vec<String> = Vec::new(),
        timeout: u64 = 600,
    }

    /// The conditions that close the gate.
    Blocking {
        required_loops: Vec<LoopNumber> = vec![LoopNumber::One, LoopNumber::Two],
        critical_blocks_ship: bool = true,
        major_blocks_ship: bool = false,
        minor_blocks_ship: bool = false,
        secrets_block_ship: bool = true,
        build_failure_blocks_ship: bool = true,
        test_failure_blocks_ship: bool = true,
        max_evidence_age_minutes: u64 = 60,
        max_rounds: u32 = 3,
    }

    Output {
        show_progress_spinners: bool = true,
        show_elapsed_time: bool = true,
        unified_report: bool = true,
        save_logs: bool = true,
    }

    /// Where the readable copies go, relative to the project.
    Paths {
        state_dir: String = ".claude/state".into(),
        log_dir: String = ".claude/logs".into(),
        config_dir: String = ".claude/config".into(),
    }

    /// How a person is told while nobody looks at the terminal; empty means the platform's own way, where there is one.
    Notifications {
        /// Shows a stop, a blocked task and a waiting question on the desktop, where there is one.
        desktop: bool = true,
        desktop_command: Vec<String> = Vec::new(),
        sound_command: Vec<String> = Vec::new(),
        /// Takes what Slack takes: a POST of `{"text": …}`.
        webhook_url: Option<String> = None,
        /// Gets the message on its standard input.
        email_command: Vec<String> = Vec::new(),
        /// Gets the event as JSON on its standard input.
        command: Vec<String> = Vec::new(),
    }

    /// The review of single tasks.
    TaskReview {
        enabled: bool = true,
        command: String = "/review-task".into(),
        model: Option<String> = None,
        runner: Vec<String> = Vec::new(),
        max_revisions: u32 = 3,
        trigger: ReviewTrigger = ReviewTrigger::ScriptCompletion,
        context: TaskContext = TaskContext::default(),
    }

    TaskContext {
        include_task_definition: bool = true,
        include_git_diff: bool = true,
        include_test_results: bool = true,
        include_lint_results: bool = false,
        include_session_log: bool = false,
    }

    /// Checks of a project in sandboxed mode.
    CheckSandbox {
        check_network: bool = true,
        /// Checks, by their name or program, that need more than the sandbox gives.
        unsandboxed_checks: Vec<String> = Vec::new(),
    }

    /// Receipts that travel: signed statements in git notes.
    Attestation {
        /// Whether `plimsoll push` signs what it pushes.
        on_push: bool = false,
        /// The ssh key; null means git's `user.signingkey`.
        key: Option<String> = None,
        max_age_days: u32 = 36_500,
    }
}

words!(ReviewModel { Opus, Sonnet, Haiku });
words!(ReviewTrigger { ScriptCompletion, SessionIdle, Explicit });
