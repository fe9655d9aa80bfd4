//! Edge: child processes with a deadline, a process group of their own and drained pipes.

pub(crate) mod ancestry;
mod batch;
mod captured;
pub(crate) mod deadline;
mod detached;
#[cfg(target_os = "linux")]
mod escaped;
#[cfg(not(target_os = "linux"))]
#[path = "escaped_elsewhere.rs"]
mod escaped;
mod listening;
mod memory;
mod process;
#[cfg(target_os = "linux")]
mod process_table;
#[cfg(not(target_os = "linux"))]
#[path = "process_table_elsewhere.rs"]
mod process_table;
mod program;
mod running;
mod sandbox;
pub(crate) mod stdio;
mod surroundings;
mod watchdog;

pub(crate) use batch::batch;
pub(crate) use captured::CapturedOutput;
pub use detached::lower_priority;
pub(crate) use detached::start_detached;
pub(crate) use listening::{News, Patience, StreamResult, listen};
pub use memory::memory_of_parent_mb;
pub use process::{ExitKind, Job, run};
pub(crate) use process::{ProcessResult, drain, exit_of, run_fed};
pub(crate) use program::{ProgramSearch, identity};
pub(crate) use running::running_in;
pub(crate) use sandbox::{SANDBOX_PROGRAM, SandboxReach, sandbox_program, sandboxed};
pub(crate) use surroundings::start_anew_where_writing_kills;
