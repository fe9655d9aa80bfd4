//! An issue → an intervention: the controller, the five kinds and their messages, limits, and the incident of a stop.

mod choice;
mod handler;
mod history;
mod incident;
mod kind;
mod limits;
mod messages;
mod orders;
mod prompts;
mod quotation;
mod reached_limit;
mod score;
mod situation;
mod strategy;

#[cfg(test)]
pub(crate) mod sample;

pub(crate) use choice::{InterventionChoice, choice_from, choose, reason_to_wait, restores_by_itself};
pub(crate) use handler::{HANDLER_SECONDS, HandlerAnswer, HandlerError, handler_input, parse_handler_answer};
pub(crate) use history::InterventionHistory;
pub use history::{Delivered, InterventionEffect};
pub(crate) use incident::{
    Incident, IncidentDecision, IncidentFacts, Moment, MomentKind, Recovery, RecoveryOption, Report, moment,
    recovery_options,
};
pub use kind::InterventionKind;
pub(crate) use limits::AddedLimits;
pub use limits::SessionLimits;
pub(crate) use messages::{compose, tag};
pub(crate) use orders::{OrderedRefusal, Orders, Until};
pub use prompts::Prompts;
pub(crate) use prompts::Template;
pub(crate) use reached_limit::ReachedLimit;
pub(crate) use situation::{CheckpointSummary, IncidentPage, Situation};
pub(crate) use strategy::{WantedIntervention, handler, wanted};
