//! What `/ship` says.

use crate::context::{LOOP_1_SUFFICES, TestContext};
use serde_json::{Value, json};
use std::fs;

fn ship(context: &TestContext, prompt: &str) -> (String, Value) {
    let answer = context.prompt("user-prompt-ship", "/ship", prompt);
    (answer.context().lines().next().unwrap_or_default().to_owned(), answer.body())
}

#[test]
fn ship_says_how_the_gate_stands() {
    let context = TestContext::enrolled();
    context.change();
    let (heading, told) = ship(&context, "none");
    assert_eq!(heading, "Ship gate: No review state");
    assert_eq!(told["blocked"], true);
    assert_eq!(told["suggestion"], "Run /review before shipping");

    context.review();
    let (heading, told) = ship(&context, "approved");
    assert_eq!(heading, "Ship gate: APPROVED");
    assert_eq!((&told["blocked"], &told["all_loops_passed"]), (&json!(false), &json!(true)));

    context.write("one.md", "changed again\n");
    let (heading, told) = ship(&context, "stale");
    assert_eq!(heading, "Ship gate: Stale review");
    assert!(told["reason"].as_str().unwrap().contains("changed since: one.md"), "{told}");
    assert_eq!(
        (&told["state_commit"], &told["current_commit"]),
        (&json!(context.head()), &json!(context.head()))
    );
    let before = context.head();
    context.git(&["commit", "-q", "--allow-empty", "-m", "another commit"]);
    let (_, told) = ship(&context, "stale by commit");
    assert_eq!((&told["state_commit"], &told["current_commit"]), (&json!(before), &json!(context.head())));

    context.user_config("blocking: {required_loops: [1]}\nloop1: {checks: {lint: [\"false\"]}}\n");
    assert_eq!(context.plimsoll(&["review", "run", "--loop", "1"]).status.code(), Some(1));
    let (heading, told) = ship(&context, "failed");
    assert_eq!(heading, "Ship gate: BLOCKED");
    assert!(told["reason"].as_str().unwrap().starts_with("Loop 1 failed"), "{told}");
    assert_eq!(told["loop_results"]["loop_1"], false);
    assert!(told["suggestion"].as_str().unwrap().contains("Fix issues and run /review again"), "{told}");

    let receipt = context.layout().receipts().join("00000002.json");
    fs::write(receipt, "garbage").unwrap();
    let (heading, told) = ship(&context, "corrupt");
    assert_eq!(heading, "Ship gate: BLOCKED");
    assert!(told["reason"].as_str().unwrap().starts_with("Cannot read review state"), "{told}");
}

#[test]
fn by_default_loop_1_alone_does_not_ship() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    context.review();
    let (heading, told) = ship(&context, "p");
    assert_eq!(heading, "Ship gate: BLOCKED");
    assert_eq!(told["reason"], "Loop 2 not run");
    let advice = "Run /review --loops 2";
    assert_eq!(told["suggestion"], advice);
    context.user_config(LOOP_1_SUFFICES);
    assert_eq!(ship(&context, "p2").0, "Ship gate: APPROVED");
}

#[test]
fn ship_without_a_stray_file_is_approved() {
    let context = TestContext::reviewed();
    context.write("stray file.txt", "notes\n");
    let (_, told) = ship(&context, "p1");
    assert!(told["suggestion"].as_str().unwrap().contains("--leave-out"), "{told}");
    let answer = context.prompt("user-prompt-ship", "/ship --leave-out 'stray file.txt'", "p2");
    assert!(answer.context().starts_with("Ship gate: APPROVED"), "{}", answer.json);
}

#[test]
fn as_a_plugin_the_commands_carry_its_name() {
    let context = TestContext::enrolled().with_variable("CLAUDE_PLUGIN_ROOT", "/plugins/plimsoll");
    context.change();
    assert_eq!(ship(&context, "p").1["suggestion"], "Run /plimsoll:review before shipping");
    let told = context.prompt("user-prompt-review", "/plimsoll:review --free", "p2").body();
    assert_eq!(told["command"], "/plimsoll:review");
    assert_eq!(told["agents"][0]["agent"], "plimsoll:quality-checker");
    context.commit("unreviewed");
    assert!(context.before_bash("git push").reason().contains("/plimsoll:review"));
}

#[test]
fn a_failure_that_may_ship_does_not_count_as_all_loops_passed() {
    let context = TestContext::enrolled();
    context.change();
    context.user_config(
        "blocking: {required_loops: [1], test_failure_blocks_ship: false}\nloop1: {checks: {test: [\"false\"]}}\n",
    );
    assert_eq!(context.plimsoll(&["review", "run", "--loop", "1"]).status.code(), Some(1));
    let (heading, told) = ship(&context, "p");
    assert_eq!(heading, "Ship gate: APPROVED", "{told}");
    assert_eq!(told["all_loops_passed"], false);
}

#[test]
fn gate_check_prints_text_for_people_and_json_only_on_request() {
    let context = TestContext::enrolled();
    context.change();
    let check = |options: &[&str]| {
        let output = context.plimsoll(&[&["gate", "check", "--worktree"], options].concat());
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    let text =
        "✗ The gate is closed: 1 blocker\n  No review state found\n      next: Run /review before shipping\n";
    assert_eq!(check(&[]), (text.to_owned(), Some(1)));
    let (json, code) = check(&["--json"]);
    let body: Value = serde_json::from_str(json.split_once('\n').unwrap().1).unwrap();
    assert_eq!((&body["blocked"], code), (&json!(true), Some(1)));
    context.review();
    assert_eq!(check(&[]), ("✓ The gate is open for this content.\nnext: /ship\n".to_owned(), Some(0)));
    let elsewhere = context.beside("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    for command in ["check", "why"] {
        assert_eq!(context.plimsoll_in(&elsewhere, &["gate", command]).status.code(), Some(2), "{command}");
    }
}
