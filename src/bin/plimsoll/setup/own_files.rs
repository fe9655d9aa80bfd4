//! The installed files and git: which of them git ignores, and which the user commits.

use super::actions::Actions;
use super::place::Place;
use super::settings_file::SettingsFile;
use super::whole_file::read_bytes;
use crate::CommandError;
use crate::output::{Verbosity, verbosity};
use camino::Utf8Path;
use plimsoll::app::gate::installed_files::{Installation, Sharing, forget, remember, write_block};
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::text::without_block;

/// Files that Plimsoll writes later. A committed project ignores them for everybody.
const LATER: [&str; 3] = [".claude/state/", ".claude/logs/", ".claude/**/*.plimsoll-backup"];

/// Keeps our files out of the user's changes, and prints what to commit.
pub(crate) fn keep_out(
    place: &Place,
    project: &Utf8Path,
    workspace: &Workspace,
    sharing: Sharing,
    actions: &Actions,
) -> Result<(), CommandError> {
    write_gitignore(project, sharing, actions)?;
    if actions.dry_run {
        actions.print(&format!("would update .git/info/exclude of {project}"));
        return Ok(());
    }
    let advice = remember(workspace, &installation(place, project, sharing)?)?;
    // What to commit is no advice but a step to take.
    if sharing == Sharing::Committed || verbosity() > Verbosity::Quiet {
        actions.print(&advice);
    }
    Ok(())
}

/// The files are the user's again.
pub(crate) fn release(
    place: &Place,
    project: &Utf8Path,
    workspace: Option<&Workspace>,
    actions: &Actions,
) -> Result<(), CommandError> {
    write_gitignore(project, Sharing::Private, actions)?;
    match workspace {
        Some(workspace) => actions.quietly("restore .git/info/exclude", || forget(workspace, &place.claude)),
        None => Ok(()),
    }
}

/// Only a committed installation has a block in `.gitignore`.
fn write_gitignore(project: &Utf8Path, sharing: Sharing, actions: &Actions) -> Result<(), CommandError> {
    let path = project.join(".gitignore");
    if path.is_symlink() || path.is_dir() {
        if sharing == Sharing::Committed {
            actions.print(&format!(
                "note: {path} is not a plain file; ignore .claude/state/ and .claude/logs/ yourself"
            ));
        }
        return Ok(());
    }
    let lines = LATER.map(str::to_owned);
    actions.quietly(&format!("update {path}"), || {
        write_block(&path, (sharing == Sharing::Committed).then_some(&lines))
    })
}

/// Files that are ours as a whole and unchanged, and files of the user with lines of ours.
fn installation(place: &Place, project: &Utf8Path, sharing: Sharing) -> Result<Installation, CommandError> {
    let claude = place.claude.clone();
    let mut installation = Installation { claude, files: Vec::new(), merged: Vec::new(), sharing };
    for file in place.record.files()? {
        let path = place.claude.join(&file);
        let bytes = if path.is_symlink() { None } else { read_bytes(&path)? };
        if bytes.is_some_and(|bytes| place.record.has_written(&file, &bytes).unwrap_or(false)) {
            installation.files.push(path);
        }
    }
    let settings = place.settings();
    match SettingsFile::open(&settings)?.is_ours() {
        true => installation.files.push(settings),
        false => installation.merged.push(settings),
    }
    if sharing == Sharing::Committed {
        let ignored = project.join(".gitignore");
        match read_bytes(&ignored)?.is_some_and(|bytes| without_block(&bytes).is_none()) {
            true => installation.files.push(ignored),
            false => installation.merged.push(ignored),
        }
    }
    Ok(installation)
}
