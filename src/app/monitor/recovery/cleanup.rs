//! Leftovers of aborted work: files, uncommitted changes, programs that still run.

use super::rollback;
use crate::app::failure::{Failure, chain};
use crate::app::workspace::Workspace;
use crate::edge::repo::{Git, WorktreeChanges, changed_files};
use crate::edge::run::running_in;
use crate::edge::state::ProjectLock;
use crate::pure::text::printable;
use std::collections::BTreeSet;

/// More than this nobody reads at once.
const SHOWN: usize = 20;

pub(crate) fn tasks(workspace: &Workspace, lock: &ProjectLock) -> String {
    let mut text = String::new();
    match rollback::changed_since(workspace, lock) {
        Ok(Some(paths)) => text += &list("Files that differ from the last safe checkpoint", &paths),
        Ok(None) => {}
        Err(failure) => {
            text += &format!("Files since the last safe checkpoint: {}\n", chain(failure.as_ref()))
        }
    }
    match uncommitted(workspace) {
        Ok(Some(paths)) => text += &list("Files that are not committed", &paths),
        Ok(None) => {}
        Err(failure) => text += &format!("Files that are not committed: {}\n", chain(failure.as_ref())),
    }
    let programs: Vec<String> = running_in(&workspace.project)
        .into_iter()
        .map(|program| format!("{} {}", program.id, program.command))
        .collect();
    text + &list("Programs that still run here", &programs)
}

fn uncommitted(workspace: &Workspace) -> Result<Option<Vec<String>>, Failure> {
    let Some(repo) = workspace.repo.clone() else { return Ok(None) };
    let WorktreeChanges { staged, unstaged, untracked } = changed_files(&Git::open(repo))?;
    let paths = staged.iter().chain(&unstaged).chain(&untracked).map(ToString::to_string);
    Ok(Some(paths.collect::<BTreeSet<_>>().into_iter().collect()))
}

fn list(what: &str, items: &[String]) -> String {
    if items.is_empty() {
        return format!("{what}: none\n");
    }
    let mut text = format!("{what}: {}\n", items.len());
    for item in items.iter().take(SHOWN) {
        text += &format!("  {}\n", printable(item));
    }
    match items.len().saturating_sub(SHOWN) {
        0 => text,
        more => text + &format!("  and {more} more\n"),
    }
}
