//! `plimsoll tidy`: tidies up now instead of in the background of the next session.

use crate::{CommandResult, print_json};
use plimsoll::app::checkpoints::{self, TidyMode};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::clock;
use plimsoll::pure::text::printable;
use std::process::ExitCode;

const MORE: &str = "\
Removes expired checkpoints, copies of single files beyond the limit, the state of deleted projects and worktrees, and
files of killed processes; packs the store where that saves space. A project counts as deleted after 3 days, or after 30
if a person made or restored a checkpoint of it. The same happens in the background when a session starts.";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Print what would be removed, and remove nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print the removed items as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let act = if arguments.dry_run { TidyMode::Tell } else { TidyMode::Do };
    let tidied = checkpoints::tidy(&Workspace::here()?, act, clock::milliseconds())?;
    if arguments.json {
        return print_json(&tidied);
    }
    for one in &tidied.freed {
        outln!("{:>9} KiB  {}", one.bytes.div_ceil(1024), printable(&one.what));
    }
    let total = tidied.bytes().div_ceil(1024);
    match (tidied.freed.is_empty(), act) {
        (true, _) => noteln!("Nothing to tidy up."),
        (false, TidyMode::Tell) => outln!("{total} KiB would be freed. `plimsoll tidy` does it."),
        (false, TidyMode::Do) => outln!("{total} KiB freed."),
    }
    Ok(ExitCode::SUCCESS)
}
