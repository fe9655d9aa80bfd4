//! `plimsoll fetch`: brings what a remote has, with the user's credentials and nothing of the repository's configuration.

use crate::CommandResult;
use plimsoll::app::remotes::fetch;
use plimsoll::app::workspace::Workspace;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The remote, by its name. Default: origin.
    remote: Option<String>,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    match fetch(&Workspace::here()?, arguments.remote)? {
        0 => noteln!("up to date"),
        changed => outln!("{changed} refs changed"),
    }
    Ok(ExitCode::SUCCESS)
}
