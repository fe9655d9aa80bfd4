//! Our hooks in the client's settings of an installation.

use super::actions::Actions;
use super::place::Place;
use super::settings_file::{FileChange, SettingsFile};
use crate::CommandError;
use camino::Utf8Path;
use plimsoll::edge::file;
use plimsoll::pure::client::registration::{Form, registered};

/// A shared project starts its hooks through the launcher, so that its settings name no path of this machine.
pub(crate) fn form(shared: bool, data: &Utf8Path) -> Form {
    match shared {
        true => Form::ProjectLauncher,
        false => Form::Binaries(data.join("hooks").into_string()),
    }
}

/// Fails if the settings could not be edited.
pub(crate) fn check(place: &Place, form: &Form) -> Result<(), CommandError> {
    SettingsFile::open(&place.settings())?.addition(form)?;
    Ok(())
}

pub(crate) fn add(place: &Place, form: &Form, actions: &Actions) -> Result<(), CommandError> {
    let path = place.settings();
    let file = SettingsFile::open(&path)?;
    match file.addition(form)? {
        FileChange::Nothing => Ok(()),
        change @ (FileChange::Write(_) | FileChange::Delete) => {
            actions.act(&format!("register the hooks in {path}"), || Ok(file.put_in(&change)?))
        }
    }
}

pub(crate) fn remove(place: &Place, actions: &Actions) -> Result<(), CommandError> {
    let path = place.settings();
    let file = SettingsFile::open(&path)?;
    match file.removal()? {
        change @ FileChange::Nothing => actions.quietly("remove the backup", || Ok(file.take_out(&change)?)),
        change @ (FileChange::Write(_) | FileChange::Delete) => {
            actions.act(&format!("remove the hooks from {path}"), || Ok(file.take_out(&change)?))
        }
    }
}

/// Whether the settings still have hooks of ours. Settings that cannot be read may have.
pub(crate) fn is_there(place: &Place) -> bool {
    match file::read_text(place.settings(), 4 * 1024 * 1024) {
        Ok(text) => registered(&text).map_or(true, |hooks| !hooks.is_empty()),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}
