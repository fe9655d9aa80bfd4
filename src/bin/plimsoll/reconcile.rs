//! `plimsoll reconcile`: what is to be mended next, and where that is known from.

use crate::Failure;
use plimsoll::flow::reconcile::reconcile;
use plimsoll::flow::scene::Scene;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let found = reconcile(&Scene::here()?)?;
    if arguments.json {
        anstream::println!("{}", serde_json::to_string_pretty(&found)?);
    } else {
        anstream::print!("{}", found.text());
    }
    Ok(ExitCode::SUCCESS)
}
