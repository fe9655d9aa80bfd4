//! Results as text, logs and JSON, for people, for the model and for the state files. Pure.

#[cfg(feature = "cli")]
mod assessed;
#[cfg(feature = "cli")]
mod checkpoints;
#[cfg(feature = "cli")]
mod effect_words;
#[cfg(feature = "cli")]
mod explanation;
mod incident;
#[cfg(feature = "cli")]
mod intervened;
mod interventions;
mod log;
mod loop_state;
mod markdown_text;
mod note;
mod printable;
#[cfg(feature = "cli")]
mod prometheus;
mod reconcile;
#[cfg(feature = "cli")]
mod replay;
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
#[cfg(feature = "cli")]
mod tasks;
mod tier;
#[cfg(feature = "cli")]
mod told;
mod tracked;
mod unified;

#[cfg(feature = "cli")]
pub use checkpoints::{CheckpointList, CheckpointText, RestorePlan, copy_line, why};
#[cfg(feature = "cli")]
pub use explanation::{ExplainedCommand, ExplainedEffect, ExplainedRule, Explanation, LookedUp};
pub use incident::{incident_html, incident_json, incident_markdown};
#[cfg(feature = "cli")]
pub use intervened::{Intervened, InterventionCounts, InterventionTotal};
pub use interventions::{InterventionOutcome, InterventionRow, InterventionStats};
pub use log::Log;
pub use loop_state::loop_state;
#[cfg(feature = "cli")]
pub(crate) use note::seconds;
pub use printable::printable;
#[cfg(feature = "cli")]
pub use prometheus::prometheus;
pub use reconcile::{Reconcile, ReconcileSource, ToMend};
#[cfg(feature = "cli")]
pub use replay::{Counts, Remark, Replay, ReplayedSession, Shown};
#[cfg(feature = "cli")]
pub use said::Said;
#[cfg(feature = "cli")]
pub use score::{BadLine, Bar, By, Expected, Judged, Listed, RowKind, Score};
#[cfg(feature = "cli")]
pub use secrets::{FoundSecret, SecretReport};
pub use ship::Ship;
pub use stats::{RuleStats, Stats, Timing};
#[cfg(feature = "cli")]
pub use tasks::{event_values, task_list, task_text, task_value};
#[cfg(feature = "cli")]
pub use told::{Told, Way};
pub use tracked::{finding_list, finding_value};
pub use unified::{LoopReport, LoopStanding, Occasion, Reused, Sources, UnifiedReport};

#[cfg(test)]
mod sample;
