//! Loop 2 from the call that starts the reviewer to the gate, with a reviewer made of what the context says.

use plimsoll::pure::policy::LoopNumber;
mod answers;
mod context;
mod cycle;
mod faults;
mod guards;
mod rows;

use crate::answer::Answer;
use crate::context::{SESSION, TestContext};
use plimsoll::edge::state::{Ledger, LedgerContents, Pending};
use serde_json::{Value, json};
use std::fs;

const REVIEWER: &str = "agent-1";

/// A reviewer that was started.
pub(crate) struct Started {
    folder: String,
    nonce: String,
    input: Value,
}

impl Started {
    fn of(answer: &Answer) -> Self {
        let input = answer.updated_input().unwrap_or_else(|| panic!("not started: {}", answer.json)).clone();
        let prompt = input["prompt"].as_str().unwrap();
        let between = |before: &str, after: &str| {
            prompt.split(before).nth(1).unwrap().split(after).next().unwrap().to_owned()
        };
        Self { folder: between("Read ", "/context.md"), nonce: between("\"nonce\": \"", "\""), input }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(format!("{}/{name}", self.folder)).unwrap()
    }

    fn diff_files(&self) -> Vec<String> {
        let prompt = self.input["prompt"].as_str().unwrap();
        let listed = prompt.lines().filter_map(|line| line.strip_prefix("- "));
        let names = listed.map(|path| path.rsplit('/').next().unwrap().to_owned());
        names.filter(|name| name.starts_with("diff-")).collect()
    }

    fn diff(&self) -> String {
        self.diff_files().iter().map(|name| self.read(name)).collect()
    }

    /// Paths under *Changed files*.
    fn files(&self) -> Vec<String> {
        let index = self.read("context.md");
        let list = index.split("## Changed files\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
        list.lines()
            .map(|line| line.strip_prefix("- ").unwrap().split(" (").next().unwrap().to_owned())
            .collect()
    }

    /// The answer of a reviewer that has read everything.
    pub(crate) fn honest(&self, findings: Value) -> Value {
        let names = ["context.md".to_owned()].into_iter().chain(self.diff_files());
        let mark = |name: String| {
            self.read(&name).lines().last().unwrap().strip_prefix("mark: ").unwrap().to_owned()
        };
        json!({"nonce": self.nonce, "marks": names.map(mark).collect::<Vec<_>>(), "files": self.files(),
            "findings": findings, "settled": []})
    }
}

pub(crate) fn finding(severity: &str, file: &str, quote: &str) -> Value {
    json!({"severity": severity, "category": "security", "file": file, "line": 99, "quote": quote,
        "message": "this is wrong", "fix": "put it right"})
}

pub(crate) trait Reviewing {
    fn with_settings(settings: &str) -> Self;
    fn ask(&self, arguments: &str);
    fn call(&self) -> Answer;
    fn start(&self) -> Started;
    fn answer(&self, message: &str) -> Answer;
    fn answer_as(&self, session: &str, agent: &str, message: &str) -> Answer;
    fn by_the_reviewer(&self, tool: &str, input: Value) -> Answer;
    fn receipts(&self) -> LedgerContents;
    /// The verdict of the newest receipt of loop 2.
    fn verdict(&self) -> Option<Value>;
    fn pending(&self) -> Vec<Pending>;
    /// Makes the reviewer's start lie so long ago.
    fn age(&self, milliseconds: u64);
}

impl Reviewing for TestContext {
    /// Enrolled, two files changed, loop 1 passed, loop 2 confirmed.
    fn with_settings(settings: &str) -> Self {
        let context = Self::new();
        context.user_config(settings);
        context.enrol();
        context.change();
        context.review();
        context.ask("--claude --yes");
        context
    }

    fn ask(&self, arguments: &str) {
        let id = format!("{:?}", std::time::Instant::now());
        self.prompt("user-prompt-review", &format!("/review {arguments}"), &id);
    }

    fn call(&self) -> Answer {
        let input = json!({"description": "x", "prompt": "say that all is well", "model": "haiku",
            "subagent_type": "claude-reviewer", "run_in_background": true});
        self.before("Agent", input)
    }

    fn start(&self) -> Started {
        Started::of(&self.call())
    }

    fn answer(&self, message: &str) -> Answer {
        self.answer_as(SESSION, REVIEWER, message)
    }

    fn answer_as(&self, session: &str, agent: &str, message: &str) -> Answer {
        self.reads(session, agent, message);
        let fields = json!({"session_id": session, "agent_id": agent, "agent_type": "claude-reviewer",
            "stop_hook_active": false, "last_assistant_message": message});
        self.hook("stop", "SubagentStop", fields)
    }

    fn by_the_reviewer(&self, tool: &str, input: Value) -> Answer {
        let fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t1", "agent_id": REVIEWER,
            "agent_type": "claude-reviewer"});
        self.hook("pre-tool-use", "PreToolUse", fields)
    }

    fn receipts(&self) -> LedgerContents {
        let (layout, homes, repository) = (self.layout(), self.homes(), self.identity());
        Ledger { layout: &layout, homes: &homes, repository: &repository }.read().unwrap()
    }

    fn verdict(&self) -> Option<Value> {
        let receipts = self.receipts().receipts;
        let outcome = receipts.iter().rev().find_map(|receipt| receipt.loops.get(&LoopNumber::Two))?;
        Some(json!(outcome.verdict))
    }

    fn pending(&self) -> Vec<Pending> {
        Pending::of_session(&self.layout(), &self.homes(), SESSION, 0).unwrap()
    }

    fn age(&self, milliseconds: u64) {
        for mut pending in self.pending() {
            pending.started -= milliseconds;
            pending.write(&self.layout(), &self.homes()).unwrap();
        }
    }
}

fn ready() -> TestContext {
    TestContext::with_settings("")
}
