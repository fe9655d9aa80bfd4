//! Something that goes wrong in a session: which pattern, how sure, how bad, and what shows it.

use serde::{Deserialize, Serialize};

/// The five patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    RepetitiveErrors,
    ScopeCreep,
    GoalDrift,
    ResourceSpiral,
    Hallucination,
}

/// What gave the pattern away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// The same call, the same result, nothing changed in between.
    NoProgress,
    /// The same few calls in turn.
    Cycle,
    ErrorFamily,
    ErrorStreak,
    FlipFlop,
    UnchangedPoll,
    ReviewRatchet,
    OutOfScope,
    ForbiddenPath,
    ManyFiles,
    OffGoal,
    CallBudget,
    ErrorRatio,
    LimitReached,
    PhantomPath,
    PhantomCommand,
    UnprovenClaim,
    FewerTests,
}

#[cfg(test)]
impl Sign {
    pub const ALL: [Self; 18] = [
        Self::NoProgress,
        Self::Cycle,
        Self::ErrorFamily,
        Self::ErrorStreak,
        Self::FlipFlop,
        Self::UnchangedPoll,
        Self::ReviewRatchet,
        Self::OutOfScope,
        Self::ForbiddenPath,
        Self::ManyFiles,
        Self::OffGoal,
        Self::CallBudget,
        Self::ErrorRatio,
        Self::LimitReached,
        Self::PhantomPath,
        Self::PhantomCommand,
        Self::UnprovenClaim,
        Self::FewerTests,
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Recorded, and nothing else.
    Note,
    Low,
    Medium,
    High,
    Critical,
}

/// What is refused as long as the issue lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refuse {
    /// This very call.
    Call(u64),
    /// The same tool on the same target: a file, or a program and its subcommand.
    Target(u64),
    /// Everything that changes something.
    Changes,
    /// Everything that changes something outside of the declared scope.
    OutsideScope,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Issue {
    pub pattern: Pattern,
    pub sign: Sign,
    pub severity: Severity,
    /// From 0 to 1.
    pub confidence: f64,
    /// How much more it weighs by what it touches: 0 is nothing more.
    pub impact: f64,
    /// The same for as long as it is the same trouble.
    pub cause: u64,
    /// One sentence: what was seen.
    pub description: String,
    pub details: Details,
    /// Ids of the calls that show it, the oldest first.
    pub events: Vec<String>,
    /// Milliseconds since 1970.
    pub began: u64,
    pub refuse: Option<Refuse>,
}

/// What messages quote.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Details {
    pub tool: String,
    /// The call as a person would name it: a command, a path.
    pub what: String,
    pub file_path: Option<String>,
    pub out_of_scope_path: Option<String>,
    pub error: Option<String>,
    pub count: u64,
    /// The claim, and the command that would show it.
    pub claim: Option<String>,
    pub evidence: Option<String>,
    /// How usage in the last window compares with the one before: file operations, memory, tokens, time.
    pub growth: Growth,
}

/// Usage in this window divided by usage in the one before; 1 where nothing can be said.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Growth {
    pub file_operations: f64,
    pub memory: f64,
    pub tokens: f64,
    pub time: f64,
}

impl Default for Growth {
    fn default() -> Self {
        Self { file_operations: 1.0, memory: 1.0, tokens: 1.0, time: 1.0 }
    }
}
