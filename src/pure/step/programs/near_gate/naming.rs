//! Programs that are told the name of a file that carries the gate, and are not known for only looking at files.

use super::super::{Meaning, ShellCall};
use super::speech::is_for_people;
use crate::pure::shell::{Command, Word, lists};
use crate::pure::step::effect::{Effect, Target};

/// They only look.
const LOOKS: &str = "ls stat file diff cmp md5sum sha1sum sha256sum cksum readlink realpath du tree bat batcat xxd od hexdump \
    strings shellcheck nl tac rev cd pushd popd basename dirname find git true false : sleep pwd getfacl lsattr \
    namei fzf delta difft sha512sum b2sum exit return wait nano vi view code";

/// They write only where an effect of their own says so.
const READ_ELSEWHERE: &str = "rm mv cp ln touch chmod chown tee install truncate unlink dd mkdir rmdir rsync";

pub(super) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    if is_for_people(program)
        || lists(LOOKS, program)
        || lists(READ_ELSEWHERE, program)
        || only_shows(program, call)
    {
        return;
    }
    let what = match names_the_gate(call) {
        Some(what) => what,
        None if is_inside(call) => "a folder that carries the gate",
        None => return,
    };
    meaning.effects.push(Effect::PossibleBypass { how: format!("gives {program} the name of {what}") });
}

/// Whether what a command prints is taken up by a command that does more than look.
pub(super) fn is_consumed(call: &ShellCall<'_>) -> bool {
    let Some(own) = call.position() else { return false };
    let takes = |other: &Command| {
        other.fed_by.contains(&own) || other.words.iter().flat_map(Word::sources).any(|source| source == own)
    };
    let acts = |other: &Command| {
        other.program().is_none_or(|program| !is_for_people(program) && !lists(LOOKS, program))
    };
    call.others.iter().any(|other| takes(other) && acts(other))
}

/// Whether a pattern of `find` matches: there, a star also stands for slashes.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
        last = Some(piece);
    }
    rest.is_empty() || last == Some("") || last.is_some_and(|piece| name.ends_with(piece))
}

/// Editors of streams and packers in the ways that change nothing.
fn only_shows(program: &str, call: &ShellCall<'_>) -> bool {
    let has = |flags: &[&str]| call.literals().any(|text| flags.iter().any(|flag| text.starts_with(flag)));
    match program {
        "sed" => !has(&["-i", "--in-place"]) && !call.literals().any(|text| text.contains('w')),
        "awk" | "gawk" | "mawk" => !call.literals().any(|text| text.contains(['>', '|'])),
        // The archive that `tar c` writes is an effect of its own.
        "tar" => call.literals().next().is_some_and(|text| {
            text == "--create" || text.contains('t') || (text.contains('c') && !text.starts_with("--"))
        }),
        "yq" => !has(&["-i", "--inplace", "--in-place"]),
        // A second file would be the output.
        "python" | "python3" => matches!(
            call.literals().filter(|text| !text.starts_with("--")).collect::<Vec<_>>().as_slice(),
            ["-m", "json.tool", _]
        ),
        "sh" | "bash" => has(&["-n"]),
        _ => false,
    }
}

fn names_the_gate(call: &ShellCall<'_>) -> Option<&'static str> {
    let (place, protected) = (call.place, &call.place.protected);
    let roots = [place.project.as_path(), place.home.as_path()];
    let is_near = |text: &str| [".git", ".claude", "plimsoll"].iter().any(|name| text.contains(name));
    let words = call.arguments().iter().chain(call.command.documents());
    let by_word = words.filter_map(Word::literal).filter(|text| is_near(text)).find_map(|text| {
        match call.target(&Word::plain(text)) {
            Target::Path(path) => protected.touched_by_write(&path, true),
            _ => None,
        }
        .or_else(|| protected.gate_named_in(text, &roots))
    });
    let code = call.command.code.as_ref().map(|code| code.text.as_str());
    by_word
        .filter(|_| code.is_none())
        .or_else(|| protected.gate_named_in(code.filter(|text| is_near(text) && changes(text))?, &roots))
}

/// Whether a program text has a word for a change.
pub(crate) fn changes(text: &str) -> bool {
    const CHANGES: [&str; 19] = [
        "write", "'w'", "\"w\"", " w]", "unlink", "remove", "rename", "chmod", "copy", "retrieve",
        "truncate", "symlink", "rm ", "mv ", "cp ", "> ", "install ", "chdir", "dump(",
    ];
    CHANGES.iter().any(|word| text.contains(word))
}

/// Whether a program searches for the hook by a part of its name, to change what it finds.
pub(crate) fn searches_hook(text: &str) -> bool {
    const PARTS: [&str; 6] = ["'-push", "\"-push", "*-push", "pre-pu*", "pre-pus?", ".git/hooks/*"];
    PARTS.iter().any(|part| text.contains(part)) && changes(text)
}

/// In a protected folder, every file that a program makes is one.
fn is_inside(call: &ShellCall<'_>) -> bool {
    let entered = call.directory.filter(|directory| **directory != call.place.cwd);
    entered.is_some_and(|directory| call.place.protected.touched_by_write(directory, true).is_some())
}
