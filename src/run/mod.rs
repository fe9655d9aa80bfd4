//! Edge: child processes with a deadline, a process group of their own and drained pipes.

mod batch;
mod captured;
mod detached;
#[cfg(target_os = "linux")]
mod escaped;
#[cfg(not(target_os = "linux"))]
#[path = "escaped_elsewhere.rs"]
mod escaped;
mod listening;
mod memory;
mod process;
mod program;
mod running;
mod surroundings;
mod watchdog;

pub use batch::batch;
pub use captured::Captured;
pub use detached::{lower_priority, start_detached};
pub use listening::{Heard, News, Patience, listen};
pub use memory::memory_of_parent_mb;
pub use process::{Ended, How, Job, run, run_fed};
pub use program::{Search, identity};
pub use running::{RunningProgram, running_in};
pub use surroundings::{leads_nowhere, start_anew_where_writing_kills};
