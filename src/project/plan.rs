//! What is to be done for one check.

use super::CheckKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    Run(Command),
    /// The project has no such check.
    Missing {
        reason: String,
    },
    /// It cannot be told which checks the project has, so that nothing about it may be taken for checked.
    Unknown {
        reason: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub argv: Vec<String>,
    /// Where the command comes from, for the report.
    pub why: String,
    pub origin: Origin,
    pub success: Success,
}

/// Who says that this is how the project is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Settings,
    /// The project itself: a script, a target, a task.
    Script,
    /// We do, because the tool is set up here.
    Tool,
}

/// How the command says that all is well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Success {
    ExitZero,
    /// It exits with 0 and prints nothing; what it prints is what is wrong.
    Silence,
}

/// A plan and the check it belongs to. Projects with several of a kind tell them apart by the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub kind: CheckKind,
    pub name: String,
    /// Where it runs, relative to the project; empty at its top.
    pub directory: String,
    pub plan: Plan,
}

impl Plan {
    /// A command line without quotes, set up by `why`.
    pub(super) fn tool(line: impl AsRef<str>, why: impl Into<String>) -> Self {
        Self::run(words(line.as_ref()), why, Origin::Tool)
    }

    pub(super) fn script(line: impl AsRef<str>, why: impl Into<String>) -> Self {
        Self::run(words(line.as_ref()), why, Origin::Script)
    }

    pub(super) fn run(argv: Vec<String>, why: impl Into<String>, origin: Origin) -> Self {
        Self::Run(Command { argv, why: why.into(), origin, success: Success::ExitZero })
    }

    pub(super) fn silent(mut self) -> Self {
        if let Self::Run(command) = &mut self {
            command.success = Success::Silence;
        }
        self
    }

    pub(super) fn missing(reason: impl Into<String>) -> Self {
        Self::Missing { reason: reason.into() }
    }

    pub(super) fn unknown(file: &str, reason: impl std::fmt::Display) -> Self {
        Self::Unknown { reason: format!("{file}: {reason}") }
    }
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(String::from).collect()
}
