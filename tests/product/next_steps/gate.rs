//! Steps that the gate, the review and its reports name.

use super::{Walk, ends, named, run, said};
use crate::context::TestContext;
use crate::findings::changed;
use crate::receipts::claude_finds;
use plimsoll::pure::review::FindingSeverity;
use std::fs;

pub(super) const WALKS: [Walk; 12] = [
    ("plimsoll gate why", gate_why),
    ("plimsoll gate why --worktree", gate_why_worktree),
    ("plimsoll gate check{}", gate_check),
    ("plimsoll review run --loop {}", review_run),
    ("plimsoll review run --loop 1", review_after_damage),
    ("plimsoll reconcile", reconcile),
    ("plimsoll review dismiss ID --reason …", dismiss),
    ("plimsoll enrol", enrol),
    ("plimsoll enrol --remove", enrol_remove),
    ("git push", git_push),
    ("git add", git_add),
    ("plimsoll allow", allow),
];

fn gate_why() {
    let context = TestContext::enrolled();
    context.change();
    context.commit("unreviewed");
    let push = context.push(&[]);
    let why = ends(&run(&context, &named(&push.said, "plimsoll gate why")), 1);
    assert!(why.contains("No review state found") && push.said.contains("No review state found"), "{why}");
    assert!(why.contains("next: Run /review"), "{why}");
    // The step after that one, too.
    assert!(!context.prompt("user-prompt-review", "/review", "p").blocks());
    context.review();
    context.push(&[]).assert_accepted();
}

fn gate_why_worktree() {
    let context = TestContext::enrolled();
    context.change();
    let said = said(&context, &["gate", "why"]);
    let why = ends(&run(&context, &named(&said, "plimsoll gate why --worktree")), 1);
    assert!(why.contains("No review state found"), "{why}");
}

fn gate_check() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    context.review();
    context.write("one.md", "changed after the review\n");
    context.commit("two reasons");
    let why = said(&context, &["gate", "why"]);
    let all = ends(&run(&context, &named(&why, "plimsoll gate check")), 1);
    assert!(all.contains("one.md") && all.contains("Loop 2 not run"), "{why}{all}");
    context.write("one.md", "changed again\n");
    let why = said(&context, &["gate", "why", "--worktree"]);
    ends(&run(&context, &named(&why, "plimsoll gate check --worktree")), 1);
}

fn review_run() {
    let context = TestContext::enrolled();
    context.change();
    context.user_config("blocking: {required_loops: [1]}\nloop1: {checks: {lint: [\"false\"]}}\n");
    let report = said(&context, &["review", "run", "--loop", "1"]);
    context.user_config("blocking: {required_loops: [1]}\n");
    ends(&run(&context, &named(&report, "plimsoll review run --loop {}")), 0);
    assert!(context.gate(&[]).open);
}

fn review_after_damage() {
    let context = TestContext::reviewed();
    fs::write(context.layout().receipts().join("00000001.json"), "garbage").unwrap();
    assert!(!context.gate(&[]).open);
    let doctor = said(&context, &["doctor"]);
    ends(&run(&context, &named(&doctor, "plimsoll review run --loop 1")), 0);
    assert!(context.gate(&[]).open, "{}", context.gate(&[]).said);
}

fn reconcile() {
    let context = TestContext::enrolled();
    context.change();
    context.user_config("blocking: {required_loops: [1]}\nloop1: {checks: {lint: [\"false\"]}}\n");
    said(&context, &["review", "run", "--loop", "1"]);
    let usage = context.prompt("user-prompt-review", "/reconcile now", "p");
    let listed = ends(&run(&context, &named(usage.reason(), "plimsoll reconcile")), 0);
    assert!(listed.contains("To fix") && listed.contains("lint"), "{listed}");
}

fn dismiss() {
    let context = changed();
    let found = claude_finds(&context, FindingSeverity::Critical);
    assert!(!context.gate(&[]).open);
    let command = format!("plimsoll review dismiss {} --reason tested", found.id().as_str());
    let dismissed = ends(&run(&context, &command), 0);
    assert!(dismissed.contains("open for this content") && context.gate(&[]).open, "{dismissed}");
    let unknown = ends(&run(&context, "plimsoll review dismiss abcdef --reason tested"), 2);
    assert!(unknown.contains("abcdef"), "{unknown}");
}

fn enrol() {
    let context = TestContext::new();
    context.change();
    let answer = context.prompt("user-prompt-ship", "/ship", "p");
    ends(&run(&context, &named(answer.context(), "plimsoll enrol")), 0);
    context.commit("unreviewed");
    context.push(&[]).assert_refused(&["No review state found"]);
}

fn enrol_remove() {
    let context = TestContext::new();
    let enrolled = said(&context, &["enrol"]);
    ends(&run(&context, &named(&enrolled, "plimsoll enrol --remove")), 0);
    context.change();
    context.commit("unreviewed");
    context.push(&[]).assert_accepted();
}

fn git_push() {
    let context = TestContext::enrolled();
    context.change();
    let commit = context.commit("unreviewed");
    let granted = ends(&run(&context, "plimsoll gate override --reason tested"), 0);
    ends(&run(&context, &named(&granted, "git push")), 0);
    assert!(context.remote_has(&commit));
}

fn git_add() {
    let context = TestContext::enrolled();
    context.git(&["checkout", "-q", "-b", "theirs"]);
    context.write("readme.md", "theirs\n");
    context.commit("theirs");
    context.git(&["checkout", "-q", "main"]);
    context.write("readme.md", "ours\n");
    context.commit("ours");
    assert!(!context.bash("git merge theirs").status.success());
    let refused = said(&context, &["review", "run", "--loop", "1", "--staged"]);
    context.write("readme.md", "both\n");
    ends(&run(&context, &format!("{} readme.md", named(&refused, "git add"))), 0);
    context.review();
}

fn allow() {
    let context = TestContext::enrolled();
    let refused = context.before_bash("rm -rf ~/");
    assert_eq!(refused.decision(), Some("deny"));
    let unknown = ends(&run(&context, "plimsoll allow abcdef"), 2);
    ends(&run(&context, &named(&unknown, "plimsoll allow")), 0);
}
