//! Tools that read or search files.

use super::absolute;
use crate::pure::step::effect::{Effect, Target};
use crate::pure::step::secret_file::{Secret, secret_in};
use crate::pure::step::survey::Surveyor;

pub(crate) fn file(path: &str, surveyor: &mut Surveyor<'_>) {
    let target = Target::Path(absolute(path, surveyor.place));
    surveyor.effect(Effect::Read { target });
}

/// A search shows its matches. In a directory only named files count, since searches read thousands.
pub(crate) fn search(path: Option<&str>, glob: Option<&str>, shows_lines: bool, surveyor: &mut Surveyor<'_>) {
    let path = path.unwrap_or(".");
    let hidden = |path: &str| {
        let target = Target::Path(absolute(path, surveyor.place));
        !shows_lines && secret_in(&target) == Some(Secret::Environment)
    };
    if hidden(path) || glob.is_some_and(hidden) {
        return;
    }
    file(path, surveyor);
    if let Some(name) = glob.filter(|glob| !glob.contains(['*', '?', '[', '{', '!'])) {
        file(&format!("{path}/{name}"), surveyor);
    }
}
