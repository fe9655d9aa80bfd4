//! Texts that commands make for others, as far as the text of the tool call spells them out.

use super::decoder::decoded;
use super::graph::Graph;
use crate::pure::shell::{Command, Word, printed_by, printed_with_files};

/// Commands behind commands beyond this many are not followed.
const MAX_DEPTH: usize = 64;

/// Copies of copies beyond this many are not followed.
const MAX_COPIES: usize = 8;

/// The text that a command reads, where it is known.
pub(crate) fn text_read(commands: &[Command], command: &Command, depth: usize) -> Option<String> {
    match command.documents().next_back() {
        Some(document) => document.written_out().map(String::from),
        None => match command.fed_by.as_slice() {
            [only] => text_printed(commands, *only, depth),
            _ => None,
        },
    }
}

/// The text that the command at this index prints: known texts, and what decoders make of them.
pub(crate) fn text_printed(commands: &[Command], index: usize, depth: usize) -> Option<String> {
    if let Some(text) = printed_with_files(commands, index) {
        return text.written_out().map(String::from);
    }
    let command = commands.get(index).filter(|_| depth < MAX_DEPTH)?;
    let read = || text_read(commands, command, depth + 1);
    // `{ echo a; echo b; } > file`
    if command.words.is_empty() && command.redirects.iter().all(|each| !each.kind.reads()) {
        let texts = command.fed_by.iter().filter(|inner| **inner > index);
        let texts: Option<String> = texts.map(|inner| text_printed(commands, *inner, depth + 1)).collect();
        return texts.filter(|text| !text.is_empty());
    }
    match command.program()? {
        "cat" | "tee" if command.operands().next().is_none() => read(),
        _ => decoded(command, read),
    }
}

impl Graph {
    /// The text that the command at this index wrote to a file, also by copying what another one wrote.
    pub fn text_written(&self, commands: &[Command], index: usize) -> Option<String> {
        self.copied(commands, index, 0)
    }

    fn copied(&self, commands: &[Command], index: usize, depth: usize) -> Option<String> {
        let command = commands.get(index).filter(|_| depth < MAX_COPIES)?;
        if matches!(command.program(), Some("cp" | "mv" | "ln" | "install" | "link" | "dd" | "rsync")) {
            let (source, _) = *self.upstream(commands, [index]).get(1)?;
            return self.copied(commands, source, depth + 1);
        }
        let shown = Command {
            redirects: command.redirects.iter().filter(|each| each.kind.reads()).cloned().collect(),
            ..command.clone()
        };
        let printed = printed_by(std::slice::from_ref(&shown), 0);
        let printed = printed.as_ref().and_then(Word::written_out).map(String::from);
        printed.or_else(|| text_printed(commands, index, 0))
    }
}
