//! Rules that people write: what they look at, what they say, and whether their examples hold.

use crate::hook::{Call, Tool};
use crate::shell::{Command, Directory};
use crate::step::action::Action;
use crate::step::effect::{Effect, Found, Rewrite, Target};
use crate::step::known::Known;
use crate::step::path::target;
use crate::step::place::Place;
use crate::step::protected::Protected;
use crate::step::rule::{Course, Finding, Level, RuleName};
use crate::step::survey::{Survey, survey};
use camino::Utf8Path;
use globset::GlobBuilder;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::ops::Range;

/// The rules of one file that are in force.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CustomRules {
    pub rules: Vec<CustomRule>,
    /// Rules that were left out, and why; the others hold.
    pub broken: Vec<String>,
    /// Why nobody knows which rules there are.
    pub unreadable: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CustomRule {
    pub name: String,
    pub when: When,
    pub answer: CustomAnswer,
    pub reason: String,
    /// A command that serves the same end.
    pub instead: Option<String>,
    /// For `modify`: an option, and what stands there instead.
    pub instead_option: Option<(String, String)>,
    pub hits: Vec<CustomExample>,
    pub misses: Vec<CustomExample>,
}

/// What a rule looks for. Every condition that is there must hold; of the words of one condition, any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct When {
    pub tool: Vec<String>,
    pub program: Vec<String>,
    /// Patterns for one argument of the program.
    pub argument: Vec<String>,
    /// Patterns for a file that is touched, from the project's root.
    pub path: Vec<String>,
    pub effect: Vec<String>,
    /// A piece of the command or input, or `/a regular expression/`.
    pub text: Vec<String>,
    pub agent: Vec<String>,
}

/// A rule of one's own can only tighten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CustomAnswer {
    Warn,
    Modify,
    Ask,
    Block,
}

impl CustomAnswer {
    pub const ALL: [(&'static str, Self); 4] =
        [("block", Self::Block), ("ask", Self::Ask), ("modify", Self::Modify), ("warn", Self::Warn)];

    pub fn course(self) -> Course {
        match self {
            Self::Warn => Course::Warn,
            Self::Modify => Course::Modify,
            Self::Ask => Course::Ask,
            Self::Block => Course::Block,
        }
    }
}

/// A tool and its input as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomExample {
    pub tool: String,
    pub input: String,
}

/// Words for `effect`.
pub const EFFECTS: [&str; 16] = [
    "delete", "write", "read", "format", "discard", "rewrite_remote", "run_fetched", "network_shell", "send",
    "network", "destroy", "disrupt", "expose", "publish", "forge_write", "push",
];

/// An action as the rules see it.
pub struct Subject<'a> {
    pub action: &'a Action<'a>,
    pub survey: &'a Survey,
    pub place: &'a Place,
    /// `None` for the main agent.
    pub agent: Option<&'a str>,
}

impl CustomRule {
    pub fn finding(&self, subject: &Subject<'_>) -> Option<Finding> {
        let span = self.when.place_in(subject)?;
        Some(Finding {
            rule: RuleName::Custom(self.name.clone()),
            level: Level::Step,
            course: self.answer.course(),
            reason: self.reason.clone(),
            alternative: self.instead.clone(),
            instead: None,
            span,
        })
    }

    pub fn rewrite(&self) -> Option<Rewrite> {
        Some(Rewrite { replace: vec![self.instead_option.clone()?] })
    }

    /// What does not hold: a pattern that cannot be read, an example that shows the contrary.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = self.when.faults();
        if !faults.is_empty() {
            return faults;
        }
        for (examples, wanted) in [(&self.hits, true), (&self.misses, false)] {
            for example in examples {
                match self.speaks_at(example) {
                    None => faults.push(format!("`{}` is no input of {}", example.input, example.tool)),
                    Some(spoke) if spoke == wanted => {}
                    Some(true) => faults.push(format!("speaks at its miss `{}`", example.shown())),
                    Some(false) => faults.push(format!("silent at its hit `{}`", example.shown())),
                }
            }
        }
        faults
    }

    /// Judged in a project of its own; effects show before any question about them is answered.
    fn speaks_at(&self, example: &CustomExample) -> Option<bool> {
        let place = Place {
            project: "/home/user/project".into(),
            cwd: "/home/user/project".into(),
            home: "/home/user".into(),
            protected: Protected::default(),
        };
        let raw = RawValue::from_string(example.input.clone()).ok()?;
        let tool = Tool::parse(&Call { tool: example.tool.clone(), input: &raw, id: String::new() })?;
        let action = Action::read(&tool, &example.input).called(&example.tool);
        let survey = survey(&action, &place, &Known::default());
        let agent = self.when.agent.first().map(String::as_str).filter(|agent| *agent != MAIN);
        Some(
            self.when.place_in(&Subject { action: &action, survey: &survey, place: &place, agent }).is_some(),
        )
    }
}

/// What the main agent is called in conditions.
pub const MAIN: &str = "main";

impl When {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Which part of the action the conditions hold for.
    fn place_in(&self, subject: &Subject<'_>) -> Option<Range<usize>> {
        let action = subject.action;
        let named = |words: &[String], name: &str| words.is_empty() || words.iter().any(|word| word == name);
        let text = action.text();
        if !named(&self.tool, action.tool_name())
            || !named(&self.agent, subject.agent.unwrap_or(MAIN))
            || !(self.text.is_empty() || self.text.iter().any(|wanted| says(text, wanted)))
        {
            return None;
        }
        let by_command = !self.program.is_empty() || !self.argument.is_empty();
        if !by_command {
            let whole = 0..text.len();
            return self.touches(subject, None).then_some(whole);
        }
        let commands = action.commands();
        let hit = commands.iter().find(|command| {
            named(&self.program, command.program().unwrap_or_default())
                && self.has_argument(command)
                && self.touches(subject, Some(command))
        });
        hit.map(|command| command.span.clone())
    }

    fn has_argument(&self, command: &Command) -> bool {
        self.argument.is_empty()
            || command.arguments().iter().any(|word| {
                let text = word.text_lossy();
                self.argument.iter().any(|pattern| matches(pattern, &text, false))
            })
    }

    /// Effects and paths: of one command, or of the whole action.
    fn touches(&self, subject: &Subject<'_>, command: Option<&Command>) -> bool {
        if self.effect.is_empty() && self.path.is_empty() {
            return true;
        }
        let found = subject.survey.found.iter();
        let mut found = found.filter(|found| command.is_none_or(|command| command.span == found.span));
        let by_effect = found.any(|found| {
            (self.effect.is_empty() || self.effect.iter().any(|word| word == name(&found.effect)))
                && (self.path.is_empty()
                    || hit(found).is_some_and(|target| self.covers(target, subject.place)))
        });
        by_effect || (self.effect.is_empty() && self.named_by_argument(subject, command))
    }

    /// A path that a command is given counts as touched, whatever the command does with it.
    fn named_by_argument(&self, subject: &Subject<'_>, command: Option<&Command>) -> bool {
        let place = subject.place;
        let commands = match command {
            Some(command) => std::slice::from_ref(command),
            None => subject.action.commands(),
        };
        commands.iter().any(|command| {
            let directory = match &command.directory {
                Directory::Same => Some(place.cwd.clone()),
                Directory::Known(word) => {
                    target(word, Some(&place.cwd), place).path().map(Utf8Path::to_owned)
                }
                Directory::Unknown => None,
            };
            let mut words = command.arguments().iter();
            words.any(|word| self.covers(&target(word, directory.as_deref(), place), place))
        })
    }

    fn covers(&self, target: &Target, place: &Place) -> bool {
        let (Target::Path(path) | Target::Inside(path) | Target::Below(path)) = target else { return false };
        let relative = path.strip_prefix(&place.project).unwrap_or(path);
        self.path.iter().any(|pattern| {
            let at = if pattern.starts_with('/') { path.as_path() } else { relative };
            at.ancestors().any(|path| !path.as_str().is_empty() && matches(pattern, path.as_str(), true))
        })
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for pattern in self.argument.iter().chain(&self.path) {
            if let Err(error) = GlobBuilder::new(pattern).build() {
                faults.push(format!("pattern `{pattern}`: {}", error.kind()));
            }
        }
        for text in &self.text {
            if let Some(Err(error)) = expression(text).map(regex::Regex::new) {
                let last = error.to_string().lines().last().unwrap_or_default().to_owned();
                faults.push(format!("expression `{text}`: {}", last.trim()));
            }
        }
        for word in &self.effect {
            if !EFFECTS.contains(&word.as_str()) {
                faults.push(format!("unknown effect `{word}`; known are {}", EFFECTS.join(", ")));
            }
        }
        faults
    }
}

impl CustomExample {
    pub fn shell(command: &str) -> Self {
        Self { tool: "Bash".into(), input: serde_json::json!({ "command": command }).to_string() }
    }

    fn shown(&self) -> String {
        let command = serde_json::from_str::<serde_json::Value>(&self.input).ok();
        let command = command.as_ref().and_then(|input| input.get("command")?.as_str());
        command.map_or_else(|| format!("{} {}", self.tool, self.input), str::to_owned)
    }
}

/// Checked at load; one that cannot be read all the same counts as a hit, since it could not be checked.
fn says(text: &str, wanted: &str) -> bool {
    match expression(wanted) {
        Some(expression) => regex::Regex::new(expression).map_or(true, |regex| regex.is_match(text)),
        None => text.contains(wanted),
    }
}

fn expression(text: &str) -> Option<&str> {
    text.strip_prefix('/')?.strip_suffix('/').filter(|inner| !inner.is_empty())
}

fn matches(pattern: &str, text: &str, is_path: bool) -> bool {
    let glob = GlobBuilder::new(pattern).literal_separator(is_path).build();
    glob.map_or(true, |glob| glob.compile_matcher().is_match(text))
}

fn hit(found: &Found) -> Option<&Target> {
    match &found.effect {
        Effect::Delete { target, .. } | Effect::Write { target, .. } | Effect::Read { target } => {
            Some(target)
        }
        _ => None,
    }
}

fn name(effect: &Effect) -> &'static str {
    match effect {
        Effect::Delete { .. } => "delete",
        Effect::Write { .. } | Effect::SecretContent { .. } => "write",
        Effect::Read { .. } => "read",
        Effect::Format { .. } => "format",
        Effect::Discard { .. } => "discard",
        Effect::RewriteRemote { .. } => "rewrite_remote",
        Effect::RunFetched { .. } => "run_fetched",
        Effect::NetworkShell { .. } => "network_shell",
        Effect::Send { .. } => "send",
        Effect::Network { .. } => "network",
        Effect::Destroy { .. } => "destroy",
        Effect::Disrupt { .. } => "disrupt",
        Effect::Expose { .. } => "expose",
        Effect::Publish { .. } => "publish",
        Effect::ForgeWrite { .. } => "forge_write",
        Effect::Leave { .. } => "push",
        Effect::Later { effect, .. } => name(effect),
        // A write says the same, and stands beside each of the two.
        Effect::Replace { .. } | Effect::Merge { .. } => "",
        Effect::ForkBomb | Effect::Bypass { .. } | Effect::Impersonate { .. } | Effect::Opaque { .. } => "",
    }
}
