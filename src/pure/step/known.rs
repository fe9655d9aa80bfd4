//! The questions of a survey to the edges, and their answers.

use super::effect::{Addressed, Losing, Loss};
use super::sessions::OthersWork;
use super::text_map::{PathMap, TextMap};
use crate::pure::gate::GateDecision;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;

/// A fact that only an edge can find out. Most tool calls raise no question.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Question {
    /// The text of a script that would run, or of a file that names the commands.
    Script(Utf8PathBuf),
    /// The names of hidden files in an archive, and of files in hidden folders.
    Archive(Utf8PathBuf),
    /// Whether a program is git, under whatever name: a path, or a name to be found on PATH.
    Git(Utf8PathBuf),
    /// Whether a folder is a remote of the session's enrolled repository, or lies in one.
    Receives(Utf8PathBuf),
    /// The meaning of a git alias.
    Alias(Addressed, String),
    /// The path with links resolved.
    Real(Utf8PathBuf),
    /// Whether a loss matters.
    Loss(Losing),
    /// The current branch of a repository.
    Head(Addressed),
    /// Whether the session's repository is enrolled.
    Gated,
    /// The gate decision about content that would leave.
    Gate(Leaving),
}

/// Content that would leave the machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaving {
    /// `git push` with these arguments.
    Push { repository: Addressed, arguments: Vec<String> },
    /// A pull request: the current branch.
    Branch { repository: Addressed },
    /// A package built from the files as they are.
    Content { repository: Addressed },
}

impl Leaving {
    pub fn repository(&self) -> &Addressed {
        match self {
            Self::Push { repository, .. } | Self::Branch { repository } | Self::Content { repository } => {
                repository
            }
        }
    }
}

/// The answers of the edges.
#[derive(Debug, Default)]
pub struct Known {
    /// By the path.
    pub scripts: TextMap<Option<String>>,
    /// Whether programs are git; `None` if there is no such file.
    pub git_programs: TextMap<Option<bool>>,
    /// Names in archives.
    pub archives: TextMap<Vec<String>>,
    /// Whether pushes of the session's repository arrive at a path.
    pub receives: TextMap<bool>,
    pub aliases: BTreeMap<(Addressed, String), Option<String>>,
    /// By the path as written.
    pub real: TextMap<Utf8PathBuf>,
    pub losses: PathMap<Losing, Loss>,
    pub heads: BTreeMap<Addressed, Option<String>>,
    pub gated: Option<bool>,
    /// The work of other sessions that the call would take away.
    pub others: OthersWork,
    pub gate: BTreeMap<Leaving, GateAnswer>,
}

/// The gate's answer about content that would leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateAnswer {
    /// The session's repository is enrolled.
    pub session_gated: bool,
    /// The repository of the content is enrolled.
    pub gated: bool,
    /// The git hook is installed and judges what really leaves.
    pub guarded: bool,
    pub decision: GateDecision,
    /// The decision in words, with the command to run next.
    pub message: String,
}
