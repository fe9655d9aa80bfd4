//! Everything that leads to the decision on one tool call, as text or JSON.

use super::assessment;
use super::effects::{effect, leaving, losing};
use super::hook_answer::line;
use super::snippet::snippet;
use crate::pure::shell::{Command, Directory, Parsed, Wrapper};
use crate::pure::step::{
    Addressed, Assessment, Decision, FoundEffect, Known, Level, Loss, RuleFinding, StepDecision, Survey,
};
use crate::pure::text::{Tone, bold, counted, list, printable};
use camino::Utf8PathBuf;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

const WIDTH: usize = 100;
const MOST_SHOWN: usize = 20;

/// The whole chain. Fields are only ever added.
#[derive(Debug, Default, Serialize)]
pub struct Explanation {
    pub tool: String,
    /// The command, or the tool's input as JSON; spans point into it.
    pub text: String,
    pub cwd: String,
    pub project: String,
    /// Problems that keep the explanation incomplete: unreadable settings, no repository.
    pub remarks: Vec<String>,
    /// silent, context, rewrite, ask or deny.
    pub answer: Decision,
    pub commands: Vec<ExplainedCommand>,
    pub effects: Vec<ExplainedEffect>,
    /// The answers of files, git and the gate.
    pub looked_up: Vec<LookedUp>,
    /// The rules in force that spoke, the firmest first.
    pub rules: Vec<ExplainedRule>,
    /// Findings of rules that are only noted here.
    pub noted: Vec<ExplainedRule>,
    #[serde(serialize_with = "assessment::serialize")]
    pub assessment: Option<Assessment>,
}

/// One simple command that the text would run.
#[derive(Debug, Serialize)]
pub struct ExplainedCommand {
    pub command: String,
    /// The unwrapped wrappers, the outermost first.
    pub through: Vec<String>,
    /// Where it runs, if not where the step starts.
    pub directory: Option<String>,
    /// It runs on another machine or in a container.
    pub elsewhere: bool,
    pub span: Range<usize>,
}

#[derive(Debug, Serialize)]
pub struct ExplainedEffect {
    pub kind: &'static str,
    pub what: String,
    /// With another user's rights.
    pub privileged: bool,
    /// In the text itself, and not in a script, an alias or a recipe that it runs.
    pub typed: bool,
    pub span: Range<usize>,
}

#[derive(Debug, Serialize)]
pub struct LookedUp {
    pub about: String,
    pub answer: String,
}

#[derive(Debug, Serialize)]
pub struct ExplainedRule {
    pub rule: String,
    /// floor, gate or step.
    pub level: &'static str,
    pub answer: Decision,
    pub reason: String,
    /// A command that serves the same end and passes.
    pub alternative: Option<String>,
    /// The input that the tool is given instead.
    pub instead: Option<String>,
    pub span: Range<usize>,
}

impl Explanation {
    /// Of a call whose input does not have the tool's own shape.
    pub fn of_unreadable_call(mut self) -> Self {
        self.answer = Decision::Ask;
        self.remarks.push("the input does not fit this tool, so the user is asked".into());
        self
    }

    pub fn new(tool: &str, text: &str, cwd: &str, project: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            text: text.to_owned(),
            cwd: cwd.to_owned(),
            project: project.to_owned(),
            ..Self::default()
        }
    }

    pub fn with_commands(mut self, parsed: &Parsed) -> Self {
        self.commands =
            parsed.commands.iter().filter(|command| !command.words.is_empty()).map(command).collect();
        self
    }

    pub fn with_survey(mut self, survey: &Survey, known: &Known) -> Self {
        self.effects = survey.found.iter().map(explained).collect();
        self.looked_up = looked_up(known);
        self
    }

    pub fn with_decision(mut self, decision: StepDecision) -> Self {
        self.answer = decision.decision;
        self.rules = decision.findings.iter().map(rule).collect();
        self.noted = decision.noted.iter().map(rule).collect();
        self.assessment = decision.assessment;
        self
    }

    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// The answer, its reason, the part of the text that it is about, and what to do: six lines at most.
    pub fn short_text(&self) -> String {
        let mut text = self.verdict();
        let (firmest, others) = match (self.rules.split_first(), self.noted.split_first()) {
            (Some((first, others)), _) => (Some((first, "")), others),
            (None, Some((first, others))) => (Some((first, "only noted, ")), others),
            (None, None) => (None, &[][..]),
        };
        if let Some((rule, noted)) = firmest {
            let _ = writeln!(text, "  {noted}{}: {}", rule.rule, line(&rule.reason, 3 * WIDTH));
            for (line, marks) in snippet(&self.text, &rule.span, WIDTH).into_iter().take(1) {
                let _ = write!(text, "  {line}\n  {}\n", Tone::Bad.paint(&marks));
            }
            if let Some(advice) = rule.advice(self.answer) {
                let _ = writeln!(text, "  {} {advice}", bold("do:"));
            }
        }
        let also: Vec<String> =
            others.iter().map(|rule| format!("{} ({})", rule.rule, rule.answer.as_str())).collect();
        let also = (!also.is_empty()).then(|| format!("also: {}", list(&also, 3)));
        let notes = self.remarks.iter().map(|remark| format!("note: {}", printable(remark)));
        let last: Vec<String> = also.into_iter().chain(notes).collect();
        if !last.is_empty() {
            let _ = writeln!(text, "  {}", last.join("; "));
        }
        text
    }

    /// With colours as escape sequences; whoever prints it takes them out where they do not belong.
    pub fn text(&self) -> String {
        let mut text = self.verdict();
        for remark in &self.remarks {
            let _ = writeln!(text, "note: {}", printable(remark));
        }
        section(&mut text, "Commands", self.commands.iter().map(ExplainedCommand::text));
        section(&mut text, "Effects", self.effects.iter().map(|effect| effect.text(&self.text)));
        section(&mut text, "Looked up", self.looked_up.iter().map(LookedUp::text));
        section(&mut text, "Rules", self.rules.iter().map(|rule| rule.text(&self.text)));
        section(&mut text, "Only noted", self.noted.iter().map(|rule| rule.text(&self.text)));
        if let Some(assessment) = &self.assessment {
            text += &assessment::text(assessment, self.answer);
        }
        text
    }

    fn verdict(&self) -> String {
        let meaning = match self.answer {
            Decision::Silent => "it runs without a message",
            Decision::Warn => "it runs, and the model gets a message",
            Decision::Rewrite => "it runs with a safer option",
            Decision::Ask => "the user decides",
            Decision::Deny => "it does not run, and the model gets an alternative",
        };
        let tone = match self.answer {
            Decision::Silent => Tone::Good,
            Decision::Deny => Tone::Bad,
            Decision::Warn | Decision::Rewrite | Decision::Ask => Tone::Caution,
        };
        format!("{} {}: {meaning}\n", tone.symbol(), tone.paint(&bold(self.answer.as_str())))
    }
}

/// Shows a repeated item once, and of many items the first.
fn section(text: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let mut shown: Vec<String> = Vec::new();
    let mut more = 0;
    for item in items {
        if shown.contains(&item) {
            continue;
        }
        if shown.len() < MOST_SHOWN { shown.push(item) } else { more += 1 }
    }
    if shown.is_empty() {
        return;
    }
    let _ = write!(text, "\n{}\n{}", bold(title), shown.concat());
    if more > 0 {
        let _ = writeln!(text, "  … {more} more");
    }
}

/// The part of the text that is meant, marked.
fn shown(text: &str, span: &Range<usize>) -> String {
    let mut lines = String::new();
    for (line, marks) in snippet(text, span, WIDTH) {
        let _ = write!(lines, "      {line}\n      {}\n", Tone::Bad.paint(&marks));
    }
    lines
}

impl ExplainedCommand {
    fn text(&self) -> String {
        let mut text = format!("  {}", line(&self.command, WIDTH));
        if !self.through.is_empty() {
            let _ = write!(text, "  (through {})", self.through.join(", "));
        }
        if let Some(directory) = &self.directory {
            let _ = write!(text, "  (in {})", printable(directory));
        }
        if self.elsewhere {
            text += "  (not on this machine)";
        }
        text + "\n"
    }
}

impl ExplainedEffect {
    fn text(&self, whole: &str) -> String {
        let rights = if self.privileged { ", with another user's rights" } else { "" };
        let origin = if self.typed { "" } else { ", in what it runs" };
        let words = line(&self.what, 2 * WIDTH);
        let from = whole.get(self.span.clone()).filter(|part| *part != whole);
        let from = from.map(|part| format!("  [{}]", line(part, 60))).unwrap_or_default();
        format!("  {words}{rights}{origin}{from}\n")
    }
}

impl LookedUp {
    fn text(&self) -> String {
        format!("  {}: {}\n", line(&self.about, WIDTH), line(&self.answer, 2 * WIDTH))
    }
}

impl ExplainedRule {
    /// The advice for a person or the agent.
    fn advice(&self, answer: Decision) -> Option<String> {
        let instead = self.alternative.as_ref().map(|command| line(command, WIDTH));
        match answer {
            Decision::Silent | Decision::Warn => instead,
            Decision::Rewrite => instead.map(|command| format!("nothing; it runs as `{command}`")),
            Decision::Ask => Some(match instead {
                Some(command) => format!("decide in the client's dialog, or use `{command}`"),
                None => "decide in the client's dialog".into(),
            }),
            Decision::Deny => Some(match (instead, self.level) {
                (Some(command), _) => command,
                (None, "step") => "to let it run once, use /allow with the ID that the refusal names".into(),
                (None, "gate") => "`plimsoll gate why` names the next command".into(),
                (None, _) => "if it has to be done, run it yourself in a terminal".into(),
            }),
        }
    }

    fn text(&self, whole: &str) -> String {
        let mut text = format!(
            "  {} ({}, {}): {}\n",
            self.rule,
            self.level,
            self.answer.as_str(),
            printable(&self.reason)
        );
        text += &shown(whole, &self.span);
        for (name, value) in [("instead", &self.alternative), ("rewritten to", &self.instead)] {
            if let Some(value) = value {
                let _ = writeln!(text, "      {name}: {}", printable(value));
            }
        }
        text
    }
}

fn command(command: &Command) -> ExplainedCommand {
    let words: Vec<_> = command.words.iter().map(|word| word.text_lossy()).collect();
    ExplainedCommand {
        command: words.join(" "),
        through: command.via.iter().map(|by| wrapper(*by)).collect(),
        directory: match &command.directory {
            Directory::Same => None,
            Directory::Known(word) => Some(word.text_lossy().into_owned()),
            Directory::Unknown => Some("a directory that only the shell will know".into()),
        },
        elsewhere: command.remote,
        span: command.span.clone(),
    }
}

fn wrapper(wrapper: Wrapper) -> String {
    match wrapper {
        Wrapper::Sudo => "sudo".into(),
        Wrapper::Su => "another user's shell".into(),
        Wrapper::Env => "env".into(),
        Wrapper::Timeout => "timeout".into(),
        Wrapper::Builtin => "a builtin".into(),
        Wrapper::Runner => "a runner".into(),
        Wrapper::Xargs => "xargs".into(),
        Wrapper::Parallel => "parallel".into(),
        Wrapper::ShellC => "sh -c".into(),
        Wrapper::ShellStdin => "a shell's input".into(),
        Wrapper::Eval => "eval".into(),
        Wrapper::Trap => "trap".into(),
        Wrapper::Alias => "an alias".into(),
        Wrapper::Function => "a function".into(),
        Wrapper::Ssh => "ssh".into(),
        Wrapper::Container => "a container".into(),
        Wrapper::Chroot => "another root".into(),
        Wrapper::FindExec => "find".into(),
        Wrapper::Substitution => "a substitution".into(),
        Wrapper::Possible => "a word that may be an option".into(),
        Wrapper::Interpreter(language) => format!("{language:?} code"),
    }
}

fn explained(found: &FoundEffect) -> ExplainedEffect {
    let (kind, what) = effect(&found.effect);
    ExplainedEffect { kind, what, privileged: found.privileged, typed: found.typed, span: found.span.clone() }
}

fn rule(finding: &RuleFinding) -> ExplainedRule {
    ExplainedRule {
        rule: finding.rule.as_str().to_owned(),
        level: match finding.level {
            Level::Floor => "floor",
            Level::Gate => "gate",
            Level::Step => "step",
        },
        answer: finding.decision,
        reason: finding.reason.clone(),
        alternative: finding.alternative.clone(),
        instead: finding.instead.clone(),
        span: finding.span.clone(),
    }
}

fn copied(paths: &[Utf8PathBuf]) -> String {
    match paths {
        [path] => format!("a copy is taken first: {path}"),
        paths => format!("copies of {} are taken first", counted(paths.len(), "file")),
    }
}

fn looked_up(known: &Known) -> Vec<LookedUp> {
    let mut all = Vec::new();
    let mut tell = |about: String, answer: String| all.push(LookedUp { about, answer });
    for (path, text) in known.scripts.iter().collect::<BTreeMap<_, _>>() {
        let answer =
            text.as_ref().map(|text| format!("a script of {}", counted(text.lines().count(), "line")));
        tell(path.clone(), answer.unwrap_or_else(|| "no text that could be read".into()));
    }
    for ((repository, name), meaning) in &known.aliases {
        let place = match repository {
            Addressed::Directory(directory) => format!(" in {directory}"),
            Addressed::Unknown => String::new(),
        };
        let answer = meaning.as_ref().map(|meaning| format!("short for `{meaning}`"));
        tell(format!("git {name}{place}"), answer.unwrap_or_else(|| "no alias".into()));
    }
    let led_elsewhere = known.real.iter().filter(|(path, real)| *path != real.as_str());
    for (path, real) in led_elsewhere.collect::<BTreeMap<_, _>>() {
        tell(path.to_string(), format!("leads to {real}"));
    }
    for (what, loss) in known.losses.iter().collect::<BTreeMap<_, _>>() {
        let answer = match loss {
            Loss::Nothing => "nothing that could not be brought back".into(),
            Loss::Copies(paths) => copied(paths),
            Loss::Unkept => "in no commit, and no copy is taken here".into(),
            Loss::TooLarge(what) => format!("in no commit and too large for a checkpoint: {what}"),
            Loss::Matters(what) => format!("would be gone for good: {what}"),
            Loss::Unknown(why) => format!("could not be found out: {why}"),
        };
        tell(losing(what), answer);
    }
    if let Some(gated) = known.gated {
        tell("ship gate".into(), if gated { "this repository is enrolled" } else { "not enrolled" }.into());
    }
    for (what, gate) in &known.gate {
        let answer = if gate.gated { gate.message.as_str() } else { "that repository is not enrolled" };
        tell(leaving(what), answer.to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::shell::{Budget, parse};

    #[test]
    fn what_is_repeated_is_shown_once_and_of_many_the_first() {
        let command =
            format!("{}; {}", "ls; ".repeat(5), (0..30).map(|n| format!("cat {n}; ")).collect::<String>());
        let parsed = parse(command.replace("; ;", ";").as_str(), &mut Budget::default());
        let text = Explanation::new("Bash", &command, "/p", "/p").with_commands(&parsed).text();
        assert_eq!(text.matches("  ls\n").count(), 1, "{text}");
        assert!(text.contains("  cat 18\n  … 11 more\n"), "{text}");
    }

    #[test]
    fn every_answer_from_the_edges_is_told() {
        let mut known = Known { gated: Some(false), ..Known::default() };
        known.scripts.insert("/p/run.sh".into(), Some("one\ntwo\n".into()));
        known.scripts.insert("/p/gone.sh".into(), None);
        known.aliases.insert((Addressed::Directory("/p".into()), "up".into()), Some("pull".into()));
        known.real.insert("/p/link".into(), "/q".into());
        known.real.insert("/p/same".into(), "/p/same".into());
        let losing = crate::pure::step::Losing::Inside("/p/src".into());
        known.losses.insert(losing, Loss::Matters("3 files".into()));
        let told: String = looked_up(&known).iter().map(LookedUp::text).collect();
        insta::assert_snapshot!(told, @r"
        /p/gone.sh: no text that could be read
        /p/run.sh: a script of 2 lines
        git up in /p: short for `pull`
        /p/link: leads to /q
        everything in /p/src: would be gone for good: 3 files
        ship gate: not enrolled
        ");
    }
}
