//! One file as it is before a tool writes it: no process, one copy, one line.

use super::place::Place;
use crate::checkpoint::Note;
use crate::flow::clock;
use crate::flow::scene::{Scene, real_path};
use crate::flow::serve::Failure;
use crate::review::GitPath;
use camino::Utf8Path;

/// `path` as the tool names it: absolute, or relative to the project.
pub fn keep_file(scene: &Scene, session: &str, path: &Utf8Path) -> Result<(), Failure> {
    let place = Place::of(scene)?;
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
    singles.note(&Note {
        time: clock::milliseconds(),
        session: session.to_owned(),
        path,
        before,
        named: None,
    })?;
    Ok(())
}
