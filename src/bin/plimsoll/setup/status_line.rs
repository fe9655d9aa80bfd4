//! The segment in the client's status line, only if the person wants it. Another status line is never replaced.

use super::actions::Actions;
use super::choice::Choice;
use super::place::Place;
use super::settings_file::{FileChange, SettingsFile};
use super::whole_file;
use crate::CommandError;
use camino::Utf8PathBuf;
use plimsoll::edge::config::Environment;
use plimsoll::pure::client::registration::{add_status_line, has_status_line};

/// Whether to set it. The question comes before the first change.
pub(crate) fn is_wanted(
    choice: Choice,
    place: &Place,
    environment: &Environment,
    actions: &Actions,
) -> Result<bool, CommandError> {
    let read_by_client = [
        place.settings(),
        place.claude.join("settings.local.json"),
        environment.claude_home.join("settings.json"),
    ];
    // Settings that cannot be read may have one.
    let has_one = |path: &Utf8PathBuf| match whole_file::read(path) {
        Ok(text) => text.is_some_and(|text| has_status_line(&text)),
        Err(_) => true,
    };
    match read_by_client.iter().find(|path| has_one(path)) {
        Some(_) if choice != Choice::Make => Ok(false),
        Some(path) => {
            actions
                .print(&format!("kept: the status line of {path}; call `plimsoll statusline` in its script"));
            Ok(false)
        }
        None => choice.is_taken("Show the gate in Claude Code's status line?", actions),
    }
}

pub(crate) fn set(place: &Place, environment: &Environment, actions: &Actions) -> Result<(), CommandError> {
    let settings = place.settings();
    let file = SettingsFile::open(&settings)?;
    let program = environment.data_home.join("bin/plimsoll");
    match file.edited(|text| add_status_line(text, program.as_str()))? {
        FileChange::Nothing => Ok(()),
        change @ (FileChange::Write(_) | FileChange::Delete) => {
            actions.act(&format!("set the status line in {settings}"), || Ok(file.put_in(&change)?))
        }
    }
}
