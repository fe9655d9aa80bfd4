//! Single files as they are before a tool writes them: no process, one copy and one line each.

use super::place::CheckpointPlace;
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Before, Note};
use crate::edge::clock;
use crate::edge::file::real_paths::real_path;
use crate::pure::review::GitPath;
use camino::{Utf8Path, Utf8PathBuf};

/// `path` as the tool names it: absolute, or relative to the project.
pub fn keep_file(workspace: &Workspace, session: &str, path: &Utf8Path) -> Result<(), Failure> {
    keep(&CheckpointPlace::of(workspace)?, session, path).map(drop)
}

/// All of them, or an error that names the first of which no copy could be taken.
pub(crate) fn keep_files(workspace: &Workspace, session: &str, paths: &[Utf8PathBuf]) -> Result<(), Failure> {
    if paths.is_empty() {
        return Ok(());
    }
    let place = CheckpointPlace::of(workspace)?;
    for path in paths {
        if keep(&place, session, path)? == Before::LeftOut {
            return Err(format!("{path} cannot be copied").into());
        }
    }
    Ok(())
}

pub(crate) fn keep(place: &CheckpointPlace, session: &str, path: &Utf8Path) -> Result<Before, Failure> {
    let named = place.worktree.join(path);
    // Links around the file are followed, as the tool follows them; the file itself may be a link.
    let real = match (named.parent(), named.file_name()) {
        (Some(parent), Some(name)) => real_path(parent).join(name),
        _ => return Err(format!("{path} is no file").into()),
    };
    let singles = place.singles();
    let before = singles.copy(&real, place.limits.file_bytes)?;
    let relative = real.strip_prefix(&place.worktree).unwrap_or(&real);
    let path = GitPath::new(relative.as_str());
    singles.note(&Note::new(clock::milliseconds(), session, path, before.clone()))?;
    Ok(before)
}
