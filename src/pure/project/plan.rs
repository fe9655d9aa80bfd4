//! The plan for one check.

use super::CheckKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CheckPlan {
    Run(CheckCommand),
    /// The project has no such check.
    Missing {
        reason: String,
    },
    /// The checks of the project are unknown, so nothing counts as checked.
    Unknown {
        reason: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckCommand {
    pub argv: Vec<String>,
    /// Where the command comes from, for the report.
    pub why: String,
    pub origin: CommandOrigin,
    pub success: Success,
}

/// The origin of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandOrigin {
    Settings,
    /// The project itself: a script, a target, a task.
    Script,
    /// Plimsoll, because the tool is set up here.
    Tool,
}

/// How the command reports success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Success {
    ExitZero,
    /// It exits with 0 and prints nothing; its output is the list of problems.
    Silence,
}

/// A plan and its check. Several checks of one kind differ by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedCheck {
    pub kind: CheckKind,
    pub name: String,
    /// The working directory, relative to the project; empty for the root.
    pub directory: String,
    pub plan: CheckPlan,
}

impl CheckPlan {
    /// A command line without quotes, set up by `why`.
    pub(super) fn tool(line: impl AsRef<str>, why: impl Into<String>) -> Self {
        Self::run(words(line.as_ref()), why, CommandOrigin::Tool)
    }

    pub(super) fn script(line: impl AsRef<str>, why: impl Into<String>) -> Self {
        Self::run(words(line.as_ref()), why, CommandOrigin::Script)
    }

    pub(super) fn run(argv: Vec<String>, why: impl Into<String>, origin: CommandOrigin) -> Self {
        Self::Run(CheckCommand { argv, why: why.into(), origin, success: Success::ExitZero })
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
