//! `plimsoll background`: captures the project and tidies up, in a process of its own that a hook starts.

use crate::CommandResult;
use plimsoll::app::checkpoints::background;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::run::lower_priority;
use std::process::ExitCode;

pub(crate) fn run() -> CommandResult {
    lower_priority();
    background::run(&Workspace::here()?)?;
    Ok(ExitCode::SUCCESS)
}
