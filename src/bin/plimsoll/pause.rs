//! `plimsoll pause` and `plimsoll resume`: a person switches the step review off for a while.

use crate::Failure;
use plimsoll::config::Invocation;
use plimsoll::flow::clock;
use plimsoll::flow::scene::Scene;
use plimsoll::flow::step::Pause;
use plimsoll::state;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How long.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=24 * 60))]
    minutes: u64,
}

pub(crate) fn pause(arguments: Arguments) -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    Invocation::read().person()?;
    let until = clock::milliseconds() + arguments.minutes * 60 * 1000;
    state::write_json(&scene.homes.pause(&scene.project), &Pause { version: 1, until })?;
    println!(
        "Step review of {} is paused for {} minutes. The floor and the ship gate hold all the same.",
        scene.project, arguments.minutes
    );
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn resume() -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    Invocation::read().person()?;
    state::remove(&scene.homes.pause(&scene.project))?;
    println!("Step review of {} is on.", scene.project);
    Ok(ExitCode::SUCCESS)
}
