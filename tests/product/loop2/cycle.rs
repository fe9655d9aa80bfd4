//! From the start of the reviewer to the gate, round after round.

use super::{Reviewing, finding, ready};
use crate::context::TestContext;
use plimsoll::edge::state::Ledger;
use plimsoll::pure::policy::LoopNumber;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_whole_and_true_answer_opens_the_gate() {
    let context = ready();
    assert!(!context.gate(&[]).open);
    let started = context.start();
    assert_eq!(started.input["model"], "opus");
    assert_eq!(started.input["run_in_background"], false);
    assert_eq!(started.input["subagent_type"], "claude-reviewer");
    assert!(!started.input.to_string().contains("all is well"), "{}", started.input);
    assert_eq!(started.files(), ["one.md", "two.md"]);
    assert!(started.diff().contains("\n+one\n"), "{}", started.diff());
    let answer = started.honest(json!([finding("minor", "one.md", "one")]));
    let said = format!("I have read it all.\n```json\n{answer:#}\n```");
    assert!(context.answer(&said).is_silent());
    assert_eq!(context.verdict(), Some(json!({"status": "pass"})));
    let receipt = context.receipts().receipts.pop().unwrap();
    assert_eq!(receipt.reviewer.as_deref(), Some("claude-reviewer (opus)"));
    assert_eq!(receipt.loops[&LoopNumber::Two].findings[0].line, Some(1), "a wrong line is put right");
    let gate = context.gate(&[]);
    assert!(gate.open, "{}", gate.said);
    assert!(!fs::exists(&started.folder).unwrap() && context.pending().is_empty());
    let view = context.path(".claude/state/claude-review-results.json");
    assert_eq!(fs::metadata(&view).unwrap().permissions().mode() & 0o777, 0o600);
    let view: Value = serde_json::from_str(&fs::read_to_string(view).unwrap()).unwrap();
    crate::schemas::assert_fits("claude-review-results", &view);
    assert_eq!(view["findings"][0]["quote"], "one");
    assert_eq!(view["model"], "opus");
    assert!(context.git(&["status", "--porcelain"]).lines().all(|line| !line.contains("state")));
}

#[test]
fn a_critical_finding_closes_the_gate_until_it_is_fixed_and_only_the_fixed_file_is_read_again() {
    let context = ready();
    let started = context.start();
    let answer = started.honest(json!([finding("critical", "one.md", "one")]));
    assert!(context.answer(&answer.to_string()).is_silent());
    assert_eq!(context.verdict(), Some(json!({"status": "fail"})));
    let gate = context.gate(&[]);
    assert!(!gate.open && gate.said.contains("this is wrong"), "{}", gate.said);
    assert!(context.call().reason().contains("what it found still stands"));

    context.write("one.md", "one, fixed\n");
    context.review();
    let again = context.start();
    assert_eq!(again.files(), ["one.md"], "two.md was read already");
    let index = again.read("context.md");
    assert!(index.contains("read before: 1 changed files"), "{index}");
    assert!(index.contains("quoting \"one\": this is wrong"), "{index}");
    assert!(context.answer(&again.honest(json!([])).to_string()).is_silent());
    let gate = context.gate(&[]);
    assert!(gate.open, "{}", gate.said);
    let log = fs::read_dir(context.path(".claude/logs")).unwrap().count();
    assert!(log > 0);
    let receipt = context.receipts().receipts.pop().unwrap();
    let lines: Vec<&str> =
        receipt.loops[&LoopNumber::Two].tiers[&1].iter().map(|line| line.name.as_str()).collect();
    assert_eq!(lines, ["reading", "reused (read 0 m ago)"]);
}

#[test]
fn what_stands_against_one_file_fails_a_round_that_read_another_until_a_reviewer_sees_it_settled() {
    let context = ready();
    let started = context.start();
    context.answer(&started.honest(json!([finding("critical", "one.md", "one")])).to_string());
    context.write("two.md", "two, changed\n");
    context.review();
    let again = context.start();
    assert_eq!(again.files(), ["two.md"]);
    context.answer(&again.honest(json!([])).to_string());
    assert_eq!(context.verdict(), Some(json!({"status": "fail"})));
    assert!(!context.gate(&[]).open);

    context.write("two.md", "two, and one is safe now\n");
    context.review();
    let third = context.start();
    let id = context.receipts().receipts.last().map(|_| third.read("context.md")).unwrap();
    let id = id.split("- id ").nth(1).unwrap().split(',').next().unwrap().to_owned();
    let mut answer = third.honest(json!([]));
    answer["settled"] = json!([{"id": "0000000000", "why": "x"}]);
    assert!(context.answer(&answer.to_string()).reason().contains("not the id"));
    answer["settled"] = json!([{"id": id, "why": "two.md guards it"}]);
    assert!(context.answer(&answer.to_string()).is_silent());
    assert_eq!(context.verdict(), Some(json!({"status": "pass"})));
    assert!(context.gate(&[]).open);
}

#[test]
fn a_reading_older_than_max_evidence_age_minutes_is_made_again() {
    for (settings, is_read_again) in [("", false), ("blocking: {max_evidence_age_minutes: 10}\n", true)] {
        let context = TestContext::with_settings(settings);
        let started = context.start();
        context.answer(&started.honest(json!([])).to_string());
        let reused = context.call();
        assert!(reused.decision() == Some("deny") && reused.reason().contains("go on with the next loop"));
        let mut receipt = context.receipts().receipts.pop().unwrap();
        let ago = time::OffsetDateTime::now_utc() - time::Duration::minutes(30);
        receipt.time = ago.format(&time::format_description::well_known::Rfc3339).unwrap();
        let (layout, homes) = (context.layout(), context.homes());
        let repository = context.identity();
        Ledger { layout: &layout, homes: &homes, repository: &repository }.append(receipt).unwrap();
        let answer = context.call();
        assert_eq!(answer.updated_input().is_some(), is_read_again, "{}", answer.json);
        if !is_read_again {
            assert!(answer.reason().contains("30 m ago"), "{}", answer.json);
        }
    }
}

#[test]
fn more_than_max_rounds_failed_readings_need_a_person() {
    let fail_once = |settings: &str| {
        let context = TestContext::with_settings(settings);
        let started = context.start();
        context.answer(&started.honest(json!([finding("critical", "one.md", "one")])).to_string());
        context.write("one.md", "one again\n");
        context.review();
        context
    };
    let refused = fail_once("blocking: {max_rounds: 1}\n").call();
    assert_eq!(refused.decision(), Some("deny"), "{}", refused.json);
    for word in ["max_rounds is 1", "plimsoll review dismiss", "/ship --override"] {
        assert!(refused.reason().contains(word), "{}", refused.json);
    }
    fail_once("").start();
}

#[test]
fn loop2_model_chooses_who_reads() {
    let context = TestContext::with_settings("loop2: {model: sonnet}\n");
    let started = context.start();
    assert_eq!(started.input["model"], "sonnet");
    context.answer(&started.honest(json!([])).to_string());
    let receipt = context.receipts().receipts.pop().unwrap();
    assert_eq!(receipt.reviewer.as_deref(), Some("claude-reviewer (sonnet)"));
}
