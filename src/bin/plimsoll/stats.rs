//! `plimsoll stats`: what the step review and the interventions did here, in numbers.

use crate::Failure;
use plimsoll::flow::scene::Scene;
use plimsoll::flow::stats::{Scope, stats};
use plimsoll::report::prometheus;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this session of the client.
    #[arg(long, value_name = "ID", conflicts_with = "all")]
    session: Option<String>,
    /// All sessions of the project that are still kept; the default.
    #[arg(long)]
    all: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
    /// As Prometheus reads it.
    #[arg(long, conflicts_with = "json")]
    prometheus: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let scope = arguments.session.map_or(Scope::Project, Scope::Session);
    let stats = stats(&Scene::here()?, &scope)?;
    if arguments.json {
        anstream::println!("{}", serde_json::to_string_pretty(&stats)?);
    } else if arguments.prometheus {
        anstream::print!("{}", prometheus(&stats));
    } else {
        anstream::print!("{stats}");
    }
    Ok(ExitCode::SUCCESS)
}
