//! What happened is compared with what was answered before it.

use crate::context::{SESSION, TestContext};
use plimsoll::state::{Journal, Kind, Outcome, Record, fingerprint};
use serde_json::{Value, json};
use std::fs;

fn call(command: &str, id: &str) -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": {"stdout": ""},
        "tool_use_id": id})
}

fn audit(context: &TestContext) -> Vec<Value> {
    let text = fs::read_to_string(context.layout().audit(SESSION)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_refused_call_that_ran_all_the_same_is_told_to_the_person_and_logged() {
    let context = TestContext::new();
    context.hook("pre-tool-use", "PreToolUse", call("echo > /dev/sda", "t1"));
    let answer = context.hook("post-tool-use", "PostToolUse", call("echo > /dev/sda", "t1"));
    assert!(answer.notice().contains("ran all the same"), "{}", answer.json);
    assert_eq!(audit(&context).last().unwrap()["answer"], "denied_but_ran");
    context.hook("pre-tool-use", "PreToolUse", call("echo > /dev/sda", "t2"));
    let failed = context.hook("post-tool-use", "PostToolUseFailure", call("echo > /dev/sda", "t2"));
    assert!(failed.notice().contains("ran all the same"), "{}", failed.json);
}

#[test]
fn a_question_that_was_answered_with_yes_counts_as_approved() {
    let context = TestContext::new();
    let asked = context.hook("pre-tool-use", "PreToolUse", call("cat <<E && (", "t1"));
    assert_eq!(asked.decision(), Some("ask"), "{}", asked.json);
    let after = context.hook("post-tool-use", "PostToolUseFailure", call("cat <<E && (", "t1"));
    assert!(after.is_silent(), "{}", after.json);
    context.hook("pre-tool-use", "PreToolUse", call("cat <<E && (", "t2"));
    let totals = Journal::open(&context.layout().journal(SESSION)).unwrap().tail().unwrap().totals;
    assert_eq!((totals.asked, totals.approved), (2, 1));
    assert_eq!(audit(&context)[1]["answer"], "approved");
}

#[test]
fn a_rewritten_call_that_ran_in_another_spelling_is_told() {
    let context = TestContext::new();
    let journal = Journal::open(&context.layout().journal(SESSION)).unwrap();
    let given = |id: &str| Record {
        call: fingerprint(id.as_bytes()),
        result: fingerprint(b"git push --force-with-lease"),
        ..Record::new(Kind::Before, Outcome::Rewritten, 0)
    };
    journal.append(&given("t1")).unwrap();
    journal.append(&given("t2")).unwrap();
    let as_given = call("git push --force-with-lease", "t1");
    assert!(context.hook("post-tool-use", "PostToolUse", as_given).is_silent());
    let otherwise = context.hook("post-tool-use", "PostToolUse", call("git push --force", "t2"));
    assert!(otherwise.notice().contains("ran with another one"), "{}", otherwise.json);
    assert_eq!(audit(&context).last().unwrap()["answer"], "not_as_rewritten");
}

#[test]
fn the_log_names_what_was_run_and_never_the_input() {
    let context = TestContext::new();
    context.before_bash("curl -H 'token: hunter2' x > /dev/sda");
    let lines = audit(&context);
    assert_eq!((&lines[0]["answer"], &lines[0]["what"]), (&json!("deny"), &json!("curl")));
    assert!(!lines[0].to_string().contains("hunter2"), "{}", lines[0]);
    context.before("Read", json!({"file_path": context.path("readme.md")}));
    assert_eq!(audit(&context).len(), 1, "what says nothing and risks nothing is in the journal alone");
}
