//! A disk that takes nothing more: no loop passes, nothing is lost, and the next review is the way out.

use crate::answer::told;
use crate::context::{TestContext, binary};
use serde_json::json;
use std::process::Command;

/// Writing a byte to a file fails, with an error or, as some limits do it, with a signal.
pub(crate) const LIMITS: [&str; 2] = ["trap '' XFSZ; ulimit -f 0", "ulimit -f 0"];

pub(crate) fn on_a_full_disk(
    context: &TestContext,
    limit: &str,
    program: &str,
    arguments: &[&str],
) -> Command {
    let mut command = context.command("bash");
    command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")]).arg(binary(program)).args(arguments);
    command.env("CLAUDE_PROJECT_DIR", context.project());
    command
}

#[test]
fn a_loop_that_could_not_write_its_receipt_has_not_passed() {
    for limit in LIMITS {
        let context = TestContext::enrolled();
        context.change();
        for number in ["1", "3", "4"] {
            let arguments = ["review", "run", "--loop", number];
            let output = on_a_full_disk(&context, limit, "plimsoll", &arguments).output().unwrap();
            assert_ne!(output.status.code(), Some(0), "{limit}, loop {number}: {}", told(&output));
        }
        assert!(!context.gate(&[]).open, "{limit}");
        context.review();
        assert!(context.gate(&[]).open, "{limit}");
    }
}

#[test]
fn a_receipt_that_was_there_outlives_a_disk_that_fills_up() {
    let context = TestContext::reviewed();
    for limit in LIMITS {
        let _ =
            on_a_full_disk(&context, limit, "plimsoll", &["review", "run", "--loop", "1"]).output().unwrap();
        let gate = context.gate(&[]);
        assert!(gate.open, "{limit}: {}", gate.said);
    }
}

#[test]
fn hooks_on_a_full_disk_answer_and_let_nothing_through_that_they_would_refuse() {
    let context = TestContext::enrolled();
    context.change();
    context.commit("unreviewed");
    let push = json!({"tool_name": "Bash", "tool_input": {"command": "git push"}, "tool_use_id": "t"});
    let event = context.event("PreToolUse", push).to_string();
    let answer = context.feed(on_a_full_disk(&context, LIMITS[0], "pre-tool-use", &[]), event.as_bytes());
    assert!(matches!(answer.decision(), Some("deny" | "ask")), "{}", answer.json);
}
