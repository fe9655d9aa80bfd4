//! Settings of the interventions.

use super::section::{section, words};

section! {
    Interventions {
        enabled: bool = true,
        max_interventions_per_execution: u32 = 10,
        intervention_cooldown_seconds: u64 = 30,
        limits: ResourceLimits = ResourceLimits::default(),
        soft_correction: SoftCorrection = SoftCorrection::default(),
        context_reinforcement: ContextReinforcement = ContextReinforcement::default(),
        resource_throttling: ResourceThrottling = ResourceThrottling::default(),
        checkpoint_rollback: CheckpointRollback = CheckpointRollback::default(),
        emergency_stop: EmergencyStop = EmergencyStop::default(),
        strategy: Strategy = Strategy::default(),
    }
}

section! {
    /// Where a session starts before any throttling; file operations start at `step_reviewer.rules`.
    ResourceLimits {
        max_memory_mb: u64 = 4096,
        max_tokens: u64 = 1_000_000,
        max_execution_seconds: u64 = 3600,
        batch_size: u32 = 20,
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
        reduction_factors: ReductionFactors = ReductionFactors::default(),
        metrics_window_seconds: u64 = 60,
    }
}

section! {
    /// What remains of a limit when usage grows by more than 1.2, 1.5 and 2.0 times.
    ReductionFactors {
        moderate: f64 = 0.85,
        aggressive: f64 = 0.7,
        severe: f64 = 0.5,
    }
}

section! {
    CheckpointRollback {
        enabled: bool = true,
        mode: RollbackMode = RollbackMode::Propose,
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
        /// The command behind `custom`: the issue as JSON in, the intervention as JSON out.
        handler: Vec<String> = Vec::new(),
        effectiveness_threshold: f64 = 0.6,
        escalation_delay_seconds: u64 = 120,
    }
}

words!(Strength { Light, Medium, Strong });
words!(RollbackMode { Propose, Automatic });
words!(StrategyKind { Progressive, PatternSpecific, Custom });
