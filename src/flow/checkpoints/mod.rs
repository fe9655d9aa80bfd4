//! Checkpoints: taken, listed, chosen, planned, restored, undone and pruned. Used by hooks and by the command line.

pub mod background;
mod carrying_out;
mod copies;
mod gone;
mod ignored;
mod keeping;
mod leftovers;
mod listing;
mod looking;
mod place;
mod planning;
mod pruning;
mod restoring;
mod sizes;
mod taking;
mod tidying;
mod undoing;

pub use crate::checkpoint::Progress;
pub use crate::restore::{Checkpoint, Health, Plan, SafeCriteria, Surroundings, Why};
pub use carrying_out::Restored;
pub use copies::{FileCopy, copies, is_copy, plan_copy, restore_copy};
pub use ignored::keep_ignored;
pub use keeping::{keep_file, keep_files};
pub use listing::{changed_since, diff_since, last_safe, list, surroundings, unreadable, worktree};
pub use place::covers;
pub use planning::plan;
pub use pruning::{Pruned, prune};
pub use restoring::{How, restore};
pub use sizes::{Sizes, sizes};
pub use taking::{Attempt, NotReady, Taken, budget, take, take_and_tell, take_within};
pub use tidying::{Act, Freed, Tidied, tidy};
pub use undoing::{plan_undo, undo};
