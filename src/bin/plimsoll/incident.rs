//! `plimsoll incident`: what emergency stops left behind.

use crate::Failure;
use camino::Utf8PathBuf;
use plimsoll::flow::clock;
use plimsoll::flow::incidents::{self, Incident};
use plimsoll::flow::recovering::decisions;
use plimsoll::flow::scene::Scene;
use plimsoll::notify::NotificationLog;
use plimsoll::report::printable;
use plimsoll::state::read_bounded;
use serde_json::json;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// All incidents that are kept, the newest first.
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// One incident: its report, what was decided, who could not be told.
    Show(Show),
}

#[derive(clap::Args)]
struct Show {
    /// The incident's id, or `last`.
    id: String,
    /// Write the page for a browser to this file; it needs nothing else.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<Utf8PathBuf>,
    /// The incident as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let scene = Scene::here()?;
    match arguments.command {
        Command::List { json } => list(&scene, json),
        Command::Show(wish) => show(&scene, &wish),
    }
}

fn list(scene: &Scene, as_json: bool) -> Result<ExitCode, Failure> {
    let (known, decided) = (incidents::list(scene), decisions(scene));
    let choice = |incident: &Incident| {
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
        anstream::println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(ExitCode::SUCCESS);
    }
    if known.is_empty() {
        anstream::println!("No emergency stop is on record for {}.", scene.project);
    }
    for one in known.iter().rev() {
        let choice = choice(one).unwrap_or_else(|| "not decided".into());
        anstream::println!("{}  {:<20} {}", one.id, choice, printable(&one.summary));
    }
    Ok(ExitCode::SUCCESS)
}

fn show(scene: &Scene, wish: &Show) -> Result<ExitCode, Failure> {
    let id = match wish.id.as_str() {
        "last" => {
            incidents::list(scene).pop().map(|one| one.id).ok_or("no emergency stop is on record here")?
        }
        id => id.to_owned(),
    };
    let unknown =
        || format!("there is no incident {}; `plimsoll incident list` shows those that are kept", wish.id);
    let incident = incidents::find(scene, &id).ok_or_else(unknown)?;
    let folder = incidents::folder(&scene.layout, &id).ok_or_else(unknown)?;
    let read = |name: &str| -> Result<Vec<u8>, Failure> {
        let missing = || format!("{} of incident {id} was never written", name);
        Ok(read_bounded(&folder.join(name))?.ok_or_else(missing)?)
    };
    if let Some(file) = &wish.html {
        std::fs::write(file, read("index.html")?).map_err(|error| format!("{file}: {error}"))?;
        anstream::println!("Wrote {file}.");
        return Ok(ExitCode::SUCCESS);
    }
    if wish.json {
        anstream::println!("{}", String::from_utf8_lossy(&read("incident.json")?).trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    match read("report.md") {
        Ok(text) => {
            String::from_utf8_lossy(&text).lines().for_each(|line| anstream::println!("{}", printable(line)))
        }
        Err(failure) => {
            anstream::println!("Incident {id}: {}", printable(&incident.summary));
            anstream::println!("{failure}");
        }
    }
    if let Some(page) = incidents::page(&scene.layout, &id) {
        anstream::println!("\nThe same for a browser: {page}");
    }
    for one in decisions(scene).iter().filter(|one| one.incidents.contains(&id)) {
        anstream::println!("Decided: {} ({}, {})", one.choice, one.by, one.time);
    }
    let told = NotificationLog::read(&scene.layout.notifications());
    for line in told.iter().filter(|line| line.incident.as_ref() == Some(&id)) {
        match &line.failed {
            None => anstream::println!("Told by {}.", line.channel.name()),
            Some(why) => anstream::println!("Could not tell by {}: {}", line.channel.name(), printable(why)),
        }
    }
    Ok(ExitCode::SUCCESS)
}
