//! A typed override turns one refused push into a question that only a person can answer.

use super::serve::Failure;
use super::{clock, door, pre_push};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Input};
use crate::state::{self, Grant, OverrideRequest, random_token};
use crate::step::{Addressed, Effect, Finding, Found, Leaving, Survey};

const MINUTE: u64 = 60 * 1000;
/// How long a typed override waits for its push.
const REQUEST_LASTS: u64 = 10 * MINUTE;
/// How long the dialog may stay open.
const GRANT_LASTS: u64 = 60 * MINUTE;

/// The question to put instead of the refusal, if the person asked for that and the push is all there is.
pub fn ask_instead(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    survey: &Survey,
    refusal: &Finding,
) -> Result<Option<Answer>, Failure> {
    let [
        Found {
            effect: Effect::Leave { what: Leaving::Push { repository, arguments }, alone: true }, ..
        },
    ] = survey.found.as_slice()
    else {
        return Ok(None);
    };
    let Addressed::Directory(directory) = repository else {
        return Ok(None);
    };
    let Some(meant) = scene.of_directory(directory)? else { return Ok(None) };
    let Some(forecast) = door::forecast(&meant, arguments)? else { return Ok(None) };
    let now = clock::milliseconds();
    let taken = state::edit(&scene.layout, &input.session_id, |facts| facts.r#override.take())?;
    let Some(OverrideRequest { reason, .. }) =
        taken.filter(|request| now.saturating_sub(request.time) <= REQUEST_LASTS)
    else {
        return Ok(None);
    };
    let token = random_token()?;
    let tips = pre_push::tips(&forecast.lines);
    Grant { tips: tips.clone(), reason: reason.clone(), expires: now + GRANT_LASTS }
        .write(&meant.layout, &meant.homes, &token)?;
    let commits: Vec<&str> = tips.iter().map(|tip| tip.short()).collect();
    let question = format!(
        "Plimsoll: {}. You asked to override the gate (\"{reason}\"). Push {} once, unreviewed?",
        refusal.reason.trim_end_matches('.'),
        commits.join(", ")
    );
    // The token reaches the git hook only if the person lets the command run.
    let with_token = call.with_command(|command| format!("PLIMSOLL_GRANT={token} {command}"))?;
    Ok(Some(Answer::ask(question).with_input(with_token)))
}
