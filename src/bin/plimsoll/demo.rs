//! `plimsoll demo`: runs a scripted session through the real hooks, in a temporary repository and home, and checks each result.

mod act;
mod stage;
mod step;
mod story;

use crate::{CommandResult, output};
use stage::DemoStage;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Keep the temporary directory and print its path.
    #[arg(long)]
    keep: bool,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let stage = DemoStage::set()?;
    outln!(
        "A demo without Claude Code: the real hooks answer its events, in a temporary repository and home.\n"
    );
    let mut failed = None;
    for (at, step) in story::steps().iter().enumerate() {
        let number = at + 1;
        if output::is_closed() {
            return Ok(ExitCode::SUCCESS);
        }
        if let Err(problem) = step.run(number, &stage)? {
            failed = Some((number, step.title, problem));
            break;
        }
    }
    if arguments.keep {
        outln!("Kept: {}", stage.keep());
    }
    match failed {
        None => {
            outln!("Every step gave the expected result.");
            Ok(ExitCode::SUCCESS)
        }
        Some((number, title, problem)) => {
            errln!(
                "error: step {number} ({title}) gave another result: {problem}\nhint: `plimsoll doctor` checks the installation"
            );
            Ok(ExitCode::FAILURE)
        }
    }
}
