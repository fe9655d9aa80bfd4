//! The step review: one tool call judged before it runs, answered and recorded.

pub(crate) mod action_report;
pub mod allow_once;
pub(crate) mod answer;
pub(crate) mod assessment;
pub(crate) mod audit;
#[cfg(feature = "cli")]
pub mod explanation;
#[cfg(feature = "cli")]
pub mod export;
pub(crate) mod history;
pub(crate) mod journal;
pub(crate) mod other_sessions;
pub mod pause;
pub(crate) mod phrase;
pub(crate) mod preservation;
#[cfg(feature = "cli")]
pub mod record;
pub(crate) mod review;
pub(crate) mod reviewed_call;
pub(crate) mod silence_cache;
