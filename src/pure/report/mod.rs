//! Results as text, logs and JSON, for people, for the model and for the state files. Pure.

#[cfg(feature = "cli")]
mod assessment;
mod checkpoints;
mod delivered_text;
mod effects;
#[cfg(feature = "cli")]
mod explanation;
mod finding_list;
mod hook_answer;
mod incident;
mod interventions;
mod log;
mod loop_state;
mod markdown_text;
mod note;
mod page;
#[cfg(feature = "cli")]
mod project_page;
mod prometheus;
mod reconcile;
#[cfg(feature = "cli")]
mod recorded_refusal;
mod replay;
mod replayed_interventions;
mod score;
mod secrets;
#[cfg(feature = "cli")]
mod snippet;
mod stats;
#[cfg(feature = "cli")]
mod status;
#[cfg(feature = "cli")]
mod step_log;
mod tasks;
#[cfg(feature = "cli")]
mod team_page;
mod tier;
mod unified;
#[cfg(feature = "cli")]
mod verified;

#[cfg(feature = "cli")]
pub use checkpoints::CheckpointList;
pub use checkpoints::{CheckpointText, RestorePlan, copy_line};
pub(crate) use delivered_text::{DeliveredText, DeliveryRoute};
#[cfg(feature = "cli")]
pub(crate) use explanation::Explanation;
pub use finding_list::{finding_list, finding_value};
pub(crate) use hook_answer::HookAnswer;
#[cfg(feature = "cli")]
pub(crate) use incident::incident_text;
pub(crate) use incident::{incident_html, incident_json, incident_markdown};
pub(crate) use interventions::InterventionRow;
pub(crate) use log::Log;
pub(crate) use loop_state::loop_state;
pub use note::seconds;
#[cfg(feature = "cli")]
pub(crate) use project_page::{ProjectPage, SessionMoment, SessionMomentKind, SessionTimeline};
pub use prometheus::prometheus;
pub(crate) use reconcile::{FindingToFix, Reconcile, ReconcileSource};
#[cfg(feature = "cli")]
pub(crate) use recorded_refusal::RecordedRefusal;
pub use replay::ListedRemarks;
pub(crate) use replay::{Replay, ReplayedSession};
pub(crate) use replayed_interventions::ReplayedIntervention;
pub(crate) use score::{BadLine, ExpectedAnswer, RowKind, ScoredRow};
pub use score::{Bar, ListedRows, Score, ScoreGrouping};
pub(crate) use secrets::{FoundSecret, SecretReport};
pub(crate) use stats::{ReviewTimes, RuleStats, Stats, WouldHave};
#[cfg(feature = "cli")]
pub use status::{GateSegment, Segment, Status, StatusDetail, StatusLine};
#[cfg(feature = "cli")]
pub(crate) use step_log::LogRow;
#[cfg(feature = "cli")]
pub use step_log::StepLog;
pub use tasks::{event_values, task_list, task_text, task_value};
#[cfg(feature = "cli")]
pub(crate) use team_page::TeamPage;
pub use unified::CheckLines;
#[cfg(feature = "cli")]
pub use unified::painted;
pub(crate) use unified::{LoopReport, LoopStanding, Occasion, Sources, UnifiedReport};
#[cfg(feature = "cli")]
pub use verified::{VerifiedRange, VerifiedReason};

#[cfg(test)]
mod sample;
