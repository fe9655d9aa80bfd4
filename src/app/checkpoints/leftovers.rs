//! Files that killed processes left behind, ours and git's.

use super::tidy_report::{TidyMode, TidyReport};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Store, is_temporary};
use crate::edge::file::folder;
use crate::edge::state;
use crate::pure::text::counted;
use camino::{Utf8Path, Utf8PathBuf};
use std::time::Duration;

/// No process of ours lives nearly as long.
const OLD: Duration = Duration::from_secs(2 * 60 * 60);
/// Our files lie no deeper.
const DEPTH: usize = 4;

/// In the state of this project and in everything that is kept for the user.
pub(crate) fn remove(workspace: &Workspace, act: TidyMode, tidied: &mut TidyReport) -> Result<(), Failure> {
    let mut found = Vec::new();
    for folder in
        [workspace.layout.root(), &workspace.environment.data_home, &workspace.environment.state_home]
    {
        collect(folder, DEPTH, &mut found);
    }
    let stores = folder::entries(workspace.homes.checkpoints().root());
    let stores = stores.into_iter().filter(|path| path.extension() == Some("git"));
    found.extend(stores.filter_map(|path| Store::existing(&path)).flat_map(|store| store.leftovers()));
    found.retain(|path| is_old(path));
    found.sort();
    found.dedup();
    remove_all(&found, act, tidied)
}

/// With all locks of the store held, so that whoever made them is gone, however young they are.
pub(crate) fn remove_of_store(store: &Store, act: TidyMode, tidied: &mut TidyReport) -> Result<(), Failure> {
    remove_all(&store.leftovers(), act, tidied)
}

fn remove_all(found: &[Utf8PathBuf], act: TidyMode, tidied: &mut TidyReport) -> Result<(), Failure> {
    if found.is_empty() {
        return Ok(());
    }
    let bytes = found.iter().filter_map(|path| path.symlink_metadata().ok()).map(|found| found.len()).sum();
    tidied.note(format!("{} of killed processes", counted(found.len(), "file")), bytes);
    if act == TidyMode::Do {
        for path in found {
            state::remove(path)?;
        }
    }
    Ok(())
}

fn collect(folder: &Utf8Path, depth: usize, found: &mut Vec<Utf8PathBuf>) {
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 && entry.path().extension() != Some("git") {
            collect(entry.path(), depth - 1, found);
        } else if !is_folder && is_temporary(entry.file_name()) {
            found.push(entry.path().to_owned());
        }
    }
}

fn is_old(path: &Utf8Path) -> bool {
    let modified = path.symlink_metadata().and_then(|found| found.modified());
    modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > OLD))
}
