//! The effects of a tool call, and the questions that must be answered before the decision.

mod findings;
mod gate;
mod inner_text;

use super::action::Action;
use super::assessment::Nature;
use super::effect::{Effect, FoundEffect, Target};
use super::fork_bomb::is_fork_bomb;
use super::known::{Known, Question};
use super::path::target;
use super::place::Place;
use super::sessions::Sweep;
use super::text_map::{PathSet, TextSet};
use super::zone::lies_below;
use super::{code, programs, tools};
use crate::pure::client::Tool;
use crate::pure::dataflow::Graph;
use crate::pure::shell::{
    Budget, Code, Command, Directory, Opaque, Parsed, Reading, Redirect, RedirectKind, Word, WordPart,
    Wrapper, parse, parse_code,
};
use camino::{Utf8Path, Utf8PathBuf};
use findings::Origin;
use std::cell::OnceCell;
use std::ops::Range;

/// An alias may stand for another one up to this depth.
const MOST_ALIASES: usize = 4;

/// The effects of a tool call, and the open questions.
#[derive(Debug, Default)]
pub struct Survey {
    pub found: Vec<FoundEffect>,
    /// The worst nature of the call's programs.
    pub nature: Nature,
    /// The call may overwrite files that no effect names.
    pub rewrites: bool,
    pub questions: Vec<Question>,
    /// Changes that the call takes along, whoever made them.
    pub sweeps: Vec<Sweep>,
    /// Files that it appends to.
    pub appended: Vec<Utf8PathBuf>,
    /// Source and destination of what it moves or links.
    pub renamed: Vec<(Utf8PathBuf, Utf8PathBuf)>,
    /// The parser left a text unread, so the survey may be incomplete.
    pub unread: bool,
}

/// Surveys a tool call. Called again with more in `known` until no new question comes up.
pub(crate) fn survey(action: &Action<'_>, place: &Place, known: &Known) -> Survey {
    let mut surveyor = Surveyor::new(place, known, action.raw_input().len(), action.reading);
    match (action.tool, &action.parsed) {
        (Tool::Bash { command }, Some(parsed)) => {
            surveyor.parsed(command, parsed, &place.cwd, Depth::Typed);
            if leaves_sandbox(action.raw_input()) {
                surveyor.origin = Origin::of_whole(surveyor.whole.clone());
                surveyor.effect(Effect::Expose { what: "run outside the client's sandbox".into() });
            }
        }
        (tool, _) => tools::survey(tool, &mut surveyor),
    }
    surveyor.survey.unread |= action.unread || surveyor.budget.left_unread();
    surveyor.survey
}

/// Whether the agent typed a text itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Typed,
    /// The text of an alias or a script. Only one level is read.
    Inner,
}

/// A text whose commands are surveyed one after the other.
struct Text<'t> {
    text: &'t str,
    commands: &'t [Command],
    directory: &'t Utf8Path,
    depth: Depth,
    /// It is the only command of the tool call.
    alone: bool,
    graph: OnceCell<Graph>,
}

impl<'t> Text<'t> {
    fn new(text: &'t str, parsed: &'t Parsed, directory: &'t Utf8Path, depth: Depth) -> Self {
        let alone = depth == Depth::Typed && parsed.is_single();
        Self { text, commands: &parsed.commands, directory, depth, alone, graph: OnceCell::new() }
    }

    fn call<'c>(
        &'c self,
        command: &'c Command,
        directory: Option<&'c Utf8Path>,
        place: &'c Place,
    ) -> programs::ShellCall<'c> {
        let Self { text, commands: others, alone, ref graph, .. } = *self;
        programs::ShellCall { command, listed: command, text, others, graph, directory, place, alone }
    }
}

/// Collects effects and questions.
pub(super) struct Surveyor<'a> {
    pub(super) place: &'a Place,
    pub(super) known: &'a Known,
    pub(super) survey: Survey,
    budget: Budget,
    whole: Range<usize>,
    asked: PathSet<Question>,
    /// Questions about paths and scripts, which are many.
    asked_paths: TextSet,
    asked_scripts: TextSet,
    /// The origin of the effects that are found next.
    origin: Origin,
    /// Aliases of aliases that are being read.
    aliases: usize,
    /// The depth of the text that is being read below the first inner one.
    nested: usize,
    /// How many such texts were read.
    followed: usize,
}

impl<'a> Surveyor<'a> {
    fn new(place: &'a Place, known: &'a Known, length: usize, reading: Reading) -> Self {
        let whole = 0..length;
        let origin = Origin::of_whole(whole.clone());
        Self {
            place,
            known,
            survey: Survey::default(),
            budget: Budget::for_reading(reading),
            asked: PathSet::default(),
            asked_paths: TextSet::default(),
            asked_scripts: TextSet::default(),
            whole,
            origin,
            aliases: 0,
            nested: 0,
            followed: 0,
        }
    }

    /// A command in the input of a tool other than Bash.
    pub(super) fn add_command(&mut self, text: &str) {
        let (parsed, directory) = (parse(text, &mut self.budget), self.place.cwd.clone());
        self.parsed(text, &parsed, &directory, Depth::Typed);
        self.origin = Origin::of_whole(self.whole.clone());
    }

    /// A text that may be a command: a part that cannot be parsed does not count.
    pub(super) fn add_possible_command(&mut self, text: &str) {
        let (parsed, directory) = (parse(text, &mut self.budget), self.place.cwd.clone());
        self.parsed(text, &parsed, &directory, Depth::Inner);
    }

    /// The effects of a script that is only written now. It raises no questions.
    pub(super) fn later_effects(&mut self, text: &str) -> Vec<Effect> {
        let mut inner = Surveyor::new(self.place, self.known, text.len(), self.budget.reading());
        inner.text(text, &self.place.project, None);
        self.survey.unread |= inner.budget.left_unread();
        inner.survey.found.into_iter().map(|found| found.effect).collect()
    }

    /// The same of a text that another shell reads, which is one level deeper.
    pub(super) fn later_command(&mut self, text: &str) -> Vec<Effect> {
        let mut inner = Surveyor::new(self.place, self.known, text.len(), self.budget.reading());
        inner.add_command(text);
        self.survey.unread |= inner.budget.left_unread();
        inner.survey.found.into_iter().map(|found| found.effect).collect()
    }

    /// The same of a program in another language.
    pub(super) fn later_program(&mut self, code: Code) -> Vec<Effect> {
        let mut inner = Surveyor::new(self.place, self.known, code.text.len(), self.budget.reading());
        inner.add_program(&code, &self.place.project);
        self.survey.unread |= inner.budget.left_unread();
        inner.survey.found.into_iter().map(|found| found.effect).collect()
    }

    /// A program in another language: its own effects and those of the commands that it starts.
    pub(super) fn add_program(&mut self, code: &Code, directory: &Utf8Path) {
        for effect in code::effects(code, Some(directory), self.place) {
            self.effect(effect);
        }
        let parsed = parse_code(code, &mut self.budget);
        let whole = Text::new(&code.text, &parsed, directory, Depth::Inner);
        for command in &parsed.commands {
            self.command(command, &whole);
        }
    }

    fn parsed(&mut self, text: &str, parsed: &Parsed, directory: &Utf8Path, depth: Depth) {
        if parsed.multiplies || is_fork_bomb(text) {
            self.effect(Effect::ForkBomb);
        }
        // The shell runs nothing of an unfinished command; the lines before it are listed.
        let opaque = parsed.opaque.filter(|why| *why != Opaque::Unfinished);
        if let (Some(why), Depth::Typed) = (&opaque, depth) {
            self.effect(Effect::Opaque { why: why.to_string() });
        }
        let whole = Text::new(text, parsed, directory, depth);
        for command in &parsed.commands {
            self.command(command, &whole);
        }
        self.environment(parsed);
        self.near_gate(&whole);
    }

    fn command(&mut self, command: &Command, whole: &Text<'_>) {
        if whole.depth == Depth::Typed {
            let privileged = command.via.iter().any(|by| matches!(by, Wrapper::Sudo | Wrapper::Su));
            self.origin = Origin { span: command.span.clone(), privileged, typed: true, inside: None };
        }
        if command.remote {
            if !command.is_possible() {
                self.elsewhere(command, whole);
            }
            return;
        }
        let entered;
        let directory = match &command.directory {
            Directory::Same => Some(whole.directory),
            Directory::Known(word) => {
                entered = target(word, Some(whole.directory), self.place);
                entered.path()
            }
            Directory::Unknown => None,
        };
        if command.is_possible() {
            return self.possible(command, directory, whole);
        }
        for redirect in &command.redirects {
            if matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite) {
                let target = target(&redirect.target, directory, self.place);
                if redirect.kind == RedirectKind::Write
                    && programs::prints_nothing(command, whole.text)
                    && !target.path().is_some_and(|path| lies_below(path, "/dev"))
                {
                    self.effect(Effect::Delete { target: target.clone(), recursive: false });
                }
                if redirect.kind == RedirectKind::Write
                    && let Some(lost) = programs::lost_by_overwriting(&target, self.place)
                {
                    self.effect(lost);
                }
                match (&redirect.kind, &target) {
                    (RedirectKind::Append, Target::Path(path)) => self.survey.appended.push(path.clone()),
                    (RedirectKind::Append, _) => {}
                    _ => self.effect(Effect::Replace { target: target.clone() }),
                }
                let write = Effect::Write { target, recursive: false };
                self.places(std::slice::from_ref(&write), whole);
                self.effect(write);
            }
        }
        // Not every program's use of its arguments is known, but no program needs the seal key.
        let read =
            |redirect: &&Redirect| matches!(redirect.kind, RedirectKind::Read | RedirectKind::ReadWrite);
        let read = command.redirects.iter().filter(read).map(|redirect| &redirect.target);
        for word in command.arguments().iter().chain(read).filter(|word| may_name_the_key(word)) {
            let target = target(word, directory, self.place);
            if self.place.protected.secret(&target).is_some() {
                self.effect(Effect::Read { target });
            }
        }
        if let Some(code) = &command.code {
            for effect in code::effects(code, directory, self.place) {
                self.effect(effect);
            }
        }
        let programs::Meaning { effects, runs, may_run, nature, rewrites, renamed, sweeps, arrivals } =
            programs::meaning(&whole.call(command, directory, self.place));
        arrivals.iter().for_each(|path| self.arrival(path));
        self.survey.nature = self.survey.nature.max(nature);
        self.survey.rewrites |= rewrites;
        self.places(&effects, whole);
        let replaces = |effect: &Effect| matches!(effect, Effect::Replace { .. } | Effect::Delete { .. });
        let missing =
            effects.iter().any(replaces).then(|| programs::missing_before(command, whole.text)).flatten();
        let missing = missing.map(|file| target(&Word::plain(file), directory, self.place));
        for effect in effects {
            let target = match &effect {
                Effect::Replace { target } | Effect::Delete { target, recursive: false } => Some(target),
                _ => None,
            };
            if target.is_none() || target != missing.as_ref() {
                self.effect(effect);
            }
        }
        self.survey.renamed.extend(renamed);
        let span = || self.origin.span.clone();
        self.survey.sweeps.extend(sweeps.into_iter().map(|sweep| Sweep { span: span(), ..sweep }));
        if whole.depth == Depth::Inner && self.aliases < MOST_ALIASES {
            self.aliases += 1;
            let (aliases, others): (Vec<_>, Vec<_>) =
                runs.into_iter().partition(|inner| matches!(inner, programs::InnerText::Alias { .. }));
            for inner in aliases {
                self.inner(inner, directory);
            }
            self.aliases -= 1;
            self.nested(others, directory);
        } else if whole.depth == Depth::Typed {
            self.origin.typed = false;
            for inner in runs {
                self.inner(inner, directory);
            }
            for text in may_run {
                self.possible_text(&text, directory);
            }
            self.origin.inside = None;
        }
    }

    /// Places that matter to the gate beyond the protected files.
    fn places(&mut self, effects: &[Effect], whole: &Text<'_>) {
        self.unknown_place(effects, whole);
        self.client_files(effects, whole);
        effects.iter().for_each(|effect| self.bare_repository_write(effect));
    }

    /// A text that runs only if the shell expands unknown words to it.
    fn possible_text(&mut self, text: &str, directory: Option<&Utf8Path>) {
        let mut parsed = parse(text, &mut self.budget);
        parsed.commands.iter_mut().for_each(|command| command.via.push(Wrapper::Possible));
        let directory = directory.unwrap_or(&self.place.cwd);
        let whole = Text::new(text, &parsed, directory, Depth::Inner);
        for command in &parsed.commands {
            self.command(command, &whole);
        }
    }

    /// A command that runs only if the shell expands unknown words to it: only effects within reach of the floor count.
    fn possible(&mut self, command: &Command, directory: Option<&Utf8Path>, whole: &Text<'_>) {
        let place = self.place;
        let call = programs::ShellCall { alone: false, ..whole.call(command, directory, place) };
        let code = command.code.iter().flat_map(|code| code::effects(code, directory, place));
        let found = programs::meaning(&call).effects.into_iter().chain(code);
        for effect in found.filter(|effect| programs::is_in_reach(effect, place)) {
            self.effect(effect);
        }
    }

    /// A command on another machine or in a container. The floor does not cover those files, but other rules do.
    fn elsewhere(&mut self, command: &Command, whole: &Text<'_>) {
        let container = programs::Inside::of(command, whole.commands, self.place);
        let call = whole.call(command, container.directory.as_deref(), self.place);
        let meaning = programs::meaning(&programs::ShellCall { alone: false, ..call });
        let written =
            command.redirected(&[RedirectKind::Write, RedirectKind::Append, RedirectKind::ReadWrite]);
        for word in written {
            if let Some(target) = container.here(&target(word, container.directory.as_deref(), self.place)) {
                self.effect(Effect::Write { target, recursive: false });
            }
        }
        self.survey.nature = self.survey.nature.max(meaning.nature);
        let over_there = command.via.contains(&Wrapper::Ssh);
        // A container may have the project mounted.
        self.survey.rewrites |=
            !over_there && (meaning.nature != Nature::Read || !command.redirects.is_empty());
        for effect in meaning.effects {
            match effect {
                Effect::Delete { target, recursive } => match container.here(&target) {
                    Some(target) => self.effect(Effect::Delete { target, recursive }),
                    None if recursive && container.keeps(&target) => {
                        self.effect(Effect::Destroy { what: description(command) });
                    }
                    None => {}
                },
                Effect::Read { target } => {
                    if let Some(target) = container.read_here(&target) {
                        self.effect(Effect::Read { target });
                    }
                }
                Effect::Write { target, recursive } => {
                    if let Some(target) = container.here(&target) {
                        self.effect(Effect::Write { target, recursive });
                    }
                }
                Effect::Format { .. } if over_there => {
                    self.effect(Effect::Destroy { what: description(command) });
                }
                Effect::Destroy { .. } if container.is_for_tests => {}
                Effect::RunFetched { .. }
                | Effect::NetworkShell { .. }
                | Effect::Send { .. }
                | Effect::Destroy { .. }
                | Effect::Publish { .. }
                | Effect::ForgeWrite { .. } => self.effect(effect),
                Effect::Disrupt { .. } | Effect::Expose { .. } if over_there => self.effect(effect),
                _ => {}
            }
        }
    }

    /// A text that may be code: it is refused if it names a protected file and writes.
    pub(super) fn add_code(&mut self, text: &str) {
        if let Some(effect) = code::own_files(text, self.place) {
            self.effect(effect);
        }
    }

    /// GIT_* variables that would redirect a later git command past the gate.
    fn environment(&mut self, parsed: &Parsed) {
        let bare = parsed.commands.iter().filter(|command| command.words.is_empty());
        for assignment in bare.flat_map(|command| &command.assignments) {
            if programs::redirects_git(&assignment.name) {
                self.effect(Effect::Bypass { how: format!("sets {}", assignment.name) });
            }
        }
    }
}

/// Whether a word can name the seal key. A cheap test, since resolving every word costs more than parsing.
fn may_name_the_key(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        WordPart::Literal(text) => text.as_bytes().windows(4).any(|four| four == b"seal"),
        WordPart::Glob(_) => true,
        _ => false,
    })
}

/// Whether the call asks the client to leave its sandbox. Nearly no input has the name.
fn leaves_sandbox(input: &str) -> bool {
    const NAME: &str = "\"dangerouslyDisableSandbox\"";
    let value =
        memchr::memmem::find(input.as_bytes(), NAME.as_bytes()).and_then(|at| input.get(at + NAME.len()..));
    value.is_some_and(|value| value.trim_start_matches([':', ' ', '\n', '\t']).starts_with("true"))
}

/// A command that runs elsewhere, for messages.
fn description(command: &Command) -> String {
    let words: Vec<_> = command.words.iter().map(|word| word.text_lossy()).collect();
    let words: String = words.join(" ").chars().take(80).collect();
    let place = if command.via.contains(&Wrapper::Ssh) { "on another machine" } else { "in a container" };
    format!("`{words}` {place}")
}
