//! Results as text, logs and JSON, for people, for the model and for the state files. Pure.

#[cfg(feature = "cli")]
mod assessed;
#[cfg(feature = "cli")]
mod effect_words;
#[cfg(feature = "cli")]
mod explanation;
mod log;
mod loop_state;
mod note;
mod printable;
#[cfg(feature = "cli")]
mod replay;
mod review_text;
#[cfg(feature = "cli")]
mod said;
#[cfg(feature = "cli")]
mod score;
#[cfg(feature = "cli")]
mod secrets;
mod ship;
#[cfg(feature = "cli")]
mod snippet;
mod stats;
mod tier;

#[cfg(feature = "cli")]
pub use explanation::{ExplainedCommand, ExplainedEffect, ExplainedRule, Explanation, LookedUp};
pub use log::Log;
pub use loop_state::loop_state;
#[cfg(feature = "cli")]
pub(crate) use note::seconds;
pub use printable::printable;
#[cfg(feature = "cli")]
pub use replay::{Counts, Remark, Replay, ReplayedSession, Shown};
pub use review_text::ReviewText;
#[cfg(feature = "cli")]
pub use said::Said;
#[cfg(feature = "cli")]
pub use score::{BadLine, Bar, By, Expected, Judged, Listed, Score};
#[cfg(feature = "cli")]
pub use secrets::{FoundSecret, SecretReport};
pub use ship::Ship;
pub use stats::{RuleStats, Stats, Timing};

#[cfg(test)]
mod sample;
