//! Our loop agents start only after a person said yes, and always with our own words.

use super::change::Change;
use super::serve::{Failure, chain};
use super::shadowed::shadowed;
use super::{clock, earlier_loops, gate, loop2, tasks};
use crate::flow::scene::Scene;
use crate::hook::{AgentCall, Answer, Input};
use crate::state::{self, ReviewRequest};
use crate::step::{LoopAgent, loop_agent, task_agent};
use camino::Utf8Path;
use serde_json::value::RawValue;

/// The rule that keeps an unconfirmed review from starting.
pub const CONFIRMATION: &str = "confirmation";
/// The rule that keeps a reader a reader, and others from talking to it.
pub const READER: &str = "reviewer";
const SHADOWED: &str = "shadowed";

/// Silent for agents that are none of ours.
pub fn start(scene: &Scene, input: &Input<'_>, agent: &AgentCall) -> Result<Answer, Failure> {
    if let Some(ours) = task_agent(&agent.subagent_type) {
        return tasks::start(scene, input, agent, ours);
    }
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
    let place = Utf8Path::new(&input.cwd);
    if let Err(why) = shadowed(ours.name, &scene.environment, &scene.project, place) {
        return Ok(Answer::deny(format!("Plimsoll [{SHADOWED}]: {why}.")));
    }
    // A loop that cannot be started as it should is not started at all.
    let started =
        if ours.number == 1 { checks(&ours, agent, &request) } else { later(scene, input, agent, &request) };
    Ok(started.unwrap_or_else(|failure| {
        Answer::deny(format!("Plimsoll: loop {} cannot start: {}.", ours.number, chain(failure.as_ref())))
    }))
}

/// A loop after the first, on content that the loops before it were content with.
fn later(
    scene: &Scene,
    input: &Input<'_>,
    agent: &AgentCall,
    request: &ReviewRequest,
) -> Result<Answer, Failure> {
    let Some(ours) = loop_agent(&agent.subagent_type) else { return Ok(Answer::silent()) };
    let change = Change::of(scene, request.scope.clone(), request.base.clone())?;
    let evidence = gate::evidence(scene)?;
    if let Some(why) = earlier_loops::refusal(&request.loops, ours.number, &change, &evidence) {
        return Ok(Answer::deny(format!("Plimsoll [order]: {why}.")));
    }
    match ours.number {
        2 => loop2::start(scene, input, agent, &change, &request.paths, &evidence),
        _ => checks(&ours, agent, request),
    }
}

/// An agent that runs one command of ours.
fn checks(ours: &LoopAgent, agent: &AgentCall, request: &ReviewRequest) -> Result<Answer, Failure> {
    let canonical = serde_json::json!({
        "description": format!("Review loop {}", ours.number),
        "prompt": ours.prompt(&request.options),
        "subagent_type": agent.subagent_type,
        "run_in_background": false,
    });
    Ok(Answer::silent().with_input(RawValue::from_string(canonical.to_string())?))
}
