//! Settings of the step reviewer.

use super::section::{sections, words};

sections! {
    StepReviewer {
        enabled: bool = true,
        mode: StepMode = StepMode::Blocking,
        /// Whether the course by risk and rationality is shown and warns, or decides.
        matrix: MatrixMode = MatrixMode::Advise,
        risk: RiskThresholds = RiskThresholds::default(),
        modifiers: RiskModifiers = RiskModifiers::default(),
        rationality: RationalityThresholds = RationalityThresholds::default(),
        weights: RationalityWeights = RationalityWeights::default(),
        scope: ScopeContract = ScopeContract::default(),
        rules: Rules = Rules::default(),
        cache: Cache = Cache::default(),
        performance: Performance = Performance::default(),
        overrides: Vec<StepOverride> = Vec::new(),
    }

    RiskThresholds {
        low_threshold: f64 = 0.3,
        medium_threshold: f64 = 0.6,
        high_threshold: f64 = 0.8,
        critical_threshold: f64 = 0.95,
    }

    /// The risk that raised privileges and a dangerous pattern add.
    RiskModifiers {
        privilege: f64 = 0.2,
        pattern: f64 = 0.2,
    }

    RationalityThresholds {
        high_threshold: f64 = 0.8,
        medium_threshold: f64 = 0.5,
        low_threshold: f64 = 0.3,
    }

    /// How much each component counts in the rationality score.
    RationalityWeights {
        goal_alignment: f64 = 0.25,
        logical_progression: f64 = 0.25,
        efficiency: f64 = 0.25,
        completeness: f64 = 0.25,
    }

    /// Which files the work may touch, as patterns. Without expected paths there is no contract.
    ScopeContract {
        expected_paths: Vec<String> = Vec::new(),
        forbidden_paths: Vec<String> = Vec::new(),
    }

    Rules {
        builtin: BuiltinRules = BuiltinRules::All,
        custom_rules_path: Option<String> = None,
        disabled: Vec<String> = Vec::new(),
        max_file_operations: u32 = 200,
    }

    Cache {
        enabled: bool = true,
        ttl_minutes: u64 = 5,
        max_size: u32 = 1000,
    }

    Performance {
        max_review_time_ms: u64 = 100,
        async_threshold: f64 = 0.3,
    }

    /// Other numbers for one type of agent, for some paths, or for both; what is absent stays as it is.
    StepOverride {
        agent: Option<String> = None,
        paths: Vec<String> = Vec::new(),
        mode: Option<StepMode> = None,
        risk: RiskOverride = RiskOverride::default(),
        rationality: RationalityOverride = RationalityOverride::default(),
        disabled_rules: Vec<String> = Vec::new(),
    }

    RiskOverride {
        low_threshold: Option<f64> = None,
        medium_threshold: Option<f64> = None,
        high_threshold: Option<f64> = None,
        critical_threshold: Option<f64> = None,
    }

    RationalityOverride {
        high_threshold: Option<f64> = None,
        medium_threshold: Option<f64> = None,
        low_threshold: Option<f64> = None,
    }
}

words!(StepMode { Blocking, Async, Observe });
words!(MatrixMode { Advise, Enforce });
words!(BuiltinRules { All, Essential, None });
