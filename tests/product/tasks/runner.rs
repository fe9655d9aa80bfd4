//! `plimsoll task done` with a runner: waits for it, and exits by what the hooks took meanwhile.

use super::{Tasking, begun_with, issue, result};
use crate::answer::told;
use crate::context::{TestContext, binary};
use serde_json::{Value, json};
use std::fs;
use std::process::{Child, Command, Output, Stdio};

/// A runner that notes what it was asked, and ends when it may.
fn with_runner(last: &str) -> TestContext {
    let context = begun_with("");
    let (asked, go) = (context.beside("asked"), context.beside("go"));
    context.script(
        "../runner",
        &format!("echo \"$@\" > {asked}.new; mv {asked}.new {asked}; until [ -e {go} ]; do sleep 0.02; done; {last}"),
    );
    context.user_config(&format!("review: {{runner: ['{}', --quick]}}\n", context.beside("runner")));
    context
}

fn start(context: &TestContext) -> Child {
    let child = context
        .command(binary("plimsoll"))
        .args(["task", "--json", "done", "T-1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !context.beside("asked").exists() {
        std::thread::yield_now();
    }
    child
}

fn ended(context: &TestContext, child: Child) -> (Output, Value) {
    fs::write(context.beside("go"), "").unwrap();
    let output = child.wait_with_output().unwrap();
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", told(&output)));
    (output, value)
}

#[test]
fn done_waits_for_the_runner_and_exits_by_the_result() {
    for (parsed, status, code) in [
        (result("APPROVED", json!([])), "COMPLETE", 0),
        (result("NEEDS_REVISION", json!([issue("major", json!("two.md"))])), "NEEDS_REVISION", 1),
        (result("REJECTED", json!([])), "BLOCKED", 1),
    ] {
        let context = with_runner("true");
        let child = start(&context);
        assert_eq!(
            fs::read_to_string(context.beside("asked")).unwrap(),
            "--quick /plimsoll:review-task T-1\n"
        );
        assert_eq!(context.status(), "AWAITING_REVIEW");
        context.reviewed(parsed);
        let (output, value) = ended(&context, child);
        assert_eq!(
            (output.status.code(), value["status"].as_str()),
            (Some(code), Some(status)),
            "{}",
            told(&output)
        );
    }
}

#[test]
fn a_runner_that_reviews_nothing_fails_or_is_missing_leaves_the_task_waiting_and_says_so() {
    for (last, word) in [("true", "without a result"), ("echo no key; exit 3", "exited with 3: no key")] {
        let context = with_runner(last);
        let child = start(&context);
        let (output, value) = ended(&context, child);
        assert_eq!((output.status.code(), value["status"].as_str()), (Some(2), Some("AWAITING_REVIEW")));
        let said = told(&output);
        assert!(said.contains(word) && said.contains("stays AWAITING_REVIEW"), "{said}");
    }
    let context = begun_with("");
    context.user_config("review: {runner: [no-such-client]}\n");
    let output = context.plimsoll(&["task", "done", "T-1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("there is no program `no-such-client` on PATH"), "{}", told(&output));
    assert_eq!(context.status(), "AWAITING_REVIEW");
}

#[test]
fn a_command_that_is_killed_while_it_waits_loses_nothing() {
    let context = with_runner("true");
    let mut child = start(&context);
    assert!(Command::new("kill").args(["-KILL", &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap();
    fs::write(context.beside("go"), "").unwrap();
    assert_eq!(context.status(), "AWAITING_REVIEW");
    context.reviewed(result("APPROVED", json!([])));
    assert_eq!(context.status(), "COMPLETE");
}
