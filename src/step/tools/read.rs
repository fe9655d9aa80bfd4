//! Reading: files, and lines of files.

use super::absolute;
use crate::step::effect::{Effect, Target};
use crate::step::survey::Surveyor;

pub fn file(path: &str, surveyor: &mut Surveyor<'_>) {
    let target = Target::Path(absolute(path, surveyor.place));
    surveyor.effect(Effect::Read { target });
}

/// A search shows what it finds. Of a directory only the files that are named count: the rest are read by the thousand.
pub fn search(path: Option<&str>, glob: Option<&str>, surveyor: &mut Surveyor<'_>) {
    let path = path.unwrap_or(".");
    file(path, surveyor);
    if let Some(name) = glob.filter(|glob| !glob.contains(['*', '?', '[', '{', '!'])) {
        file(&format!("{path}/{name}"), surveyor);
    }
}
