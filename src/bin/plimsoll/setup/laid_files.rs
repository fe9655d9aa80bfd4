//! The files of an installation in `.claude`: written, updated and taken back. A file that somebody changed is kept.

use super::actions::{Actions, Error};
use super::carried::{CarriedFile, files};
use super::place::Place;
use super::whole_file::{read_bytes, replace};
use crate::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::pure::text::counted;
use std::fs;

/// The treatment of a file that somebody changed or removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changed {
    /// Kept as a backup, and replaced.
    Replace,
    /// Left as it is.
    Keep,
}

/// Files of our names that are not ours.
pub(crate) fn conflicts(place: &Place, shared: bool) -> Result<Vec<Utf8PathBuf>, CommandError> {
    let mut found = Vec::new();
    for file in files(shared) {
        let path = place.claude.join(file.path);
        if is_present(&path) && !is_ours(place, file.path, Some(file.text))? {
            found.push(path);
        }
    }
    Ok(found)
}

/// Writes every file of this version.
pub(crate) fn lay_down(
    place: &Place,
    shared: bool,
    changed: Changed,
    actions: &Actions,
) -> Result<(), CommandError> {
    for file in files(shared) {
        lay_down_one(place, file, changed, actions)?;
    }
    actions.finish_group(|count| format!("write {} in {}", counted(count, "file"), place.claude));
    Ok(())
}

fn lay_down_one(
    place: &Place,
    file: &CarriedFile,
    changed: Changed,
    actions: &Actions,
) -> Result<(), CommandError> {
    let path = place.claude.join(file.path);
    let write = || {
        place.record.make_directory(path.parent().unwrap_or(&path))?;
        let write = || replace(&path, file.text.as_bytes(), file.mode);
        Ok(place.record.remember(file.path, file.text, write)?)
    };
    if is_current(&path, file)? {
        return actions.quietly(&format!("record {path}"), || {
            Ok(place.record.remember(file.path, file.text, || Ok(()))?)
        });
    }
    if !is_present(&path) {
        if changed == Changed::Keep && place.record.knows(file.path) {
            actions.print(&format!("not written, because it was removed: {path}"));
            return Ok(());
        }
    } else if !is_ours(place, file.path, Some(file.text))? {
        if changed == Changed::Keep {
            actions.print(&format!("kept, because it was changed: {path}"));
            return Ok(());
        }
        let backup = backup_of(&path);
        if is_present(&backup) {
            return Err(Error::BackupExists(backup).into());
        }
        actions.act(&format!("keep your {path} as {}.plimsoll-backup", file.path), || {
            Ok(fs::rename(&path, &backup)?)
        })?;
    }
    actions.act_in_group(&format!("write {path}"), write)
}

/// Takes back every file that the installation put there.
pub(crate) fn take_back_all(place: &Place, actions: &Actions) -> Result<(), CommandError> {
    for file in files(true) {
        take_back(place, file.path, Some(file.text), actions)?;
    }
    for listed in place.record.files()? {
        take_back(place, &listed, None, actions)?;
    }
    finish_removal(place, actions);
    Ok(())
}

fn finish_removal(place: &Place, actions: &Actions) {
    actions.finish_group(|count| format!("remove {} from {}", counted(count, "file"), place.claude));
}

/// Takes back what an earlier version put there and this one does not. After the hooks are registered: until then the settings may
/// name the launcher.
pub(crate) fn take_back_others(place: &Place, shared: bool, actions: &Actions) -> Result<(), CommandError> {
    for listed in place.record.files()? {
        if !files(shared).any(|file| file.path == listed) {
            take_back(place, &listed, None, actions)?;
            actions.quietly(&format!("forget {listed}"), || Ok(place.record.forget(&listed)?))?;
        }
    }
    finish_removal(place, actions);
    Ok(())
}

fn take_back(place: &Place, file: &str, text: Option<&str>, actions: &Actions) -> Result<(), CommandError> {
    let path = place.claude.join(file);
    let backup = backup_of(&path);
    if !is_present(&path) {
        // An earlier run was interrupted between the two steps.
        return match is_present(&backup) && place.record.knows(file) {
            true => actions.act(&format!("restore your {path}"), || Ok(fs::rename(&backup, &path)?)),
            false => Ok(()),
        };
    }
    if !is_ours(place, file, text)? {
        if place.record.knows(file) && text.is_none() {
            actions.print(&format!("kept, because it was changed: {path}"));
        }
        return Ok(());
    }
    actions.act_in_group(&format!("remove {path}"), || Ok(fs::remove_file(&path)?))?;
    match is_present(&backup) {
        true => actions.act(&format!("restore your {path}"), || Ok(fs::rename(&backup, &path)?)),
        false => Ok(()),
    }
}

/// Nobody changed what the installer put there.
fn is_ours(place: &Place, file: &str, text: Option<&str>) -> Result<bool, CommandError> {
    let path = place.claude.join(file);
    if !path.is_file() {
        return Ok(false);
    }
    let bytes = read_bytes(&path)?.unwrap_or_default();
    Ok(text.is_some_and(|text| text.as_bytes() == bytes) || place.record.has_written(file, &bytes)?)
}

fn is_current(path: &Utf8Path, file: &CarriedFile) -> Result<bool, CommandError> {
    Ok(path.is_file() && read_bytes(path)?.is_some_and(|bytes| bytes == file.text.as_bytes()))
}

/// A link that leads nowhere is present, too.
fn is_present(path: &Utf8Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn backup_of(path: &Utf8Path) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{path}.plimsoll-backup"))
}
