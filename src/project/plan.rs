//! What is to be done for one check.

use super::CheckKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    Run {
        argv: Vec<String>,
        /// Where the command comes from, for the report.
        why: String,
    },
    /// The project has no such check.
    Missing { reason: String },
    /// It cannot be told which checks the project has, so that nothing about it may be taken for checked.
    Unknown { reason: String },
}

/// A plan and the check it belongs to. Projects in two languages have two of a kind, told apart by the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub kind: CheckKind,
    pub name: String,
    pub plan: Plan,
}
