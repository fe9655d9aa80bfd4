//! `plimsoll stats`: counts of decisions and interventions.

use crate::review::write_file;
use crate::{CommandResult, print_json};
use camino::Utf8PathBuf;
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
    /// Replace this file by the output instead of printing it, so that a collector never reads half of it.
    #[arg(short, long, value_name = "FILE", requires = "prometheus")]
    output: Option<Utf8PathBuf>,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let scope = arguments.session.map_or(StatsScope::Project, StatsScope::Session);
    let workspace = Workspace::here()?;
    let stats = stats(&workspace, &scope)?;
    if arguments.json {
        return print_json(&stats);
    }
    if !arguments.prometheus {
        out!("{stats}");
        return Ok(ExitCode::SUCCESS);
    }
    let text = prometheus(&stats, workspace.project.as_str());
    match &arguments.output {
        Some(file) => write_file(&workspace, file, &text)?,
        None => out!("{text}"),
    }
    Ok(ExitCode::SUCCESS)
}
