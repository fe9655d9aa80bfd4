//! A place for tests in which every file matters, except those below `clean/` and `node_modules/`.

use super::*;
use crate::hook::{Call, Tool};
use serde_json::value::RawValue;

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
    let raw = RawValue::from_string(input.clone()).unwrap();
    let tool = Tool::parse(&Call { tool, input: &raw, id: String::new() }).unwrap();
    let action = Action::read(&tool, &input);
    let (place, mut known) = (place(), Known { gated: Some(true), ..Known::default() });
    for _ in 0..5 {
        let looked = survey(&action, &place, &known);
        if looked.questions.is_empty() {
            return decide(&looked, &place, &known, Mode::Enforce);
        }
        for question in looked.questions {
            answer(question, &mut known);
        }
    }
    panic!("{example:?} raises questions without end");
}

pub fn shell(command: &'static str) -> Decision {
    decided(&Example::Shell(command))
}

fn answer(question: Question, known: &mut Known) {
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
            // Words are branches here, not files.
            let spared = spared || matches!(losing, Losing::Named { .. });
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
