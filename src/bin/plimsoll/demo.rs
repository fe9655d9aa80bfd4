//! `plimsoll demo`: plays a whole story through the real hooks, in a repository and a home of its own, and checks itself.

mod act;
mod stage;
mod step;
mod story;

use crate::Failure;
use stage::Stage;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Keep the temporary directory and say where it is.
    #[arg(long)]
    keep: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let stage = Stage::set()?;
    println!(
        "A story without Claude Code: its events are fed to the real hooks, in a temporary repository and home.\n"
    );
    let mut failed = None;
    for (at, step) in story::steps().iter().enumerate() {
        let number = at + 1;
        if let Err(problem) = step.play(number, &stage)? {
            failed = Some((number, step.title, problem));
            break;
        }
    }
    if arguments.keep {
        println!("Kept: {}", stage.keep());
    }
    match failed {
        None => {
            println!("Every step came out as told.");
            Ok(ExitCode::SUCCESS)
        }
        Some((number, title, problem)) => {
            eprintln!(
                "error: step {number} ({title}) did not come out as told: {problem}\nhint: `plimsoll doctor` looks at the installation"
            );
            Ok(ExitCode::FAILURE)
        }
    }
}
