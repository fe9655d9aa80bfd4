//! `plimsoll log` and `plimsoll explain --last`: what the step reviews left behind.

use crate::answer::told;
use crate::context::{SESSION, TestContext, binary};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

fn step(context: &TestContext, session: &str, command: &str, id: &str) {
    let fields = json!({"session_id": session, "tool_name": "Bash", "tool_input": {"command": command},
        "tool_use_id": id});
    context.hook("pre-tool-use", "PreToolUse", fields);
}

fn shown(context: &TestContext, arguments: &[&str]) -> String {
    let output = context.plimsoll(arguments);
    assert!(output.status.success(), "{}", told(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_step_review_is_listed_and_refusals_alone_if_asked_for() {
    let context = TestContext::new();
    assert_eq!(shown(&context, &["log"]), "No tool call was reviewed here yet.\n");
    for number in 0..5 {
        step(&context, SESSION, "git status", &format!("a{number}"));
    }
    step(&context, SESSION, "rm -rf /", "b");
    step(&context, "other", "ls", "c");
    let all = shown(&context, &["log"]);
    assert_eq!(all.lines().filter(|line| line.contains("· silent ")).count(), 6, "{all}");
    let refused = shown(&context, &["log", "--refused", "--session", "sess"]);
    let line = refused.lines().nth(1).unwrap();
    for word in ["✗ deny", "Bash", "1.00", "system_or_home", "rm -rf /"] {
        assert!(line.contains(word), "no {word} in {line}");
    }
    assert_eq!(refused.lines().count(), 2, "{refused}");
    assert_eq!(shown(&context, &["log", "-n", "1"]).lines().count(), 2);
    let lines = shown(&context, &["log", "--json"]);
    let values: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((values.len(), &values[5]["answer"]), (7, &json!("deny")));
    assert_eq!(context.plimsoll(&["log", "--session", "nobody"]).status.code(), Some(2));
}

#[test]
fn the_export_has_every_call_under_the_ids_of_the_client() {
    let context = TestContext::new();
    for number in 0..60 {
        step(&context, SESSION, "git status", &format!("toolu_{number}"));
    }
    step(&context, "other", "rm -rf /", "toolu_x");
    let export = shown(&context, &["log", "--export", "jsonl"]);
    let lines: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 61, "also more than the command lists");
    let last = &lines[60];
    for (field, value) in [
        ("event", json!("step_review")),
        ("session_id", json!("other")),
        ("tool_use_id", json!("toolu_x")),
        ("tool_name", json!("Bash")),
        ("outcome", json!("deny")),
        ("rule", json!("system_or_home")),
        ("project", json!(context.project())),
    ] {
        assert_eq!(last[field], value, "{field} of {last}");
    }
    let one = shown(&context, &["log", "--export", "jsonl", "--session", "other"]);
    assert_eq!(one.lines().count(), 1, "{one}");
    assert_eq!(shown(&TestContext::new(), &["log", "--export", "jsonl"]), "");
}

#[test]
fn what_would_have_been_refused_is_listed_in_observe_mode() {
    let context = TestContext::new();
    context.user_config("step_reviewer: {mode: observe}\n");
    context.write("readme.md", "changed\n");
    step(&context, SESSION, "git reset --hard", "a");
    let refused = shown(&context, &["log", "--refused", "-v"]);
    assert!(refused.contains("! would deny"), "{refused}");
    assert!(refused.contains("discard_changes") && refused.contains("would lose"), "{refused}");
}

#[test]
fn the_log_is_followed() {
    let context = TestContext::new();
    step(&context, SESSION, "ls", "a");
    let mut command = context.command(binary("plimsoll"));
    let mut child = command.args(["log", "--follow"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.next();
    assert!(lines.next().unwrap().ends_with("  ls"));
    step(&context, SESSION, "rm -rf /", "b");
    assert!(lines.next().unwrap().ends_with("  rm -rf /"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_newest_refusal_is_explained_with_what_to_do() {
    let context = TestContext::new();
    assert_eq!(shown(&context, &["explain", "--last"]), "No tool call was refused here.\n");
    context.write("readme.md", "changed\n");
    step(&context, SESSION, "rm -rf /", "a");
    assert!(shown(&context, &["explain", "--last"]).contains("do: no permission lifts this rule"));
    step(&context, SESSION, "git reset --hard", "b");
    step(&context, SESSION, "ls", "c");
    let last = shown(&context, &["explain", "--last"]);
    let lines: Vec<&str> = last.lines().collect();
    assert!(lines[0].starts_with("✗ deny: a Bash call was refused at "), "{last}");
    assert!(lines[1].starts_with("  discard_changes: git reset --hard would lose"), "{last}");
    assert!(lines[3].contains("/allow ") && lines.len() <= 6, "{last}");
    assert_eq!(
        serde_json::from_str::<Value>(&shown(&context, &["explain", "--last", "--json"])).unwrap()["rule"],
        "discard_changes"
    );
}
