//! `plimsoll doctor`: checks the installation and shows the fix for each problem; changes nothing.

mod check;
mod client;
mod hooks;
mod repository;
mod sandbox;
mod stops;
mod storage;
mod version;

use crate::{CommandResult, enter, exit_code, print_json};
use camino::Utf8PathBuf;
use check::{Check, CheckState};
use plimsoll::app::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The project to check. Default: the current one.
    directory: Option<Utf8PathBuf>,
    /// Print the checks as JSON.
    #[arg(long)]
    json: bool,
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
        checks.iter().for_each(|check| outln!("{check}"));
    }
    Ok(exit_code(checks.iter().all(|check: &Check| check.state != CheckState::Fail)))
}
