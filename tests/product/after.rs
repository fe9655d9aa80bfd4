//! What happened is compared with what was answered before it.

use crate::context::{SESSION, TestContext};
use plimsoll::edge::state::{Journal, JournalRecord, Outcome, RecordKind, fingerprint};
use plimsoll::pure::step::Decision;
use serde_json::{Value, json};
use std::fs;

fn call(command: &str, id: &str) -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": {"stdout": ""},
        "tool_use_id": id})
}

fn audit(context: &TestContext) -> Vec<Value> {
    let text = fs::read_to_string(context.layout().audit()).unwrap_or_default();
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
    let given = |id: &str| JournalRecord {
        call: fingerprint(id.as_bytes()),
        result: fingerprint(b"git push --force-with-lease"),
        ..JournalRecord::new(RecordKind::Before, Outcome::Decided(Decision::Rewrite), 0)
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
fn the_log_names_what_was_run_without_its_secrets_and_never_the_content_of_a_file() {
    let context = TestContext::new();
    context.before_bash("curl -H 'token: hunter2' x > /dev/sda");
    context.before("Write", json!({"file_path": context.path("a.txt"), "content": "a private diary"}));
    let lines = audit(&context);
    assert_eq!(lines[0]["answer"], "deny");
    assert!(lines[0]["what"].as_str().unwrap().starts_with("curl -H"), "{}", lines[0]);
    assert_eq!(lines[1]["what"], context.path("a.txt").as_str());
    let all = fs::read_to_string(context.layout().audit()).unwrap();
    assert!(!all.contains("hunter2") && !all.contains("diary"), "{all}");
}

#[test]
fn every_review_leaves_one_line_with_its_scores() {
    let context = TestContext::new();
    context.write("notes/idea.md", "worth keeping\n");
    context.before_bash("git status");
    context.before("Read", json!({"file_path": context.path("readme.md")}));
    context.before("Agent", json!({"prompt": "look", "description": "Look around", "subagent_type": "x"}));
    context.before_bash("rm -rf notes");
    context.before("Bash", json!({"cmd": "of another shape"}));
    let lines = audit(&context);
    assert_eq!(lines.len(), 5, "{lines:#?}");
    let field = |name: &str| lines.iter().map(|line| line[name].clone()).collect::<Vec<_>>();
    assert_eq!(field("answer"), ["silent", "silent", "silent", "deny", "ask"]);
    assert_eq!(
        field("rule"),
        [json!(null), json!(null), json!(null), json!("prevent_recursive_deletion"), json!("opaque")]
    );
    assert_eq!(field("type")[..4], ["system_command", "file_operation", "message", "system_command"]);
    assert_eq!(lines[2]["intent"], "Look around");
    for line in &lines[..4] {
        for score in ["risk", "rationality", "confidence"] {
            assert!(line[score].is_f64(), "{score} of {line}");
        }
        assert!(line["microseconds"].is_u64() && line["session"] == SESSION, "{line}");
    }
    assert_eq!(lines[3]["side_effects"][0]["kind"], "file", "{}", lines[3]);
}

#[test]
fn a_rule_that_only_observes_is_named_in_the_line_of_its_review() {
    let context = TestContext::new();
    context.user_config("step_reviewer: {mode: observe}\n");
    context.write("notes/idea.md", "worth keeping\n");
    assert!(context.before_bash("rm -rf notes").is_silent());
    let lines = audit(&context);
    assert_eq!((lines.len(), &lines[0]["answer"]), (1, &json!("silent")));
    let noted = &lines[0]["noted"][0];
    assert_eq!((&noted["rule"], &noted["decision"]), (&json!("prevent_recursive_deletion"), &json!("deny")));
}
