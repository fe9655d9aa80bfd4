//! Rooms and edges in order: one file per line of the product. Reads, decides by the pure rooms, writes.

pub mod after;
pub mod allowing;
mod answering;
pub mod audit;
#[cfg(feature = "cli")]
pub mod changed_lines;
pub mod clock;
mod deadline;
pub mod door;
pub mod enrol;
#[cfg(feature = "cli")]
pub mod explain;
pub mod gate;
pub mod history;
mod leaks;
#[cfg(feature = "cli")]
pub mod lines;
pub mod loop1;
mod loop_agent;
mod overriding;
pub mod pre_push;
pub mod pre_push_hook;
#[cfg(feature = "cli")]
pub mod progress;
mod project_files;
pub mod prompt;
#[cfg(feature = "cli")]
mod rehearsal;
pub mod remembered;
#[cfg(feature = "cli")]
pub mod replay;
pub mod review;
mod reviewed;
#[cfg(feature = "cli")]
pub mod sample_world;
pub mod scene;
#[cfg(feature = "cli")]
pub mod score;
pub mod secrets;
pub mod serve;
pub mod session;
pub mod settings_change;
pub mod ship;
#[cfg(feature = "cli")]
pub mod stats;
pub mod step;
pub mod watch;
pub mod weigh;
mod wording;
