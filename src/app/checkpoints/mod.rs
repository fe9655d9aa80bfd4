//! Checkpoints: taken, listed, chosen, planned, restored, undone and pruned. Used by hooks and by the command line.

pub mod background;
mod cleanup;
mod copies;
mod creation;
mod gone_worktrees;
mod ignored_files;
mod leftovers;
mod place;
mod plan;
mod pre_images;
mod records;
mod restore;
mod retention;
mod sizes;
mod snapshot;
mod tidy_report;
mod undo;

pub use crate::edge::checkpoint::CaptureProgress;
pub use crate::pure::restore::{Checkpoint, CheckpointReason, FilePlan, SafeCriteria};
pub use cleanup::tidy;
pub use copies::{copies, is_copy, plan_copy, restore_copy};
pub(crate) use creation::budget;
pub use creation::{Attempt, take, take_and_tell, take_within};
pub(crate) use ignored_files::keep_ignored;
pub(crate) use place::{before_changes, copies_before_changes, covers};
pub(crate) use plan::changed_since;
pub use pre_images::keep_file;
pub(crate) use pre_images::keep_files;
pub use records::{diff_since, last_safe, list, surroundings, unreadable, worktree};
pub use restore::{RestoreOptions, Restored, restore};
pub use retention::prune;
pub use sizes::{Sizes, sizes};
pub use tidy_report::TidyMode;
pub use undo::{plan_undo, undo};
