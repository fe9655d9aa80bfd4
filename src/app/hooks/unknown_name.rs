//! The hook program, started under a name that is none of its hooks: it reviews nothing and lets nothing pass.

use super::serve::serve;
use crate::app::failure::Failure;
use crate::edge::run::stdio;
use crate::pure::client::{Answer, Event, Hook, Input};
use std::process::ExitCode;

const WHY: &str = "the hook was started under an unknown name; run install.sh again";

/// git passes a remote and its URL and reads the exit code; the client passes neither and reads the answer.
pub fn run() -> ExitCode {
    if stdio::arguments().len() > 1 {
        eprintln!("plimsoll: {WHY}");
        return ExitCode::FAILURE;
    }
    serve(Hook::PreToolUse, handle)
}

/// The answer of a broken hook to the same event. An event of unknown kind may be a tool call.
fn handle(input: &Input<'_>) -> Result<Answer, Failure> {
    let hook = match input.event {
        Event::PreToolUse(_) | Event::Other(_) => return Err(WHY.into()),
        Event::ConfigChange { .. } => Hook::ConfigChange,
        Event::SessionStart { .. } => Hook::SessionStart,
        Event::UserPromptSubmit { .. } | Event::UserPromptExpansion { .. } => Hook::UserPromptShip,
        Event::PostToolUse { .. } | Event::PostToolUseFailure { .. } | Event::PostToolBatch { .. } => {
            Hook::PostToolUse
        }
        Event::Stop { .. } | Event::SubagentStop { .. } => Hook::Stop,
    };
    Ok(hook.safe_answer(WHY))
}
