//! `plimsoll pause` and `plimsoll resume`: a person pauses the step review for some minutes.

use crate::{CommandResult, require_person};
use plimsoll::app::step::pause::Pause;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::clock;
use plimsoll::edge::state;
use plimsoll::pure::text::counted;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// For how many minutes.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=24 * 60))]
    minutes: u64,
}

pub(crate) fn pause(arguments: Arguments) -> CommandResult {
    let workspace = Workspace::here()?;
    let (project, minutes) = (workspace.shown(&workspace.project), counted(arguments.minutes, "minute"));
    require_person(&format!("This pauses the step review of {project} for {minutes}."))?;
    let until = clock::milliseconds() + arguments.minutes * 60 * 1000;
    state::write_json(&workspace.homes.pause(&workspace.project), &Pause { version: 1, until })?;
    outln!(
        "The step review of {} is paused for {}. The session monitor only records. The floor and the ship gate stay on.",
        project,
        minutes
    );
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn resume() -> CommandResult {
    let workspace = Workspace::here()?;
    require_person(&format!("This resumes the step review of {}.", workspace.shown(&workspace.project)))?;
    state::remove(&workspace.homes.pause(&workspace.project))?;
    outln!("The step review of {} is on.", workspace.shown(&workspace.project));
    Ok(ExitCode::SUCCESS)
}
