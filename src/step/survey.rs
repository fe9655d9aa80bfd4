//! What an action would do, and what has to be known before it can be answered.

use super::effect::{Addressed, Effect, Target};
use super::fork_bomb::is_fork_bomb;
use super::path::{normal, target};
use super::place::Place;
use super::programs;
use crate::gate::Verdict;
use crate::hook::Tool;
use crate::shell::{Budget, Command, Directory, Parsed, Redirect, RedirectKind, parse};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// An action's effects, and the questions that are still open.
#[derive(Debug, Default)]
pub struct Survey {
    pub effects: Vec<Effect>,
    pub questions: Vec<Question>,
}

/// Something that only an edge can find out. Nearly every action has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// The text of a script that would run.
    Script(Utf8PathBuf),
    /// What a git command that is none of git's own stands for.
    Alias(Addressed, String),
    /// Where a path leads once links are followed.
    Real(Utf8PathBuf),
    /// Whether the session's repository is bound to the gate.
    Gated,
    /// What the gate says to something that would leave.
    Gate(Leaving),
}

/// Content that an action would send away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leaving {
    /// `git push` with these arguments.
    Push { repository: Addressed, arguments: Vec<String> },
    /// A pull request: the current branch.
    Branch { repository: Addressed },
    /// A package built from the files as they are.
    Content { repository: Addressed },
}

/// What the edges answered.
#[derive(Debug, Default)]
pub struct Known {
    pub scripts: BTreeMap<Utf8PathBuf, Option<String>>,
    pub aliases: BTreeMap<(Addressed, String), Option<String>>,
    pub real: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    pub gated: Option<bool>,
    pub gate: BTreeMap<Leaving, GateWord>,
}

/// What a door has to know about one thing that would leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateWord {
    /// The session's own repository is bound to the gate.
    pub session_gated: bool,
    /// The repository meant is bound to the gate.
    pub gated: bool,
    /// The git hook that judges what really leaves is in place.
    pub guarded: bool,
    pub verdict: Verdict,
    /// The verdict in words, with the command that mends it.
    pub words: String,
}

/// One tool call, read once however often it is looked at.
pub struct Action<'a> {
    tool: &'a Tool,
    raw_input: &'a str,
    parsed: Option<Parsed>,
}

impl<'a> Action<'a> {
    pub fn read(tool: &'a Tool, raw_input: &'a str) -> Self {
        let parsed = match tool {
            Tool::Bash { command } => Some(parse(command, &mut Budget::default())),
            Tool::Write { .. }
            | Tool::Read { .. }
            | Tool::Agent(_)
            | Tool::Skill { .. }
            | Tool::Prompting
            | Tool::Other => None,
        };
        Self { tool, raw_input, parsed }
    }
}

/// What the action would do. Called again with more in `known` until no new question comes up.
pub fn survey(action: &Action<'_>, place: &Place, known: &Known) -> Survey {
    let mut surveyor = Surveyor { place, known, survey: Survey::default(), budget: Budget::default() };
    match (action.tool, &action.parsed) {
        (Tool::Bash { command }, Some(parsed)) => surveyor.parsed(command, parsed, &place.cwd, Depth::Typed),
        (Tool::Write { path, .. }, _) => {
            let path = normal(&place.cwd.join(path));
            surveyor.effect(Effect::Write { target: Target::Path(path), recursive: false });
        }
        (Tool::Read { path }, _) => {
            let target = Target::Path(normal(&place.cwd.join(path)));
            surveyor.survey.effects.push(Effect::Read { target });
        }
        (Tool::Prompting, _) => surveyor.prompting(action.raw_input),
        (Tool::Other, _) => surveyor.other(action.raw_input),
        (Tool::Bash { .. } | Tool::Agent(_) | Tool::Skill { .. }, _) => {}
    }
    surveyor.survey
}

/// How far a text is from what the agent typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Typed,
    /// The text of an alias or a script: one level is looked into.
    Inner,
}

struct Surveyor<'a> {
    place: &'a Place,
    known: &'a Known,
    survey: Survey,
    budget: Budget,
}

impl Surveyor<'_> {
    /// The text of a script or an alias.
    fn text(&mut self, text: &str, directory: &Utf8Path) {
        let parsed = parse(text, &mut self.budget);
        self.parsed(text, &parsed, directory, Depth::Inner);
    }

    fn parsed(&mut self, text: &str, parsed: &Parsed, directory: &Utf8Path, depth: Depth) {
        if is_fork_bomb(text) {
            self.effect(Effect::ForkBomb);
        }
        if let (Some(why), Depth::Typed) = (&parsed.opaque, depth) {
            self.effect(Effect::Opaque { why: why.to_string() });
        }
        let alone = depth == Depth::Typed && parsed.is_single();
        for command in &parsed.commands {
            self.command(command, directory, alone, depth);
        }
        self.environment(parsed);
    }

    fn command(&mut self, command: &Command, directory: &Utf8Path, alone: bool, depth: Depth) {
        if command.remote {
            return; // another machine's files; what it may do there is no matter of the floor
        }
        let directory = match &command.directory {
            Directory::Same => Some(directory.to_owned()),
            Directory::Known(word) => {
                target(word, Some(directory), self.place).path().map(Utf8Path::to_owned)
            }
            Directory::Unknown => None,
        };
        for redirect in &command.redirects {
            if matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite) {
                let target = target(&redirect.target, directory.as_deref(), self.place);
                self.effect(Effect::Write { target, recursive: false });
            }
        }
        // What a program does with a file that it is given is not always known; the key is no business of any.
        let read =
            |redirect: &&Redirect| matches!(redirect.kind, RedirectKind::Read | RedirectKind::ReadWrite);
        let read = command.redirects.iter().filter(read).map(|redirect| &redirect.target);
        for word in command.arguments().iter().chain(read) {
            let target = target(word, directory.as_deref(), self.place);
            if self.place.protected.secret(&target).is_some() {
                self.effect(Effect::Read { target });
            }
        }
        if let Some(code) = &command.code {
            self.code(&code.text);
        }
        let call = programs::Call { command, directory: directory.as_deref(), place: self.place, alone };
        let programs::Meaning { effects, runs } = programs::meaning(&call);
        for effect in effects {
            self.effect(effect);
        }
        if depth == Depth::Typed {
            for inner in runs {
                self.inner(inner, directory.as_deref());
            }
        }
    }

    /// One level into what a command would run.
    fn inner(&mut self, inner: programs::Inner, directory: Option<&Utf8Path>) {
        let directory = directory.unwrap_or(&self.place.cwd).to_owned();
        match inner {
            programs::Inner::Script(path) => match self.known.scripts.get(&path) {
                Some(Some(text)) => self.text(&text.clone(), &directory),
                Some(None) => {}
                None => self.ask(Question::Script(path)),
            },
            programs::Inner::Code(path) => match self.known.scripts.get(&path) {
                Some(Some(text)) => self.code(&text.clone()),
                Some(None) => {}
                None => self.ask(Question::Script(path)),
            },
            programs::Inner::Text(text) => self.text(&text, &directory),
            programs::Inner::Alias { repository, name, arguments } => {
                match self.known.aliases.get(&(repository.clone(), name.clone())) {
                    Some(Some(text)) => self.text(&programs::expanded(text, &arguments), &directory),
                    Some(None) => {}
                    None => self.ask(Question::Alias(repository, name)),
                }
            }
        }
    }

    /// Code in another language is not interpreted; it is refused only if it both names a file of ours and writes.
    fn code(&mut self, text: &str) {
        const WRITES: [&str; 14] = [
            "write", "'w'", "\"w\"", "'a'", "\"a\"", "unlink", "remove", "rmtree", "rename", "replace(",
            "truncate", "chmod", "copy", "dump",
        ];
        let roots = [self.place.project.as_path(), self.place.home.as_path()];
        let writes = WRITES.iter().any(|word| text.contains(word));
        let protected = &self.place.protected;
        let named =
            if writes { protected.named_in(text, &roots) } else { protected.secret_named_in(text, &roots) };
        if let Some(what) = named {
            let verb = if writes { "change" } else { "read" };
            self.effect(Effect::Impersonate { how: format!("code that would {verb} {what}") });
        }
    }

    fn prompting(&mut self, raw: &str) {
        const OURS: [&str; 7] =
            ["/ship", "/review", "/plimsoll", "/recover", "/reconcile", "--override", "plimsoll "];
        if let Some(word) = OURS.iter().find(|word| raw.contains(**word)) {
            self.effect(Effect::Impersonate {
                how: format!("a prompt that nobody types and that names `{}`", word.trim()),
            });
        }
    }

    /// A tool that we do not know: refused if its name says that it writes and its input names a file of ours.
    fn other(&mut self, raw: &str) {
        if !(raw.contains(".claude") || raw.contains("plimsoll") || raw.contains(".git")) {
            return;
        }
        self.code(raw);
    }

    /// GIT_* variables that would redirect a later git command past the gate.
    fn environment(&mut self, parsed: &Parsed) {
        for assignment in parsed
            .commands
            .iter()
            .filter(|command| command.words.is_empty())
            .flat_map(|command| &command.assignments)
        {
            if programs::redirects_git(&assignment.name) {
                self.effect(Effect::Bypass { how: format!("sets {}", assignment.name) });
            }
        }
    }

    /// Takes an effect in, with the questions that its judgement will need.
    fn effect(&mut self, effect: Effect) {
        match &effect {
            Effect::Write { target: Target::Path(path), .. }
            | Effect::Delete { target: Target::Path(path), .. } => {
                let path = path.clone();
                match self.known.real.get(&path) {
                    None => self.ask(Question::Real(path.clone())),
                    Some(real) if self.place.protected.depends_on_gate(real) => self.ask_gated(),
                    Some(_) => {}
                }
                if self.place.protected.depends_on_gate(&path) {
                    self.ask_gated();
                }
            }
            Effect::Bypass { .. } => self.ask_gated(),
            Effect::Leave { what, .. } if !self.known.gate.contains_key(what) => {
                self.ask(Question::Gate(what.clone()))
            }
            Effect::Write { .. }
            | Effect::Delete { .. }
            | Effect::Read { .. }
            | Effect::Format { .. }
            | Effect::ForkBomb
            | Effect::Leave { .. }
            | Effect::Impersonate { .. }
            | Effect::Opaque { .. } => {}
        }
        self.survey.effects.push(effect);
    }

    fn ask_gated(&mut self) {
        if self.known.gated.is_none() {
            self.ask(Question::Gated);
        }
    }

    fn ask(&mut self, question: Question) {
        if !self.survey.questions.contains(&question) {
            self.survey.questions.push(question);
        }
    }
}
