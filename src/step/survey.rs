//! What an action would do, and what has to be known before it can be answered.

use super::assess::Nature;
use super::effect::{Effect, Found, Target};
use super::fingerprint::fingerprint;
use super::fork_bomb::is_fork_bomb;
use super::known::{Known, Question};
use super::path::{normal, target};
use super::place::Place;
use super::{programs, zone};
use crate::hook::Tool;
use crate::shell::{Budget, Command, Directory, Parsed, Redirect, RedirectKind, Wrapper, parse};
use camino::Utf8Path;
use std::ops::Range;

/// An action's effects, and the questions that are still open.
#[derive(Debug, Default)]
pub struct Survey {
    pub found: Vec<Found>,
    /// What the action is at its worst.
    pub nature: Nature,
    pub questions: Vec<Question>,
}

/// One tool call, read once however often it is looked at.
pub struct Action<'a> {
    tool: &'a Tool,
    name: &'a str,
    raw_input: &'a str,
    parsed: Option<Parsed>,
    /// Where the commands were not looked at again.
    family: Option<u64>,
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
        Self { name: shape(tool), tool, raw_input, parsed, family: None }
    }

    /// One whose effects are known already, and its family; the text is not parsed.
    pub fn known(tool: &'a Tool, raw_input: &'a str, family: u64) -> Self {
        Self { name: shape(tool), tool, raw_input, parsed: None, family: Some(family) }
    }

    /// With the tool's own name, which several kinds of tools share a shape under.
    #[must_use]
    pub fn called(mut self, name: &'a str) -> Self {
        self.name = name;
        self
    }

    pub fn tool_name(&self) -> &str {
        self.name
    }

    pub fn raw_input(&self) -> &str {
        self.raw_input
    }

    /// The command as typed, or the whole input of another tool.
    pub fn text(&self) -> &str {
        match self.tool {
            Tool::Bash { command } => command,
            _ => self.raw_input,
        }
    }

    pub fn is_shell(&self) -> bool {
        matches!(self.tool, Tool::Bash { .. })
    }

    /// The commands in a shell text.
    pub fn commands(&self) -> &[Command] {
        self.parsed.as_ref().map_or(&[], |parsed| &parsed.commands)
    }

    /// `family` as a number.
    pub fn family_mark(&self) -> u64 {
        self.family.unwrap_or_else(|| fingerprint(self.family().as_bytes()))
    }

    /// What the action has in common with others of its kind, as a person would call it: `git push`, `cargo test`. For a
    /// command of several parts, the first that is more than a change of directory; for another tool, its name.
    pub fn family(&self) -> String {
        let mut named = self.commands().iter().filter_map(|command| Some((command, command.program()?)));
        let Some((command, name)) = named.find(|(_, name)| *name != "cd") else {
            return self.name.to_owned();
        };
        match command.arguments().first().and_then(|word| word.literal()) {
            Some(word) if is_subcommand(word) && programs::takes_subcommands(name) => {
                format!("{name} {word}")
            }
            Some(_) | None => name.to_owned(),
        }
    }
}

/// The name that the kind of tool usually has.
fn shape(tool: &Tool) -> &'static str {
    match tool {
        Tool::Bash { .. } => "Bash",
        Tool::Write { .. } => "Write",
        Tool::Read { .. } => "Read",
        Tool::Agent(_) => "Agent",
        Tool::Skill { .. } => "Skill",
        Tool::Prompting | Tool::Other => "",
    }
}

/// A bare word of letters, as subcommands are; not a file, an option or a pattern.
fn is_subcommand(word: &str) -> bool {
    (1..=24).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b':'))
        && !word.starts_with('-')
}

/// What the action would do. Called again with more in `known` until no new question comes up.
pub fn survey(action: &Action<'_>, place: &Place, known: &Known) -> Survey {
    let mut surveyor = Surveyor::new(place, known, action.raw_input.len());
    match (action.tool, &action.parsed) {
        (Tool::Bash { command }, Some(parsed)) => surveyor.parsed(command, parsed, &place.cwd, Depth::Typed),
        (Tool::Write { path, .. }, _) => {
            let path = normal(&place.cwd.join(path));
            surveyor.effect(Effect::Write { target: Target::Path(path), recursive: false });
        }
        (Tool::Read { path }, _) => {
            let target = Target::Path(normal(&place.cwd.join(path)));
            surveyor.effect(Effect::Read { target });
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
    /// Where the effects at hand come from.
    origin: Origin,
}

#[derive(Debug, Clone)]
struct Origin {
    span: Range<usize>,
    privileged: bool,
    typed: bool,
}

impl<'a> Surveyor<'a> {
    fn new(place: &'a Place, known: &'a Known, length: usize) -> Self {
        let origin = Origin { span: 0..length, privileged: false, typed: true };
        Self { place, known, survey: Survey::default(), budget: Budget::default(), origin }
    }

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
            self.command(command, &parsed.commands, directory, alone, depth);
        }
        self.environment(parsed);
    }

    fn command(
        &mut self,
        command: &Command,
        others: &[Command],
        directory: &Utf8Path,
        alone: bool,
        depth: Depth,
    ) {
        if depth == Depth::Typed {
            let privileged = command.via.iter().any(|by| matches!(by, Wrapper::Sudo | Wrapper::Su));
            self.origin = Origin { span: command.span.clone(), privileged, typed: true };
        }
        if command.remote {
            return self.elsewhere(command, others);
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
        let call =
            programs::Call { command, others, directory: directory.as_deref(), place: self.place, alone };
        let programs::Meaning { effects, runs, nature } = programs::meaning(&call);
        self.survey.nature = self.survey.nature.max(nature);
        for effect in effects {
            self.effect(effect);
        }
        if depth == Depth::Typed {
            self.origin.typed = false;
            for inner in runs {
                self.inner(inner, directory.as_deref());
            }
        }
    }

    /// On another machine or in a container: its files are no matter of the floor, but they may matter to somebody.
    fn elsewhere(&mut self, command: &Command, others: &[Command]) {
        let call = programs::Call { command, others, directory: None, place: self.place, alone: false };
        let meaning = programs::meaning(&call);
        self.survey.nature = self.survey.nature.max(meaning.nature);
        let over_there = command.via.contains(&Wrapper::Ssh);
        for effect in meaning.effects {
            match effect {
                Effect::Delete { recursive: true, .. } | Effect::Format { .. } if over_there => {
                    let what = command.words.iter().map(|word| word.text_lossy()).collect::<Vec<_>>();
                    let what = format!("`{}` on another machine", what.join(" "));
                    self.effect(Effect::Destroy { what });
                }
                Effect::RunFetched { .. }
                | Effect::NetworkShell { .. }
                | Effect::Send { .. }
                | Effect::Destroy { .. }
                | Effect::Publish { .. }
                | Effect::ForgeWrite { .. } => self.effect(effect),
                Effect::Disrupt { .. } if over_there => self.effect(effect),
                _ => {}
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
        const OURS: [&str; 8] =
            ["/ship", "/review", "/plimsoll", "/allow ", "/recover", "/reconcile", "--override", "plimsoll "];
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
        if let Effect::Delete { target, recursive } = &effect
            && let Some(losing) = zone::losing(target, *recursive, self.place)
        {
            self.ask_loss(losing);
        }
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
            Effect::Discard { losing, .. } => self.ask_loss(losing.clone()),
            Effect::Bypass { .. } => self.ask_gated(),
            Effect::Leave { what, .. } if !self.known.gate.contains_key(what) => {
                self.ask(Question::Gate(what.clone()))
            }
            _ => {}
        }
        let Origin { span, privileged, typed } = self.origin.clone();
        self.survey.found.push(Found { effect, span, privileged, typed });
    }

    fn ask_loss(&mut self, losing: super::effect::Losing) {
        if !self.known.losses.contains_key(&losing) {
            self.ask(Question::Loss(losing));
        }
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
