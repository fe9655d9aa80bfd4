//! What an action would do to the world.

use super::survey::Leaving;
use camino::{Utf8Path, Utf8PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Delete {
        target: Target,
        recursive: bool,
    },
    /// Creates, overwrites, moves onto, or changes mode or owner.
    Write {
        target: Target,
        recursive: bool,
    },
    Read {
        target: Target,
    },
    /// Makes a file system, wipes or partitions.
    Format {
        device: String,
    },
    ForkBomb,
    /// Content leaves this machine. `alone`: the command does nothing else, so what leaves is known now.
    Leave {
        what: Leaving,
        alone: bool,
    },
    /// Would get content past the git hook, or fake what the gate compares with.
    Bypass {
        how: String,
    },
    /// Pretends to be the client, the person or the terminal towards Plimsoll itself.
    Impersonate {
        how: String,
    },
    /// Could not be understood.
    Opaque {
        why: String,
    },
}

/// What an effect hits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Absolute and without `.` or `..`; links are not followed.
    Path(Utf8PathBuf),
    /// Everything in a directory.
    Inside(Utf8PathBuf),
    /// What a pattern with an absolute path matches.
    Matching(String),
    /// Depends on something that only the shell will know.
    Unknown,
}

impl Target {
    /// The path, or the directory whose content is hit.
    pub fn path(&self) -> Option<&Utf8Path> {
        match self {
            Self::Path(path) | Self::Inside(path) => Some(path),
            Self::Matching(_) | Self::Unknown => None,
        }
    }
}

/// The repository that a git command means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Addressed {
    Directory(Utf8PathBuf),
    /// Through a variable, `--git-dir` or a directory that is not known before the shell runs.
    Unknown,
}
