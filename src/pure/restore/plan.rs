//! The plan of a restore: the action for each file, and the files that stay.

use super::attribution::Attribution;
use super::scope::RestoreScope;
use super::version::{Difference, Version};
use crate::pure::review::GitPath;
use serde::Serialize;
use std::collections::BTreeSet;

/// Printed with every restore.
pub const NOT_COVERED: &str = "Not covered: databases, other machines, running processes, and what git keeps (commits, branches, the index).";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileAction {
    /// Restore content and permissions.
    Write,
    /// The file did not exist.
    Remove,
    /// Only its permissions differ.
    Permissions,
}

/// Why a file is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conflict {
    /// Another session wrote it since.
    AnotherSession,
    /// Changed after the agent was last active, or after the restore that is undone.
    ChangedSince,
    /// A file that guards the project.
    Guarded,
    /// The current content could not be saved first; kept even with --force.
    NotSaved,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanItem {
    pub path: GitPath,
    pub act: FileAction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<Conflict>,
    #[serde(skip)]
    pub then: Option<Version>,
    #[serde(skip)]
    pub now: Option<Version>,
}

/// Folders that hold nothing of their own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Folders {
    pub create: Vec<(GitPath, u32)>,
    /// Only if they are empty.
    pub remove: Vec<GitPath>,
    pub permissions: Vec<(GitPath, u32)>,
}

impl Folders {
    pub fn is_empty(&self) -> bool {
        self.create.is_empty() && self.remove.is_empty() && self.permissions.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FilePlan {
    pub checkpoint: String,
    pub items: Vec<PlanItem>,
    pub folders: Folders,
    /// The number of differences outside the requested paths.
    pub outside: usize,
}

impl FilePlan {
    /// `not_saved`: paths whose present content is in no checkpoint. `changed`: when a file changed, in milliseconds.
    pub fn new(
        checkpoint: &str,
        differences: Vec<Difference>,
        scope: &RestoreScope,
        known: &Attribution,
        guarded: impl Fn(&GitPath) -> bool,
        changed: impl Fn(&GitPath) -> Option<u64>,
    ) -> Self {
        let total = differences.len();
        let wanted: Vec<_> = differences.into_iter().filter(|one| scope.holds(&one.path)).collect();
        let outside = total - wanted.len();
        let items = wanted.into_iter().filter_map(|one| {
            let act = act(&one)?;
            let conflict = match &one.now {
                _ if guarded(&one.path) => Some(Conflict::Guarded),
                // There is no file to lose.
                None => None,
                Some(_) => known.conflict(&one.path, changed(&one.path)),
            };
            Some(PlanItem { path: one.path, act, conflict, then: one.then, now: one.now })
        });
        Self { checkpoint: checkpoint.into(), items: items.collect(), folders: Folders::default(), outside }
    }

    /// Keeps files whose current content could not be saved.
    #[must_use]
    pub fn sparing(mut self, not_saved: &BTreeSet<GitPath>) -> Self {
        for item in &mut self.items {
            if not_saved.contains(&item.path) || lies_below(&item.path, not_saved) {
                item.conflict = Some(Conflict::NotSaved);
            }
        }
        self
    }

    pub fn conflicts(&self) -> impl Iterator<Item = &PlanItem> {
        self.items.iter().filter(|item| item.conflict.is_some())
    }

    /// The items to restore; with `force` also over the changes of others.
    pub fn doing(&self, force: bool) -> impl Iterator<Item = &PlanItem> {
        self.items.iter().filter(move |item| match item.conflict {
            None => true,
            Some(Conflict::NotSaved) => false,
            Some(Conflict::AnotherSession | Conflict::ChangedSince | Conflict::Guarded) => force,
        })
    }
}

fn act(one: &Difference) -> Option<FileAction> {
    match (&one.then, &one.now) {
        (Some(then), Some(now)) if then == now => None,
        (Some(then), Some(now)) if then.same_content(now) => Some(FileAction::Permissions),
        (Some(_), _) => Some(FileAction::Write),
        (None, Some(_)) => Some(FileAction::Remove),
        (None, None) => None,
    }
}

/// Whether an unsaved file is where the path needs a folder.
fn lies_below(path: &GitPath, not_saved: &BTreeSet<GitPath>) -> bool {
    let slashes = path.0.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    let mut folders = slashes.filter_map(|at| path.0.get(..at));
    !not_saved.is_empty() && folders.any(|folder| not_saved.contains(&GitPath(folder.to_vec())))
}

#[cfg(test)]
mod tests {
    use super::super::version::FileKind;
    use super::*;
    use crate::pure::review::ObjectId;

    fn version(letter: &str, permissions: u32) -> Option<Version> {
        let content = ObjectId::parse(&letter.repeat(40)).unwrap();
        Some(Version { kind: FileKind::File, content, permissions })
    }

    fn one(path: &str, then: Option<Version>, now: Option<Version>) -> Difference {
        Difference { path: GitPath::new(path), then, now }
    }

    fn plan(differences: Vec<Difference>, known: &Attribution) -> FilePlan {
        FilePlan::new("c", differences, &RestoreScope::default(), known, |_| false, |_| Some(100_000))
    }

    #[test]
    fn each_difference_is_undone_in_its_own_way() {
        let differences = vec![
            one("changed", version("a", 0o644), version("b", 0o644)),
            one("gone", version("a", 0o644), None),
            one("mode", version("a", 0o600), version("a", 0o644)),
            one("new", None, version("b", 0o644)),
        ];
        let acts: Vec<FileAction> =
            plan(differences, &Attribution::default()).items.iter().map(|item| item.act).collect();
        assert_eq!(acts, [FileAction::Write, FileAction::Write, FileAction::Permissions, FileAction::Remove]);
    }

    #[test]
    fn somebody_elses_change_is_kept_unless_forced_and_what_was_not_saved_even_then() {
        let known = Attribution::new(Some("s"), 1, &[], Some(10));
        let differences = vec![
            one("theirs", version("a", 0o644), version("b", 0o644)),
            one("gone", version("a", 0o644), None),
            one("large/x", version("a", 0o644), version("b", 0o644)),
        ];
        let plan = plan(differences, &known).sparing(&[GitPath::new("large")].into());
        let done = |force| plan.doing(force).map(|item| item.path.to_string()).collect::<Vec<_>>();
        assert_eq!(done(false), ["gone"]);
        assert_eq!(done(true), ["theirs", "gone"]);
        assert_eq!(plan.conflicts().count(), 2);
    }
}
