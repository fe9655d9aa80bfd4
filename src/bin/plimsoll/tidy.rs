//! `plimsoll tidy`: what piles up is put away now, instead of in the background of the next session.

use crate::Failure;
use plimsoll::flow::checkpoints::{self, Act};
use plimsoll::flow::clock;
use plimsoll::flow::scene::Scene;
use plimsoll::report::printable;
use std::process::ExitCode;

/// What the arguments do not say.
const MORE: &str = "\
Removes checkpoints over their time, what was kept of projects and worktrees that are gone, copies of single files over
their bound, and files of killed processes; packs the store where that pays. A project counts as gone after 3 days, or
after 30 if somebody made or restored a checkpoint of it. The same is done in the background when a session starts.";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Arguments {
    /// Only say what would be done.
    #[arg(long)]
    dry_run: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let act = if arguments.dry_run { Act::Tell } else { Act::Do };
    let tidied = checkpoints::tidy(&Scene::here()?, act, clock::milliseconds())?;
    if arguments.json {
        anstream::println!("{}", serde_json::to_string_pretty(&tidied)?);
        return Ok(ExitCode::SUCCESS);
    }
    for one in &tidied.freed {
        anstream::println!("{:>9} KiB  {}", one.bytes.div_ceil(1024), printable(&one.what));
    }
    let total = tidied.bytes().div_ceil(1024);
    match (tidied.freed.is_empty(), act) {
        (true, _) => anstream::println!("Nothing to tidy up."),
        (false, Act::Tell) => anstream::println!("{total} KiB would be freed. `plimsoll tidy` does it."),
        (false, Act::Do) => anstream::println!("{total} KiB freed."),
    }
    Ok(ExitCode::SUCCESS)
}
