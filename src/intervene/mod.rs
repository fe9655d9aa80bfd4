//! Pure: an issue → an intervention. The controller, the five kinds and their words, limits, and what a stop leaves behind.

mod choose;
mod handler;
mod history;
mod incident;
mod kind;
mod limits;
mod naming;
mod orders;
mod prompts;
mod quoted;
mod reached;
mod score;
mod situation;
mod strategy;
mod words;

#[cfg(test)]
pub(crate) mod sample;

pub use choose::{Choice, Left, choose, restores_by_itself, settle, waits};
pub use handler::{HANDLER_SECONDS, HandlerAnswer, HandlerError, handler_input, parse_handler_answer};
pub use history::{Delivered, Effect, History, JUDGED_AFTER_CALLS};
pub use incident::{
    ApprovalConfig, Changes, Context, Detection, Facts, Impact, Incident, LimitedChanges, Moment, MomentKind,
    Recommendations, Recovery, RecoveryOption, Report, StateSnapshot, recovery_options,
};
pub use kind::Kind;
pub use limits::{Added, Limits};
pub use naming::{PATTERNS, pattern_name, pattern_named, severity_name, sign_name, tag};
pub use orders::{Orders, Refusal, Until};
pub use prompts::{Placeholder, Prompts, TEMPLATE_LIMIT, Template, TemplateError};
pub use quoted::{code, plain, quoted};
pub use reached::{Reached, Resource};
pub use score::{by_score, severity_score};
pub use situation::{CheckpointTold, IncidentTold, Situation};
pub use strategy::{Wanted, handler, next, pattern_specific, wanted};
pub use words::{Words, compose};
