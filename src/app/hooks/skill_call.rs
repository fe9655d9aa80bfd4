//! A command of ours that the model invokes by itself, as a Skill call.

use crate::app::failure::Failure;
use crate::app::review::request;
use crate::app::tasks;
use crate::app::tool_event::ToolEvent;
use crate::edge::clock;
use crate::edge::state::{self, ReviewRequest};
use crate::pure::client::{Answer, SlashCommand};

/// The model gets the same context as a person who typed the command, but nobody has confirmed the review.
pub(crate) fn answer(event: ToolEvent<'_>, name: &str, arguments: &str) -> Result<Answer, Failure> {
    let ToolEvent { workspace, input, .. } = event;
    let command = SlashCommand::new(name, arguments);
    let refuse = |decision: &str| {
        let typed = workspace.command(&command.name);
        Ok(Answer::deny(format!("Plimsoll: {decision} is the user's decision. They type {typed}")))
    };
    let (answer, request) = match command.name.as_str() {
        "review" => request::review(workspace, arguments)?,
        "reconcile" => request::reconcile(workspace, arguments)?,
        "ship" => return refuse("shipping"),
        "allow" => {
            return Ok(Answer::deny(format!(
                "Plimsoll: letting a refused step run is the user's decision. They type {} and its id",
                workspace.command("allow")
            )));
        }
        "recover" => return refuse("how a stopped project goes on"),
        _ => return tasks::by_the_model(workspace, &input.session_id, &command),
    };
    let request = request.map(|request| ReviewRequest { confirmed: false, ..request });
    state::edit(&workspace.layout, &input.session_id, |facts| {
        let is_recent = |asked: &ReviewRequest| asked.is_recent(clock::milliseconds());
        // A review that the person asked for goes on.
        if command.name == "review" || !facts.review.as_ref().is_some_and(is_recent) {
            facts.review = request;
        }
    })?;
    // A block stops a prompt; for a tool call the same text is a denial.
    Ok(answer.reason().map(Answer::deny).unwrap_or(answer))
}
