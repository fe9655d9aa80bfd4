//! The effects of tools other than Bash, by their input.

mod access;
mod browser;
mod client_settings;
mod command_lines;
mod fetch;
mod forge;
mod git;
mod mounts;
mod name;
mod other;
mod paths;
mod payload;
mod prompts;
mod read;
mod scripts;
mod secrets;
mod workflow;
mod write;

use super::assessment::Nature;
use super::effect::{Addressed, Effect, Losing};
use super::path::normal;
use super::place::Place;
use super::survey::Surveyor;
use crate::pure::client::Tool;
use camino::{Utf8Path, Utf8PathBuf};

pub(crate) fn survey(tool: &Tool, surveyor: &mut Surveyor<'_>) {
    match tool {
        Tool::Write { path, text, replaced } => {
            write::emptied(path, text, replaced.as_deref(), surveyor);
            write::survey(path, text, replaced.as_deref(), surveyor);
        }
        Tool::Read { path } => read::file(path, surveyor),
        Tool::Search { path, glob, shows_lines } => {
            read::search(path.as_deref(), glob.as_deref(), *shows_lines, surveyor);
        }
        Tool::Fetch { url } => fetch::survey(url, fetch::Reach::Machine, surveyor),
        Tool::WebSearch { query } => fetch::search(query, surveyor),
        Tool::Prompting(arguments) => prompts::survey(arguments, surveyor),
        Tool::DropWorktree => drop_worktree(surveyor),
        Tool::Other(call) => other::survey(call, surveyor),
        // The app handles the rest of agents, and skills.
        Tool::Agent(call) => prompts::carried(&call.prompt, surveyor),
        Tool::Bash { .. } | Tool::Skill { .. } | Tool::Passive => {}
    }
}

fn drop_worktree(surveyor: &mut Surveyor<'_>) {
    let path = surveyor.place.cwd.clone();
    let losing = Losing::Worktree { repository: Addressed::Directory(path.clone()), path };
    surveyor.effect(Effect::Discard { losing, how: "leaving this worktree".into(), gentler: None });
    nature(surveyor, Nature::Deletion);
}

fn nature(surveyor: &mut Surveyor<'_>, nature: Nature) {
    surveyor.survey.nature = surveyor.survey.nature.max(nature);
}

/// The absolute path of a tool's argument. `~` is the home directory, as some clients expand it.
fn absolute(path: &str, place: &Place) -> Utf8PathBuf {
    let path = path.strip_prefix("file://").unwrap_or(path);
    match path.strip_prefix('~') {
        Some("") => place.home.clone(),
        Some(rest) if rest.starts_with('/') => normal(Utf8Path::new(&format!("{}{rest}", place.home))),
        _ => normal(&place.cwd.join(path)),
    }
}
