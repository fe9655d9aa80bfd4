//! Checkpoints: which one is safe, which may go, and what a restore would do to each file. Pure.

mod attribution;
mod checkpoint;
mod limits;
mod plan;
mod retention;
mod scope;
mod selection;
mod surroundings;
mod undo;
mod version;

pub use crate::pure::policy::SafeCheckpoint as SafeCriteria;
pub(crate) use attribution::{Attribution, Written};
pub use checkpoint::{Checkpoint, CheckpointReason};
pub(crate) use checkpoint::{Health, RestoreRecord, RestoredFile};
pub use limits::{MIB, StoreLimits};
pub use plan::{Conflict, FilePlan, NOT_COVERED};
pub(crate) use plan::{FileAction, Folders, PlanItem};
pub(crate) use retention::expired;
pub(crate) use scope::RestoreScope;
pub use selection::last_safe;
pub use surroundings::LeftOutReason;
pub(crate) use surroundings::{LeftOut, Modes, Nested, Surroundings, Unseen};
pub(crate) use undo::{Reversal, UndoStep, reversals, undone_together};
pub(crate) use version::{Difference, FileKind, Version, differences};
