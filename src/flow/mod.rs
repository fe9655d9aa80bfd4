//! Rooms and edges in order: one file per line of the product. Reads, decides by the pure rooms, writes.

pub mod after;
pub mod allowing;
mod answering;
mod asking;
pub mod audit;
#[cfg(feature = "cli")]
pub mod candidate;
pub mod change;
#[cfg(feature = "cli")]
pub mod changed_lines;
#[cfg(feature = "cli")]
mod check_key;
mod checkpointing;
pub mod checkpoints;
#[cfg(feature = "cli")]
pub mod checks;
pub mod clock;
mod deadline;
pub mod door;
mod earlier_loops;
pub mod enrol;
#[cfg(feature = "cli")]
pub mod explain;
pub mod findings;
mod floor;
pub mod gate;
pub mod guards;
pub mod history;
pub mod incidents;
pub mod intervening;
mod leaks;
#[cfg(feature = "cli")]
pub mod lines;
#[cfg(feature = "cli")]
pub mod loop1;
pub mod loop2;
#[cfg(feature = "cli")]
pub mod loop3;
#[cfg(feature = "cli")]
pub mod loop4;
mod loop_agent;
#[cfg(feature = "cli")]
mod loop_rows;
pub mod notifying;
#[cfg(feature = "cli")]
mod outside_tool;
pub mod overriding;
pub mod pre_push;
pub mod pre_push_hook;
#[cfg(feature = "cli")]
pub mod progress;
#[cfg(feature = "cli")]
mod project_files;
pub mod prompt;
mod real_paths;
pub mod reconcile;
pub mod recording;
pub mod recovering;
#[cfg(feature = "cli")]
mod rehearsal;
pub mod remembered;
#[cfg(feature = "cli")]
pub mod replay;
pub mod reporting;
#[cfg(feature = "cli")]
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
mod shadowed;
pub mod ship;
#[cfg(feature = "cli")]
pub mod stats;
pub mod step;
pub mod tasks;
#[cfg(feature = "cli")]
pub mod verify;
pub mod watch;
pub mod weigh;
mod wording;
