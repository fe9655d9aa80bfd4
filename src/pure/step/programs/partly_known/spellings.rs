//! The spellings that a command with open words may come to.

use super::super::invocation::VALUED;
use super::super::{Meaning, ShellCall, as_written};
use super::git;
use super::worst::Worst;
use crate::pure::shell::{Command, Word, lists};

/// Spellings of one command beyond this many are not tried.
const MAX_SPELLINGS: usize = 24;

/// Words of `find` that take no value; behind any other test stands one.
const FIND_ALONE: &str = "-H -L -P -a -and -o -or -not -depth -d -xdev -mount -follow -daystart -noleaf -empty -true \
    -false -print -print0 -ls -delete -prune -quit -readable -writable -executable -nouser -nogroup";

/// The open part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    /// Its end: `-rf$x`, `--ha$x`, `-$x`.
    Tail,
    /// Its front, and the rest begins with a dash: `$x-rf`.
    Front,
    /// A part of a verb: `push$x`.
    Verb,
    /// Whether it is an option at all: `$x`, `${x}rf`.
    All,
}

pub(crate) struct Spellings<'a> {
    pub call: &'a ShellCall<'a>,
    pub open: Vec<(usize, Open)>,
    pub worst: Worst,
    /// For git: where the words behind the subcommand begin.
    pub after_verb: Option<usize>,
    /// The program is one of the tables, which read verbs.
    pub has_verbs: bool,
}

impl Spellings<'_> {
    pub fn meaning(&self, arguments: Vec<Word>) -> Meaning {
        let words = self.call.command.words.iter().take(1).cloned().chain(arguments).collect();
        let command = Command { words, ..self.call.command.clone() };
        as_written(&ShellCall { command: &command, ..*self.call })
    }

    /// Behind a test of `find` stands a value, even one that begins with a dash: `-mtime -$days`.
    pub fn leave_out_values(&mut self) {
        if matches!(self.call.command.program(), Some("find" | "gfind" | "bfs")) {
            let open = std::mem::take(&mut self.open);
            self.open = open.into_iter().filter(|(at, _)| !self.is_value(*at)).collect();
        }
    }

    /// The arguments with the open words replaced.
    fn with(&self, instead: impl Fn(usize, &Word, Open) -> Vec<Word>) -> Vec<Word> {
        let mut arguments = Vec::with_capacity(self.call.arguments().len());
        for (at, word) in self.call.arguments().iter().enumerate() {
            match self.open.iter().find(|(open, _)| *open == at) {
                Some((_, open)) => arguments.extend(instead(at, word, *open)),
                None => arguments.push(word.clone()),
            }
        }
        arguments
    }

    /// The same with one of them replaced, and nothing in the place of what is open about the others.
    fn with_one(&self, which: usize, instead: &[&str]) -> Vec<Word> {
        self.with(|at, word, open| match at == which {
            true => instead.iter().copied().map(Word::plain).collect(),
            false => self.emptied(at, word, open),
        })
    }

    /// An open word if what is open about it is nothing.
    fn emptied(&self, at: usize, word: &Word, open: Open) -> Vec<Word> {
        let known = word.known_text();
        match open {
            Open::All if self.is_before_verb(at) => Vec::new(),
            Open::Tail | Open::Verb => vec![Word::plain(known)],
            Open::Front if self.is_before_verb(at) || self.worst.allows(&known) => vec![Word::plain(known)],
            Open::Front | Open::All => vec![word.clone()],
        }
    }

    fn is_before_verb(&self, at: usize) -> bool {
        self.after_verb.is_some_and(|after| at < after) && !self.is_value(at)
    }

    /// Options with which the program does more and that a word may be.
    fn flags(&self, word: &Word) -> Vec<&'static str> {
        self.worst.flags.iter().filter(|option| self.worst.fits(word, option)).copied().collect()
    }

    /// Spellings that begin as the words do.
    pub fn certain(&self) -> Vec<Vec<Word>> {
        let mut all = Vec::new();
        let counts = |at: usize, open: Open| open != Open::All || self.is_before_verb(at);
        if self.open.iter().any(|(at, open)| counts(*at, *open)) {
            all.push(self.with(|at, word, open| self.emptied(at, word, open)));
        }
        let open = || {
            let partly = self.open.iter().filter(|(_, open)| matches!(open, Open::Tail | Open::Front));
            partly.filter_map(|(at, _)| Some((*at, self.call.arguments().get(*at)?)))
        };
        if open().any(|(_, word)| !self.flags(word).is_empty()) {
            all.push(self.with(|at, word, open| {
                let ends_options = |word: &Word| matches!(word.literal(), Some("-" | "--"));
                let known = self.emptied(at, word, open).into_iter().filter(|word| !ends_options(word));
                let flags =
                    if matches!(open, Open::Tail | Open::Front) { self.flags(word) } else { Vec::new() };
                known.chain(flags.into_iter().map(Word::plain)).collect()
            }));
        }
        for (at, _) in self.open.iter().filter(|(_, open)| *open == Open::Verb) {
            let word = self.call.arguments().get(*at);
            let fitting = self.worst.verbs.iter().filter(|verb| word.is_some_and(|word| word.may_be(verb)));
            all.extend(fitting.map(|verb| self.with_one(*at, &[*verb])));
        }
        for (at, word) in open() {
            let valued = match self.is_before_verb(at) {
                true => VALUED.as_slice(),
                false => self.worst.valued.as_slice(),
            };
            let fitting = valued.iter().filter(|option| self.worst.fits(word, option));
            all.extend(fitting.map(|option| self.with_one(at, &[*option])));
            // Its value may be attached, or be the next word: neither is a verb then.
            if self.has_verbs || self.is_before_verb(at) {
                let without = self.with_one(at, &[]);
                let mut without_next = without.clone();
                without_next.drain(at.min(without.len())..(at + 1).min(without.len()));
                all.extend([without, without_next]);
            }
        }
        all.truncate(MAX_SPELLINGS);
        all
    }

    /// Spellings in which words that say nothing themselves are options.
    pub fn possible(&self) -> Vec<Vec<Word>> {
        let arguments = self.call.arguments();
        let mut all = Vec::new();
        if let Some(after) = self.after_verb {
            let verb = self.open.iter().find(|(at, open)| {
                let pushes =
                    *open == Open::Verb && arguments.get(*at).is_some_and(|word| word.may_be("push"));
                *at < after && (pushes || *open == Open::All && !self.is_value(*at))
            });
            if let Some((at, _)) = verb {
                all.extend(
                    git::before_the_verb(*at, arguments).iter().map(|words| self.with_one(*at, words)),
                );
            }
        }
        let counts = |at: usize, open: Open| open == Open::All && self.may_be_any_option(at);
        if !self.worst.flags.is_empty() && self.open.iter().any(|(at, open)| counts(*at, *open)) {
            all.push(self.with(|at, word, open| match counts(at, open) {
                true => self.flags(word).into_iter().map(Word::plain).chain([word.clone()]).collect(),
                false => self.emptied(at, word, open),
            }));
        }
        // Without a word behind it there is no value.
        let takes_next = |at: usize| !self.worst.valued.is_empty() && arguments.get(at + 1).is_some();
        for (at, _) in self.open.iter().filter(|(at, open)| takes_next(*at) && counts(*at, *open)) {
            let Some(word) = arguments.get(*at) else { continue };
            let fitting = self.worst.valued.iter().filter(|option| self.worst.fits(word, option));
            all.extend(fitting.map(|option| self.with_one(*at, &[*option])));
        }
        all.truncate(MAX_SPELLINGS);
        all
    }

    /// Whether a word that says nothing itself counts as an option where it stands.
    fn may_be_any_option(&self, at: usize) -> bool {
        let is_open = |at: usize| self.open.iter().any(|(open, _)| *open == at);
        let known_operands = || {
            let words = self.call.arguments().iter().enumerate();
            words.filter(|(at, word)| !word.starts_with("-") && !is_open(*at)).count()
        };
        match (self.after_verb, self.call.command.program()) {
            (Some(after), _) => at >= after && git::counts(self.call, after, at),
            // Where source or destination is not known, the word is that.
            (None, Some("rsync")) => known_operands() > 1,
            (None, _) => !self.is_value(at),
        }
    }

    /// Whether the word before takes this one as its value.
    fn is_value(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.call.arguments().get(before));
        let Some(before) = before.and_then(Word::literal) else { return false };
        match self.call.command.program() {
            Some("git") => VALUED.contains(&before),
            Some("find" | "gfind" | "bfs") => before.starts_with('-') && !lists(FIND_ALONE, before),
            // `tar czf "$archive" …`
            Some("tar" | "gtar" | "bsdtar") if at == 1 => before.ends_with(['f', 'C']),
            _ => {
                before.starts_with('-') && !before.starts_with("--") && self.worst.takes_value_at_end(before)
            }
        }
    }
}
