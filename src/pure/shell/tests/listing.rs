//! How tests write down what a text comes to.

use crate::pure::shell::{Budget, Command, Directory, Parsed, parse};

pub(super) fn parsed(text: &str) -> Parsed {
    parse(text, &mut Budget::default())
}

/// `argv | via | directory`, the last two only where there is something to say.
pub(super) fn line(command: &Command) -> String {
    let words: Vec<_> = command.words.iter().map(|word| word.text_lossy()).collect();
    let mut line = words.join(" ");
    if !command.via.is_empty() {
        line.push_str(&format!(" | {:?}", command.via));
    }
    match &command.directory {
        Directory::Same => {}
        Directory::Known(word) => line.push_str(&format!(" | in {}", word.text_lossy())),
        Directory::Unknown => line.push_str(" | in ?"),
    }
    line
}

#[track_caller]
pub(super) fn listed(text: &str, expected: &[&str]) {
    let parsed = parsed(text);
    let lines: Vec<_> = parsed.commands.iter().map(line).collect();
    assert_eq!(lines, expected, "{text}");
    assert_eq!(parsed.opaque, None, "{text}");
}

pub(super) fn table(rows: &[(&str, &[&str])]) {
    for (text, expected) in rows {
        listed(text, expected);
    }
}
