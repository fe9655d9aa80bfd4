//! Rooms and edges in order: one file per line of the product. Reads, decides by the pure rooms, writes.

pub mod loop1;
#[cfg(feature = "cli")]
pub mod progress;
mod project_files;
pub mod watch;
