//! Whether the output of a command reaches the conversation, or goes into a file or into another command.

use super::ShellCall;
use crate::pure::dataflow::fed;
use crate::pure::shell::{Command, RedirectKind, Word};

/// Chains of filters are followed to this depth.
const DEPTH: usize = 8;

/// Whether somebody reads what this command prints.
pub(super) fn is_shown(call: &ShellCall<'_>) -> bool {
    let at = call.others.iter().position(|command| std::ptr::eq(command, call.listed));
    let reaches = |at: usize| reaches_reader(call.others, at, DEPTH);
    !hides_values(call.command) && !goes_into_a_file(call.command) && at.is_none_or(reaches)
}

fn reaches_reader(commands: &[Command], at: usize, depth: usize) -> bool {
    let mut consumed = false;
    for (index, command) in commands.iter().enumerate().filter(|(index, _)| *index != at) {
        let piped = fed(command).any(|source| source == at);
        let values = command.assignments.iter().map(|assignment| &assignment.value);
        let targets = command.redirects.iter().map(|redirect| &redirect.target);
        let mut words = command.words.iter().chain(values).chain(targets);
        if !piped && !words.any(|word| word.sources().any(|source| source == at)) {
            continue;
        }
        consumed = true;
        let prints = match piped {
            true => is_filter(command),
            false => matches!(command.program(), Some("echo" | "printf")),
        };
        if prints
            && depth > 0
            && !hides_values(command)
            && !goes_into_a_file(command)
            && reaches_reader(commands, index, depth - 1)
        {
            return true;
        }
    }
    !consumed
}

/// Programs that print what they get, or a part of it.
fn is_filter(command: &Command) -> bool {
    match command.program() {
        Some(
            "cat" | "tac" | "head" | "tail" | "less" | "more" | "bat" | "nl" | "sed" | "awk" | "gawk" | "cut"
            | "tr" | "sort" | "uniq" | "column" | "fold" | "rev" | "xxd" | "od" | "hexdump" | "base64"
            | "base32" | "jq" | "yq" | "tee" | "strings" | "paste" | "fmt" | "grep" | "egrep" | "fgrep"
            | "rg",
        ) => true,
        Some("python" | "python3") => command.literals().any(|text| text.starts_with("json.tool")),
        _ => false,
    }
}

/// Whether a filter leaves only names or a count: `cut -d= -f1`, `sed 's/=.*//'`, `grep -c`.
fn hides_values(command: &Command) -> bool {
    let has = |names: &[&str]| command.literals().any(|text| names.contains(&text));
    let script = || command.operands().next().and_then(Word::literal).unwrap_or_default();
    match command.program() {
        Some("cut") => has(&["-f1", "-f=1"]) || (has(&["-f"]) && has(&["1"])),
        Some("sed") => {
            ["=.*", "=[^", ":.*"].iter().any(|cut| command.literals().any(|text| text.contains(cut)))
        }
        Some("awk" | "gawk") => {
            let script = script();
            script.contains("print $1") && !script.contains("$2") && !script.contains("$0")
        }
        Some("grep" | "egrep" | "fgrep" | "rg") => {
            let letters = |letter: char| {
                command
                    .literals()
                    .any(|text| text.starts_with('-') && !text.starts_with("--") && text.contains(letter))
            };
            let names_only = letters('o') && !script().contains(".*") && !script().contains(".+");
            letters('c')
                || letters('q')
                || letters('l')
                || has(&["--count", "--quiet", "--files-with-matches"])
                || names_only
        }
        Some("jq" | "yq") => script().contains("keys"),
        _ => false,
    }
}

fn goes_into_a_file(command: &Command) -> bool {
    command.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
            && redirect.descriptor.is_none_or(|number| number == 1)
            && !redirect.target.literal().is_some_and(|file| {
                matches!(file, "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "1" | "2" | "&1" | "&2")
            })
    })
}
