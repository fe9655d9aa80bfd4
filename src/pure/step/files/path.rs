//! Words to absolute paths, without the file system.

use crate::pure::shell::{Word, WordPart};
use crate::pure::step::effect::Target;
use crate::pure::step::place::Place;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use std::borrow::Cow;

/// The target of a word that is used as a path in `directory`.
pub(crate) fn target(word: &Word, directory: Option<&Utf8Path>, place: &Place) -> Target {
    if let [WordPart::Literal(text)] = word.parts.as_slice() {
        let path = absolute(Cow::Borrowed(text), directory.map(Utf8Path::as_str));
        return path.map_or(Target::Unknown, Target::Path);
    }
    let (mut text, mut pattern, mut fixed) = (String::new(), String::new(), None);
    for (position, part) in word.parts.iter().enumerate() {
        let literal = match part {
            WordPart::Literal(literal) => literal.as_str(),
            WordPart::Glob(glob) => {
                fixed.get_or_insert(text.len());
                text.push_str(glob);
                pattern.push_str(glob);
                continue;
            }
            WordPart::Tilde(_)
            | WordPart::Variable(_)
            | WordPart::Temporary
            | WordPart::Output(_)
            | WordPart::Stream(_)
            | WordPart::Unknown => match value(part, position, place) {
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
            let hidden = text.get(at..).is_some_and(|last| last.starts_with('.') || last.contains('('))
                || text.get(..at).is_some_and(|front| front.ends_with('.'));
            let whole = |path| if hidden { Target::Path(path) } else { Target::Inside(path) };
            absolute(parent.into(), here).map(whole)
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

/// The value of a variable part of a word, where the place knows it.
fn value<'a>(part: &WordPart, position: usize, place: &'a Place) -> Option<&'a str> {
    let name = match part {
        WordPart::Tilde(user) if user.is_empty() => "HOME",
        WordPart::Temporary => "TMPDIR",
        WordPart::Variable(name) => name,
        WordPart::Literal(_)
        | WordPart::Glob(_)
        | WordPart::Tilde(_)
        | WordPart::Output(_)
        | WordPart::Stream(_)
        | WordPart::Unknown => return None,
    };
    match name {
        "HOME" => Some(place.home.as_str()),
        "USER" | "LOGNAME" => place.home.file_name(),
        "PWD" if position == 0 => Some(place.cwd.as_str()),
        "CLAUDE_PROJECT_DIR" if position == 0 => Some(place.project.as_str()),
        // `mktemp` creates a new path below the directory; the variable alone is the directory.
        "TMPDIR" if position == 0 && matches!(part, WordPart::Temporary) => Some("/tmp/tmp.XXXXXXXXXX"),
        "TMPDIR" if position == 0 => Some("/tmp"),
        _ => None,
    }
}

/// A path of which only the beginning is known.
fn below(text: &str, rest: &[WordPart], directory: Option<&Utf8Path>) -> Target {
    let climbs =
        |part: &WordPart| matches!(part, WordPart::Literal(text) if text.split('/').any(|name| name == ".."));
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

/// Whether the last part of a pattern matches everything; alternatives are assumed to.
fn takes_everything(pattern: &str) -> bool {
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    last.chars().all(|character| "*?.[]!^".contains(character)) || last.contains('(')
}

/// As `Utf8Path::join`, without splitting both into components.
pub(crate) fn joined(folder: &Utf8Path, name: &str) -> Utf8PathBuf {
    match folder.as_str() {
        text if text.is_empty() || text.ends_with('/') || name.starts_with('/') => folder.join(name),
        text => [text, "/", name].concat().into(),
    }
}

/// Resolves `.` and `..` without the file system.
pub(crate) fn normal(path: &Utf8Path) -> Utf8PathBuf {
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
