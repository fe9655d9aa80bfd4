//! The values of an assessment.

use crate::pure::step::Decision;

/// The nature of a tool call, from the mildest to the worst; each has a base risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Nature {
    #[default]
    Read,
    Creation,
    Modification,
    Network,
    /// Changes the system, or has unknown effects.
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

    /// The number in the journal.
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
pub enum SideEffectSeverity {
    Low,
    Medium,
    High,
    Critical,
}

impl SideEffectSeverity {
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
    /// The decision by risk and rationality alone.
    pub decision: Decision,
    pub confidence: f64,
    pub reasoning: Reasoning,
    /// Alternatives: commands and advice.
    pub alternatives: Vec<String>,
    /// The facts behind the scores, by name.
    pub metadata: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Risk {
    pub score: f64,
    pub severity: SideEffectSeverity,
    pub base: Nature,
    /// The factors above the base, by name.
    pub factors: Vec<(&'static str, f64)>,
}

/// The part of an assessment that the audit log keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    pub risk: f64,
    pub rationality: f64,
    pub confidence: f64,
    /// The decision by risk and rationality alone.
    pub course: Decision,
    pub side_effects: Vec<SideEffect>,
}

impl Assessment {
    pub(crate) fn scores(&self) -> Scores {
        Scores {
            risk: self.risk.score,
            rationality: self.rationality.score,
            confidence: self.confidence,
            course: self.decision,
            side_effects: self.side_effects.clone(),
        }
    }
}

impl Risk {
    /// Base and factors in words, the base first.
    pub fn details(&self) -> Vec<String> {
        let base = format!("{} {:.2}", self.base.as_str(), self.base.base_risk());
        let factors = self.factors.iter().map(|(name, number)| format!("{name} +{number:.2}"));
        std::iter::once(base).chain(factors).collect()
    }

    pub fn has(&self, factor: &str) -> bool {
        self.factors.iter().any(|(name, _)| *name == factor)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Rationality {
    pub score: f64,
    pub level: SideEffectSeverity,
    pub components: [(&'static str, f64); 4],
    pub issues: Vec<String>,
    pub suggestions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideEffect {
    pub kind: SideEffectKind,
    pub target: String,
    pub reversible: bool,
    pub severity: SideEffectSeverity,
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

/// The reasons for the decision of the matrix.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reasoning {
    /// The first of `all`.
    pub primary: Option<String>,
    pub all: Vec<String>,
    pub explanation: String,
}
