//! `session_idle`: the end of a turn asks for a review, once.

use super::{Tasking, begun_with, issue, result};
use crate::answer::Answer;
use crate::context::{SESSION, TestContext};
use serde_json::json;

fn idle() -> TestContext {
    let context = begun_with("");
    context.user_config("review: {trigger: session_idle}\n");
    context
}

fn stop(context: &TestContext, active: bool) -> Answer {
    context.hook("stop", "Stop", json!({"stop_hook_active": active, "last_assistant_message": "Done."}))
}

fn review_in_session(context: &TestContext, parsed: serde_json::Value) {
    let reviewer = super::Reviewer::of(&context.call_agent(SESSION, "task-reviewer"));
    context.ended(SESSION, "task-reviewer", &format!("Words.\n{}", reviewer.signed()));
    let input = context.call_agent(SESSION, "review-parser");
    let prompt = input.updated_input().unwrap()["prompt"].as_str().unwrap().to_owned();
    let nonce = prompt.split("\"nonce\": \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let mut parsed = parsed;
    parsed["nonce"] = json!(nonce);
    context.ended(SESSION, "review-parser", &parsed.to_string());
}

#[test]
fn a_turn_that_ends_after_work_asks_for_exactly_one_review() {
    let context = idle();
    assert!(stop(&context, false).is_silent(), "nothing was done since the start");
    context.write("two.md", "worked\n");
    assert!(stop(&context, true).is_silent(), "a turn that a hook prolonged just ends");
    let asks = stop(&context, false);
    assert!(asks.blocks() && asks.reason().contains("`task-reviewer`"), "{}", asks.json);
    assert_eq!(context.status(), "AWAITING_REVIEW");
    assert!(stop(&context, false).is_silent(), "once for the same content");
    review_in_session(&context, result("NEEDS_REVISION", json!([issue("major", json!("two.md"))])));
    assert_eq!(context.status(), "NEEDS_REVISION");
    assert!(stop(&context, false).is_silent());
    context.write("two.md", "worked more\n");
    assert!(stop(&context, false).blocks());
    review_in_session(&context, result("APPROVED", json!([])));
    assert_eq!(context.status(), "COMPLETE");
    context.write("two.md", "the next task\n");
    assert!(stop(&context, false).is_silent());
}

#[test]
fn other_sessions_other_triggers_and_switched_off_reviews_end_their_turns_in_peace() {
    let context = idle();
    context.write("two.md", "worked\n");
    let fields = json!({"session_id": "another", "stop_hook_active": false, "last_assistant_message": "x"});
    assert!(context.hook("stop", "Stop", fields).is_silent());
    for settings in ["review: {trigger: explicit}\n", "", "review: {trigger: session_idle, enabled: false}\n"]
    {
        context.user_config(settings);
        assert!(stop(&context, false).is_silent(), "{settings}");
    }
    context.user_config("review: {trigger: session_idle}\n");
    assert!(stop(&context, false).blocks());
}
