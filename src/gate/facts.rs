//! Everything the gate looks at, gathered by whoever asks.

use crate::policy::Settings;
use crate::review::{Evidence, GitPath, ObjectId, Pair, TreeId};

/// What would leave, what is known about it, and what is demanded.
pub struct Facts {
    pub tips: Vec<Tip>,
    pub evidence: Evidence,
    /// Damaged, edited, foreign or missing state.
    pub problems: Vec<String>,
    /// The policy of the base commit, which the worktree's may only tighten.
    pub settings: Settings,
    /// Hash of the settings that give evidence its meaning.
    pub policy: String,
    /// Whatever kept a fact from being gathered.
    pub could_not_check: Option<String>,
    /// The commit that HEAD is at, for messages only.
    pub head: Option<ObjectId>,
}

/// One thing that would leave: a commit to be pushed, or the content that `/ship` would commit.
#[derive(Debug, Clone)]
pub struct Tip {
    /// How it is called: `refs/heads/main`, or "the working tree".
    pub name: String,
    pub tree: TreeId,
    /// The remote has this commit: of a tag on it, only the message is new.
    pub already_there: bool,
    /// Every path that differs between what the remote has and this.
    pub pairs: Vec<Pair>,
    /// Secrets in anything that the remote does not have yet, also in commits whose content is gone again.
    pub leaks: Vec<Leak>,
    pub submodules: Vec<Submodule>,
    /// Untracked files in the content that `/ship` would commit.
    pub untracked: Vec<GitPath>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// `None` for content that is not committed yet.
    pub commit: Option<ObjectId>,
    pub path: String,
    pub rule: String,
    pub line: u32,
}

/// A submodule whose commit changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submodule {
    pub path: GitPath,
    pub commit: ObjectId,
    /// Whether its own remote has that commit; `None` if that could not be found out.
    pub published: Option<bool>,
}
