//! What a checkpoint is, which one is safe, which may go, and what going back to one would do to each file. Pure.

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

pub use crate::policy::SafeCheckpoint as SafeCriteria;
pub use attribution::{Attribution, Written};
pub use checkpoint::{Checkpoint, Health, RestoreRecord, Touched, Why};
pub use limits::{Limits, MIB};
pub use plan::{Act, Conflict, Folders, Item, NOT_COVERED, Plan};
pub use retention::expired;
pub use scope::Scope;
pub use selection::last_safe;
pub use surroundings::{LeftOut, Modes, Nested, Reason, Surroundings, Unseen};
pub use undo::{Reversal, Step, reversals, undone_together};
pub use version::{Difference, Kind, Version, differences};
