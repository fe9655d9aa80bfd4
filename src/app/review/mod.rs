//! The code review: a change, the four loops over it, their receipts and reports.

pub(crate) mod agent_input;
#[cfg(feature = "cli")]
pub(crate) mod candidate;
pub mod change;
#[cfg(feature = "cli")]
pub(crate) mod checks;
pub(crate) mod confirmation;
pub(crate) mod earlier_loops;
pub mod findings;
pub(crate) mod guards;
#[cfg(feature = "cli")]
pub(crate) mod loop1;
pub mod loop2;
#[cfg(feature = "cli")]
pub(crate) mod loop3;
#[cfg(feature = "cli")]
pub(crate) mod loop4;
#[cfg(feature = "cli")]
mod outside_tool;
pub mod progress;
#[cfg(feature = "cli")]
mod project_files;
pub mod receipt;
pub mod reconcile;
pub mod report;
pub(crate) mod request;
#[cfg(feature = "cli")]
pub mod run;
pub(crate) mod shadowed;
#[cfg(feature = "cli")]
pub mod verify;
