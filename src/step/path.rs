//! Words to absolute paths, by the text alone.

use super::effect::Target;
use super::place::Place;
use crate::shell::{Part, Word};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// Where a word points when used as a path in `directory`.
pub fn target(word: &Word, directory: Option<&Utf8Path>, place: &Place) -> Target {
    let (mut text, mut pattern, mut fixed) = (String::new(), String::new(), None);
    for (position, part) in word.parts.iter().enumerate() {
        let literal = match part {
            Part::Literal(literal) => literal.as_str(),
            Part::Tilde(user) if user.is_empty() => place.home.as_str(),
            Part::Temporary if position == 0 => return Target::Below("/tmp".into()),
            Part::Tilde(_) | Part::Output(_) | Part::Stream(_) | Part::Temporary | Part::Unknown => {
                return below(&text, directory);
            }
            Part::Variable(name) => match name.as_str() {
                "HOME" => place.home.as_str(),
                "PWD" if position == 0 => place.cwd.as_str(),
                "CLAUDE_PROJECT_DIR" if position == 0 => place.project.as_str(),
                "TMPDIR" if position == 0 => "/tmp",
                _ => return below(&text, directory),
            },
            Part::Glob(glob) => {
                fixed.get_or_insert(text.len());
                text.push_str(glob);
                pattern.push_str(glob);
                continue;
            }
        };
        text.push_str(literal);
        if word.is_glob() {
            pattern.push_str(&globset::escape(literal));
        }
    }
    let absolute = |text: &str, directory: Option<&str>| match (text.starts_with('/'), directory) {
        (true, _) => Some(normal(Utf8Path::new(text))),
        (false, Some(directory)) => Some(normal(&Utf8Path::new(directory).join(text))),
        (false, None) => None,
    };
    let here = directory.map(Utf8Path::as_str);
    let found = match fixed {
        None => absolute(&text, here).map(Target::Path),
        Some(at) if takes_everything(&text) => {
            let parent = text.get(..at).and_then(|fixed| fixed.rsplit_once('/'));
            let parent = parent.map_or(".".into(), |(parent, _)| format!("{parent}/"));
            absolute(&parent, here).map(Target::Inside)
        }
        Some(_) => {
            let here = here.map(globset::escape);
            absolute(&pattern, here.as_deref()).map(|pattern| Target::Matching(pattern.into_string()))
        }
    };
    found.unwrap_or(Target::Unknown)
}

/// A path of which only the directories in front are known.
fn below(text: &str, directory: Option<&Utf8Path>) -> Target {
    let Some((front, _)) = text.rsplit_once('/') else { return Target::Unknown };
    match (text.starts_with('/'), directory) {
        (true, _) => Target::Below(normal(Utf8Path::new(if front.is_empty() { "/" } else { front }))),
        (false, Some(directory)) => Target::Below(normal(&directory.join(front))),
        (false, None) => Target::Unknown,
    }
}

/// Whether the last part of a pattern spares nothing; patterns with alternatives are taken to.
fn takes_everything(pattern: &str) -> bool {
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    last.chars().all(|character| "*?.[]!^".contains(character)) || last.contains('(')
}

/// Resolves `.` and `..` by the text alone.
pub fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let text = path.as_str();
    let is_normal = !text.contains("//") && !text.contains("/.") && (!text.ends_with('/') || text == "/");
    if is_normal {
        return path.to_owned();
    }
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
        for (given, expected) in [
            ("/a/./b/../c", "/a/c"),
            ("/../..", "/"),
            ("/a/..", "/"),
            ("//x", "/x"),
            ("/x/", "/x"),
            ("/a/.b", "/a/.b"),
        ] {
            assert_eq!(normal(Utf8Path::new(given)), expected);
        }
    }
}
