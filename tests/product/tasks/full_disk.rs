//! A disk that takes nothing more moves no task, approves nothing, and loses nothing.

use super::{REVIEWING, Tasking, begun, result};
use crate::answer::told;
use crate::full_disk::{LIMITS, on_a_full_disk};
use serde_json::json;

#[test]
fn commands_on_a_full_disk_fail_and_leave_every_task_as_it_was() {
    let context = begun();
    for limit in LIMITS {
        for arguments in [
            &["add", "Another"][..],
            &["done", "T-1"],
            &["release", "T-1"],
            &["block", "T-1", "--reason", "x"],
            &["start", "T-1", "--session", "other", "--take-over"],
        ] {
            let arguments = [&["task"], arguments].concat();
            let output = on_a_full_disk(&context, limit, "plimsoll", &arguments).output().unwrap();
            assert_ne!(output.status.code(), Some(0), "{limit} {arguments:?}: {}", told(&output));
        }
        assert_eq!(context.task(&["list"])["tasks"].as_array().unwrap().len(), 1, "{limit}");
        assert_eq!(context.status(), "IN_PROGRESS", "{limit}");
    }
    context.reviewed(result("APPROVED", json!([])));
    assert_eq!(context.status(), "COMPLETE");
}

#[test]
fn a_result_that_could_not_be_written_is_none_and_the_review_goes_on_when_there_is_room() {
    let context = begun();
    let reviewer = context.reviewer();
    let ended = |agent: &str, message: &str| {
        let fields = json!({"session_id": REVIEWING, "agent_id": format!("id-of-{agent}"), "agent_type": agent,
            "stop_hook_active": false, "last_assistant_message": message});
        context.event("SubagentStop", fields).to_string()
    };
    let words = format!("Fine.\n{}", reviewer.signed());
    context.reads(REVIEWING, "id-of-task-reviewer", &words);
    let full = || on_a_full_disk(&context, LIMITS[0], "stop", &[]);
    let answer = context.feed(full(), ended("task-reviewer", &words).as_bytes());
    assert!(answer.notice().contains("could not handle"), "{}", answer.json);
    assert_eq!(context.show()["active_review"]["given"], false);

    assert!(context.ended(REVIEWING, "task-reviewer", &words).is_silent());
    let mut parsed = result("APPROVED", json!([]));
    parsed["nonce"] = json!(context.parser());
    let answer = context.feed(full(), ended("review-parser", &parsed.to_string()).as_bytes());
    assert!(answer.notice().contains("could not handle"), "{}", answer.json);
    assert_eq!(context.status(), "AWAITING_REVIEW");
    context.ended(REVIEWING, "review-parser", &parsed.to_string());
    assert_eq!(context.status(), "COMPLETE");
}
