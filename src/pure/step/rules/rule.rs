//! A built-in rule, and what a rule finds.

use crate::pure::step::Decision;
use std::ops::Range;

/// Which settings can switch a rule off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Holds under every configuration, paused or not.
    Floor,
    /// Holds in every enrolled repository.
    Gate,
    /// Can be observed, paused or switched off.
    Step,
}

/// Which sets of built-in rules a rule is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    Essential,
    All,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    pub name: &'static str,
    pub level: Level,
    pub set: Set,
    pub decision: Decision,
    /// For people: what the rule is about, in one line.
    pub about: &'static str,
}

/// The finding of a rule about a tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleFinding {
    pub rule: RuleName,
    pub level: Level,
    pub decision: Decision,
    /// Follows "Plimsoll [rule]: " in the message.
    pub reason: String,
    /// A command with the same purpose that is not refused.
    pub alternative: Option<String>,
    /// The whole input with the safer option, for `Decision::Rewrite`.
    pub instead: Option<String>,
    /// The part of the text that the rule is about.
    pub span: Range<usize>,
}

/// The name of a built-in rule, or of one that the user wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleName {
    Builtin(&'static str),
    Custom(String),
}

impl RuleName {
    pub fn is(&self, rule: &Rule) -> bool {
        matches!(self, Self::Builtin(name) if *name == rule.name)
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Builtin(name) => name,
            Self::Custom(name) => name,
        }
    }
}

impl Rule {
    pub(in crate::pure::step) fn finding(
        &'static self,
        reason: impl Into<String>,
        span: &Range<usize>,
    ) -> RuleFinding {
        RuleFinding {
            rule: RuleName::Builtin(self.name),
            level: self.level,
            decision: self.decision,
            reason: reason.into(),
            alternative: None,
            instead: None,
            span: span.clone(),
        }
    }
}

impl RuleFinding {
    pub(in crate::pure::step) fn with_alternative(mut self, command: impl Into<String>) -> Self {
        self.alternative = Some(command.into());
        self
    }

    pub(in crate::pure::step) fn deciding(self, decision: Decision) -> Self {
        Self { decision, ..self }
    }
}
