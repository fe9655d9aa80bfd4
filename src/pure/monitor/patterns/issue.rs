//! An issue: the pattern, its sign, severity and confidence, and the calls that show it.

use serde::{Deserialize, Serialize};
use std::fmt;

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

impl Pattern {
    pub(crate) const ALL: [Self; 5] = [
        Self::RepetitiveErrors,
        Self::ScopeCreep,
        Self::GoalDrift,
        Self::ResourceSpiral,
        Self::Hallucination,
    ];
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// One measurable form of a pattern.
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

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
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
pub enum IssueSeverity {
    /// Recorded, and nothing else.
    Note,
    Low,
    Medium,
    High,
    Critical,
}

impl fmt::Display for IssueSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The calls that are refused while the issue lasts.
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
    pub severity: IssueSeverity,
    /// From 0 to 1.
    pub confidence: f64,
    /// How much more it weighs by what it touches: 0 is nothing more.
    pub impact: f64,
    /// Equal for issues with the same cause.
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

/// The evidence that messages quote.
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
