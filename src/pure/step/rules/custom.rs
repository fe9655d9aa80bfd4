//! Rules that people write: conditions, findings, and the check of their examples.

use crate::pure::client::{Tool, ToolCall};
use crate::pure::shell::{Command, Directory};
use crate::pure::step::Decision;
use crate::pure::step::action::Action;
use crate::pure::step::effect::{Effect, FoundEffect, Rewrite, Target};
use crate::pure::step::known::Known;
use crate::pure::step::path::target;
use crate::pure::step::place::Place;
use crate::pure::step::protected::Protected;
use crate::pure::step::rule::{Level, RuleFinding, RuleName};
use crate::pure::step::survey::{Survey, survey};
use camino::Utf8Path;
use globset::GlobBuilder;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::ops::Range;

/// The rules of one file that are in force.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CustomRules {
    pub rules: Vec<CustomRule>,
    /// Why rules were left out; the others are in force.
    pub broken: Vec<String>,
    /// Why the file could not be read.
    pub unreadable: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CustomRule {
    pub name: String,
    pub when: When,
    /// Never `Silent`: a rule that people write can only tighten.
    pub answer: Decision,
    pub reason: String,
    /// A command with the same purpose.
    pub instead: Option<String>,
    /// For `modify`: an option and its replacement.
    pub instead_option: Option<(String, String)>,
    pub hits: Vec<CustomExample>,
    pub misses: Vec<CustomExample>,
}

/// The conditions of a rule. All of them must hold; of the words of one condition, any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct When {
    pub tool: Vec<String>,
    pub program: Vec<String>,
    /// Patterns for one argument of the program.
    pub argument: Vec<String>,
    /// Patterns for a file that the call touches, relative to the project.
    pub path: Vec<String>,
    pub effect: Vec<String>,
    /// A piece of the command or input, or `/a regular expression/`.
    pub text: Vec<String>,
    pub agent: Vec<String>,
}

/// A tool and its input as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomExample {
    pub tool: String,
    pub input: String,
}

/// Words for `effect`.
pub(crate) const EFFECTS: [&str; 16] = [
    "delete", "write", "read", "format", "discard", "rewrite_remote", "run_fetched", "network_shell", "send",
    "network", "destroy", "disrupt", "expose", "publish", "forge_write", "push",
];

/// The input of the conditions.
pub struct Subject<'a> {
    pub action: &'a Action<'a>,
    pub survey: &'a Survey,
    pub place: &'a Place,
    /// `None` for the main agent.
    pub agent: Option<&'a str>,
}

impl CustomRule {
    pub fn finding(&self, subject: &Subject<'_>) -> Option<RuleFinding> {
        let span = self.when.matching_span(subject)?;
        Some(RuleFinding {
            rule: RuleName::Custom(self.name.clone()),
            level: Level::Step,
            decision: self.answer,
            reason: self.reason.clone(),
            alternative: self.instead.clone(),
            instead: None,
            span,
        })
    }

    pub fn rewrite(&self) -> Option<Rewrite> {
        Some(Rewrite { replace: vec![self.instead_option.clone()?] })
    }

    /// Invalid patterns, or examples that the rule judges otherwise.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = self.when.faults();
        if !faults.is_empty() {
            return faults;
        }
        for (examples, wanted) in [(&self.hits, true), (&self.misses, false)] {
            for example in examples {
                match self.applies_to(example) {
                    None => faults.push(format!("`{}` is not an input of {}", example.input, example.tool)),
                    Some(spoke) if spoke == wanted => {}
                    Some(true) => faults.push(format!("matches its miss `{}`", example.shown())),
                    Some(false) => faults.push(format!("does not match its hit `{}`", example.shown())),
                }
            }
        }
        faults
    }

    /// Judged in a fixed project; the effects are known without answers to questions.
    fn applies_to(&self, example: &CustomExample) -> Option<bool> {
        let place = Place {
            project: "/home/user/project".into(),
            cwd: "/home/user/project".into(),
            home: "/home/user".into(),
            protected: Protected::default(),
        };
        let raw = RawValue::from_string(example.input.clone()).ok()?;
        let tool = Tool::parse(&ToolCall { tool: example.tool.clone(), input: &raw, id: String::new() })?;
        let action = Action::read(&tool, &example.input).with_name(&example.tool);
        let survey = survey(&action, &place, &Known::default());
        let agent = self.when.agent.first().map(String::as_str).filter(|agent| *agent != MAIN);
        Some(
            self.when
                .matching_span(&Subject { action: &action, survey: &survey, place: &place, agent })
                .is_some(),
        )
    }
}

/// The name of the main agent in conditions.
pub(crate) const MAIN: &str = "main";

impl When {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The part of the text for which all conditions hold.
    fn matching_span(&self, subject: &Subject<'_>) -> Option<Range<usize>> {
        let action = subject.action;
        let named = |words: &[String], name: &str| words.is_empty() || words.iter().any(|word| word == name);
        let text = action.text();
        if !named(&self.tool, action.tool_name())
            || !named(&self.agent, subject.agent.unwrap_or(MAIN))
            || !(self.text.is_empty() || self.text.iter().any(|wanted| text_matches(text, wanted)))
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

    /// Effects and paths of one command, or of the whole call.
    fn touches(&self, subject: &Subject<'_>, command: Option<&Command>) -> bool {
        if self.effect.is_empty() && self.path.is_empty() {
            return true;
        }
        let found = subject.survey.found.iter();
        let mut found = found.filter(|found| command.is_none_or(|command| command.span == found.span));
        let by_effect = found.any(|found| {
            (self.effect.is_empty() || self.effect.iter().any(|word| word == effect_name(&found.effect)))
                && (self.path.is_empty()
                    || target_of(found).is_some_and(|target| self.covers(target, subject.place)))
        });
        by_effect || (self.effect.is_empty() && self.named_by_argument(subject, command))
    }

    /// A path among a command's arguments counts as touched, whatever the command does with it.
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

/// An invalid expression counts as a match; expressions are checked when the file is loaded.
fn text_matches(text: &str, wanted: &str) -> bool {
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

fn target_of(found: &FoundEffect) -> Option<&Target> {
    match &found.effect {
        Effect::Delete { target, .. } | Effect::Write { target, .. } | Effect::Read { target } => {
            Some(target)
        }
        _ => None,
    }
}

fn effect_name(effect: &Effect) -> &'static str {
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
        Effect::Reveal { .. } => "reveal",
        Effect::Publish { .. } => "publish",
        Effect::ForgeWrite { .. } => "forge_write",
        Effect::Leave { .. } => "push",
        Effect::Later { effect, .. } => effect_name(effect),
        // A write with the same target is recorded beside each of the two.
        Effect::Replace { .. } | Effect::Merge { .. } => "",
        Effect::ForkBomb
        | Effect::Bypass { .. }
        | Effect::PossibleBypass { .. }
        | Effect::Impersonate { .. }
        | Effect::Opaque { .. } => "",
    }
}
