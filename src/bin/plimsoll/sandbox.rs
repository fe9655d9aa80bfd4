//! `plimsoll sandbox`: switches the client's sandbox on for a project with Plimsoll's rules, or off again.

use crate::setup::settings_file::{FileChange, SettingsFile};
use crate::setup::whole_file;
use crate::{CommandError, CommandResult, require_person};
use plimsoll::app::presence;
use plimsoll::app::sandbox::{self, BACKUP};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::client::registration::{add_sandbox, remove_sandbox};
use plimsoll::pure::sandbox::{MOUNT_POINTS, SandboxState, rules, with_excludes, without_excludes};
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Switch the sandbox on for this project. Changes nothing if it cannot work here.
    On,
    /// Switch it off, and restore the settings. For a person in a terminal.
    Off,
    /// Show whether commands of the agent are sandboxed, by trying.
    Status,
}

pub(crate) fn run(command: &Command) -> CommandResult {
    let workspace = Workspace::here()?;
    match command {
        Command::On => on(&workspace),
        Command::Off => off(&workspace),
        Command::Status => {
            outln!("{}", sandbox::state(&workspace));
            Ok(ExitCode::SUCCESS)
        }
    }
}

pub(crate) fn on(workspace: &Workspace) -> CommandResult {
    // A script of the installer has no terminal; only an agent is refused.
    presence::no_agent()?;
    let places = sandbox::places(workspace)?;
    let rules = rules(&places);
    sandbox::prepare(&rules, workspace)?;
    sandbox::probe(workspace, &rules)
        .map_err(|why| format!("the sandbox cannot work here, nothing was changed: {why}"))?;
    let entries = rules.entries(&places);
    let file = SettingsFile::with_backup(&sandbox::settings_file(workspace), BACKUP)?;
    let change = file.edited(|text| add_sandbox(text, &entries))?;
    exclude(workspace, |text| {
        let missing = MOUNT_POINTS.into_iter().filter(|name| !workspace.project.join(name).exists());
        with_excludes(text, missing)
    })?;
    file.put_part_in(&change)?;
    match sandbox::state(workspace) {
        SandboxState::Off => {
            Err("another settings file switches the sandbox off: run `plimsoll doctor`".into())
        }
        state @ (SandboxState::On | SandboxState::Limited(_)) => {
            outln!("{}: {state}", workspace.shown(&workspace.project));
            errln!(
                "New sessions run the agent's commands in the sandbox. Push with /ship or `plimsoll push`. \
                 `plimsoll sandbox off` switches it off."
            );
            Ok(ExitCode::SUCCESS)
        }
    }
}

pub(crate) fn off(workspace: &Workspace) -> CommandResult {
    let project = workspace.shown(&workspace.project);
    require_person(&format!("This lets the agent's commands in {project} run outside the sandbox."))?;
    let places = sandbox::places(workspace)?;
    let entries = rules(&places).entries(&places);
    let file = SettingsFile::with_backup(&sandbox::settings_file(workspace), BACKUP)?;
    let change = file.restored(|text, before| remove_sandbox(text, before, &entries))?;
    let changes = !matches!(change, FileChange::Nothing);
    file.take_out(&change)?;
    exclude(workspace, without_excludes)?;
    let project = workspace.shown(&workspace.project);
    match sandbox::state(workspace) {
        SandboxState::Off if changes => outln!("{project}: not sandboxed"),
        SandboxState::Off => outln!("{project}: was not sandboxed"),
        SandboxState::On | SandboxState::Limited(_) => {
            outln!("{project}: another settings file keeps the sandbox on");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Edits the names that git ignores in this clone alone.
fn exclude(workspace: &Workspace, edit: impl FnOnce(&str) -> String) -> Result<(), CommandError> {
    let Some(repo) = &workspace.repo else { return Ok(()) };
    let path = repo.common_dir.join("info/exclude");
    let text = whole_file::read(&path)?;
    let edited = edit(text.as_deref().unwrap_or_default());
    if text.as_deref().unwrap_or_default() == edited {
        return Ok(());
    }
    Ok(whole_file::write(&path, &edited, &path)?)
}
