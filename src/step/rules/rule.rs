//! The rules: what each keeps from happening, how firm it is, and examples that show where it begins and ends.

use std::ops::Range;

/// How firm a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Holds under every configuration, paused or not.
    Floor,
    /// Holds wherever a repository is bound to the gate.
    Gate,
    /// Can be observed, paused or switched off.
    Step,
}

/// What is done about an action, from the mildest to the firmest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Course {
    /// Nothing is said.
    Allow,
    /// It runs; the model is told what to mind.
    Warn,
    /// It runs in a safer spelling; model and person are told.
    Modify,
    /// A person decides.
    Ask,
    /// It does not run; the model is told what to do instead.
    Block,
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
    pub course: Course,
    /// For people: what the rule is about, in one line.
    pub about: &'static str,
    pub hits: &'static [Example],
    pub misses: &'static [Example],
}

/// An action that shows a rule at work, or one that looks like it and is none of its business. The examples are judged in
/// a project whose files all matter, except those below `clean/`, which git can bring back.
#[derive(Debug, PartialEq, Eq)]
pub enum Example {
    Shell(&'static str),
    /// A tool and its input as JSON.
    Call(&'static str, &'static str),
}

/// A rule that has something to say about an action.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub rule: RuleName,
    pub level: Level,
    pub course: Course,
    /// What would happen, in words that follow "Plimsoll [rule]: ".
    pub reason: String,
    /// A command that serves the same end and passes.
    pub alternative: Option<String>,
    /// The whole input as it should be instead, for `Course::Modify`.
    pub instead: Option<String>,
    /// Which part of the action it is about.
    pub span: Range<usize>,
}

/// The name of a built-in rule, or of one that the user wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleName {
    Builtin(&'static str),
    Custom(String),
}

impl RuleName {
    pub fn as_str(&self) -> &str {
        match self {
            Self::Builtin(name) => name,
            Self::Custom(name) => name,
        }
    }
}

impl Rule {
    pub(in crate::step) fn finding(&'static self, reason: impl Into<String>, span: &Range<usize>) -> Finding {
        Finding {
            rule: RuleName::Builtin(self.name),
            level: self.level,
            course: self.course,
            reason: reason.into(),
            alternative: None,
            instead: None,
            span: span.clone(),
        }
    }
}

impl Finding {
    pub(in crate::step) fn with_alternative(mut self, command: impl Into<String>) -> Self {
        self.alternative = Some(command.into());
        self
    }
}
