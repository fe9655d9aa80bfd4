//! What only an edge can find out about an action, and what the edges answered.

use super::by_text::ByText;
use super::effect::{Addressed, Losing, Loss};
use crate::gate::Verdict;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;

/// Something that only an edge can find out. Nearly every action has none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// The text of a script that would run, or of a file that says what would.
    Script(Utf8PathBuf),
    /// What a git command that is none of git's own stands for.
    Alias(Addressed, String),
    /// Where a path leads once links are followed.
    Real(Utf8PathBuf),
    /// Whether what would go matters.
    Loss(Losing),
    /// Which branch a repository is on.
    Head(Addressed),
    /// Whether the session's repository is bound to the gate.
    Gated,
    /// What the gate says to something that would leave.
    Gate(Leaving),
}

/// Content that an action would send away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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

/// What the edges answered.
#[derive(Debug, Default)]
pub struct Known {
    /// By the path.
    pub scripts: ByText<Option<String>>,
    pub aliases: BTreeMap<(Addressed, String), Option<String>>,
    /// By the path as written.
    pub real: ByText<Utf8PathBuf>,
    pub losses: BTreeMap<Losing, Loss>,
    pub heads: BTreeMap<Addressed, Option<String>>,
    pub gated: Option<bool>,
    pub gate: BTreeMap<Leaving, GateWord>,
}

/// What a door has to know about one thing that would leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateWord {
    /// The session's own repository is bound to the gate.
    pub session_gated: bool,
    /// The repository meant is bound to the gate.
    pub gated: bool,
    /// The git hook that judges what really leaves is in place.
    pub guarded: bool,
    pub verdict: Verdict,
    /// The verdict in words, with the command that mends it.
    pub words: String,
}
