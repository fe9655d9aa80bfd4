//! Programs that remove, write or format: coreutils, find, disk tools.

use super::super::effect::{Effect, Target};
use super::{Call, Meaning};
use crate::shell::Word;

pub fn survey(program: &str, call: &Call<'_>, meaning: &mut Meaning) {
    let effects = &mut meaning.effects;
    match program {
        "rm" | "rmdir" | "unlink" | "shred" | "trash" => {
            let recursive =
                program == "rm" && has_flag(call, 'r', &["--recursive"]) || has_flag(call, 'R', &[]);
            effects
                .extend(operands(call).map(|word| Effect::Delete { target: call.target(word), recursive }));
        }
        "find" => find(call, effects),
        "mv" => {
            let mut words: Vec<&Word> = operands(call).collect();
            effects.extend(destination(call, &mut words));
            effects.extend(
                words.into_iter().map(|word| Effect::Delete { target: call.target(word), recursive: true }),
            );
        }
        "cp" | "install" | "ln" | "rsync" | "scp" => {
            let mut words: Vec<&Word> = operands(call).collect();
            effects.extend(destination(call, &mut words));
        }
        "tee" | "truncate" | "touch" | "mkdir" => {
            effects.extend(operands(call).map(|word| write(call, word, false)))
        }
        "chmod" | "chown" | "chgrp" | "chattr" | "setfacl" => {
            let recursive = has_flag(call, 'R', &["--recursive"]);
            // A mode such as `-x` looks like an option, so the first operand is not always the mode; as a path it hurts nobody.
            effects.extend(operands(call).map(|word| write(call, word, recursive)));
        }
        "sed" | "perl" if has_flag(call, 'i', &["--in-place"]) => {
            let script_attached = call.literals().any(|text| {
                text.starts_with("--expression=")
                    || text.starts_with("--file=")
                    || program == "sed"
                        && text.len() > 2
                        && (text.starts_with("-e") || text.starts_with("-f"))
            });
            let files = operands(call).skip(usize::from(!script_attached));
            effects.extend(files.map(|word| write(call, word, false)));
        }
        "dd" => effects.extend(call.arguments().iter().filter_map(|word| {
            let path = word.literal()?.strip_prefix("of=")?;
            Some(write(call, &Word::plain(path), false))
        })),
        _ => {}
    }
}

/// `find … -delete` empties its starting points. What `-exec` runs is not find's own expression.
fn find(call: &Call<'_>, effects: &mut Vec<Effect>) {
    let mut own: Vec<&Word> = Vec::new();
    let mut arguments = call.arguments().iter();
    while let Some(word) = arguments.next() {
        match word.literal() {
            Some("-exec" | "-execdir" | "-ok" | "-okdir") => {
                arguments.by_ref().find(|word| matches!(word.literal(), Some(";" | "+")));
            }
            _ => own.push(word),
        }
    }
    let has = |names: &[&str]| own.iter().filter_map(|word| word.literal()).any(|text| names.contains(&text));
    if !has(&["-delete"]) {
        return;
    }
    let starts = own
        .iter()
        .skip_while(|word| matches!(word.literal(), Some("-H" | "-L" | "-P")))
        .take_while(|word| !word.literal().is_some_and(|text| text.starts_with(['-', '(', '!'])));
    // A filter spares most of what is below, so it is no longer the whole directory that goes.
    let filtered = has(&["-name", "-iname", "-path", "-mtime", "-regex", "-size", "-type"]);
    effects.extend(starts.map(|word| Effect::Delete { target: call.target(word), recursive: !filtered }));
}

fn write(call: &Call<'_>, word: &Word, recursive: bool) -> Effect {
    Effect::Write { target: call.target(word), recursive }
}

/// The last operand, or what `-t` names; taken off the list.
fn destination(call: &Call<'_>, words: &mut Vec<&Word>) -> Option<Effect> {
    let mut arguments = call.arguments().iter();
    while let Some(word) = arguments.next() {
        match word.literal() {
            Some("-t" | "--target-directory") => {
                let directory = arguments.next()?;
                words.retain(|word| *word != directory);
                return Some(write(call, directory, false));
            }
            Some(text) if text.starts_with("--target-directory=") => {
                let directory = Word::plain(text.split_once('=').map_or("", |(_, directory)| directory));
                return Some(write(call, &directory, false));
            }
            _ => {}
        }
    }
    let last = words.pop()?;
    // A source of the same name lands inside a directory that exists; both readings are judged by the same prefix.
    Some(write(call, last, false))
}

/// Everything that is no option. After `--` everything is an operand.
fn operands<'a>(call: &'a Call<'_>) -> impl Iterator<Item = &'a Word> {
    let mut only_operands = false;
    call.arguments().iter().filter(move |word| match word.literal() {
        Some("--") if !only_operands => {
            only_operands = true;
            false
        }
        Some(text) if !only_operands => !(text.starts_with('-') && text.len() > 1),
        _ => true,
    })
}

/// A short flag, also inside a cluster (`-rf`), or one of its long forms (also cut short, as getopt allows).
fn has_flag(call: &Call<'_>, short: char, long: &[&str]) -> bool {
    call.literals().take_while(|text| *text != "--").any(|text| match text.strip_prefix("--") {
        Some(name) => {
            name.len() > 2
                && long.iter().any(|flag| {
                    flag.trim_start_matches('-').starts_with(name.split('=').next().unwrap_or(name))
                })
        }
        None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(short)),
    })
}

impl Target {
    /// Whether this is a real device rather than one of the harmless ones that look like files.
    pub fn is_device(&self) -> bool {
        const HARMLESS: [&str; 11] =
            ["null", "zero", "full", "stdin", "stdout", "stderr", "tty", "random", "urandom", "fd", "shm"];
        let Some(rest) = self.path().and_then(|path| path.strip_prefix("/dev").ok()) else { return false };
        let first =
            rest.components().next().map(|component| component.as_str().to_string()).unwrap_or_default();
        !first.is_empty()
            && !HARMLESS.contains(&first.as_str())
            && !first.starts_with("pts")
            && !first.starts_with("tcp")
            && !first.starts_with("udp")
    }
}
