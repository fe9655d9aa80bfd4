//! Checkpoints: taken, listed, chosen, planned, restored, undone and pruned. Used by hooks and by the command line.

mod carrying_out;
mod copies;
mod ignored;
mod keeping;
mod listing;
mod looking;
mod place;
mod planning;
mod pruning;
mod restoring;
mod taking;
mod undoing;

pub use crate::restore::{Checkpoint, Health, Plan, SafeCriteria, Surroundings, Why};
pub use carrying_out::Restored;
pub use copies::{FileCopy, copies, is_copy, plan_copy, restore_copy};
pub use ignored::keep_ignored;
pub use keeping::{keep_file, keep_files};
pub use listing::{changed_since, diff_since, last_safe, list, surroundings, unreadable, worktree};
pub use place::covers;
pub use planning::plan;
pub use pruning::{Pruned, prune, tidy};
pub use restoring::{How, restore};
pub use taking::{Taken, take};
pub use undoing::{plan_undo, undo};
