//! A place for tests in which every file matters, except those below `clean/` and `node_modules/`.

use crate::pure::client::{Tool, ToolCall};
use crate::pure::policy::StepReviewer;
use crate::pure::step::*;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::value::RawValue;
use std::sync::LazyLock;

pub(crate) fn place() -> Place {
    let mut protected = Protected::default();
    static ENTRIES: [ProtectedName; 1] =
        [ProtectedName { name: "settings.json", what: "settings", condition: Condition::Always }];
    protected.add("/home/user/project/.claude".into(), &ENTRIES);
    Place {
        project: "/home/user/project".into(),
        cwd: "/home/user/project".into(),
        home: "/home/user".into(),
        protected,
    }
}

/// A row of `rules/examples.txt`: a tool call that a rule stops, or a similar one that it leaves alone.
#[derive(Debug)]
pub(crate) struct Example {
    pub rule: &'static str,
    pub is_hit: bool,
    /// The command of a call of Bash.
    pub command: Option<&'static str>,
    tool: &'static str,
    input: String,
}

impl Example {
    /// The decision about it in an enrolled repository without reviews.
    pub fn decided(&self) -> StepDecision {
        judged(self.tool, &self.input)
    }
}

pub(crate) fn examples() -> Vec<Example> {
    let (mut examples, mut rule) = (Vec::new(), "");
    for line in include_str!("../rules/examples.txt").lines().filter(|line| !line.starts_with('#')) {
        let Some((kind @ ("hit" | "miss"), text)) = line.split_once(' ') else {
            rule = line;
            continue;
        };
        let call = text.split_once(' ').filter(|(_, input)| input.starts_with("{\""));
        let (tool, input) = match call {
            Some((tool, input)) => (tool, input.to_owned()),
            None => ("Bash", serde_json::json!({ "command": text }).to_string()),
        };
        let command = call.is_none().then_some(text);
        examples.push(Example { rule, is_hit: kind == "hit", command, tool, input });
    }
    examples
}

/// The rows of `programs/examples.txt`: a hit, and a similar command that is a miss.
pub(crate) fn program_examples() -> Vec<(&'static str, &'static str)> {
    let is_example = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let mut lines = include_str!("../programs/examples.txt").lines().filter(is_example);
    let mut examples = Vec::new();
    while let Some(line) = lines.next() {
        let hit = line.strip_prefix("hit ").unwrap_or_else(|| panic!("not a hit: {line}"));
        let miss = lines.next().and_then(|line| line.strip_prefix("miss "));
        examples.push((hit, miss.unwrap_or_else(|| panic!("no miss after the hit {hit}"))));
    }
    examples
}

/// The decision about a command in an enrolled repository without reviews.
pub(crate) fn decided_text(command: &str) -> StepDecision {
    judged("Bash", &serde_json::json!({ "command": command }).to_string())
}

/// The decision about a command in a project with these files.
pub(crate) fn with_files(command: &str, files: &[(&str, &str)]) -> StepDecision {
    let scripts =
        files.iter().map(|(path, text)| (place().project.join(path).into_string(), Some((*text).to_owned())));
    let known = Known { gated: Some(true), scripts: scripts.collect(), ..Known::default() };
    judged_knowing("Bash", &serde_json::json!({ "command": command }).to_string(), known)
}

/// The same for any tool.
pub(crate) fn decided_call(tool: String, input: String) -> StepDecision {
    judged(&tool, &input)
}

fn judged(name: &str, input: &str) -> StepDecision {
    judged_knowing(name, input, Known { gated: Some(true), ..Known::default() })
}

fn judged_knowing(name: &str, input: &str, mut known: Known) -> StepDecision {
    let raw = RawValue::from_string(input.to_owned()).unwrap();
    let tool = Tool::parse(&ToolCall { tool: name.to_owned(), input: &raw, id: String::new() }).unwrap();
    let action = Action::read(&tool, input);
    let place = place();
    for _ in 0..5 {
        let looked = survey(&action, &place, &known);
        if looked.questions.is_empty() {
            known.others = others_work(&looked, &known);
            return decide(&action, &looked, &review(&place, &known), Mode::Enforce);
        }
        for question in looked.questions {
            answer(question, &mut known);
        }
    }
    panic!("{name} {input} raises questions without end");
}

/// Another session wrote `theirs/a.rs`, and no commit holds it. Commands that do not name the folder are about other work.
fn others_work(looked: &Survey, known: &Known) -> sessions::OthersWork {
    struct Theirs;
    impl sessions::Files for Theirs {
        fn worktree(&mut self, repository: &Addressed) -> Option<Utf8PathBuf> {
            match repository {
                Addressed::Directory(folder) => Some(folder.clone()),
                Addressed::Unknown => None,
            }
        }
        fn state(&mut self, _: &Utf8Path) -> Option<sessions::FileState> {
            let tracking = sessions::Tracking::Tracked;
            Some(sessions::FileState { tracking, now: Some(b"theirs\n".to_vec()), held: Vec::new() })
        }
        fn exists(&self, _: &Utf8Path) -> bool {
            true
        }
        fn below(&mut self, _: &Utf8Path) -> Vec<Utf8PathBuf> {
            Vec::new()
        }
        fn real(&mut self, path: &Utf8Path) -> Utf8PathBuf {
            path.to_owned()
        }
    }
    let claim = sessions::Claim::File("/home/user/project/theirs/a.rs".into());
    let claims = sessions::Claims::of_sessions(2, vec![(0, 0, claim)]);
    let words = |taking: &sessions::Taking<'_>| {
        let named = format!("{taking:?}").contains("theirs");
        let taken = sessions::at_risk(taking, &claims[0], &claims[1], &mut Theirs, &|_| None);
        (named && !taken.is_empty()).then(|| "would take work of another session: theirs/a.rs".to_owned())
    };
    let sessions::Takings { effects, sweeps } = sessions::takings(looked, known);
    let all = |takings: Vec<(usize, sessions::Taking<'_>)>| {
        takings.iter().filter_map(|(at, taking)| Some((*at, words(taking)?))).collect()
    };
    sessions::OthersWork { effects: all(effects), sweeps: all(sweeps) }
}

/// The nature of a command at its worst.
pub(crate) fn nature(command: &str) -> Nature {
    decided_text(command).nature
}

/// Whether a command may overwrite files that no effect names.
pub(crate) fn rewrites(command: &str) -> bool {
    let tool = Tool::Bash { command: command.to_owned() };
    let raw = serde_json::json!({ "command": command }).to_string();
    survey(&Action::read(&tool, &raw), &place(), &Known::default()).rewrites
}

/// Default settings and an empty session.
pub(crate) fn review<'a>(place: &'a Place, known: &'a Known) -> StepContext<'a> {
    static POLICY: LazyLock<StepReviewer> = LazyLock::new(StepReviewer::default);
    static CUSTOM: LazyLock<CustomRules> = LazyLock::new(CustomRules::default);
    static HISTORY: LazyLock<StepHistory> = LazyLock::new(StepHistory::default);
    StepContext {
        place,
        known,
        policy: &POLICY,
        custom: &CUSTOM,
        history: &HISTORY,
        goal: None,
        agent: None,
        timing: Timing::Before,
    }
}

pub(crate) fn shell(command: &'static str) -> StepDecision {
    decided_text(command)
}

pub(crate) fn answer(question: Question, known: &mut Known) {
    match question {
        Question::Script(path) => {
            known.scripts.insert(path.into_string(), None);
        }
        Question::Alias(repository, name) => {
            known.aliases.insert((repository, name), None);
        }
        Question::Real(path) => {
            known.real.insert(path.to_string(), path);
        }
        Question::Loss(losing) => {
            let spared = ["/clean", "node_modules"].iter().any(|name| format!("{losing:?}").contains(name));
            // Words are branches here, not files.
            let spared = spared || matches!(losing, Losing::Named { .. });
            // Copies are taken here.
            let overwritten =
                matches!(losing, Losing::Content(_) | Losing::Contents(_) | Losing::Merged { .. });
            let spared = spared || overwritten;
            let loss = if spared { Loss::Nothing } else { Loss::Matters("work".into()) };
            known.losses.insert(losing, loss);
        }
        Question::Head(repository) => {
            known.heads.insert(repository, None);
        }
        Question::Archive(path) => {
            let hostile = path.as_str().contains("hostile");
            let names = if hostile { vec![".claude/settings.json".to_owned()] } else { Vec::new() };
            known.archives.insert(path.into_string(), names);
        }
        Question::Receives(path) => {
            let arrives = path.starts_with("/home/user/remote");
            known.receives.insert(path.into_string(), arrives);
        }
        Question::Git(path) => drop(known.git_programs.insert(path.to_string(), Some(path.ends_with("git")))),
        Question::Gated => known.gated = Some(true),
        Question::Gate(what) => {
            let word = GateAnswer {
                session_gated: false,
                gated: false,
                guarded: true,
                decision: crate::pure::gate::GateDecision::Open,
                message: String::new(),
            };
            known.gate.insert(what, word);
        }
    }
}

/// The names of the rules with a finding about a tool call.
pub(crate) fn called(tool: &str, input: &serde_json::Value) -> Vec<String> {
    let StepDecision { findings, noted, .. } = judged(tool, &input.to_string());
    findings.iter().chain(&noted).map(|finding| finding.rule.as_str().to_owned()).collect()
}
