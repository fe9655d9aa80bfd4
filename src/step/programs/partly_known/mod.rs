//! Words that are only partly known, read as the options that they may be: `rm -rf$x ~`, `git push $opts origin main`.
//!
//! A command with such words is looked at again in other spellings, by every family at once, and what it does in any
//! of them counts. Nothing is taken back: the command as written always counts as well.

mod git;
mod worst;

use super::invocation::VALUED;
use super::line::Line;
use super::{Call, Inner, Meaning, as_written, table};
use crate::shell::{Command, Word};
use crate::step::effect::{Effect, Target};
use crate::step::place::Place;
use crate::step::zone::foundation;
use worst::Worst;

/// Spellings with an option that takes the next word, beyond which no more are tried.
const MAX_VALUED: usize = 24;

/// What is open about a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// Its end: `-rf$x`, `--ha$x`, `-$x`.
    Tail,
    /// Its front, and the rest begins with a dash: `$x-rf`.
    Front,
    /// The end of a verb: `push$x`.
    Verb,
    /// Whether it is an option at all: `$x`, `${x}rf`.
    All,
}

/// Adds what the command does if its open words are options.
pub(super) fn add(call: &Call<'_>, meaning: &mut Meaning) {
    let Some(program) = call.command.program() else { return };
    let (line, is_git) = (Line::of(program, call), program == "git" || program.starts_with("git-"));
    let verb = if is_git { git::verb(call) } else { 0 };
    let verbs = match (is_git, table::tool(line.program).is_some()) {
        (true, _) => verb..verb + 2,
        (false, true) => 0..4,
        (false, false) => 0..0,
    };
    let end = call.arguments().iter().position(|word| word.literal() == Some("--"));
    let open = call.arguments().iter().take(end.unwrap_or(usize::MAX)).enumerate();
    let names_output = |word: &Word| {
        let front = word.literal_prefix();
        line.program == "dd" && !front.contains('=') && word.known_text().starts_with("of=")
    };
    let openness = |at: usize, word: &Word| match word.literal().is_none() && names_output(word) {
        true => Some(Open::Verb),
        false => openness(word, verbs.contains(&at)),
    };
    let open: Vec<(usize, Open)> = open.filter_map(|(at, word)| Some((at, openness(at, word)?))).collect();
    if open.is_empty() {
        return;
    }
    let worst = match is_git {
        true => Worst::of_git(&git::subcommand(call, verb)),
        false => Worst::of(line.program),
    };
    let spellings = Spellings { call, open, worst };
    let certain = spellings.certain(is_git, verb, table::tool(line.program).is_some());
    for (number, words) in certain.into_iter().enumerate() {
        let found = spellings.meaning(words);
        // What leaves is told by the first spelling; others are there for what else they do.
        let kept =
            found.effects.into_iter().filter(|effect| number == 0 || !matches!(effect, Effect::Leave { .. }));
        for effect in kept {
            if !meaning.effects.contains(&effect) {
                meaning.effects.push(effect);
            }
        }
        for run in found.runs {
            if !meaning.runs.contains(&run) {
                meaning.runs.push(run);
            }
        }
    }
    for words in spellings.possible(is_git, verb) {
        let in_reach =
            |effect: &Effect| is_in_reach(effect, call.place) || loses_what_it_names(program, effect);
        let found = spellings.meaning(words);
        meaning.may_run.extend(found.runs.into_iter().filter(|run| !meaning.runs.contains(run)).filter_map(
            |run| match run {
                Inner::Text(text) => Some(text),
                _ => None,
            },
        ));
        let found = found.effects.into_iter().filter(in_reach);
        for effect in found.map(|effect| named_as_possible(effect, is_git)) {
            if !meaning.effects.contains(&effect) {
                meaning.effects.push(effect);
            }
        }
    }
}

/// What is open about a word, if the run may make an option or a verb of it.
fn openness(word: &Word, is_verb: bool) -> Option<Open> {
    if word.literal().is_some() {
        return None;
    }
    let front = word.literal_prefix();
    if front.starts_with('-') {
        return Some(Open::Tail);
    }
    if !front.is_empty() {
        let plain = front.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        return (is_verb && plain).then_some(Open::Verb);
    }
    if !word.may_be_option() {
        return None;
    }
    let known = word.known_text();
    match known.starts_with('-') {
        true => Some(Open::Front),
        false => known.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-').then_some(Open::All),
    }
}

struct Spellings<'a> {
    call: &'a Call<'a>,
    open: Vec<(usize, Open)>,
    worst: Worst,
}

impl Spellings<'_> {
    fn meaning(&self, arguments: Vec<Word>) -> Meaning {
        let words = self.call.command.words.iter().take(1).cloned().chain(arguments).collect();
        let command = Command { words, ..self.call.command.clone() };
        as_written(&Call { command: &command, ..*self.call })
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

    /// An open word if what is open about it is nothing.
    fn emptied(&self, word: &Word, open: Open) -> Vec<Word> {
        let known = word.known_text();
        match open {
            Open::Tail | Open::Verb => vec![Word::plain(known)],
            Open::Front if self.worst.allows(&known) => vec![Word::plain(known)],
            Open::Front | Open::All => vec![word.clone()],
        }
    }

    /// Spellings that begin as the words do.
    fn certain(&self, is_git: bool, verb: usize, has_verbs: bool) -> Vec<Vec<Word>> {
        let mut all = Vec::new();
        let partly = || self.open.iter().filter(|(_, open)| *open != Open::All);
        let before_verb = |at: usize, open: Open| is_git && open == Open::All && at <= verb;
        if partly().next().is_some() || self.open.iter().any(|(at, open)| before_verb(*at, *open)) {
            all.push(self.with(|at, word, open| match (before_verb(at, open), open) {
                (true, _) => Vec::new(),
                (false, Open::Front) if is_git && at < verb => vec![Word::plain(word.known_text())],
                (false, _) => self.emptied(word, open),
            }));
        }
        if is_git {
            all.extend(self.before_verb(verb));
        }
        let flags = |word: &Word| {
            let fitting = self.worst.flags.iter().filter(|option| self.worst.fits(word, option));
            fitting.map(|option| Word::plain(*option)).collect::<Vec<_>>()
        };
        let open = || partly().filter_map(|(at, open)| Some((*at, self.call.arguments().get(*at)?, *open)));
        if open().any(|(_, word, _)| !flags(word).is_empty()) {
            all.push(self.with(|_, word, open| match open {
                Open::Tail | Open::Front => {
                    let ends_options = |word: &Word| matches!(word.literal(), Some("-" | "--"));
                    let emptied = self.emptied(word, open).into_iter().filter(|word| !ends_options(word));
                    emptied.chain(flags(word)).collect()
                }
                Open::Verb | Open::All => self.emptied(word, open),
            }));
        }
        for (which, word, _) in open().filter(|(.., open)| *open != Open::Verb) {
            for option in self.worst.valued.iter().filter(|option| self.worst.fits(word, option)) {
                all.push(self.with(|at, word, open| match at == which {
                    true => vec![Word::plain(*option)],
                    false => self.emptied(word, open),
                }));
            }
            if has_verbs {
                let mut without = self.with(|_, word, open| self.emptied(word, open));
                let end = (which + 2).min(without.len());
                without.drain(which.min(end)..end);
                all.push(without);
            }
        }
        all.truncate(MAX_VALUED);
        all
    }

    /// Spellings of an option of git itself: one that takes the next word, or one with its value attached.
    fn before_verb(&self, verb: usize) -> Vec<Vec<Word>> {
        let Some((which, _)) = self.open.iter().find(|(at, open)| *at < verb && *open != Open::All) else {
            return Vec::new();
        };
        let fits = |option: &&str| {
            self.call.arguments().get(*which).is_some_and(|word| self.worst.fits(word, option))
        };
        let instead = VALUED.into_iter().filter(fits).map(|option| vec![Word::plain(option)]);
        let spelled = |instead: Vec<Word>| {
            self.with(|at, word, open| if at == *which { instead.clone() } else { self.emptied(word, open) })
        };
        instead.chain([Vec::new()]).map(spelled).collect()
    }

    /// Spellings in which words that say nothing themselves are options.
    fn possible(&self, is_git: bool, verb: usize) -> Vec<Vec<Word>> {
        let counts = |at: usize, open: Open| {
            open == Open::All && (!is_git || git::counts(self.call, verb, at, self.call.arguments()))
        };
        let mut all = Vec::new();
        let Some((which, _)) = self.open.iter().find(|(at, open)| counts(*at, *open)) else { return all };
        if is_git && *which <= verb {
            return git::before_the_verb(*which, self.call.arguments());
        }
        let flags: Vec<Word> = self.worst.flags.iter().map(|option| Word::plain(*option)).collect();
        if !flags.is_empty() {
            all.push(self.with(|at, word, open| match counts(at, open) {
                true => {
                    let fitting = self.worst.flags.iter().filter(|option| self.worst.fits(word, option));
                    fitting.map(|option| Word::plain(*option)).chain([word.clone()]).collect()
                }
                false => self.emptied(word, open),
            }));
        }
        for (which, _) in self.open.iter().filter(|(at, open)| counts(*at, *open)) {
            for option in &self.worst.valued {
                all.push(self.with(|at, word, open| match at == *which && self.worst.fits(word, option) {
                    true => vec![Word::plain(*option)],
                    false => self.emptied(word, open),
                }));
            }
        }
        all.truncate(MAX_VALUED);
        all
    }
}

/// `rm $x src`, `git clean $x`: without an option these do nothing, so one is meant.
fn loses_what_it_names(program: &str, effect: &Effect) -> bool {
    match effect {
        Effect::Delete { target, .. } => {
            program == "rm" && !matches!(target, Target::Unknown | Target::Below(_))
        }
        Effect::Discard { how, .. } => how == "git clean",
        _ => false,
    }
}

/// Whether an effect is a matter of the rules that hold everywhere: the machine, the home, our own files, the gate.
pub fn is_in_reach(effect: &Effect, place: &Place) -> bool {
    match effect {
        Effect::Format { .. } | Effect::ForkBomb | Effect::Impersonate { .. } | Effect::Bypass { .. } => true,
        Effect::Delete { target, recursive } | Effect::Write { target, recursive } => {
            let is_ours = |path| place.protected.touched_by_write(path, true).is_some();
            target.is_device()
                || (*recursive && foundation(target, place).is_some())
                || matches!(target, Target::Path(path) if is_ours(path))
        }
        Effect::Read { target } => place.protected.secret(target).is_some(),
        _ => false,
    }
}

/// A way around the gate, told as what it is: a possibility.
fn named_as_possible(effect: Effect, is_git: bool) -> Effect {
    match effect {
        Effect::Bypass { how } if is_git => {
            Effect::Bypass { how: format!("what only the shell knows here may be `{how}`") }
        }
        other => other,
    }
}
