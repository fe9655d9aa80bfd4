//! `plimsoll incident`: the records of emergency stops.

use crate::review::write_file;
use crate::{CommandError, CommandResult, print_json};
use camino::Utf8PathBuf;
use plimsoll::app::monitor::incidents::{self, IncidentSummary};
use plimsoll::app::monitor::recovery::decisions;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::clock;
use plimsoll::edge::notify::NotificationLog;
use plimsoll::edge::state::read_bounded;
use plimsoll::pure::text::{Tone, columns, printable};
use serde_json::json;
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List all incidents, the newest first.
    List {
        /// Print the incidents as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show one incident: its report, the recovery choice and the notifications.
    Show {
        /// The incident's ID, or `last`.
        id: String,
        /// Write the report as one HTML page to this file.
        #[arg(long, value_name = "FILE", conflicts_with = "json")]
        html: Option<Utf8PathBuf>,
        /// Print the incident as JSON.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(command: Command) -> CommandResult {
    let workspace = Workspace::here()?;
    match command {
        Command::List { json } => list(&workspace, json),
        Command::Show { id, html, json } => show(&workspace, &id, html, json),
    }
}

fn list(workspace: &Workspace, as_json: bool) -> CommandResult {
    let (known, decided) = (incidents::list(workspace), decisions(workspace));
    let choice = |incident: &IncidentSummary| {
        let about = decided.iter().rfind(|one| one.incidents.contains(&incident.id));
        about.map(|one| one.choice.clone())
    };
    if as_json {
        let rows: Vec<_> = known
            .iter()
            .rev()
            .map(|one| {
                json!({"id": one.id, "time": clock::moment(one.time), "session": one.session, "summary": one.summary,
                    "checkpoint": one.checkpoint, "decided": choice(one)})
            })
            .collect();
        return print_json(&rows);
    }
    if known.is_empty() {
        noteln!("No incidents in {}.", workspace.shown(&workspace.project));
    }
    let row = |one: &IncidentSummary| {
        let choice = choice(one).unwrap_or_else(|| Tone::Bad.paint("not decided"));
        vec![one.id.clone(), choice, printable(&one.summary)]
    };
    out!("{}", columns(&known.iter().rev().map(row).collect::<Vec<_>>()));
    Ok(ExitCode::SUCCESS)
}

fn show(workspace: &Workspace, named: &str, html: Option<Utf8PathBuf>, json: bool) -> CommandResult {
    let id = match named {
        "last" => incidents::list(workspace).pop().map(|one| one.id).ok_or("there are no incidents here")?,
        id => id.to_owned(),
    };
    let unknown = || format!("no incident {}; `plimsoll incident list` lists the incidents", named);
    let incident = incidents::find(workspace, &id).ok_or_else(unknown)?;
    let folder = incidents::folder(&workspace.layout, &id).ok_or_else(unknown)?;
    let read = |name: &str| -> Result<Vec<u8>, CommandError> {
        let missing = || format!("{} of incident {id} was never written", name);
        Ok(read_bounded(&folder.join(name))?.ok_or_else(missing)?)
    };
    if let Some(file) = &html {
        write_file(workspace, file, &String::from_utf8_lossy(&read("index.html")?))?;
        outln!("Wrote {file}.");
        return Ok(ExitCode::SUCCESS);
    }
    if json {
        outln!("{}", String::from_utf8_lossy(&read("incident.json")?).trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    match incidents::text(workspace, &id) {
        Some(text) => out!("{text}"),
        None => {
            outln!("Incident {id}: {}", printable(&incident.summary));
            outln!("Its record was never written, or cannot be read.");
            for one in decisions(workspace).iter().filter(|one| one.incidents.contains(&id)) {
                outln!("Decided: {} ({}, {})", one.choice, one.by, one.time);
            }
        }
    }
    if let Some(page) = incidents::page(&workspace.layout, &id) {
        outln!("\nPage for a browser: {}", workspace.shown(&page));
    }
    let notifications = NotificationLog::read(&workspace.layout.notifications());
    for line in notifications.iter().filter(|line| line.incident.as_ref() == Some(&id)) {
        match &line.failed {
            None => outln!("Notified by {}.", line.channel.name()),
            Some(why) => {
                outln!("Could not notify by {}: {}", line.channel.name(), printable(why))
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
