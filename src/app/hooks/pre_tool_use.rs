//! Before a tool call: event → survey → questions → decision → journal → answer.

use super::{agent_call, floor, outside_command, skill_call};
use crate::app::failure::{Failure, chain};
use crate::app::monitor;
use crate::app::monitor::recovery::{self, LockAnswer};
use crate::app::notifications;
use crate::app::review::loop2;
use crate::app::step::other_sessions;
use crate::app::step::pause::only_observed;
use crate::app::step::phrase::phrase;
use crate::app::step::preservation;
use crate::app::step::review::{message_report, review};
use crate::app::step::reviewed_call::ReviewedCall;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::pure::client::{Answer, Event, Input, PermissionDecision, Tool};
use crate::pure::shell::Reading;
use crate::pure::step::{Decision, catalogue, loop_agent, task_agent};
use std::mem::ManuallyDrop;

pub fn answer(input: &Input<'_>) -> Result<Answer, Failure> {
    let begun = clock::begin();
    let Event::PreToolUse(call) = &input.event else { return Ok(Answer::silent()) };
    // Never dropped: the hook ends right after this.
    let workspace = ManuallyDrop::new(Workspace::of_event(&input.cwd)?);
    let event = ToolEvent { workspace: &workspace, input, call };
    let mut reviewed = ManuallyDrop::new(reviewed(event)?);
    match reviewed.record(event, begun) {
        Ok(()) => {
            if let (Some(PermissionDecision::Ask), Some(question)) =
                (reviewed.answer.decision(), reviewed.answer.reason())
            {
                notifications::show_question(&workspace, question);
            }
            Ok(std::mem::take(&mut reviewed.answer))
        }
        // A refused call stays refused.
        Err(failure) if reviewed.is_denied() => {
            let why = chain(failure.as_ref());
            Ok(std::mem::take(&mut reviewed.answer)
                .with_notice(format!("Plimsoll could not record this refusal: {why}")))
        }
        Err(failure) => Err(failure),
    }
}

fn reviewed(event: ToolEvent<'_>) -> Result<ReviewedCall, Failure> {
    let lock = match recovery::lock_answer(event) {
        LockAnswer::Free => None,
        LockAnswer::Held(lock) => Some(lock),
        LockAnswer::Answered(answer) => return Ok(ReviewedCall::new(answer, recovery::RULE)),
    };
    if let Some(refusal) = loop2::guard(event) {
        return Ok(ReviewedCall::new(refusal, agent_call::READER));
    }
    let reviewed = match Tool::parse(event.call) {
        None => unknown_shape(event),
        Some(tool @ (Tool::Agent(_) | Tool::Skill { .. })) if !is_foreign_agent(&tool) => {
            message(event, &tool)?.with_report(message_report(event, &tool))
        }
        Some(tool) => match outside_command::answer(event, &tool)? {
            Some(refusal) => ReviewedCall::new(refusal, outside_command::RULE),
            None => review(event, &tool)?,
        },
    };
    let reviewed = match lock {
        Some(lock) => recovery::under(&lock, event.call, reviewed),
        None => reviewed,
    };
    let reviewed = monitor::apply_orders(event, reviewed)?;
    let mut reviewed = preservation::preserve(event, reviewed)?;
    if !reviewed.is_denied() {
        other_sessions::record(event, std::mem::take(&mut reviewed.claims))?;
    }
    Ok(reviewed)
}

/// An agent that is none of ours: its prompt is judged like any other text that goes to one.
fn is_foreign_agent(tool: &Tool) -> bool {
    let Tool::Agent(agent) = tool else { return false };
    loop_agent(&agent.subagent_type).is_none() && task_agent(&agent.subagent_type).is_none()
}

/// A call that starts an agent or a command: answered by who asked for it.
fn message(event: ToolEvent<'_>, tool: &Tool) -> Result<ReviewedCall, Failure> {
    Ok(match tool {
        Tool::Agent(agent) => ReviewedCall::new(agent_call::start(event, agent)?, agent_call::CONFIRMATION),
        Tool::Skill { name, arguments } => ReviewedCall::new(skill_call::answer(event, name, arguments)?, ""),
        _ => ReviewedCall::new(Answer::silent(), ""),
    })
}

/// A call whose input does not have the shape of its tool.
fn unknown_shape(event: ToolEvent<'_>) -> ReviewedCall {
    let place = event.workspace.place(&event.input.cwd);
    match floor::finding(event.call, &place, Reading::Thorough) {
        Some(finding) => ReviewedCall::new(Answer::deny(phrase(&finding, "")), finding.rule.as_str()),
        None => {
            let tool = &event.call.tool;
            let question =
                format!("Plimsoll does not understand this {tool} call; the user should look at it");
            let rule = catalogue::OPAQUE.name;
            match only_observed(event.workspace, event.input.agent_type.as_deref()) {
                true => ReviewedCall::new(Answer::silent(), "").would_have(Decision::Ask, rule, &question),
                false => ReviewedCall::new(Answer::ask(question), rule),
            }
        }
    }
}
