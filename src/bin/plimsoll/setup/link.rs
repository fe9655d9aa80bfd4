//! `plimsoll` on the person's PATH: a symbolic link in `~/.local/bin`, only if the person wants it.

use super::actions::Actions;
use super::choice::Choice;
use super::record::{InstallFolder, ignore_missing};
use crate::CommandError;
use camino::Utf8PathBuf;
use plimsoll::edge::config::Environment;
use std::path::Path;
use std::{fs, os::unix};

pub(crate) fn make(choice: Choice, environment: &Environment, actions: &Actions) -> Result<(), CommandError> {
    let (link, target) = paths(environment);
    let found = is_on_path(|folder| folder.join("plimsoll").is_file());
    let by_hand = format!("put it on PATH: export PATH=\"{}:$PATH\"", environment.data_home.join("bin"));
    if is_ours(environment) || choice == Choice::Leave || (found && choice == Choice::Offer) {
        return Ok(());
    }
    if link.symlink_metadata().is_ok() {
        actions.print(&format!("kept: {link} is not ours; to use this plimsoll in a terminal, {by_hand}"));
        return Ok(());
    }
    if !choice.is_taken("Link plimsoll into ~/.local/bin, for your own terminal?", actions)? {
        outln!("note: for your own terminal, {by_hand}; or use --link");
        return Ok(());
    }
    actions.act(&format!("link {link} to {target}"), || {
        if let Some(folder) = link.parent() {
            InstallFolder::of_link(&environment.data_home).make_directory(folder)?;
        }
        Ok(unix::fs::symlink(&target, &link)?)
    })?;
    if !is_on_path(|folder| link.parent().is_some_and(|bin| folder == bin)) {
        outln!("note: ~/.local/bin is not on your PATH: export PATH=\"$HOME/.local/bin:$PATH\"");
    }
    Ok(())
}

fn is_on_path(test: impl Fn(&Path) -> bool) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|folder| test(&folder)))
}

/// Removes the link if it is ours.
pub(crate) fn remove(environment: &Environment, actions: &Actions) -> Result<(), CommandError> {
    let (link, _) = paths(environment);
    if !is_ours(environment) {
        return Ok(());
    }
    actions.act(&format!("remove {link}"), || {
        ignore_missing(fs::remove_file(&link))?;
        Ok(InstallFolder::of_link(&environment.data_home).remove_directories()?)
    })
}

fn is_ours(environment: &Environment) -> bool {
    let (link, target) = paths(environment);
    fs::read_link(link).is_ok_and(|leads| leads == target)
}

fn paths(environment: &Environment) -> (Utf8PathBuf, Utf8PathBuf) {
    (environment.home.join(".local/bin/plimsoll"), environment.data_home.join("bin/plimsoll"))
}
