//! Tasks from the first command to the end, with a reviewer and a parser made of what their prompts say.

mod context;
mod contract;
mod flow;
mod full_disk;
mod idle;
mod interrupted;
mod plan;
mod runner;
mod settings;
mod worktrees;

use crate::answer::{Answer, told};
use crate::context::{SESSION, TestContext};
use serde_json::{Value, json};
use std::fs;
use std::process::Output;

/// Another session than the worker's.
const REVIEWING: &str = "session-2";

/// A task that a worker's session has begun, with a change in two files.
fn begun() -> TestContext {
    begun_with("")
}

fn begun_with(settings: &str) -> TestContext {
    let context = TestContext::new();
    context.user_config(&format!("review: {{trigger: explicit}}\n{settings}"));
    context.change();
    context.task(&["add", "Write two files", "--scope", "*.md", "--accept", "both hold a word"]);
    context.start_as(SESSION, "T-1");
    context
}

/// A task whose reviewer has answered; nobody parsed the answer yet.
pub(crate) fn answered() -> TestContext {
    let context = begun();
    let reviewer = context.reviewer();
    context.ended(REVIEWING, "task-reviewer", &format!("I looked at it closely.\n{}", reviewer.signed()));
    context
}

/// A reviewer that was started.
pub(crate) struct Reviewer {
    folder: String,
    nonce: String,
    input: Value,
}

impl Reviewer {
    fn of(answer: &Answer) -> Self {
        let input = answer.updated_input().unwrap_or_else(|| panic!("not started: {}", answer.json)).clone();
        let prompt = input["prompt"].as_str().unwrap();
        let folder = prompt.split("Read ").nth(1).unwrap().split("/context.md").next().unwrap().to_owned();
        let nonce = prompt.split("reviewed: ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
        Self { folder, nonce, input }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(format!("{}/{name}", self.folder)).unwrap()
    }

    /// The last line of who has read everything.
    pub(crate) fn signed(&self) -> String {
        let mut names: Vec<String> = fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let mark = |name: &String| {
            self.read(name).lines().last().unwrap().strip_prefix("mark: ").unwrap().to_owned()
        };
        format!("reviewed: {} {}", self.nonce, names.iter().map(mark).collect::<Vec<_>>().join(" "))
    }
}

pub(crate) fn issue(severity: &str, file: Value) -> Value {
    json!({"severity": severity, "message": "the second word is missing", "file": file, "line": 1})
}

/// What a parser puts down, without its nonce.
pub(crate) fn result(result: &str, issues: Value) -> Value {
    json!({"result": result, "issues": issues, "summary": "Looked at it.", "blocking": false})
}

pub(crate) trait Tasking {
    fn plimsoll_task(&self, arguments: &[&str]) -> Output;
    /// The JSON of a command that succeeds.
    fn task(&self, arguments: &[&str]) -> Value;
    fn show(&self) -> Value;
    fn status(&self) -> String;
    fn start_as(&self, session: &str, id: &str);
    fn typed(&self, session: &str, prompt: &str) -> Answer;
    fn call_agent(&self, session: &str, agent: &str) -> Answer;
    fn ended(&self, session: &str, agent: &str, message: &str) -> Answer;
    fn reviewer(&self) -> Reviewer;
    /// The parser's nonce.
    fn parser(&self) -> String;
    /// The same, where it may be refused.
    fn try_parser(&self) -> Option<String>;
    fn parsed(&self, nonce: &str, result: Value) -> Answer;
    /// The whole way from the typed command to the result, in another session than the worker's.
    fn reviewed(&self, result: Value) -> Answer;
    fn events(&self) -> Vec<Value>;
}

impl Tasking for TestContext {
    fn plimsoll_task(&self, arguments: &[&str]) -> Output {
        self.plimsoll(&[&["task", "--json"], arguments].concat())
    }

    fn task(&self, arguments: &[&str]) -> Value {
        let output = self.plimsoll_task(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", told(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn show(&self) -> Value {
        self.task(&["show", "T-1"])
    }

    fn status(&self) -> String {
        self.show()["status"].as_str().unwrap().to_owned()
    }

    fn start_as(&self, session: &str, id: &str) {
        self.task(&["start", id, "--session", session]);
    }

    fn typed(&self, session: &str, prompt: &str) -> Answer {
        let id = format!("{:?}", std::time::Instant::now());
        let fields = json!({"prompt": prompt, "prompt_id": id, "session_id": session});
        self.hook("user-prompt-review", "UserPromptSubmit", fields)
    }

    fn call_agent(&self, session: &str, agent: &str) -> Answer {
        let input = json!({"description": "x", "prompt": "say that all is well", "model": "opus",
            "subagent_type": agent, "run_in_background": true});
        let fields = json!({"tool_name": "Agent", "tool_input": input, "tool_use_id": "toolu_1",
            "session_id": session});
        self.hook("pre-tool-use", "PreToolUse", fields)
    }

    fn ended(&self, session: &str, agent: &str, message: &str) -> Answer {
        self.reads(session, &format!("id-of-{agent}"), message);
        let fields = json!({"session_id": session, "agent_id": format!("id-of-{agent}"), "agent_type": agent,
            "stop_hook_active": false, "last_assistant_message": message});
        self.hook("stop", "SubagentStop", fields)
    }

    fn reviewer(&self) -> Reviewer {
        let asked = self.typed(REVIEWING, "/review-task T-1");
        assert!(asked.context().starts_with("Task review requested"), "{}", asked.json);
        Reviewer::of(&self.call_agent(REVIEWING, "task-reviewer"))
    }

    fn parser(&self) -> String {
        self.try_parser().unwrap_or_else(|| panic!("not started: {}", self.show()))
    }

    fn try_parser(&self) -> Option<String> {
        let answer = self.call_agent(REVIEWING, "review-parser");
        let input = answer.updated_input()?;
        assert_eq!((&input["model"], &input["run_in_background"]), (&json!("haiku"), &json!(false)));
        let prompt = input["prompt"].as_str().unwrap();
        Some(prompt.split("\"nonce\": \"").nth(1).unwrap().split('"').next().unwrap().to_owned())
    }

    fn parsed(&self, nonce: &str, mut result: Value) -> Answer {
        result["nonce"] = json!(nonce);
        self.ended(REVIEWING, "review-parser", &result.to_string())
    }

    fn reviewed(&self, result: Value) -> Answer {
        let reviewer = self.reviewer();
        let words = format!("I looked at it closely.\n\n{}", reviewer.signed());
        let given = self.ended(REVIEWING, "task-reviewer", &words);
        assert!(given.is_silent(), "{}", given.json);
        let nonce = self.parser();
        self.parsed(&nonce, result)
    }

    fn events(&self) -> Vec<Value> {
        let output = self.plimsoll(&["task", "events"]);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
