//! `chmod`, `chown` and their like: whole trees, and what opens a file to everybody.

use super::super::ShellCall;
use super::{find, has_flag, mild_write, operands};
use crate::pure::shell::{Word, WordPart};
use crate::pure::step::effect::Effect;
use crate::pure::step::zone::{Zone, system_or_home_directory, zone};

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, effects: &mut Vec<Effect>) {
    let recursive = has_flag(call, 'R', &["--recursive"]);
    let dashed = call.literals().find(|text| is_dashed_mode(text)).filter(|_| program == "chmod");
    let dashed = dashed.or_else(|| {
        call.literals().find(|text| text.starts_with('-') && *text != "-R" && program == "chattr")
    });
    let by_reference = call.literals().any(|text| {
        let name = text.split('=').next().unwrap_or(text);
        name.len() > "--re".len() && "--reference".starts_with(name)
    });
    let mut words: Vec<&Word> = operands(call).collect();
    let to_oneself = program == "chown" && words.first().is_some_and(|word| names_oneself(word, call));
    let mode = match dashed {
        Some(mode) => mode.to_owned(),
        None if by_reference || words.is_empty() => String::new(),
        None => words.remove(0).text_lossy().into_owned(),
    };
    let mode = if matches!(program, "chmod" | "setfacl") { mode } else { String::new() };
    for word in words {
        if let Some(found) = find::of_exec(call, word) {
            let trees = found.whole_trees().into_iter();
            let trees = trees.filter(|tree| system_or_home_directory(tree, call.place).is_some());
            effects.extend(trees.map(|target| Effect::Write { target, recursive: true }));
        }
        let target = call.target(word);
        let zone = target.path().map(|path| zone(path, call.place));
        if let Some(what) = exposed(&mode, recursive, zone) {
            effects.push(Effect::Expose { what: what.replace("{}", &target.name()) });
        }
        if recursive && zone == Some(Zone::Project) && (leaves_readable(&mode) || to_oneself) {
            effects.push(Effect::Write { target, recursive: false });
        } else if recursive || program != "chmod" {
            effects.push(Effect::Write { target, recursive });
        } else {
            effects.extend(mild_write(call, word));
        }
    }
}

/// `chown "$USER"`, `chown $(id -u):$(id -g)`
fn names_oneself(word: &Word, call: &ShellCall<'_>) -> bool {
    let tells = |index: &usize| {
        call.others
            .get(*index)
            .is_some_and(|command| matches!(command.program(), Some("id" | "whoami" | "logname")))
    };
    match word.parts.first() {
        Some(WordPart::Variable(name)) => matches!(name.as_str(), "USER" | "LOGNAME" | "UID"),
        Some(WordPart::Output(index)) => tells(index),
        _ => false,
    }
}

/// `-x`, `-rwx`, `-w`: a mode that looks like an option.
fn is_dashed_mode(text: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|mode| !mode.is_empty() && mode.chars().all(|one| "rwxXst,".contains(one)))
}

/// The exposure by a mode, in words with a place for the target.
fn exposed(mode: &str, recursive: bool, zone: Option<Zone>) -> Option<&'static str> {
    let octal = u32::from_str_radix(mode, 8).ok();
    let symbols = || mode.split(',');
    let gives = |who: &[char], right: char| {
        symbols().any(|one| {
            let (names, rights) = one.split_at(one.find(['+', '=']).unwrap_or(one.len()));
            rights.contains(right) && (names.contains(who) || (names.is_empty() && who.contains(&'a')))
        })
    };
    let sets_user = octal.is_some_and(|mode| mode & 0o6000 != 0) || gives(&['u', 'g', 'a'], 's');
    let world_writable = octal.is_some_and(|mode| mode & 0o002 != 0 && mode & 0o1000 == 0)
        || symbols().any(|one| {
            one.split_once(['+', '='])
                .is_some_and(|(who, rights)| who.contains(['o', 'a']) && rights.contains('w'))
        })
        || mode.contains("o::rw")
        || mode.contains("other::rw");
    if sets_user {
        return Some("let others run {} with its owner's rights");
    }
    if zone == Some(Zone::Temporary) {
        return None;
    }
    match (world_writable, recursive, zone) {
        (true, true, _) => Some("make all of {} writable for everybody"),
        (true, false, Some(Zone::System)) => Some("make {} writable for everybody"),
        _ if octal == Some(0) && (recursive || zone == Some(Zone::System)) => {
            Some("shut everybody out of {}")
        }
        _ => None,
    }
}

/// Whether its owner can still read, write and enter what has this mode.
fn leaves_readable(mode: &str) -> bool {
    match u32::from_str_radix(mode, 8) {
        Ok(mode) => mode & 0o700 == 0o700 || mode & 0o700 == 0o600,
        Err(_) => mode.split(',').all(|one| {
            let owner = one.starts_with(['u', 'a', '+', '-', '=']);
            !(one.is_empty() || owner && one.contains(['-', '=']))
        }),
    }
}
