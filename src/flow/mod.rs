//! Rooms and edges in order: one file per line of the product. Reads, decides by the pure rooms, writes.

pub mod after;
pub mod clock;
pub mod gate;
mod overriding;
pub mod pre_push;
pub mod pre_push_hook;
pub mod prompt;
pub mod scene;
pub mod serve;
pub mod session;
pub mod settings_change;
pub mod step;
pub mod loop1;
#[cfg(feature = "cli")]
pub mod progress;
mod project_files;
pub mod watch;
