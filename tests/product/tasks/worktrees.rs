//! Two sessions on two tasks in two worktrees at once.

use super::{Tasking, begun, issue, result};
use crate::context::{SESSION, TestContext, binary};
use camino::Utf8PathBuf;
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

/// A session in a worktree of its own.
struct Desk<'a> {
    context: &'a TestContext,
    place: Utf8PathBuf,
    session: &'static str,
    task: &'static str,
}

impl Desk<'_> {
    fn task(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let output = self
            .context
            .command(binary("plimsoll"))
            .current_dir(&self.place)
            .args([&["task", "--json"], arguments].concat())
            .output()
            .unwrap();
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_default())
    }

    fn hook(&self, name: &str, event: &str, fields: Value) -> Value {
        let mut input = self.context.event(event, fields);
        input["session_id"] = json!(self.session);
        input["cwd"] = json!(self.place);
        let mut child = self
            .context
            .command(binary(name))
            .current_dir(&self.place)
            .env("CLAUDE_PROJECT_DIR", &self.place)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
    }

    fn agent(&self, name: &str) -> String {
        let input = json!({"description": "x", "prompt": "x", "subagent_type": name});
        let answer = self.hook(
            "pre-tool-use",
            "PreToolUse",
            json!({"tool_name": "Agent", "tool_input": input, "tool_use_id": "t"}),
        );
        let prompt = &answer["hookSpecificOutput"]["updatedInput"]["prompt"];
        prompt.as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    fn ended(&self, name: &str, message: &str) {
        self.context.reads(self.session, &format!("{}-{name}", self.session), message);
        let fields = json!({"agent_id": format!("{}-{name}", self.session), "agent_type": name,
            "stop_hook_active": false, "last_assistant_message": message});
        self.hook("stop", "SubagentStop", fields);
    }

    fn work(&self) -> Value {
        let id = self.task;
        assert_eq!(self.task(&["start", id, "--session", self.session]).0, Some(0));
        for round in 1..=2 {
            std::fs::write(self.place.join(format!("{}.md", self.session)), format!("{round}\n")).unwrap();
            self.hook(
                "user-prompt-review",
                "UserPromptSubmit",
                json!({"prompt": format!("/review-task {id}"), "prompt_id": format!("{round}")}),
            );
            let prompt = self.agent("task-reviewer");
            let folder = prompt.split("Read ").nth(1).unwrap().split("/context.md").next().unwrap();
            let nonce = prompt.split("reviewed: ").nth(1).unwrap().split(' ').next().unwrap();
            let marks: String = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
                .map(|text| format!(" {}", text.lines().last().unwrap().strip_prefix("mark: ").unwrap()))
                .collect();
            self.ended("task-reviewer", &format!("Words of {}.\nreviewed: {nonce}{marks}", self.session));
            let prompt = self.agent("review-parser");
            assert!(prompt.contains(&format!("Words of {}.", self.session)), "{prompt}");
            let nonce = prompt.split("\"nonce\": \"").nth(1).unwrap().split('"').next().unwrap();
            let file = json!(format!("{}.md", self.session));
            let mut parsed = match round {
                1 => result("NEEDS_REVISION", json!([issue("major", file)])),
                _ => result("APPROVED", json!([])),
            };
            parsed["nonce"] = json!(nonce);
            self.ended("review-parser", &parsed.to_string());
        }
        self.task(&["show", id]).1
    }
}

#[test]
fn two_sessions_on_two_tasks_in_two_worktrees_do_not_disturb_each_other() {
    let context = TestContext::new();
    context.user_config("review: {trigger: explicit}\n");
    let other = context.beside("other");
    context.git(&["worktree", "add", "-q", other.as_str(), "-b", "other"]);
    context.task(&["add", "One", "--scope", "one/**"]);
    context.task(&["add", "Two", "--scope", "two/**"]);
    let desks = [
        Desk { context: &context, place: context.project(), session: "left", task: "T-1" },
        Desk { context: &context, place: other, session: "right", task: "T-2" },
    ];
    let shown: Vec<Value> = std::thread::scope(|scope| {
        let threads: Vec<_> = desks.iter().map(|desk| scope.spawn(|| desk.work())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (desk, task) in desks.iter().zip(&shown) {
        assert_eq!(task["status"], "COMPLETE", "{task}");
        assert_eq!(task["reviews"].as_array().unwrap().len(), 2);
        assert_eq!(task["reviews"][0]["issues"][0]["file"], format!("{}.md", desk.session));
        assert_eq!(task["worker"]["session"], desk.session);
    }
    let numbers: Vec<u64> =
        context.events().iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, expected, "every event has a number of its own");
}

#[test]
fn a_task_is_handed_in_and_reviewed_where_it_is_worked_on() {
    let context = begun();
    let other = context.beside("other");
    context.git(&["worktree", "add", "-q", other.as_str(), "-b", "other"]);
    let desk = Desk { context: &context, place: other, session: SESSION, task: "T-1" };
    let (code, value) = desk.task(&["done", "T-1"]);
    assert_eq!(code, Some(1));
    assert!(value["error"].as_str().unwrap().contains("another worktree"), "{value}");
    assert_eq!(context.status(), "IN_PROGRESS");
    assert_eq!(desk.task(&["start", "T-1", "--session", SESSION, "--take-over"]).0, Some(0));
    assert_eq!(desk.task(&["done", "T-1"]).1["status"], "AWAITING_REVIEW");
    let asked = context.typed(SESSION, "/review-task T-1");
    assert!(asked.reason().contains("another worktree"), "{}", asked.json);
}

#[test]
fn commands_at_the_same_time_lose_nothing() {
    let context = TestContext::new();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let context = &context;
            scope.spawn(move || context.task(&["add", &format!("Task {number}")]));
        }
    });
    let list = context.task(&["list"]);
    let mut titles: Vec<&str> =
        list["tasks"].as_array().unwrap().iter().map(|task| task["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles.len(), 8);
}
