//! A person's yes to a review that was asked for.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::state::ReviewRequest;
use crate::edge::{clock, state};
use crate::pure::client::is_yes;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The person's yes to the pending review, if one is pending that the yes can mean.
pub(crate) fn confirm(
    workspace: &Workspace,
    session: &str,
    means: impl FnOnce(&ReviewRequest) -> bool,
) -> Result<(), Failure> {
    let now = clock::milliseconds();
    Ok(state::edit(&workspace.layout, session, |facts| {
        if let Some(review) = &mut facts.review
            && review.is_recent(now)
            && means(review)
        {
            review.confirmed = true;
        }
    })?)
}

/// Whether a dialog about a review was answered with yes.
pub(crate) fn says_yes(response: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Answered {
        #[serde(default)]
        answers: BTreeMap<String, serde_json::Value>,
    }
    serde_json::from_str::<Answered>(response.get()).is_ok_and(|answered| {
        answered
            .answers
            .iter()
            .any(|(question, answer)| about_review(question) && answer.as_str().is_some_and(is_yes))
    })
}

fn about_review(question: &str) -> bool {
    question.to_ascii_lowercase().contains("review")
}
