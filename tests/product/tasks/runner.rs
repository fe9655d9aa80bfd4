//! `plimsoll task done` with a runner: waits for it, and exits by what the hooks took meanwhile.

use super::{Tasking, begun_with, issue, result};
use crate::answer::told;
use crate::context::{TestContext, binary};
use crate::terminal::typing;
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

#[test]
fn at_a_terminal_done_says_what_it_starts_and_starts_nothing_without_a_yes() {
    let context = begun_with("");
    context.script("../runner", &format!("echo \"$@\" > {}", context.beside("asked")));
    context.user_config(&format!("review: {{runner: ['{}', --quick]}}\n", context.beside("runner")));
    let done = |options: &[&str], typed: &str| {
        let mut command = context.command(binary("plimsoll"));
        command.args([&["task", "done", "T-1"], options].concat());
        typing(command, typed)
    };
    let refused = done(&[], "n\n");
    let said = told(&refused);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    for words in ["runs loop 1 first", "runner --quick '/plimsoll:review-task T-1'", "not handed in"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(context.status(), "IN_PROGRESS");
    assert!(!context.beside("asked").exists());
    done(&[], "y\n");
    assert!(context.beside("asked").exists());
    fs::remove_file(context.beside("asked")).unwrap();
    done(&["--yes"], "");
    assert!(context.beside("asked").exists());
}

#[test]
fn done_runs_loop_1_where_the_reviewer_is_to_get_its_results() {
    for (switches, runs) in [
        ("{}", true),
        ("{include_test_results: false, include_lint_results: true}", true),
        ("{include_test_results: false}", false),
    ] {
        let context = begun_with("");
        let ran = context.beside("ran");
        context.user_config(&format!(
            "review: {{trigger: explicit, context: {switches}}}\n\
             loop1: {{checks: {{test: [sh, -c, 'echo x >> {ran}; echo 7 passed; exit 1']}}}}\n"
        ));
        let output = context.plimsoll(&["task", "done", "T-1"]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        assert_eq!(context.status(), "AWAITING_REVIEW", "a failed check is the reviewer's to judge");
        assert_eq!(ran.exists(), runs, "{switches}");
        if switches == "{}" {
            let folder = told(&context.plimsoll(&["task", "context", "T-1"]));
            let shown = fs::read_to_string(format!("{}/context.md", folder.trim())).unwrap();
            assert!(shown.contains("- test: fail") && shown.contains("7 passed"), "{shown}");
            context.plimsoll(&["task", "done", "T-1"]);
            assert_eq!(fs::read_to_string(&ran).unwrap(), "x\n", "the same content is not checked twice");
        }
    }
}
