//! What reaches a command: the commands whose output it reads or is given, and whose output those read in turn.

use super::ShellCall;
use crate::pure::shell::{Command, RedirectKind, Word, printed_by};

/// Commands beyond this many are not traced.
const MAX_TRACED: usize = 64;

/// The commands behind these, the nearest first.
pub(super) fn upstream(
    commands: &[Command],
    start: impl IntoIterator<Item = usize>,
) -> Vec<(usize, &Command)> {
    let mut seen: Vec<usize> = Vec::new();
    let mut waiting: Vec<usize> = start.into_iter().collect();
    let mut next = 0;
    while let Some(&index) = waiting.get(next).filter(|_| seen.len() < MAX_TRACED) {
        next += 1;
        if seen.contains(&index) {
            continue;
        }
        seen.push(index);
        if let Some(command) = commands.get(index) {
            waiting.extend(command.words.iter().flat_map(Word::sources));
            waiting.extend(fed(command));
        }
    }
    seen.into_iter().filter_map(|index| Some((index, commands.get(index)?))).collect()
}

/// The commands whose output arrives on a command's standard input.
pub(super) fn fed(command: &Command) -> impl Iterator<Item = usize> {
    let given = command.redirects.iter().filter(|redirect| {
        matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString | RedirectKind::Read)
    });
    command.fed_by.iter().copied().chain(given.flat_map(|redirect| redirect.target.sources()))
}

/// The text that a command reads, where it is known.
pub(super) fn text_read(call: &ShellCall<'_>, command: &Command, depth: usize) -> Option<String> {
    let given = command
        .redirects
        .iter()
        .rfind(|each| matches!(each.kind, RedirectKind::HereDoc | RedirectKind::HereString));
    match given {
        Some(redirect) => redirect.target.literal().map(str::to_owned),
        None => match command.fed_by.as_slice() {
            [only] => text_printed(call, *only, depth),
            _ => None,
        },
    }
}

/// The text that the command at this index prints: known texts, and what decoders make of them.
pub(super) fn text_printed(call: &ShellCall<'_>, index: usize, depth: usize) -> Option<String> {
    if let Some(text) = printed_by(call.others, index) {
        return text.literal().map(str::to_owned);
    }
    let command = call.others.get(index).filter(|_| depth < MAX_TRACED)?;
    let read = || text_read(call, command, depth + 1);
    match command.program()? {
        "cat" | "tee" if command.operands().next().is_none() => read(),
        _ => super::decoder::decoded(command, read),
    }
}
