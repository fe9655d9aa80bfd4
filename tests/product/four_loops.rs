//! The integration tests that the two documents name, under their names. Loop 1 and the doors are real; what a model, an
//! outside tool or a pull request would have said is recorded through the library.

use crate::context::TestContext;
use crate::receipts::{claude_finds, ends, passes};
use crate::reports::view;
use plimsoll::pure::policy::LoopNumber;
use plimsoll::pure::review::{FindingSeverity, LoopVerdict, RATE_LIMIT_EXCEEDED};
use serde_json::{Value, json};
use std::fs;

const LATER: [LoopNumber; 3] = [LoopNumber::Two, LoopNumber::Three, LoopNumber::Four];
const ALL_REQUIRED: &str = "blocking: {required_loops: [1, 2, 3, 4]}\n";

fn demanding_all() -> TestContext {
    let context = TestContext::new();
    context.user_config(ALL_REQUIRED);
    context.enrol();
    context.change();
    context
}

fn ship(context: &TestContext, prompt: &str) -> (String, Value) {
    let answer = context.prompt("user-prompt-ship", "/ship", prompt);
    (answer.context().lines().next().unwrap_or_default().to_owned(), answer.body())
}

#[test]
fn full_4_loop_execution_with_passing_code() {
    let context = demanding_all();
    context.review();
    for number in LATER {
        assert!(!context.gate(&[]).open, "before loop {number}");
        passes(&context, number);
    }
    assert!(context.gate(&[]).open);
    let state = view(&context);
    assert!((1..=4).all(|number| state[format!("loop_{number}_passed")] == true), "{state}");
    assert_eq!((&state["ship_allowed"], &state["blockers"]), (&json!(true), &json!([])));
}

#[test]
fn early_exit_on_loop_1_failure() {
    let context = demanding_all();
    context.user_config(&format!(
        "{ALL_REQUIRED}loop1: {{checks: {{lint: [\"false\"], test: [touch, tested]}}}}\n"
    ));
    assert_eq!(context.plimsoll(&["review", "run", "--loop", "1"]).status.code(), Some(1));
    assert!(!context.path("tested").exists(), "tier 2 did not start");
    let state = view(&context);
    assert_eq!(state["loops"]["loop1_tier1"]["status"], "fail");
    assert_eq!(state["loops"]["loop1_tier2"]["status"], "skip");
    assert_eq!(state["loops"]["loop2_claude"]["reason"], "not run");
    assert_eq!(state["ship_allowed"], false);
}

#[test]
fn loop_3_skip_on_rate_limit() {
    let context = demanding_all();
    context.review();
    passes(&context, LoopNumber::Two);
    passes(&context, LoopNumber::Four);
    ends(
        &context,
        LoopNumber::Three,
        LoopVerdict::Skip { reason: "coderabbit is not installed".into() },
        Vec::new(),
    );
    assert!(!context.gate(&[]).open, "a required loop that was skipped for another reason");
    let reason = format!("{RATE_LIMIT_EXCEEDED}: 8 of 8 used this hour; free again at 11:00");
    ends(&context, LoopNumber::Three, LoopVerdict::Skip { reason }, Vec::new());
    assert!(context.gate(&[]).open);
    let state = view(&context);
    assert_eq!((&state["loop_3_passed"], &state["ship_allowed"]), (&json!(false), &json!(true)));
    assert_eq!(state["loops"]["loop3_coderabbit"]["reason"], RATE_LIMIT_EXCEEDED);
}

#[test]
fn state_invalidation_on_new_commit() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context.write("one.md", "after the review\n");
    context.commit("new");
    let (heading, told) = ship(&context, "p");
    assert_eq!(heading, "Ship gate: Stale review");
    let reason = told["reason"].as_str().unwrap();
    assert!(reason.contains("Review state is for commit") && reason.contains("one.md"), "{reason}");
    context.push(&[]).assert_refused(&["one.md"]);
}

#[test]
fn ship_block_on_critical_findings() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    context.review();
    let found = claude_finds(&context, FindingSeverity::Critical);
    let (heading, told) = ship(&context, "p");
    assert_eq!(heading, "Ship gate: BLOCKED");
    assert!(told["reason"].as_str().unwrap().contains(found.id().as_str()), "{told}");
    context.commit("unfixed");
    context.push(&[]).assert_refused(&["Loop 2 failed", "one.md:1"]);
    claude_finds(&context, FindingSeverity::Major);
    assert!(context.gate(&[]).open, "a major finding warns");
}

#[test]
fn ship_allow_after_all_loops_pass() {
    let context = demanding_all();
    context.review();
    LATER.into_iter().for_each(|number| passes(&context, number));
    assert_eq!(ship(&context, "p").0, "Ship gate: APPROVED");
    context.commit("reviewed by all");
    context.push(&[]).assert_accepted();
    assert!(context.remote_has(&context.head()));
}

#[test]
fn stale_state_detection() {
    let context = demanding_all();
    context.review();
    LATER.into_iter().for_each(|number| passes(&context, number));
    context.write("two.md", "one byte more\n");
    let (heading, told) = ship(&context, "p");
    assert_eq!(heading, "Ship gate: Stale review");
    let blockers = told["blockers"].to_string();
    assert!(blockers.contains("Loop 2 has not read: two.md") && !blockers.contains("one.md"), "{blockers}");
}

#[test]
fn full_flow_review_then_ship() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    let asked = context.prompt("user-prompt-review", "/review --claude", "p1");
    assert_eq!(asked.body()["loops"], json!([1, 2]));
    context.prompt("user-prompt-start", "yes", "p2");
    let agent = json!({"description": "x", "prompt": "y", "subagent_type": "quality-checker"});
    let started = context.before("Agent", agent);
    let prompt = started.updated_input().unwrap()["prompt"].as_str().unwrap().to_owned();
    assert!(prompt.contains("plimsoll review run --loop 1"), "{prompt}");
    context.review();
    passes(&context, LoopNumber::Two);
    assert_eq!(ship(&context, "p3").0, "Ship gate: APPROVED");
    context.commit("shipped");
    assert_eq!(context.before_bash("git push").decision(), None);
    context.push(&[]).assert_accepted();
}

#[test]
fn edge_cases_no_state_stale_state_failed_loops() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    let (heading, told) = ship(&context, "none");
    assert_eq!(
        (heading.as_str(), &told["suggestion"]),
        ("Ship gate: No review state", &json!("Run /review before shipping"))
    );
    context.review();
    ends(&context, LoopNumber::Two, LoopVerdict::Fail, Vec::new());
    assert_eq!(ship(&context, "failed").0, "Ship gate: BLOCKED");
    passes(&context, LoopNumber::Two);
    context.write("one.md", "later\n");
    assert_eq!(ship(&context, "stale").0, "Ship gate: Stale review");
}

#[test]
fn no_direct_execution_in_hooks() {
    let context = TestContext::new();
    context.user_config("loop1: {checks: {lint: [touch, ran], build: [touch, ran], test: [touch, ran]}}\n");
    context.enrol();
    context.change();
    context.prompt("user-prompt-review", "/review --all --yes", "p1");
    context.prompt("user-prompt-review", "/reconcile", "p2");
    context.prompt("user-prompt-ship", "/ship", "p3");
    context.before("Agent", json!({"description": "x", "prompt": "y", "subagent_type": "quality-checker"}));
    assert!(!context.path("ran").exists(), "no check ran");
    assert!(!fs::exists(context.layout().receipts()).unwrap(), "nothing was recorded");
}
