//! One of our commands in a prompt, answered once however many events tell of it.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::state;
use crate::pure::client::{Answer, Event, Input, SlashCommand};

/// Commands that ask for loops.
pub(crate) const ASK_FOR_LOOPS: [&str; 2] = ["review", "reconcile"];

/// Runs `act` if the prompt is one of these commands, once per prompt whichever of its two events comes first.
pub(crate) fn answer_once(
    input: &Input<'_>,
    names: &[&str],
    configured: Option<fn(&Workspace, &str) -> bool>,
    act: impl FnOnce(&Workspace, &SlashCommand) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let command = match &input.event {
        Event::UserPromptSubmit { prompt } => SlashCommand::parse(prompt),
        Event::UserPromptExpansion { command, arguments } => Some(SlashCommand::new(command, arguments)),
        _ => None,
    };
    let is_named = |command: &SlashCommand| names.contains(&command.name.as_str());
    let Some(command) = command.filter(|command| configured.is_some() || is_named(command)) else {
        return Ok(Answer::silent());
    };
    let workspace = Workspace::of_event(&input.cwd)?;
    if !is_named(&command) && configured.is_none_or(|configured| !configured(&workspace, &command.name)) {
        return Ok(Answer::silent());
    }
    let prompt = input.prompt_id.clone().unwrap_or_else(|| format!("{} {}", command.name, command.arguments));
    if !state::edit(&workspace.layout, &input.session_id, |facts| facts.first_time(&command.name, &prompt))? {
        return Ok(Answer::silent());
    }
    act(&workspace, &command)
}
