//! `plimsoll stats`: counts of decisions and interventions.

use crate::{CommandResult, print_json};
use plimsoll::app::monitor::stats::{StatsScope, stats};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::report::prometheus;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Count only this session of the client.
    #[arg(long, value_name = "ID", conflicts_with = "all")]
    session: Option<String>,
    /// Count all stored sessions of the project (the default).
    #[arg(long)]
    all: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print the Prometheus text format.
    #[arg(long, conflicts_with = "json")]
    prometheus: bool,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let scope = arguments.session.map_or(StatsScope::Project, StatsScope::Session);
    let stats = stats(&Workspace::here()?, &scope)?;
    if arguments.json {
        return print_json(&stats);
    }
    if arguments.prometheus {
        out!("{}", prometheus(&stats));
    } else {
        out!("{stats}");
    }
    Ok(ExitCode::SUCCESS)
}
