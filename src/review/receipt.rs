//! The receipt: which content was reviewed, by which loops, under which policy.

use super::finding::FindingId;
use super::object::{GitPath, ObjectId, Pair, TreeId};
use super::outcome::LoopOutcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Bumped when a reader of the old shape would misread the new one.
pub const RECEIPT_VERSION: u32 = 1;

/// What part of the repository a review looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    pub kind: ScopeKind,
    /// Untracked or changed files that the user chose to leave out.
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

/// One review of one tree. Sealed by the state room; written once, never changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub version: u32,
    pub sequence: u64,
    /// Digest of the receipt before this one, so that a removed one is noticed.
    pub previous: Option<String>,
    /// Which enrolled repository this belongs to; a receipt from elsewhere proves nothing here.
    pub repository: String,
    pub time: String,
    pub branch: Option<String>,
    pub head: Option<ObjectId>,
    pub base: Option<ObjectId>,
    pub tree: TreeId,
    pub scope: Scope,
    /// Every path that differs between base and tree.
    pub pairs: Vec<Pair>,
    /// Hash of the effective policy.
    pub policy: String,
    /// Results by loop number.
    pub loops: BTreeMap<u8, LoopOutcome>,
    /// Who read: the agent and its model, or the outside tool and its version.
    pub reviewer: Option<String>,
    /// Findings that a person ruled on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dismissed: Vec<Dismissal>,
}

/// A person's ruling that a finding does not hold, or does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dismissal {
    pub finding: FindingId,
    pub reason: String,
}
