//! The stored records of checkpoints and restores.

use super::version::Version;
use crate::pure::review::{GitPath, ObjectId, TreeId, as_place};
use serde::{Deserialize, Serialize};

/// Why a checkpoint was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "words")]
pub enum CheckpointReason {
    /// Before the first change after a prompt.
    FirstChange,
    /// Before a tool call that could destroy something.
    BeforeStep(String),
    /// Before a tool call that may overwrite unknown files, such as a script.
    BeforeOverwrite(String),
    /// Requested by a person or an agent.
    Person(Option<String>),
    /// The files before a restore.
    BeforeRestore,
    /// At an intervention.
    Intervention(String),
}

impl CheckpointReason {
    /// Taken automatically, and so removed first.
    pub fn is_automatic(&self) -> bool {
        match self {
            Self::FirstChange | Self::BeforeStep(_) | Self::BeforeOverwrite(_) => true,
            Self::Person(_) | Self::BeforeRestore | Self::Intervention(_) => false,
        }
    }

    /// Whether an existing checkpoint of the same files can replace it: it lives as long and loses no note.
    pub fn is_served_by(&self, other: &Self) -> bool {
        match self {
            // A rollback never uses a checkpoint from before a script.
            Self::FirstChange | Self::BeforeStep(_) => !matches!(other, Self::BeforeOverwrite(_)),
            Self::BeforeOverwrite(_) => true,
            Self::Person(None) => !other.is_automatic(),
            Self::Person(Some(_)) | Self::BeforeRestore | Self::Intervention(_) => false,
        }
    }
}

/// The results of a session's last calls at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Health {
    /// Milliseconds since 1970.
    pub time: u64,
    pub calls: u64,
    pub failures: u64,
    /// When a call failed last.
    pub last_error: Option<u64>,
}

/// A checkpoint without its `Surroundings`: modes, empty folders and left-out files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub version: u64,
    pub id: String,
    /// Milliseconds since 1970.
    pub time: u64,
    pub session: Option<String>,
    /// The folder whose files it holds.
    #[serde(serialize_with = "as_place")]
    pub worktree: String,
    pub why: CheckpointReason,
    pub commit: ObjectId,
    pub tree: TreeId,
    /// The digest of its surroundings.
    pub surroundings: String,
    /// The same without ignored files; equal with equal trees in checkpoints of the same files.
    pub likeness: String,
    pub files: usize,
    pub left_out: usize,
    /// The project's HEAD.
    pub head: Option<String>,
    pub health: Health,
}

/// File systems stamp with a clock that may lag behind ours by a tick, in milliseconds.
const LAG: u64 = 10;

impl Checkpoint {
    pub const VERSION: u64 = 1;

    /// Whether a change at `time` (milliseconds of the file system) was certainly before the checkpoint.
    pub fn is_after(&self, time: u64) -> bool {
        time.saturating_add(LAG) < self.time
    }
}

/// One restore, with all that an undo needs, even after an interruption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RestoreRecord {
    pub version: u64,
    /// Milliseconds since 1970.
    pub time: u64,
    #[serde(serialize_with = "as_place")]
    pub worktree: String,
    /// The checkpoint of the files before the restore.
    pub before: String,
    /// The checkpoint that was restored.
    pub restored: String,
    pub touched: Vec<RestoredFile>,
    /// Whether the restore finished.
    pub finished: bool,
}

/// A file that a restore changes, with its new version; `None`: removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RestoredFile {
    pub path: GitPath,
    pub then: Option<Version>,
}
