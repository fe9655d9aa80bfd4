//! `/reconcile`: where the work comes from, in order, and what typing it starts.

use crate::answer::{Answer, told};
use crate::context::TestContext;
use crate::receipts::{claude_finds, ends, finding, passes};
use plimsoll::pure::policy::LoopNumber;
use plimsoll::pure::review::{Finding, FindingSeverity, LoopVerdict};
use serde_json::{Value, json};

fn changed() -> TestContext {
    let context = TestContext::new();
    context.enrol();
    context.change();
    context
}

fn reconcile(context: &TestContext) -> Value {
    let output = context.plimsoll(&["reconcile", "--json"]);
    assert!(output.status.success(), "{}", told(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn start_checker(context: &TestContext) -> Answer {
    context.before("Agent", json!({"description": "x", "prompt": "y", "subagent_type": "quality-checker"}))
}

fn comment() -> Finding {
    Finding { category: "pr".into(), ..finding(FindingSeverity::Major, "two.md", "two") }
}

#[test]
fn reviewers_come_before_checks_and_checks_before_the_pull_request() {
    let context = changed();
    assert_eq!(reconcile(&context)["source"], "none");
    ends(&context, LoopNumber::Four, LoopVerdict::Fail, vec![comment()]);
    assert_eq!(reconcile(&context)["source"], "pr");
    let lint = Finding { category: "lint".into(), ..finding(FindingSeverity::Major, "two.md", "two") };
    ends(&context, LoopNumber::One, LoopVerdict::Fail, vec![lint]);
    let local = reconcile(&context);
    assert_eq!((&local["source"], &local["to_fix"][0]["category"]), (&json!("local"), &json!("lint")));
    let found = claude_finds(&context, FindingSeverity::Minor);
    let claude = reconcile(&context);
    assert_eq!((&claude["source"], &claude["to_fix"][0]["id"]), (&json!("claude"), &json!(found.id())));

    context.write("one.md", "fixed\n");
    passes(&context, LoopNumber::Two);
    let local = reconcile(&context);
    assert_eq!((&local["source"], &local["changed_since"]), (&json!("local"), &json!(true)));
    passes(&context, LoopNumber::One);
    assert_eq!(reconcile(&context)["source"], "pr");
    passes(&context, LoopNumber::Four);
    assert_eq!(reconcile(&context)["source"], "none");
}

#[test]
fn the_most_severe_comes_first_and_text_of_others_is_bounded_data() {
    let context = changed();
    let long = Finding {
        message: format!("x\u{1b}[2J{}", "y".repeat(5_000)),
        ..finding(FindingSeverity::Minor, "one.md", "one")
    };
    ends(
        &context,
        LoopNumber::Two,
        LoopVerdict::Fail,
        vec![long, finding(FindingSeverity::Critical, "two.md", "two")],
    );
    let told = reconcile(&context);
    assert_eq!(told["to_fix"][0]["severity"], "critical");
    let message = told["to_fix"][1]["message"].as_str().unwrap();
    assert!(message.chars().count() < 700 && !message.contains('\u{1b}'), "{message}");
}

#[test]
fn typing_it_in_any_spelling_gives_the_work_and_lets_loop_1_run_again() {
    for (prompt, plugin) in [("/reconcile", false), ("/plimsoll:reconcile", true)] {
        let mut context = changed();
        if plugin {
            context = context.with_variable("CLAUDE_PLUGIN_ROOT", "/plugins/plimsoll");
        }
        claude_finds(&context, FindingSeverity::Critical);
        let answer = context.prompt("user-prompt-review", prompt, "p1");
        context.prompt("user-prompt-start", prompt, "p1");
        assert!(answer.context().starts_with("Reconcile requested."), "{}", answer.json);
        assert!(answer.context().contains("untrusted data"), "{}", answer.json);
        assert_eq!(answer.body()["source"], "claude");
        assert_eq!(answer.body()["run"], "plimsoll review run --loop 1");
        let started = start_checker(&context);
        assert_eq!(started.decision(), None, "{}", started.json);
        let reviewer = json!({"description": "x", "prompt": "y", "subagent_type": "claude-reviewer"});
        assert_eq!(context.before("Agent", reviewer).decision(), Some("deny"), "only loop 1 was asked for");
    }
}

#[test]
fn it_takes_no_options_and_a_mention_is_no_command() {
    let context = changed();
    assert!(context.prompt("user-prompt-review", "/reconcile --all", "p1").blocks());
    for prompt in ["please /reconcile", "/reconciled", "/acme:reconcile"] {
        assert!(context.prompt("user-prompt-review", prompt, prompt).is_silent(), "{prompt}");
    }
    assert_eq!(start_checker(&context).decision(), Some("deny"));
}

#[test]
fn the_model_gets_the_context_and_no_confirmation() {
    let context = changed();
    claude_finds(&context, FindingSeverity::Critical);
    let answer = context.before("Skill", json!({"skill": "reconcile", "args": ""}));
    assert!(answer.context().contains("Reconcile requested"), "{}", answer.json);
    assert!(start_checker(&context).reason().contains("has not confirmed"));
    context.prompt("user-prompt-start", "yes", "p1");
    assert_eq!(start_checker(&context).decision(), None, "a person's yes is one");
}

#[test]
fn the_model_does_not_end_a_review_that_a_person_asked_for() {
    let context = changed();
    context.prompt("user-prompt-review", "/review --claude --yes", "p1");
    context.before("Skill", json!({"skill": "plimsoll:reconcile", "args": ""}));
    assert_eq!(start_checker(&context).decision(), None);
}
