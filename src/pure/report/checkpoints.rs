//! Checkpoints in words: listed, shown, planned.

use crate::pure::restore::{
    Checkpoint, CheckpointReason, Conflict, FileAction, FilePlan, LeftOutReason, PlanItem, Surroundings,
};
use crate::pure::text::{age, printable};
#[cfg(feature = "cli")]
use crate::pure::text::{columns, counted};
use std::fmt::{Display, Formatter};

/// Names of a kind that are shown; the others are counted.
const NAMED: usize = 20;

/// Newest first, with how long ago each was taken.
#[cfg(feature = "cli")]
pub struct CheckpointList<'a> {
    pub checkpoints: &'a [Checkpoint],
    /// Milliseconds since 1970.
    pub now: u64,
}

#[cfg(feature = "cli")]
impl Display for CheckpointList<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.checkpoints.is_empty() {
            return writeln!(f, "No checkpoint is kept here. `plimsoll checkpoint create` takes one.");
        }
        let rows: Vec<Vec<String>> = self
            .checkpoints
            .iter()
            .map(|one| {
                let left_out = match one.left_out {
                    0 => String::new(),
                    count => format!(", {count} left out"),
                };
                vec![
                    one.id.to_string(),
                    age(self.now.saturating_sub(one.time)),
                    counted(one.files, "file") + &left_out,
                    printable(&why(&one.why)),
                ]
            })
            .collect();
        f.write_str(&columns(&rows))?;
        Ok(())
    }
}

/// How long ago a copy was taken, and of which file.
pub fn copy_line(id: &str, path: &str, milliseconds: u64) -> String {
    format!("{id}  {:<14}  {}", age(milliseconds), printable(path))
}

/// The reason for a checkpoint.
pub(crate) fn why(why: &CheckpointReason) -> String {
    match why {
        CheckpointReason::FirstChange => "before the first change".into(),
        CheckpointReason::BeforeStep(step) | CheckpointReason::BeforeOverwrite(step) => {
            format!("before: {step}")
        }
        CheckpointReason::Person(None) => "made by hand".into(),
        CheckpointReason::Person(Some(words)) => words.clone(),
        CheckpointReason::BeforeRestore => "before a restore".into(),
        CheckpointReason::Intervention(cause) => format!("intervention: {cause}"),
    }
}

/// One checkpoint with what it notes.
pub struct CheckpointText<'a> {
    pub checkpoint: &'a Checkpoint,
    pub surroundings: &'a Surroundings,
    /// As a date.
    pub taken: &'a str,
}

impl Display for CheckpointText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { checkpoint: one, surroundings: around, taken } = self;
        writeln!(f, "Checkpoint {}, taken {taken}: {}", one.id, printable(&why(&one.why)))?;
        if let Some(session) = &one.session {
            writeln!(f, "Session: {}", printable(session))?;
        }
        writeln!(f, "Files: {} (tree {})", one.files, one.tree.0.short())?;
        if let Some(head) = &one.head {
            writeln!(f, "HEAD was {}; commits and branches are not part of a checkpoint", printable(head))?;
        }
        for nested in &around.nested {
            let what =
                if nested.linked { "another worktree of this repository" } else { "a repository of its own" };
            let head = nested.head.as_deref().map(|head| format!(", HEAD {}", printable(head)));
            writeln!(f, "  {} is {what}{}", nested.path, head.unwrap_or_default())?;
        }
        if !around.left_out.is_empty() {
            writeln!(f, "Left out, and never touched by a restore:")?;
        }
        for one in around.left_out.iter().take(NAMED) {
            writeln!(f, "  {}: {}", one.path, left_out(&one.why))?;
        }
        more(f, around.left_out.len())?;
        writeln!(f, "To restore it: plimsoll checkpoint restore {}", one.id)
    }
}

fn left_out(why: &LeftOutReason) -> String {
    match why {
        LeftOutReason::TooLarge(bytes) => format!("too large ({} MiB)", bytes / (1024 * 1024)),
        LeftOutReason::NextTime(_) => {
            "too much at once; a later checkpoint takes it, if the store has room".into()
        }
        LeftOutReason::Unreadable(error) => format!("cannot be read: {}", printable(error)),
        LeftOutReason::NoFile => "a socket, pipe or device".into(),
        LeftOutReason::MadeAgain => "made by tools".into(),
        LeftOutReason::NotLookedThrough => "ignored, and too much to look through".into(),
    }
}

fn more(f: &mut Formatter<'_>, count: usize) -> std::fmt::Result {
    match count.checked_sub(NAMED) {
        Some(rest) if rest > 0 => writeln!(f, "  and {rest} more; --json has all"),
        _ => Ok(()),
    }
}

/// The effects of a restore.
pub struct RestorePlan<'a> {
    pub plan: &'a FilePlan,
    pub force: bool,
}

impl Display for RestorePlan<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let doing: Vec<&PlanItem> = self.plan.doing(self.force).collect();
        if doing.is_empty() && self.plan.folders.is_empty() {
            writeln!(f, "Nothing to restore: the files are as in {}.", self.plan.checkpoint)?;
        } else {
            writeln!(f, "Restoring {}: {}", self.plan.checkpoint, self.counts(&doing))?;
        }
        let acts = [
            (FileAction::Write, "write"),
            (FileAction::Remove, "remove"),
            (FileAction::Permissions, "set permissions of"),
        ];
        for (act, word) in acts {
            let some: Vec<_> = doing.iter().filter(|item| item.act == act).collect();
            for item in some.iter().take(NAMED) {
                writeln!(f, "  {word} {}", item.path)?;
            }
            more(f, some.len())?;
        }
        let kept: Vec<&PlanItem> =
            self.plan.conflicts().filter(|item| !doing.iter().any(|done| done.path == item.path)).collect();
        if !kept.is_empty() {
            writeln!(
                f,
                "Kept as they are{}:",
                if self.force { "" } else { " (a person can restore most with --force)" }
            )?;
        }
        for item in kept.iter().take(NAMED) {
            writeln!(f, "  {}: {}", item.path, item.conflict.map_or("", conflict))?;
        }
        more(f, kept.len())?;
        if self.plan.outside > 0 {
            writeln!(f, "{} more differences are outside the requested paths.", self.plan.outside)?;
        }
        writeln!(f, "{}", crate::pure::restore::NOT_COVERED)
    }
}

impl RestorePlan<'_> {
    /// How many files of each kind: `3 to write, 1 to remove`.
    fn counts(&self, doing: &[&PlanItem]) -> String {
        let count = |act: FileAction| doing.iter().filter(|item| item.act == act).count();
        let kept =
            self.plan.conflicts().filter(|item| !doing.iter().any(|done| done.path == item.path)).count();
        let parts = [
            (count(FileAction::Write), "to write"),
            (count(FileAction::Remove), "to remove"),
            (count(FileAction::Permissions), "with permissions to set"),
            (self.plan.folders.create.len(), "folders to make"),
            (self.plan.folders.remove.len(), "folders to remove"),
            (self.plan.folders.permissions.len(), "folders with permissions to set"),
            (kept, "kept as they are"),
        ];
        let named =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        named.collect::<Vec<_>>().join(", ")
    }
}

fn conflict(conflict: Conflict) -> &'static str {
    match conflict {
        Conflict::AnotherSession => "another session wrote it since",
        Conflict::ChangedSince => "somebody changed it since",
        Conflict::Guarded => "it guards this project",
        Conflict::NotSaved => "it could not be saved first, so nothing replaces it",
    }
}
