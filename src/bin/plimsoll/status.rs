//! `plimsoll` without arguments, and `plimsoll statusline`: how the project stands.

use crate::output::{self, Verbosity, verbosity};
use crate::{CommandError, CommandResult, print_json};
use plimsoll::app::status::{refresh, segment, status};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::Environment;
use plimsoll::edge::run::lower_priority;
use plimsoll::pure::report::{Segment, StatusDetail};
use std::io::{IsTerminal, Read};
use std::process::ExitCode;

/// The client's JSON is a few kilobytes.
const LONGEST: u64 = 1024 * 1024;

#[derive(Default, clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
Reads the client's JSON from standard input and prints one segment: whether the project is stopped or paused, and the gate.
At a terminal it reads nothing and shows the current project.
It never fails. The gate comes from a file that is renewed in the background.

To use it, set this in Claude Code's settings:
  \"statusLine\": {\"type\": \"command\", \"command\": \"plimsoll statusline\"}";

#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct StatusLineArguments {
    /// Judge the gate for the status line.
    #[arg(long, hide = true)]
    refresh: bool,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let status = status(&Workspace::here()?);
    if arguments.json {
        return print_json(&status);
    }
    let detail = if verbosity() == Verbosity::Quiet { StatusDetail::Problems } else { StatusDetail::All };
    out!("{}", status.text(detail));
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn statusline(arguments: &StatusLineArguments) -> CommandResult {
    if arguments.refresh {
        lower_priority();
        refresh(&Workspace::here()?)?;
        return Ok(ExitCode::SUCCESS);
    }
    // The client shows colours although it is no terminal.
    if !Environment::variables().iter().any(|(name, value)| name == "NO_COLOR" && !value.is_empty()) {
        output::colour_for_the_client();
    }
    let home = Environment::read_at_home().is_ok();
    let segment = if home { session_segment().unwrap_or(Segment::Unknown) } else { Segment::Unknown };
    outln!("{}", segment.text());
    Ok(ExitCode::SUCCESS)
}

/// Of the project that the client's JSON names; at a terminal, of the current one.
fn session_segment() -> Result<Segment, CommandError> {
    if std::io::stdin().is_terminal() {
        return Ok(segment(&Workspace::here()?));
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LONGEST).read_to_end(&mut bytes)?;
    let session: serde_json::Value = serde_json::from_slice(&bytes)?;
    let place = session.pointer("/workspace/project_dir").or_else(|| session.get("cwd"));
    let place = place.and_then(serde_json::Value::as_str).ok_or("the JSON names no directory")?;
    Ok(segment(&Workspace::of_event(place)?))
}
