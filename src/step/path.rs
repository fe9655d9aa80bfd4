//! Words to absolute paths, by the text alone.

use super::effect::Target;
use super::place::Place;
use crate::shell::{Part, Word};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// Where a word points when used as a path in `directory`.
pub fn target(word: &Word, directory: Option<&Utf8Path>, place: &Place) -> Target {
    let mut text = String::new();
    let mut pattern_at = None;
    for (position, part) in word.parts.iter().enumerate() {
        match part {
            Part::Literal(literal) => text.push_str(literal),
            Part::Tilde(user) if user.is_empty() => text.push_str(place.home.as_str()),
            Part::Tilde(_) | Part::Unknown => return Target::Unknown,
            Part::Variable(name) => match name.as_str() {
                "HOME" => text.push_str(place.home.as_str()),
                "PWD" if position == 0 => text.push_str(place.cwd.as_str()),
                "CLAUDE_PROJECT_DIR" if position == 0 => text.push_str(place.project.as_str()),
                _ => return Target::Unknown,
            },
            Part::Glob(pattern) => {
                pattern_at.get_or_insert(text.len());
                text.push_str(pattern);
            }
        }
    }
    let absolute = |text: &str| match (text.starts_with('/'), directory) {
        (true, _) => Some(normal(Utf8Path::new(text))),
        (false, Some(directory)) => Some(normal(&directory.join(text))),
        (false, None) => None,
    };
    match pattern_at {
        None => absolute(&text).map_or(Target::Unknown, Target::Path),
        Some(at) => {
            let fixed = text.get(..at).unwrap_or_default();
            let parent = fixed.rfind('/').map_or("", |slash| fixed.get(..=slash).unwrap_or_default());
            absolute(if parent.is_empty() { "." } else { parent }).map_or(Target::Unknown, Target::Inside)
        }
    }
}

/// Resolves `.` and `..` by the text alone.
pub fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut clean = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                clean.pop();
            }
            Utf8Component::RootDir | Utf8Component::Prefix(_) | Utf8Component::Normal(_) => {
                clean.push(component)
            }
        }
    }
    if clean.as_str().is_empty() { Utf8PathBuf::from("/") } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_and_never_climb_above_the_root() {
        for (given, expected) in [("/a/./b/../c", "/a/c"), ("/../..", "/"), ("/a/..", "/"), ("//x", "/x")] {
            assert_eq!(normal(Utf8Path::new(given)), expected);
        }
    }
}
