//! Our loop agents start only after a person said yes, and always with our own words.

use crate::app::failure::{Failure, chain};
use crate::app::gate::judge;
use crate::app::review::change::Change;
use crate::app::review::shadowed::shadowed;
use crate::app::review::{agent_input::canonical, earlier_loops, loop2};
use crate::app::tasks;
use crate::app::tool_event::ToolEvent;
use crate::edge::clock;
use crate::edge::state::{self, ReviewRequest};
use crate::pure::client::{AgentCall, Answer};
use crate::pure::policy::LoopNumber;
use crate::pure::step::{LoopAgent, loop_agent, task_agent};
use camino::Utf8Path;

/// The rule that keeps an unconfirmed review from starting.
pub(crate) const CONFIRMATION: &str = "confirmation";
/// The rule that keeps a reviewer a reviewer, and others from talking to it.
pub(crate) const READER: &str = "reviewer";
const SHADOWED: &str = "shadowed";

/// Silent for agents that are none of ours.
pub(crate) fn start(event: ToolEvent<'_>, agent: &AgentCall) -> Result<Answer, Failure> {
    let ToolEvent { workspace, input, .. } = event;
    if let Some(ours) = task_agent(&agent.subagent_type) {
        return tasks::start(event, agent, ours);
    }
    let Some(ours) = loop_agent(&agent.subagent_type) else { return Ok(Answer::silent()) };
    let review = workspace.command("review");
    let refuse = |why: String| Ok(Answer::deny(format!("Plimsoll [{CONFIRMATION}]: {why}")));
    let asked = state::read(&workspace.layout, &input.session_id)?.review;
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
    if let Err(why) = shadowed(ours.name, &workspace.environment, &workspace.project, place) {
        return Ok(Answer::deny(format!("Plimsoll [{SHADOWED}]: {why}.")));
    }
    // A loop that cannot be started as it should is not started at all.
    let started = if ours.number == LoopNumber::One {
        checks(&ours, agent, &request)
    } else {
        later(event, &ours, agent, &request)
    };
    Ok(started.unwrap_or_else(|failure| {
        Answer::deny(format!("Plimsoll: loop {} cannot start: {}.", ours.number, chain(failure.as_ref())))
    }))
}

/// A loop after the first, on content that the loops before it were content with.
fn later(
    event: ToolEvent<'_>,
    ours: &LoopAgent,
    agent: &AgentCall,
    request: &ReviewRequest,
) -> Result<Answer, Failure> {
    let workspace = event.workspace;
    let change = Change::of(workspace, request.scope.clone(), request.base.clone())?;
    let evidence = judge::evidence(workspace)?;
    if let Some(why) = earlier_loops::refusal(&request.loops, ours.number, &change, &evidence) {
        return Ok(Answer::deny(format!("Plimsoll [order]: {why}.")));
    }
    match ours.number {
        LoopNumber::Two => loop2::start(event, agent, &change, &request.paths, &evidence),
        LoopNumber::One | LoopNumber::Three | LoopNumber::Four => checks(ours, agent, request),
    }
}

/// An agent that runs one command of ours.
fn checks(ours: &LoopAgent, agent: &AgentCall, request: &ReviewRequest) -> Result<Answer, Failure> {
    canonical(agent, &format!("Review loop {}", ours.number), &ours.prompt(&request.options), None)
}
