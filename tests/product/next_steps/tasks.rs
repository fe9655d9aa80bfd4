//! Steps that tasks name.

use super::{Walk, ends, named, run, run_in_script, said};
use crate::context::TestContext;
use crate::tasks::{Tasking, answered, result};
use serde_json::json;

pub(super) const WALKS: [Walk; 10] = [
    ("plimsoll task add TITLE", add),
    ("plimsoll task import PLAN.md", import),
    ("plimsoll task list", list),
    ("plimsoll task show {}", show),
    ("plimsoll task start {}", start),
    ("plimsoll task start --take-over ID", take_over),
    ("plimsoll task done ID", done_by_id),
    ("plimsoll task done {}", done),
    ("plimsoll task reopen {} --reason …", reopen),
    ("/parse-review ID", parse_review),
];

fn with_task() -> TestContext {
    let context = TestContext::enrolled();
    ends(&run(&context, "plimsoll task add 'Write the parser'"), 0);
    context
}

fn add() {
    let context = TestContext::enrolled();
    let none = said(&context, &["task", "list"]);
    ends(&run(&context, &named(&none, "plimsoll task add TITLE")), 0);
    assert!(said(&context, &["task", "list"]).contains("T-1"));
}

fn import() {
    let context = TestContext::enrolled();
    context.write("PLAN.md", "- [ ] Write the parser\n");
    let none = said(&context, &["task", "list"]);
    ends(&run(&context, &named(&none, "plimsoll task import PLAN.md")), 0);
    assert!(said(&context, &["task", "list"]).contains("Write the parser"));
}

fn list() {
    let context = with_task();
    let unknown = said(&context, &["task", "show", "T-9"]);
    assert!(ends(&run(&context, &named(&unknown, "plimsoll task list")), 0).contains("T-1"));
}

fn show() {
    let context = with_task();
    assert!(ends(&run(&context, "plimsoll task show T-1"), 0).contains("Write the parser"));
}

fn start() {
    let context = with_task();
    let shown = said(&context, &["task", "show", "T-1"]);
    ends(&run(&context, &named(&shown, "plimsoll task start {}")), 0);
    assert!(said(&context, &["task", "show", "T-1"]).contains("IN_PROGRESS"));
}

fn take_over() {
    let context = with_task();
    ends(&run(&context, "plimsoll task start T-1"), 0);
    ends(&run(&context, &"plimsoll task start --take-over ID".replace("ID", "T-1")), 0);
}

fn done_by_id() {
    let context = with_task();
    context.user_config("review: {enabled: false}\n");
    ends(&run(&context, "plimsoll task start T-1"), 0);
    let answer = context.prompt("user-prompt-review", "/review-task T-1", "p");
    let command = named(&answer.json.to_string(), "plimsoll task done ID").replace("ID", "T-1");
    ends(&run_in_script(&context, &command), 0);
    assert!(said(&context, &["task", "show", "T-1"]).contains("COMPLETE"));
}

fn done() {
    let context = with_task();
    context.user_config("review: {enabled: false}\n");
    ends(&run(&context, "plimsoll task start T-1"), 0);
    let shown = said(&context, &["task", "show", "T-1"]);
    ends(&run_in_script(&context, &named(&shown, "plimsoll task done {}")), 0);
    assert!(said(&context, &["task", "show", "T-1"]).contains("COMPLETE"));
}

fn reopen() {
    let context = with_task();
    ends(&run(&context, "plimsoll task start T-1"), 0);
    ends(&run(&context, "plimsoll task block T-1 --reason waits"), 0);
    let shown = said(&context, &["task", "show", "T-1"]);
    let command = named(&shown, "plimsoll task reopen {} --reason …");
    ends(&run(&context, &command), 0);
    assert!(!said(&context, &["task", "show", "T-1"]).contains("BLOCKED\n"));
}

fn parse_review() {
    let context = answered();
    let answer = context.typed("session-3", "/parse-review T-1");
    assert!(answer.context().starts_with("Parsing"), "{}", answer.json);
    let parser = context.call_agent("session-3", "review-parser");
    let prompt = parser.updated_input().unwrap()["prompt"].as_str().unwrap().to_owned();
    let nonce = prompt.split("\"nonce\": \"").nth(1).unwrap().split('"').next().unwrap();
    let mut result = result("APPROVED", json!([]));
    result["nonce"] = json!(nonce);
    context.ended("session-3", "review-parser", &result.to_string());
    assert_eq!(context.status(), "COMPLETE");
}
