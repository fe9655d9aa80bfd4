//! How risky and how sensible an action is, and what else it changes: computed and shown; effects and rules refuse.

use super::rule::Course;

/// What an action is at its worst, from the mildest; each has its base risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Nature {
    #[default]
    Read,
    Creation,
    Modification,
    Network,
    /// Touches the system, or does nobody knows what.
    System,
    Deletion,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    pub risk: Risk,
    pub rationality: Rationality,
    pub side_effects: Vec<SideEffect>,
    /// What risk and rationality alone would call for.
    pub course: Course,
    pub confidence: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Risk {
    pub score: f64,
    pub severity: Severity,
    pub base: Nature,
    /// What adds to the base, by name.
    pub factors: Vec<(&'static str, f64)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Rationality {
    pub score: f64,
    pub level: Severity,
    pub components: [(&'static str, f64); 4],
    pub issues: Vec<String>,
    pub suggestions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideEffect {
    pub kind: SideEffectKind,
    pub target: String,
    pub reversible: bool,
    pub severity: Severity,
    pub mitigation: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideEffectKind {
    File,
    System,
    Network,
    Resource,
}
