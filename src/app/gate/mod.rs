//! The ship gate: what would leave, judged for every door, and what carries it in a repository.

#[cfg(feature = "cli")]
pub mod changed_lines;
pub mod enrolment;
pub(crate) mod forecast;
pub(crate) mod history;
#[cfg(feature = "cli")]
pub mod installed_files;
pub mod judge;
pub(crate) mod leaks;
pub mod overrides;
pub mod pre_push_hook;
#[cfg(feature = "cli")]
pub(crate) mod range;
pub mod ship;
