//! The receipt: which content was reviewed, by which loops, under which policy.

use super::finding::FindingId;
use super::object::{GitPath, ObjectId, Pair, TreeId};
use super::outcome::LoopOutcome;
use crate::pure::policy::LoopNumber;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rises when an older version would misread the new form.
pub(crate) const RECEIPT_VERSION: u32 = 1;

/// The part of the repository under review.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewScope {
    pub kind: ScopeKind,
    /// Files that the user left out.
    pub left_out: Vec<GitPath>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeKind {
    #[default]
    All,
    Staged,
    Ref(String),
}

/// One review of one tree. Sealed on write, never changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub version: u32,
    pub sequence: u64,
    /// Digest of the previous receipt, so that a removed receipt is detected.
    pub previous: Option<String>,
    /// The enrolled repository; a receipt of another repository proves nothing.
    pub repository: String,
    pub time: String,
    pub branch: Option<String>,
    pub head: Option<ObjectId>,
    pub base: Option<ObjectId>,
    pub tree: TreeId,
    pub scope: ReviewScope,
    /// Every path that differs between base and tree.
    pub pairs: Vec<Pair>,
    /// Hash of the effective policy.
    pub policy: String,
    /// Results by loop number.
    pub loops: BTreeMap<LoopNumber, LoopOutcome>,
    /// The agent and its model, or the outside tool and its version.
    pub reviewer: Option<String>,
    /// Findings that a person dismissed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dismissed: Vec<Dismissal>,
}

/// A version of a file that leaves with the history although the reviewed content does not have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub path: GitPath,
    pub commit: ObjectId,
    pub id: ObjectId,
    /// Its lines that the reviewed content does not have.
    pub lines: Vec<String>,
}

/// A person's decision that a finding is wrong or does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dismissal {
    pub finding: FindingId,
    pub reason: String,
}
