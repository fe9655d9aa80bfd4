//! `plimsoll doctor`: checks the installation and shows the fix for each problem; changes nothing.

mod check;
mod client;
mod hooks;
mod managed;
mod repository;
mod sandbox;
mod stops;
mod storage;
mod version;

use crate::output::verbosity;
use crate::{CommandError, CommandResult, enter, exit_code, print_json};
use camino::{Utf8Path, Utf8PathBuf};
use check::{Check, CheckState};
use plimsoll::app::workspace::Workspace;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The project to check. Default: the current one.
    directory: Option<Utf8PathBuf>,
    /// Print the checks as JSON.
    #[arg(long)]
    json: bool,
}

/// Prints the checks of this directory; whether none fails.
pub(crate) fn passes(directory: &Utf8Path) -> Result<bool, CommandError> {
    let arguments = Arguments { directory: Some(directory.to_owned()), json: false };
    Ok(run(arguments)? == ExitCode::SUCCESS)
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    enter(arguments.directory.as_ref())?;
    let workspace = Workspace::here()?;
    let client = version::printed_by("claude", &workspace.project);
    let mut checks = vec![client::check(client.as_deref())];
    checks.extend(hooks::checks(&workspace));
    checks.push(repository::data(&workspace));
    checks.extend(repository::checks(&workspace));
    checks.push(sandbox::check(&workspace, client.as_deref()));
    checks.extend(stops::checks(&workspace));
    checks.push(storage::check(&workspace));
    if arguments.json {
        print_json(&serde_json::json!({ "checks": checks }))?;
    } else {
        out!("{}", check::listed(&checks, verbosity(), workspace.environment.home.as_str()));
    }
    Ok(exit_code(checks.iter().all(|check: &Check| check.state != CheckState::Fail)))
}
