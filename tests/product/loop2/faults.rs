//! Reviewers that die, folders that cannot be written, records that are torn.

use super::{REVIEWER, Reviewing, ready};
use crate::context::SESSION;
use crate::extent::cases;
use plimsoll::edge::state::LedgerContents;
use plimsoll::pure::policy::LoopNumber;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_reviewer_that_dies_leaves_nothing_behind_that_counts() {
    let context = ready();
    let dead = context.start();
    assert_eq!(context.verdict(), None);
    assert!(!context.gate(&[]).open);
    let started = context.start();
    assert!(context.answer(&started.honest(json!([])).to_string()).is_silent());
    assert!(context.gate(&[]).open);
    context.age(3 * 60 * 60 * 1000);
    assert!(context.answer_as(SESSION, "agent-9", &dead.honest(json!([])).to_string()).is_silent());
    assert_eq!(
        context
            .receipts()
            .receipts
            .iter()
            .filter(|receipt| receipt.loops.contains_key(&LoopNumber::Two))
            .count(),
        1
    );
}

#[test]
fn where_nothing_can_be_written_nothing_starts_and_nothing_counts() {
    let context = ready();
    fs::remove_dir_all(context.path(".claude/state")).unwrap();
    context.write(".claude/state", "a file where a folder belongs\n");
    context.review();
    let answer = context.call();
    assert!(answer.decision() == Some("deny") && answer.reason().contains("cannot start"), "{}", answer.json);
    assert!(context.pending().is_empty());

    let context = ready();
    let started = context.start();
    let answer = started.honest(json!([])).to_string();
    for garbage in ["garbage", "{\"version\":1,\"pending\":{},\"seal\":\"00\"}", ""] {
        for entry in fs::read_dir(context.layout().pending()).unwrap() {
            fs::write(entry.unwrap().path(), garbage).unwrap();
        }
        assert!(context.answer(&answer).is_silent());
        assert_eq!(context.verdict(), None);
    }
}

#[test]
fn an_answer_that_cannot_be_recorded_is_said_and_may_be_given_again() {
    let context = ready();
    let started = context.start();
    let answer = started.honest(json!([])).to_string();
    let lock = context.layout().receipts_lock();
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let said = context.answer(&answer);
    assert!(said.notice().contains("could not handle this event"), "{}", said.json);
    assert_eq!(context.verdict(), None);
    fs::remove_dir(&lock).unwrap();
    assert!(!context.gate(&[]).open);
    assert!(context.answer(&answer).is_silent());
    assert!(context.gate(&[]).open);
}

#[test]
fn an_answer_whose_taking_is_killed_counts_wholly_or_not_at_all() {
    let moments = cases(3, 12_u32);
    let context = ready();
    let taken = |deadline: Duration| {
        let before = context.receipts().receipts.len();
        let started = context.start();
        context.reads(SESSION, REVIEWER, &started.honest(json!([])).to_string());
        // Always something new to read, so that no earlier reading is used again.
        let fields = json!({"agent_id": REVIEWER, "agent_type": "claude-reviewer",
            "last_assistant_message": started.honest(json!([])).to_string()});
        let input = context.event("SubagentStop", fields).to_string();
        let begun = Instant::now();
        let mut child =
            context.hook_command("stop").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        while begun.elapsed() < deadline && child.try_wait().unwrap().is_none() {
            thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        let elapsed = begun.elapsed();
        let LedgerContents { receipts, problems } = context.receipts();
        assert_eq!(problems, [""; 0]);
        assert_eq!(
            context.gate(&[]).open,
            receipts.len() > before,
            "open exactly where the answer was recorded"
        );
        context.write("one.md", format!("one at {elapsed:?} {}\n", receipts.len()));
        context.review();
        elapsed
    };
    let whole = taken(Duration::MAX);
    for moment in 0..moments {
        // What was left pending is some other context's, and is answered by nobody.
        context.pending().iter().for_each(|pending| pending.remove(&context.layout()).unwrap());
        taken(whole * moment / moments);
    }
}

#[test]
fn a_reviewer_whose_answer_cannot_be_written_down_has_not_passed() {
    let context = ready();
    let started = context.start();
    let answer = started.honest(json!([])).to_string();
    context.reads(SESSION, REVIEWER, &answer);
    let fields = json!({"agent_id": REVIEWER, "agent_type": "claude-reviewer", "stop_hook_active": false,
        "last_assistant_message": answer});
    let mut command = context.command("bash");
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\""]).arg(crate::context::binary("stop"));
    command.env("CLAUDE_PROJECT_DIR", context.project());
    context.feed(command, context.event("SubagentStop", fields).to_string().as_bytes());
    assert_eq!(context.verdict(), None);
    assert!(!context.gate(&[]).open);
    assert!(context.answer(&answer).is_silent());
    assert!(context.gate(&[]).open, "the same answer counts once there is room again");
}
