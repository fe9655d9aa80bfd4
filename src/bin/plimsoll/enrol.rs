//! `plimsoll enrol`: binds a repository to the gate, or lets it go.

use crate::Failure;
use plimsoll::config::Invocation;
use plimsoll::flow::enrol;
use plimsoll::flow::scene::Scene;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Let the repository go: pushes are no longer judged. Only a person in a terminal can.
    #[arg(long)]
    remove: bool,
    /// Leave the explanation out.
    #[arg(long, conflicts_with = "remove")]
    yes: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    if arguments.remove {
        Invocation::read().person()?;
        enrol::release(&scene)?;
        println!("{} is no longer bound to the gate", scene.project);
        return Ok(ExitCode::SUCCESS);
    }
    let hook = enrol::bind(&scene)?;
    println!("{} is bound to the gate by {hook}", scene.project);
    if !arguments.yes {
        eprintln!(
            "Every push is judged from now on: only reviewed content leaves. `plimsoll enrol --remove` undoes this."
        );
    }
    Ok(ExitCode::SUCCESS)
}
