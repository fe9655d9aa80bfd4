//! What tools other than Bash do, each by what it carries.

mod carried;
mod fetch;
mod forge;
mod git;
mod name;
mod other;
mod places;
mod prompting;
mod read;
mod scripts;
mod secrets;
mod write;

use super::assess::Nature;
use super::effect::{Addressed, Effect, Losing};
use super::path::normal;
use super::place::Place;
use super::survey::Surveyor;
use crate::hook::Tool;
use camino::{Utf8Path, Utf8PathBuf};

pub fn survey(tool: &Tool, surveyor: &mut Surveyor<'_>) {
    match tool {
        Tool::Write { path, text, replaced } => write::survey(path, text, replaced.as_deref(), surveyor),
        Tool::Read { path } => read::file(path, surveyor),
        Tool::Search { path, glob } => read::search(path.as_deref(), glob.as_deref(), surveyor),
        Tool::Fetch { url } => fetch::survey(url, surveyor),
        Tool::WebSearch { query } => fetch::search(query, surveyor),
        Tool::Prompting(arguments) => prompting::survey(arguments, surveyor),
        Tool::DropWorktree => drop_worktree(surveyor),
        Tool::Other(call) => other::survey(call, surveyor),
        // Agents and skills have a flow of their own.
        Tool::Bash { .. } | Tool::Agent(_) | Tool::Skill { .. } | Tool::Passive => {}
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

/// Where a path leads that a tool is given. Some clients expand `~`, and a directory of that name is nobody's.
fn absolute(path: &str, place: &Place) -> Utf8PathBuf {
    let path = path.strip_prefix("file://").unwrap_or(path);
    match path.strip_prefix('~') {
        Some("") => place.home.clone(),
        Some(rest) if rest.starts_with('/') => normal(Utf8Path::new(&format!("{}{rest}", place.home))),
        _ => normal(&place.cwd.join(path)),
    }
}
