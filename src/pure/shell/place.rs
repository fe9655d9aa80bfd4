//! Paths that a command prints and that are known as well as if they had been written out.

use super::command::{Command, Directory};
use super::options::WrapperOptions;
use super::word::{Word, WordPart};

/// The path that a directory is, as a word; nothing if only the run will know.
pub(super) fn directory_word(directory: &Directory) -> Option<Word> {
    let here = || Word { parts: vec![WordPart::Variable("PWD".to_owned())] };
    match directory {
        Directory::Same => Some(here()),
        Directory::Known(word) if is_relative(word) => {
            let mut path = here();
            path.push_text("/");
            path.append(word);
            Some(path)
        }
        Directory::Known(word) => Some(word.clone()),
        Directory::Unknown => None,
    }
}

fn is_relative(word: &Word) -> bool {
    matches!(word.parts.first(), Some(WordPart::Literal(text)) if !text.starts_with('/'))
}

/// The path that `pwd`, `mktemp`, `dirname` or `basename` prints.
pub(super) fn path_printed_by(command: &Command) -> Option<Word> {
    match command.program()? {
        "pwd" if command.operands().next().is_none() => directory_word(&command.directory),
        "mktemp" | "gmktemp" => Some(temporary(&command.words)),
        "dirname" => match command.arguments() {
            [path] => path.literal().map(|path| Word::plain(parent(path))),
            _ => None,
        },
        "basename" => match command.arguments() {
            [path] => path.literal().map(|path| Word::plain(last_name(path))),
            [path, suffix] => {
                let (name, suffix) = (last_name(path.literal()?), suffix.literal()?);
                Some(Word::plain(name.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(name)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The file that `mktemp` makes: below the temporary directory, unless a directory or a template says otherwise.
fn temporary(words: &[Word]) -> Word {
    let mut options = WrapperOptions::after_program();
    options.read(words, "-p --suffix");
    let template = words.get(options.rest);
    let directory = options.value("-p --tmpdir");
    let within = directory.is_some() || options.has("-t --tmpdir");
    match (directory, template) {
        (Some(directory), _) => {
            let mut path = directory.clone();
            path.push_text("/");
            path.push(WordPart::Glob("*".to_owned()));
            path
        }
        (None, Some(template)) if !within => fresh(template),
        (None, _) => Word { parts: vec![WordPart::Temporary] },
    }
}

/// A template with its row of `X` filled in.
fn fresh(template: &Word) -> Word {
    let mut path = Word::default();
    for part in &template.parts {
        match part {
            WordPart::Literal(text) => match text.split_once("XXX") {
                Some((before, after)) => {
                    path.push_text(before);
                    path.push(WordPart::Glob("*".to_owned()));
                    path.push_text(after.trim_start_matches('X'));
                }
                None => path.push_text(text),
            },
            other => path.push(other.clone()),
        }
    }
    path
}

fn parent(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some((parent, _)) => match parent.trim_end_matches('/') {
            "" => "/",
            parent => parent,
        },
        None if path.starts_with('/') => "/",
        None => ".",
    }
}

fn last_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() && !path.is_empty() { "/" } else { trimmed.rsplit('/').next().unwrap_or(trimmed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_parents_are_those_of_coreutils() {
        for (path, directory, name) in [
            ("/a/b", "/a", "b"),
            ("/a/", "/", "a"),
            ("a", ".", "a"),
            ("a/b/", "a", "b"),
            ("a//b", "a", "b"),
            ("/", "/", "/"),
        ] {
            assert_eq!((parent(path), last_name(path)), (directory, name), "{path}");
        }
    }
}
