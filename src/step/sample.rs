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
    decided_call(tool, input)
}

/// The same for any command.
pub fn decided_text(command: &str) -> Decision {
    decided_call("Bash".into(), serde_json::json!({ "command": command }).to_string())
}

/// The same for any tool.
pub fn decided_call(tool: String, input: String) -> Decision {
    let raw = RawValue::from_string(input.clone()).unwrap();
    let tool = Tool::parse(&Call { tool, input: &raw, id: String::new() }).unwrap();
    let action = Action::read(&tool, &input);
    let (place, mut known) = (place(), Known { gated: Some(true), ..Known::default() });
    for _ in 0..5 {
        let looked = survey(&action, &place, &known);
        if looked.questions.is_empty() {
            return decide(&action, &looked, &review(&place, &known), Mode::Enforce);
        }
        for question in looked.questions {
            answer(question, &mut known);
        }
    }
    panic!("{input} raises questions without end");
}

/// What a command is at its worst.
pub fn nature(command: &str) -> Nature {
    decided_text(command).nature
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
            known.scripts.insert(path, None);
        }
        Question::Alias(repository, name) => {
            known.aliases.insert((repository, name), None);
        }
        Question::Real(path) => {
            known.real.insert(path.clone(), path);
        }
        Question::Loss(losing) => {
            let spared = ["/clean", "node_modules"].iter().any(|name| format!("{losing:?}").contains(name));
            let loss = if spared { Loss::Nothing } else { Loss::Matters("work".into()) };
            known.losses.insert(losing, loss);
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
