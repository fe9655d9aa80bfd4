//! The input of the gate.

use crate::pure::policy::Settings;
use crate::pure::review::{Draft, Evidence, GitPath, ObjectId, Pair, TreeId};

/// The content that would leave, the evidence on it, and the policy.
pub(crate) struct GateFacts {
    pub tips: Vec<Tip>,
    pub evidence: Evidence,
    /// Damaged, edited, foreign or missing state.
    pub problems: Vec<String>,
    /// The policy of the base commit, which the worktree's may only tighten.
    pub settings: Settings,
    /// Hash of the settings that give evidence its meaning.
    pub policy: String,
    /// Why a fact could not be gathered.
    pub could_not_check: Option<String>,
    /// The commit that HEAD is at, for messages only.
    pub head: Option<ObjectId>,
}

/// A commit to push, or the content that `/ship` would commit.
#[derive(Debug, Clone)]
pub struct Tip {
    /// `refs/heads/main`, or "the working tree".
    pub name: String,
    pub tree: TreeId,
    /// The remote has this commit; only the message of a tag may be new.
    pub already_pushed: bool,
    /// Every path that differs from the remote.
    pub pairs: Vec<Pair>,
    /// Secrets in any commit or content that the remote does not have.
    pub leaks: Vec<Leak>,
    pub submodules: Vec<Submodule>,
    /// Versions of files in the history that no required loop has seen.
    pub drafts: Vec<Draft>,
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
    /// Whether its remote has that commit; `None` if unknown.
    pub published: Option<bool>,
}
