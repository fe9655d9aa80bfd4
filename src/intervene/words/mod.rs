//! What an intervention says: to the model, and to the person where that matters.

mod advice;
mod reinforcement;
mod rollback;
mod soft;
mod stop;
mod throttling;

#[cfg(test)]
mod tests;

pub(super) use advice::{alternative, went_wrong};

use super::kind::Kind;
use super::naming::tag;
use super::orders::Until;
use super::prompts::Prompts;
use super::quoted::{code, cut, quoted};
use super::situation::Situation;
use crate::pattern::Issue;
use crate::policy::Interventions;

/// Longer than that nobody reads, and the client would put it into a file.
pub const LONGEST: usize = 2_900;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    pub model: String,
    pub person: Option<String>,
}

/// The words of an intervention.
pub fn compose(
    kind: Kind,
    issue: &Issue,
    situation: &Situation<'_>,
    policy: &Interventions,
    prompts: &Prompts,
) -> Words {
    let (model, person) = match kind {
        Kind::SoftCorrection => (soft::words(issue, situation, prompts), None),
        Kind::ContextReinforcement => (reinforcement::words(issue, situation, policy), None),
        Kind::ResourceThrottling => throttling::words(issue, situation),
        Kind::CheckpointRollback => rollback::words(issue, situation),
        Kind::EmergencyStop => stop::words(issue, situation),
    };
    Words { model: cut(&(tag(kind, issue) + &model), LONGEST), person }
}

/// Why a call is refused, until when, and what to do instead.
pub(super) fn refusal_words(issue: &Issue, until: Until) -> String {
    let what = code(&issue.details.what, 120);
    let until = match until {
        Until::Change => "until something has changed",
        Until::Prompt => "until the person says how to go on",
    };
    format!(
        "{}{what} is refused {until}: {} {}",
        tag(Kind::CheckpointRollback, issue),
        soft::sentence(&quoted(&issue.description, 240)),
        alternative(issue)
    )
}
