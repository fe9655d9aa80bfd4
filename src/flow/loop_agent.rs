//! Our loop agents start only after a person said yes, and always with our own words.

use super::clock;
use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::hook::{AgentCall, Answer, Input};
use crate::state;
use crate::step::loop_agent;
use serde_json::value::RawValue;

/// The rule that keeps an unconfirmed review from starting.
pub const CONFIRMATION: &str = "confirmation";

/// Silent for agents that are none of ours.
pub fn start(scene: &Scene, input: &Input<'_>, agent: &AgentCall) -> Result<Answer, Failure> {
    let Some(ours) = loop_agent(&agent.subagent_type) else { return Ok(Answer::silent()) };
    let review = scene.command("review");
    let refuse = |why: String| Ok(Answer::deny(format!("Plimsoll [{CONFIRMATION}]: {why}")));
    let asked = state::read(&scene.layout, &input.session_id)?.review;
    let Some(request) = asked.filter(|request| request.is_recent(clock::milliseconds())) else {
        return refuse(format!(
            "nobody asked for a review within the last hour. The user starts one with {review}"
        ));
    };
    if !request.confirmed && request.passed_over {
        return refuse(format!(
            "the user has not confirmed this review, and said other things since. Ask \"Proceed with review?\" in a dialog, or \
             have them type {review} again"
        ));
    }
    if !request.confirmed {
        return refuse(
            "the user has not confirmed this review yet. Show the preview, ask \"Proceed with review?\" and wait for their yes"
                .into(),
        );
    }
    if !request.loops.contains(&ours.number) {
        return refuse(format!("loop {} is not part of the review that the user asked for", ours.number));
    }
    let canonical = serde_json::json!({
        "description": format!("Review loop {}", ours.number),
        "prompt": ours.prompt(&request.options),
        "subagent_type": agent.subagent_type,
        "run_in_background": false,
    });
    Ok(Answer::silent().with_input(RawValue::from_string(canonical.to_string())?))
}
