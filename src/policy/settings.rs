//! Every setting of `review-config.yaml`, with its default.
//!
//! The names and numbers are part of the product's contract. `schema.rs` says for each key which direction is
//! stricter; a key that is missing there fails a test.

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
    pub review: TaskReview,
}

/// Declares a settings section: its fields, their types and defaults, and nothing else.
macro_rules! section {
    ($(#[$doc:meta])* $name:ident { $($field:ident : $type:ty = $default:expr,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name { $(pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
}

section! {
    /// The project's own checks. Times in seconds.
    Loop1 {
        tier1_timeout: u64 = 30,
        tier2_timeout: u64 = 120,
        parallel_tier1: bool = true,
        fail_fast_tier2: bool = true,
        checks: CheckCommands = CheckCommands::default(),
    }
}

section! {
    /// Commands that replace what was detected; an empty list leaves detection in charge.
    CheckCommands {
        lint: Vec<String> = Vec::new(),
        typecheck: Vec<String> = Vec::new(),
        format: Vec<String> = Vec::new(),
        build: Vec<String> = Vec::new(),
        test: Vec<String> = Vec::new(),
    }
}

section! {
    /// The Claude reviewer.
    Loop2 {
        enabled: bool = true,
        model: ReviewModel = ReviewModel::Opus,
        spawn_fresh_context: bool = true,
        include_specs: bool = true,
        include_commits: u32 = 5,
        timeout: u64 = 300,
    }
}

section! {
    /// The outside reviewer.
    Loop3 {
        enabled: bool = true,
        rate_limit_per_hour: u32 = 8,
        skip_on_rate_limit: bool = true,
        block_on_new_issues: bool = false,
        timeout: u64 = 180,
    }
}

section! {
    /// Integration, end-to-end tests and the feedback on the pull request.
    Loop4 {
        enabled: bool = true,
        timeout: u64 = 600,
    }
}

section! {
    /// What shuts the gate.
    Blocking {
        required_loops: Vec<u8> = vec![1, 2],
        critical_blocks_ship: bool = true,
        major_blocks_ship: bool = false,
        minor_blocks_ship: bool = false,
        secrets_block_ship: bool = true,
        build_failure_blocks_ship: bool = true,
        test_failure_blocks_ship: bool = true,
        max_evidence_age_minutes: u64 = 60,
        max_rounds: u32 = 3,
    }
}

section! {
    Output {
        show_progress_spinners: bool = true,
        show_elapsed_time: bool = true,
        unified_report: bool = true,
        save_logs: bool = true,
    }
}

section! {
    /// Where the readable copies go, relative to the project.
    Paths {
        state_dir: String = ".claude/state".into(),
        log_dir: String = ".claude/logs".into(),
        config_dir: String = ".claude/config".into(),
    }
}

section! {
    StepReviewer {
        enabled: bool = true,
        mode: StepMode = StepMode::Blocking,
        risk: RiskThresholds = RiskThresholds::default(),
        rationality: RationalityThresholds = RationalityThresholds::default(),
        rules: Rules = Rules::default(),
        cache: Cache = Cache::default(),
        performance: Performance = Performance::default(),
    }
}

section! {
    RiskThresholds {
        low_threshold: f64 = 0.3,
        medium_threshold: f64 = 0.6,
        high_threshold: f64 = 0.8,
        critical_threshold: f64 = 0.95,
    }
}

section! {
    RationalityThresholds {
        high_threshold: f64 = 0.8,
        medium_threshold: f64 = 0.5,
        low_threshold: f64 = 0.3,
    }
}

section! {
    Rules {
        builtin: BuiltinRules = BuiltinRules::All,
        custom_rules_path: Option<String> = None,
        disabled: Vec<String> = Vec::new(),
        max_file_operations: u32 = 200,
    }
}

section! {
    Cache {
        enabled: bool = true,
        ttl_minutes: u64 = 5,
        max_size: u32 = 1000,
    }
}

section! {
    Performance {
        max_review_time_ms: u64 = 100,
        async_threshold: f64 = 0.3,
    }
}

section! {
    Interventions {
        enabled: bool = true,
        max_interventions_per_execution: u32 = 10,
        intervention_cooldown_seconds: u64 = 30,
        soft_correction: SoftCorrection = SoftCorrection::default(),
        context_reinforcement: ContextReinforcement = ContextReinforcement::default(),
        resource_throttling: ResourceThrottling = ResourceThrottling::default(),
        checkpoint_rollback: CheckpointRollback = CheckpointRollback::default(),
        emergency_stop: EmergencyStop = EmergencyStop::default(),
        strategy: Strategy = Strategy::default(),
    }
}

section! {
    SoftCorrection {
        enabled: bool = true,
        max_attempts: u32 = 3,
        custom_prompts_path: Option<String> = None,
    }
}

section! {
    ContextReinforcement {
        enabled: bool = true,
        reinforcement_strength: Strength = Strength::Medium,
        include_examples: bool = true,
    }
}

section! {
    ResourceThrottling {
        enabled: bool = true,
        reduction_factors: Option<ReductionFactors> = None,
        metrics_window_seconds: u64 = 60,
    }
}

section! {
    ReductionFactors {
        moderate: f64 = 0.85,
        aggressive: f64 = 0.5,
        severe: f64 = 0.25,
    }
}

section! {
    CheckpointRollback {
        enabled: bool = true,
        max_rollback_depth: u32 = 3,
        checkpoint_retention_minutes: u64 = 30,
        safe_checkpoint_criteria: SafeCheckpoint = SafeCheckpoint::default(),
    }
}

section! {
    SafeCheckpoint {
        min_success_rate: f64 = 0.8,
        no_errors_duration_seconds: u64 = 60,
    }
}

section! {
    EmergencyStop {
        enabled: bool = true,
        auto_cleanup: bool = false,
        notification_channels: Vec<String> = Vec::new(),
        preserve_incident_data_days: u32 = 30,
    }
}

section! {
    Strategy {
        r#type: StrategyKind = StrategyKind::Progressive,
        effectiveness_threshold: f64 = 0.6,
        escalation_delay_seconds: u64 = 120,
    }
}

section! {
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
}

section! {
    TaskContext {
        include_task_definition: bool = true,
        include_git_diff: bool = true,
        include_test_results: bool = true,
        include_lint_results: bool = false,
        include_session_log: bool = false,
    }
}

/// Declares a closed set of words that a key may take.
macro_rules! words {
    ($name:ident { $($variant:ident),* $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($variant,)* }
    };
}

words!(ReviewModel { Opus, Sonnet, Haiku });
words!(StepMode { Blocking, Async, Observe });
words!(BuiltinRules { All, Essential, None });
words!(Strength { Light, Medium, Strong });
words!(StrategyKind { Progressive, PatternSpecific, Custom });
words!(ReviewTrigger { ScriptCompletion, SessionIdle, Explicit });
