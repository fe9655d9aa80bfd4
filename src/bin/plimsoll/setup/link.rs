//! `plimsoll` on the person's PATH: a symbolic link in `~/.local/bin`, only if the person wants it.

use super::actions::Actions;
use super::record::{InstallFolder, gone};
use crate::{CommandError, confirm};
use camino::Utf8PathBuf;
use plimsoll::edge::config::{Environment, HookInvocation};
use std::{fs, os::unix};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkChoice {
    Make,
    /// Asks a person at a terminal.
    Offer,
    Leave,
}

pub(crate) fn make(
    choice: LinkChoice,
    environment: &Environment,
    actions: &Actions,
) -> Result<(), CommandError> {
    let (link, target) = paths(environment);
    let on_path = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join("plimsoll").is_file()));
    let by_hand = format!("put it on PATH: export PATH=\"{}:$PATH\"", environment.data_home.join("bin"));
    if is_ours(environment) || choice == LinkChoice::Leave || (on_path && choice == LinkChoice::Offer) {
        return Ok(());
    }
    if link.symlink_metadata().is_ok() {
        outln!("kept: {link} is not ours; to use this plimsoll in a terminal, {by_hand}");
        return Ok(());
    }
    let wanted = choice == LinkChoice::Make
        || (!actions.dry_run
            && HookInvocation::read().person().is_ok()
            && confirm(&format!(
                "Link plimsoll into {}, for your own terminal?",
                link.parent().unwrap_or(&link)
            ))?);
    if !wanted {
        outln!("note: for your own terminal, {by_hand}; or use --link");
        return Ok(());
    }
    actions.act(&format!("link {link} to {target}"), || {
        if let Some(folder) = link.parent() {
            InstallFolder::of_link(&environment.data_home).make_directory(folder)?;
        }
        Ok(unix::fs::symlink(&target, &link)?)
    })
}

/// Removes the link if it is ours.
pub(crate) fn remove(environment: &Environment, actions: &Actions) -> Result<(), CommandError> {
    let (link, _) = paths(environment);
    if !is_ours(environment) {
        return Ok(());
    }
    actions.act(&format!("remove {link}"), || {
        gone(fs::remove_file(&link))?;
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
