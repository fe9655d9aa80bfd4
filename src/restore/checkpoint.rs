//! A checkpoint as it is listed, and a restore as it is remembered.

use super::version::Version;
use crate::review::{GitPath, ObjectId, TreeId, as_place};
use serde::{Deserialize, Serialize};

/// What a checkpoint was taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "words")]
pub enum Why {
    /// Before the first change after a prompt.
    FirstChange,
    /// Before a step that could destroy something.
    BeforeStep(String),
    /// Before a step that may overwrite files that nobody can name, such as a script.
    BeforeOverwrite(String),
    /// A person, or an agent in so many words, asked for it.
    Person(Option<String>),
    /// What was there before files were restored.
    BeforeRestore,
    /// When an intervention struck.
    Intervention(String),
}

impl Why {
    /// Taken by itself, and so first to go.
    pub fn is_automatic(&self) -> bool {
        match self {
            Self::FirstChange | Self::BeforeStep(_) | Self::BeforeOverwrite(_) => true,
            Self::Person(_) | Self::BeforeRestore | Self::Intervention(_) => false,
        }
    }

    /// Whether one that shows the same files can stand in for it: it lives as long, and no words are lost.
    pub fn is_served_by(&self, other: &Self) -> bool {
        match self {
            // One before a script is no state that a rollback may go back to.
            Self::FirstChange | Self::BeforeStep(_) => !matches!(other, Self::BeforeOverwrite(_)),
            Self::BeforeOverwrite(_) => true,
            Self::Person(None) => !other.is_automatic(),
            Self::Person(Some(_)) | Self::BeforeRestore | Self::Intervention(_) => false,
        }
    }
}

/// How the session fared at some moment, as far as its last calls tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Health {
    /// Milliseconds since 1970.
    pub time: u64,
    pub calls: u64,
    pub failures: u64,
    /// When a call failed last.
    pub last_error: Option<u64>,
}

/// What is listed. Modes, empty folders and what was left out are in its `Surroundings`.
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
    pub why: Why,
    pub commit: ObjectId,
    pub tree: TreeId,
    /// The digest by which its surroundings are found.
    pub surroundings: String,
    /// The same without what was ignored: by it and the tree, two checkpoints show the same.
    pub likeness: String,
    pub files: usize,
    pub left_out: usize,
    /// What the project's HEAD said.
    pub head: Option<String>,
    pub health: Health,
}

/// File systems stamp with a clock that may lag behind ours by a tick, in milliseconds.
const LAG: u64 = 10;

impl Checkpoint {
    pub const VERSION: u64 = 1;

    /// Whether a change at `time` (milliseconds, as the file system says) certainly came before it.
    pub fn is_after(&self, time: u64) -> bool {
        time.saturating_add(LAG) < self.time
    }
}

/// One restore: enough to go back, also from one that was cut short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreRecord {
    pub version: u64,
    /// Milliseconds since 1970.
    pub time: u64,
    #[serde(serialize_with = "as_place")]
    pub worktree: String,
    /// The checkpoint of what was there before.
    pub before: String,
    /// The checkpoint that was restored.
    pub restored: String,
    pub touched: Vec<Touched>,
    /// Whether it came to its end.
    pub finished: bool,
}

/// A file that a restore touches, and what it makes of it; `None`: it is taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    pub path: GitPath,
    pub then: Option<Version>,
}
