//! `plimsoll push`: judges what would leave, and pushes exactly that.

use crate::CommandResult;
use plimsoll::app::remotes::{PushOrder, push};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::text::printable;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Remember REMOTE and BRANCH as the upstream.
    #[arg(short = 'u', long)]
    set_upstream: bool,
    /// The key of a person's approval (used by the dialog of an override).
    #[arg(long, hide = true, value_name = "KEY")]
    grant: Option<String>,
    /// The remote, by its name. Default: where the branch goes.
    remote: Option<String>,
    /// BRANCH, TAG or SOURCE:BRANCH. Default: the current branch.
    refspecs: Vec<String>,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let Arguments { set_upstream, grant, remote, refspecs } = arguments;
    let said = push(&Workspace::here()?, PushOrder { remote, refspecs, set_upstream, grant })?;
    said.lines().for_each(|line| outln!("{}", printable(line)));
    Ok(ExitCode::SUCCESS)
}
