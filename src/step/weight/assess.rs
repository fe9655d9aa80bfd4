//! How risky and how sensible an action is, and what else it changes: computed and shown; effects and rules refuse.

use crate::step::rule::Course;

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

impl Nature {
    pub fn base_risk(self) -> f64 {
        match self {
            Self::Read => 0.1,
            Self::Creation => 0.3,
            Self::Modification => 0.4,
            Self::Network => 0.6,
            Self::System => 0.7,
            Self::Deletion => 0.8,
        }
    }

    /// For the journal and other places that keep numbers.
    pub fn number(self) -> u64 {
        self as u64
    }

    pub fn from_number(number: u64) -> Option<Self> {
        use Nature::{Creation, Deletion, Modification, Network, Read, System};
        [Read, Creation, Modification, Network, System, Deletion]
            .into_iter()
            .find(|one| one.number() == number)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "file_read",
            Self::Creation => "file_creation",
            Self::Modification => "file_modification",
            Self::Network => "network_request",
            Self::System => "system_command",
            Self::Deletion => "file_deletion",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    pub risk: Risk,
    pub rationality: Rationality,
    pub side_effects: Vec<SideEffect>,
    /// What risk and rationality alone would call for.
    pub course: Course,
    pub confidence: f64,
    pub reasoning: Reasoning,
    /// What could be done instead, commands and advice.
    pub alternatives: Vec<String>,
    /// What the numbers rest on, by name.
    pub metadata: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Risk {
    pub score: f64,
    pub severity: Severity,
    pub base: Nature,
    /// What adds to the base, by name.
    pub factors: Vec<(&'static str, f64)>,
    /// The same in words, the base first.
    pub details: Vec<String>,
}

impl Risk {
    pub fn has(&self, factor: &str) -> bool {
        self.factors.iter().any(|(name, _)| *name == factor)
    }
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

impl SideEffectKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::System => "system",
            Self::Network => "network",
            Self::Resource => "resource",
        }
    }
}

/// Why the numbers come to their course.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reasoning {
    /// The first of `all`.
    pub primary: Option<String>,
    pub all: Vec<String>,
    pub explanation: String,
}
