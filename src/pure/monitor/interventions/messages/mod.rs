//! The messages of interventions: to the model, and to the person where that matters.

mod advice;
mod reinforcement;
mod rollback;
mod soft;
mod stop;
mod throttling;

#[cfg(test)]
mod tests;

pub(super) use advice::{alternative, went_wrong};

use super::kind::InterventionKind;
use super::orders::Until;
use super::prompts::Prompts;
use super::quotation::{code, quoted};
use super::situation::Situation;
use crate::pure::monitor::patterns::Issue;
use crate::pure::policy::Interventions;
use crate::pure::text::cut;

/// Longer than that nobody reads, and the client would put it into a file.
pub(crate) const LONGEST: usize = 2_900;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InterventionMessage {
    pub model: String,
    pub person: Option<String>,
}

/// The beginning of every message, by which logs and replays find it.
pub(crate) fn tag(kind: InterventionKind, issue: &Issue) -> String {
    format!("Plimsoll [{}/{}/{}]: ", kind.name(), issue.pattern, issue.sign)
}

/// The message of an intervention.
pub(crate) fn compose(
    kind: InterventionKind,
    issue: &Issue,
    situation: &Situation<'_>,
    policy: &Interventions,
    prompts: &Prompts,
) -> InterventionMessage {
    let (model, person) = match kind {
        InterventionKind::SoftCorrection => (soft::message(issue, situation, prompts), None),
        InterventionKind::ContextReinforcement => (reinforcement::message(issue, situation, policy), None),
        InterventionKind::ResourceThrottling => throttling::message(issue, situation),
        InterventionKind::CheckpointRollback => rollback::message(issue, situation),
        InterventionKind::EmergencyStop => stop::message(issue, situation),
    };
    InterventionMessage { model: cut(&(tag(kind, issue) + &model), LONGEST), person }
}

/// Why a call is refused, until when, and what to do instead.
pub(super) fn refusal_message(issue: &Issue, until: Until) -> String {
    let what = code(&issue.details.what, 120);
    let until = match until {
        Until::Change => "until something has changed",
        Until::Prompt => "until the person says how to continue",
    };
    format!(
        "{}{what} is refused {until}: {} {}",
        tag(InterventionKind::CheckpointRollback, issue),
        soft::sentence(&quoted(&issue.description, 240)),
        alternative(issue)
    )
}
