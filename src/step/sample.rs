//! A place for tests in which every file matters, except those below `clean/` and `node_modules/`.

use super::*;
use crate::hook::{Call, Tool};
use crate::policy::StepReviewer;
use serde_json::value::RawValue;
use std::sync::LazyLock;

pub fn place() -> Place {
    let mut protected = Protected::default();
    static ENTRIES: [Entry; 1] =
        [Entry { name: "settings.json", what: "settings", condition: Condition::Always }];
    protected.add("/home/user/project/.claude".into(), &ENTRIES);
    Place {
        project: "/home/user/project".into(),
        cwd: "/home/user/project".into(),
        home: "/home/user".into(),
        protected,
    }
}

/// What an example stands for: a tool and its input.
pub fn call(example: &Example) -> (String, String) {
    match example {
        Example::Shell(command) => ("Bash".into(), serde_json::json!({ "command": command }).to_string()),
        Example::Call(tool, input) => ((*tool).into(), (*input).into()),
    }
}

/// The decision about an example, with the gate bound and nothing reviewed.
pub fn decided(example: &Example) -> Decision {
    let (tool, input) = call(example);
    judged(&tool, &input)
}

/// The same for any command.
pub fn decided_text(command: &str) -> Decision {
    judged("Bash", &serde_json::json!({ "command": command }).to_string())
}

/// The decision about a command in a project with these files.
pub fn with_files(command: &str, files: &[(&str, &str)]) -> Decision {
    let scripts =
        files.iter().map(|(path, text)| (place().project.join(path).into_string(), Some((*text).to_owned())));
    let known = Known { gated: Some(true), scripts: scripts.collect(), ..Known::default() };
    judged_knowing("Bash", &serde_json::json!({ "command": command }).to_string(), known)
}

/// The same for any tool.
pub fn decided_call(tool: String, input: String) -> Decision {
    judged(&tool, &input)
}

fn judged(name: &str, input: &str) -> Decision {
    judged_knowing(name, input, Known { gated: Some(true), ..Known::default() })
}

fn judged_knowing(name: &str, input: &str, mut known: Known) -> Decision {
    let raw = RawValue::from_string(input.to_owned()).unwrap();
    let tool = Tool::parse(&Call { tool: name.to_owned(), input: &raw, id: String::new() }).unwrap();
    let action = Action::read(&tool, input);
    let place = place();
    for _ in 0..5 {
        let looked = survey(&action, &place, &known);
        if looked.questions.is_empty() {
            return decide(&action, &looked, &review(&place, &known), Mode::Enforce);
        }
        for question in looked.questions {
            answer(question, &mut known);
        }
    }
    panic!("{name} {input} raises questions without end");
}

/// What a command is at its worst.
pub fn nature(command: &str) -> Nature {
    decided_text(command).nature
}

/// Whether a command may overwrite files that no effect names.
pub fn rewrites(command: &str) -> bool {
    let tool = Tool::Bash { command: command.to_owned() };
    let raw = serde_json::json!({ "command": command }).to_string();
    survey(&Action::read(&tool, &raw), &place(), &Known::default()).rewrites
}

/// Default settings; a session that was asked nothing and did nothing yet.
pub fn review<'a>(place: &'a Place, known: &'a Known) -> Review<'a> {
    static POLICY: LazyLock<StepReviewer> = LazyLock::new(StepReviewer::default);
    static CUSTOM: LazyLock<CustomRules> = LazyLock::new(CustomRules::default);
    static HISTORY: LazyLock<History> = LazyLock::new(History::default);
    Review {
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

pub fn shell(command: &'static str) -> Decision {
    decided(&Example::Shell(command))
}

pub fn answer(question: Question, known: &mut Known) {
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
        Question::Gated => known.gated = Some(true),
        Question::Gate(what) => {
            let word = GateWord {
                session_gated: false,
                gated: false,
                guarded: true,
                verdict: crate::gate::Verdict::Open,
                words: String::new(),
            };
            known.gate.insert(what, word);
        }
    }
}

/// The names of the rules that speak to a call of a tool.
pub fn called(tool: &str, input: &serde_json::Value) -> Vec<String> {
    let Decision { findings, noted, .. } = judged(tool, &input.to_string());
    findings.iter().chain(&noted).map(|finding| finding.rule.as_str().to_owned()).collect()
}
