//! Whether the agent's commands are sandboxed: what the settings promise, tried by a real command.

use super::{check::Check, version};
use plimsoll::app::sandbox::{is_lost, state};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::sandbox::SandboxState;

const NAME: &str = "sandbox";
const FIX: &str = "plimsoll sandbox on";
/// The first client that runs only the bare command outside, and keeps `.git` in its place.
const EXACT: [u32; 3] = [2, 1, 325];

pub(crate) fn check(workspace: &Workspace, client: Option<&str>) -> Check {
    if is_lost(workspace) {
        return Check::fail(NAME, "not sandboxed: the settings of the sandbox were changed or removed", FIX);
    }
    let state = match (state(workspace), older(client)) {
        (SandboxState::Off, _) => {
            return Check::ok(NAME, "not sandboxed; `plimsoll sandbox on` changes that");
        }
        (state, None) => state,
        (SandboxState::On, Some(doubt)) => SandboxState::Limited(vec![doubt]),
        (SandboxState::Limited(doubts), Some(doubt)) => {
            SandboxState::Limited(doubts.into_iter().chain([doubt]).collect())
        }
    };
    match state {
        SandboxState::On => Check::ok(NAME, "sandboxed; a sandboxed command was tried"),
        SandboxState::Off | SandboxState::Limited(_) => Check::warn(NAME, state.to_string(), FIX),
    }
}

fn older(client: Option<&str>) -> Option<String> {
    let numbers = version::numbers(client?)?;
    (numbers.as_slice() < EXACT.as_slice()).then(|| {
        "this Claude Code is older than 2.1.325, which closes the last gaps: claude update".to_owned()
    })
}
