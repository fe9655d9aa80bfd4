//! Each edge reads or writes one resource and decides nothing. All of them open files through `file`.

pub mod checkpoint;
pub mod clock;
pub mod config;
pub mod file;
pub mod git;
pub mod notify;
pub mod repo;
pub mod run;
#[cfg(feature = "cli")]
pub mod signature;
pub mod state;
