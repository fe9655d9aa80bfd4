//! The version of a file at one moment, and the differences between two moments.

use super::surroundings::Modes;
use crate::pure::review::{GitPath, ObjectId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    File,
    Link,
}

/// A file or link: its content by name, and for a file its permissions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    pub kind: FileKind,
    pub content: ObjectId,
    pub permissions: u32,
}

impl Version {
    const LINK: u32 = 0o120_000;

    /// From a tree's entry and the permissions that were noted beside it.
    pub fn of_entry(path: &GitPath, mode: u32, content: ObjectId, modes: &Modes) -> Self {
        if mode == Self::LINK {
            return Self { kind: FileKind::Link, content, permissions: 0 };
        }
        Self { kind: FileKind::File, content, permissions: modes.of(path, mode & 0o111 != 0) }
    }

    pub fn same_content(&self, other: &Self) -> bool {
        self.kind == other.kind && self.content == other.content
    }
}

/// A path with different versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub path: GitPath,
    pub then: Option<Version>,
    pub now: Option<Version>,
}

/// The differences between `then` and `now`, by path.
pub(crate) fn differences(
    then: &BTreeMap<GitPath, Version>,
    now: &BTreeMap<GitPath, Version>,
) -> Vec<Difference> {
    let gone = then.iter().filter(|(path, version)| now.get(*path) != Some(version));
    let changed = gone.map(|(path, version)| Difference {
        path: path.clone(),
        then: Some(version.clone()),
        now: now.get(path).cloned(),
    });
    let new = now.iter().filter(|(path, _)| !then.contains_key(*path));
    let new =
        new.map(|(path, version)| Difference { path: path.clone(), then: None, now: Some(version.clone()) });
    let mut all: Vec<_> = changed.chain(new).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}
