//! Results as text, logs and JSON, for people, for the model and for the state files. Pure.

mod log;
mod loop_state;
mod note;
mod review_text;
mod ship;
mod stats;
mod tier;

pub use log::Log;
pub use loop_state::loop_state;
#[cfg(feature = "cli")]
pub(crate) use note::seconds;
pub use review_text::ReviewText;
pub use ship::Ship;
pub use stats::{RuleStats, Stats, Timing};

#[cfg(test)]
mod sample;
