//! Settings of the interventions.

use super::section::{sections, words};

sections! {
    Interventions {
        enabled: bool = true,
        max_interventions_per_execution: u32 = 10,
        intervention_cooldown_seconds: u64 = 30,
        patterns: Patterns = Patterns::default(),
        limits: ResourceLimits = ResourceLimits::default(),
        session_limits: SessionLimits = SessionLimits::default(),
        soft_correction: SoftCorrection = SoftCorrection::default(),
        context_reinforcement: ContextReinforcement = ContextReinforcement::default(),
        resource_throttling: ResourceThrottling = ResourceThrottling::default(),
        checkpoint_rollback: CheckpointRollback = CheckpointRollback::default(),
        emergency_stop: EmergencyStop = EmergencyStop::default(),
        strategy: Strategy = Strategy::default(),
    }

    /// From when on something is a pattern. Each counts up to a soft correction, a refusal and a stop.
    Patterns {
        /// The same call, or the same cycle of calls, with the same result and nothing changed in between.
        repeat: Steps = Steps::new(3, 4, 6),
        /// The same error, with nothing changed in between.
        error_family: Steps = Steps::new(3, 5, 8),
        /// The same error in spite of changes in between.
        error_family_with_edits: Steps = Steps::new(5, 8, 12),
        /// Errors of any kind, one after the other.
        error_streak: Steps = Steps::new(4, 6, 9),
        /// Edits that were made, reversed, and are made again.
        flip_flop: Steps = Steps::new(2, 4, 8),
        /// Looks at something that is waited for, all with the same result.
        unchanged_polls: Steps = Steps::new(5, 20, 40),
        /// Calls since the last prompt: told, then throttled, then stopped.
        calls_per_prompt: Steps = Steps::new(120, 200, 1000),
        /// Calls since one touched what the scope names.
        off_goal: Steps = Steps::new(25, 40, 80),
        /// Files outside the declared scope.
        out_of_scope: Steps = Steps::new(1, 3, 6),
        /// Failures among the last twenty calls.
        error_ratio: f64 = 0.4,
        /// Paths that do not exist, among the last twenty calls.
        phantom_paths: u32 = 3,
        /// Reviews of the same work that each find something new.
        review_rounds: u32 = 4,
        /// Whether "the tests pass" needs a run that shows it.
        claims_need_evidence: bool = true,
    }

    /// How often, up to a soft correction, a refusal and a stop.
    Steps {
        soft: u32 = 3,
        deny: u32 = 5,
        stop: u32 = 8,
    }
}

impl Steps {
    const fn new(soft: u32, deny: u32, stop: u32) -> Self {
        Self { soft, deny, stop }
    }
}

sections! {
    /// For one prompt, before any throttling; file operations are limited by `step_reviewer.rules`.
    ResourceLimits {
        max_commands: u64 = 300,
        max_memory_mb: u64 = 8192,
        max_tokens: u64 = 5_000_000,
        max_execution_seconds: u64 = 14_400,
        batch_size: u32 = 20,
    }

    /// For a whole session.
    SessionLimits {
        max_file_operations: u64 = 2000,
        max_commands: u64 = 3000,
        max_tokens: u64 = 50_000_000,
        max_execution_seconds: u64 = 86_400,
    }

    SoftCorrection {
        enabled: bool = true,
        max_attempts: u32 = 3,
        custom_prompts_path: Option<String> = None,
    }

    ContextReinforcement {
        enabled: bool = true,
        reinforcement_strength: Strength = Strength::Medium,
        include_examples: bool = true,
    }

    ResourceThrottling {
        enabled: bool = true,
        reduction_factors: ReductionFactors = ReductionFactors::default(),
        metrics_window_seconds: u64 = 60,
    }

    /// The share that remains of a limit when usage grows by more than 1.2, 1.5 and 2.0 times.
    ReductionFactors {
        moderate: f64 = 0.85,
        aggressive: f64 = 0.7,
        severe: f64 = 0.5,
    }

    CheckpointRollback {
        enabled: bool = true,
        mode: RollbackMode = RollbackMode::Propose,
        /// Takes one before the first change of a prompt and before every step that discards something.
        before_changes: bool = true,
        max_rollback_depth: u32 = 3,
        checkpoint_retention_minutes: u64 = 30,
        max_checkpoints: u32 = 50,
        max_file_mb: u64 = 5,
        max_checkpoint_mb: u64 = 200,
        /// How long a hook works on a checkpoint before the rest is left to the background.
        max_wait_ms: u64 = 600,
        max_store_mb: u64 = 2048,
        safe_checkpoint_criteria: SafeCheckpoint = SafeCheckpoint::default(),
    }

    SafeCheckpoint {
        min_success_rate: f64 = 0.8,
        no_errors_duration_seconds: u64 = 60,
    }
}

/// The ways to reach a person; `slack` is a webhook.
pub(crate) const CHANNELS: &[&str] = &["desktop", "sound", "webhook", "slack", "email", "command"];

sections! {
    EmergencyStop {
        enabled: bool = true,
        auto_cleanup: bool = false,
        /// Any of desktop, sound, webhook (or slack), email, command.
        notification_channels: Vec<String> = Vec::new(),
        preserve_incident_data_days: u32 = 30,
    }

    Strategy {
        r#type: StrategyKind = StrategyKind::Progressive,
        /// The command behind `custom`: the issue as JSON in, the intervention as JSON out.
        handler: Vec<String> = Vec::new(),
        effectiveness_threshold: f64 = 0.6,
        escalation_delay_seconds: u64 = 120,
    }
}

words!(Strength { Light, Medium, Strong });
words!(RollbackMode { Propose, Automatic });
words!(StrategyKind { Progressive, PatternSpecific, Custom });
