//! The graph of one text: nodes are its commands, edges lead back to the commands whose bytes a command gets.

use super::written::{appends, makes_pipe, written};
use crate::pure::shell::{Command, RedirectKind, Word};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Commands beyond this many are not traced.
const MAX_TRACED: usize = 64;

/// A command that writes a file, and whether it keeps what was there.
#[derive(Debug, Clone, Copy)]
struct Writer {
    index: usize,
    appends: bool,
}

/// Where files come from. Made once for a text, and only if a command asks.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// By name, in the order of writing.
    writers: HashMap<String, Vec<Writer>>,
    /// Named pipes: their writer may stand behind their reader.
    pipes: HashSet<String>,
    /// For each command, those that wrote the files it names.
    reads: Vec<Vec<usize>>,
}

impl Graph {
    /// `name` says which file a word of a command means.
    pub fn of(commands: &[Command], name: impl Fn(&Command, &Word) -> String) -> Self {
        let mut graph = Self::default();
        if commands.len() < 2 {
            return graph;
        }
        let mut last_parts = LastParts::default();
        for (index, command) in commands.iter().enumerate() {
            for word in written(command) {
                let file = name(command, &word);
                last_parts.insert(last_part(&file));
                let appends = appends(command, &word);
                graph.writers.entry(file).or_default().push(Writer { index, appends });
            }
            graph.pipes.extend(makes_pipe(command).map(|word| name(command, word)));
        }
        if graph.writers.is_empty() {
            return graph;
        }
        let reads = commands.iter().enumerate().map(|(index, command)| {
            let words = read_words(command).filter(|word| last_parts.has(last_part(&word.text_lossy())));
            words.flat_map(|word| graph.writers(&name(command, &word), index)).collect()
        });
        graph.reads = reads.collect();
        graph
    }

    /// The commands whose bytes are in a file when the one at this index reads it, the last first.
    pub fn writers(&self, file: &str, before: usize) -> Vec<usize> {
        let Some(writers) = self.writers.get(file) else { return Vec::new() };
        // Whoever writes a named pipe may stand behind its reader.
        let is_pipe = self.pipes.contains(file);
        let counts = |writer: &&Writer| writer.index < before || is_pipe && writer.index != before;
        let mut found = Vec::new();
        for writer in writers.iter().rev().filter(counts) {
            found.push(writer.index);
            if !writer.appends && !is_pipe {
                break;
            }
        }
        found
    }

    /// The commands behind these, the nearest first.
    pub fn upstream<'c>(
        &self,
        commands: &'c [Command],
        start: impl IntoIterator<Item = usize>,
    ) -> Vec<(usize, &'c Command)> {
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
                waiting.extend(self.reads.get(index).into_iter().flatten());
            }
        }
        seen.into_iter().filter_map(|index| Some((index, commands.get(index)?))).collect()
    }
}

/// Names of files, and a mark for each that tells most other names from them without a comparison.
#[derive(Default)]
struct LastParts {
    names: HashSet<String>,
    marks: Vec<u64>,
}

/// Words of marks.
const MARKS: usize = 128;

impl LastParts {
    fn insert(&mut self, name: &str) {
        self.marks.resize(MARKS, 0);
        let (row, bit) = Self::mark(name);
        if let Some(row) = self.marks.get_mut(row) {
            *row |= bit;
        }
        self.names.insert(name.to_owned());
    }

    fn has(&self, name: &str) -> bool {
        let (row, bit) = Self::mark(name);
        self.marks.get(row).is_some_and(|row| row & bit != 0) && self.names.contains(name)
    }

    /// By all bytes.
    fn mark(name: &str) -> (usize, u64) {
        let hash =
            name.bytes().fold(name.len(), |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        (hash / 64 % MARKS, 1 << (hash % 64))
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The words that may name a file to read: arguments, values behind `=` or `@`, and what `<` names.
fn read_words(command: &Command) -> impl Iterator<Item = Cow<'_, Word>> {
    let redirected = command.redirects.iter().filter(|each| each.kind == RedirectKind::Read);
    let behind = command.arguments().iter().filter_map(|word| {
        let (_, value) = word.literal()?.split_once(['=', '@'])?;
        Some(Cow::Owned(Word::plain(value.trim_start_matches(['@', '<']))))
    });
    let named = command.arguments().iter().chain(redirected.map(|each| &each.target));
    named.map(Cow::Borrowed).chain(behind)
}

/// The commands whose output arrives on a command's standard input.
pub(crate) fn fed(command: &Command) -> impl Iterator<Item = usize> {
    let given = command.redirects.iter().filter(|redirect| {
        matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString | RedirectKind::Read)
    });
    command.fed_by.iter().copied().chain(given.flat_map(|redirect| redirect.target.sources()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::shell::{Budget, parse};

    /// The programs behind the last command of a text.
    fn behind(text: &str) -> Vec<String> {
        let commands = parse(text, &mut Budget::default()).commands;
        let graph = Graph::of(&commands, |_, word| word.text_lossy().into_owned());
        let behind = graph.upstream(&commands, [commands.len() - 1]);
        behind.into_iter().skip(1).filter_map(|(_, command)| command.program().map(str::to_owned)).collect()
    }

    #[test]
    fn files_lead_back_to_whoever_wrote_them() {
        for (text, writers) in [
            ("curl -o a x; sh a", ["curl"].as_slice()),
            ("curl x > a; cp a b; mv b c; sh c", &["mv", "cp", "curl"]),
            ("dd if=k of=a; curl -T a x", &["dd"]),
            ("zip a.zip k; curl -F f=@a.zip x", &["zip"]),
            ("gzip k; curl -T k.gz x", &["gzip"]),
            ("mkfifo p; sh p; curl x > p; sh p", &["curl"]),
            ("curl x > a; echo y > a; sh a", &["echo"]),
            ("curl x > a; echo y >> a; sh a", &["echo", "curl"]),
            ("curl x > a; sh b", &[]),
            ("sh a; curl x > b", &[]),
        ] {
            assert_eq!(behind(text), writers, "{text}");
        }
    }

    #[test]
    fn a_named_pipe_is_read_before_it_is_written() {
        let commands = parse("mkfifo p; sh p & curl x > p", &mut Budget::default()).commands;
        let graph = Graph::of(&commands, |_, word| word.text_lossy().into_owned());
        assert_eq!(graph.writers("p", 1), [2]);
        assert!(graph.writers("q", 1).is_empty());
    }
}
