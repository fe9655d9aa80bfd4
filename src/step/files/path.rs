//! Words to absolute paths, by the text alone.

use crate::shell::{Part, Word};
use crate::step::effect::Target;
use crate::step::place::Place;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use std::borrow::Cow;

/// Where a word points when used as a path in `directory`.
pub fn target(word: &Word, directory: Option<&Utf8Path>, place: &Place) -> Target {
    if let [Part::Literal(text)] = word.parts.as_slice() {
        let path = absolute(Cow::Borrowed(text), directory.map(Utf8Path::as_str));
        return path.map_or(Target::Unknown, Target::Path);
    }
    let (mut text, mut pattern, mut fixed) = (String::new(), String::new(), None);
    for (position, part) in word.parts.iter().enumerate() {
        let literal = match part {
            Part::Literal(literal) => literal.as_str(),
            Part::Glob(glob) => {
                fixed.get_or_insert(text.len());
                text.push_str(glob);
                pattern.push_str(glob);
                continue;
            }
            Part::Tilde(_)
            | Part::Variable(_)
            | Part::Temporary
            | Part::Output(_)
            | Part::Stream(_)
            | Part::Unknown => match value(part, position, place) {
                Some(value) => value,
                None => return below(&text, word.parts.get(position..).unwrap_or_default(), directory),
            },
        };
        text.push_str(literal);
        if word.is_glob() {
            pattern.push_str(&globset::escape(literal));
        }
    }
    let here = directory.map(Utf8Path::as_str);
    let found = match fixed {
        None => absolute(text.into(), here).map(Target::Path),
        Some(at) if takes_everything(&text) => {
            let parent = text.get(..at).and_then(|fixed| fixed.rsplit_once('/'));
            let parent = parent.map_or(".".into(), |(parent, _)| format!("{parent}/"));
            absolute(parent.into(), here).map(Target::Inside)
        }
        Some(_) => {
            let here = here.map(globset::escape);
            absolute(pattern.into(), here.as_deref()).map(|pattern| Target::Matching(pattern.into_string()))
        }
    };
    found.unwrap_or(Target::Unknown)
}

fn absolute(text: Cow<'_, str>, directory: Option<&str>) -> Option<Utf8PathBuf> {
    let path = match directory {
        _ if text.starts_with('/') => text.into_owned(),
        Some("") => text.into_owned(),
        Some(directory) => [directory, "/", &text].concat(),
        None => return None,
    };
    Some(made_normal(path))
}

/// What a part stands for that is no text, where the place says.
fn value<'a>(part: &Part, position: usize, place: &'a Place) -> Option<&'a str> {
    let name = match part {
        Part::Tilde(user) if user.is_empty() => "HOME",
        Part::Temporary => "TMPDIR",
        Part::Variable(name) => name,
        Part::Literal(_)
        | Part::Glob(_)
        | Part::Tilde(_)
        | Part::Output(_)
        | Part::Stream(_)
        | Part::Unknown => return None,
    };
    match name {
        "HOME" => Some(place.home.as_str()),
        "USER" | "LOGNAME" => place.home.file_name(),
        "PWD" if position == 0 => Some(place.cwd.as_str()),
        "CLAUDE_PROJECT_DIR" if position == 0 => Some(place.project.as_str()),
        // A fresh path below it, or the directory itself with something behind it.
        "TMPDIR" if position == 0 && matches!(part, Part::Temporary) => Some("/tmp/tmp.XXXXXXXXXX"),
        "TMPDIR" if position == 0 => Some("/tmp"),
        _ => None,
    }
}

/// A path of which only the text in front is known. A known beginning of a name holds it in its directory.
fn below(text: &str, rest: &[Part], directory: Option<&Utf8Path>) -> Target {
    let climbs =
        |part: &Part| matches!(part, Part::Literal(text) if text.split('/').any(|name| name == ".."));
    if text.is_empty() || rest.iter().any(climbs) {
        return Target::Unknown;
    }
    let front = text.rsplit_once('/').map_or("", |(front, _)| front);
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

/// As `Utf8Path::join`, which takes both apart first.
pub fn joined(folder: &Utf8Path, name: &str) -> Utf8PathBuf {
    match folder.as_str() {
        text if text.is_empty() || text.ends_with('/') || name.starts_with('/') => folder.join(name),
        text => [text, "/", name].concat().into(),
    }
}

/// Resolves `.` and `..` by the text alone.
pub fn normal(path: &Utf8Path) -> Utf8PathBuf {
    if is_normal(path.as_str()) { path.to_owned() } else { cleaned(path) }
}

fn made_normal(mut path: String) -> Utf8PathBuf {
    while path.len() > 1 && path.ends_with('/') {
        path.pop();
    }
    if is_normal(&path) { path.into() } else { cleaned(Utf8Path::new(&path)) }
}

fn is_normal(text: &str) -> bool {
    let doubtful = |pair: &[u8]| matches!(pair, b"//" | b"/.");
    let resolved = |name: &str| !matches!(name, "" | "." | "..");
    let plain = !text.as_bytes().windows(2).any(doubtful) && !text.ends_with('/');
    plain || text == "/" || text.split('/').skip(1).all(resolved)
}

fn cleaned(path: &Utf8Path) -> Utf8PathBuf {
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
