//! Stops that the hooks themselves make, and work that goes on after them.

use super::stage::{held, is_free, recover};
use crate::answer::told;
use crate::context::{SESSION, TestContext};
use crate::interventions::{Agent, FAILS};
use plimsoll::edge::state::LockMode;
use serde_json::json;
use std::fs;

const COMMAND: &str = "cargo check --locked";

/// Repeats a failing command, and what was refused of it, until the project is locked.
fn until_stopped(agent: &Agent<'_>) {
    agent.asked_for("Fix the build");
    for _ in 0..10 {
        agent.bash(COMMAND, FAILS);
        if !is_free(agent.context) {
            return;
        }
    }
    panic!("it was never stopped");
}

/// A file that was good when the session first changed something, and is not any more.
fn gone_wrong(context: &TestContext) -> Agent<'_> {
    context.write("a.txt", "good\n");
    let agent = Agent::new(context);
    agent.asked_for("Fix the build");
    agent.calls("Write", json!({"file_path": context.path("a.txt"), "content": "bad\n"}), Ok("written"));
    context.write("a.txt", "bad\n");
    context.write("leftover.txt", "made by the agent\n");
    // What began before the checkpoint was taken would be no trouble since.
    std::thread::sleep(std::time::Duration::from_millis(5));
    for _ in 0..10 {
        agent.bash(COMMAND, FAILS);
    }
    assert_eq!(held(context).mode, LockMode::Stopped);
    agent
}

#[test]
fn after_resume_with_limits_the_count_begins_anew_and_half_the_limit_bites() {
    let context = TestContext::new();
    context.user_config("interventions: {limits: {max_commands: 8}}\n");
    let agent = Agent::new(&context);
    until_stopped(&agent);
    let output = recover(&context, &["resume_with_limits"]);
    assert!(output.status.success() && told(&output).contains("4 commands"), "{}", told(&output));
    for _ in 0..2 {
        let said = agent.bash(COMMAND, FAILS);
        assert!(said.is_silent(), "{}", said.told());
    }
    for name in ["a", "b"] {
        assert_eq!(agent.bash(&format!("touch {name}.txt"), Ok("")).before.decision(), None);
    }
    let fifth = agent.bash("touch c.txt", Ok(""));
    assert_eq!(fifth.before.decision(), Some("ask"), "{}", fifth.told());
    assert!(fifth.told().contains("commands") && fifth.told().contains('4'), "{}", fifth.told());
    assert_eq!(held(&context).mode, LockMode::Limited);
}

#[test]
fn a_project_that_goes_on_can_be_stopped_again() {
    let context = TestContext::new();
    let agent = Agent::new(&context);
    until_stopped(&agent);
    let first = held(&context).incidents;
    recover(&context, &["resume_with_limits"]);
    for _ in 0..10 {
        agent.bash(COMMAND, FAILS);
    }
    let lock = held(&context);
    assert_eq!(lock.mode, LockMode::Stopped);
    assert!(lock.incidents.len() > first.len() && lock.incidents.starts_with(&first), "{lock:?}");
}

#[test]
fn rollback_and_retry_restores_the_files_and_can_be_undone() {
    let context = TestContext::new();
    let agent = gone_wrong(&context);
    let output = recover(&context, &["rollback_and_retry"]);
    assert!(output.status.success(), "{}", told(&output));
    let read = |name: &str| fs::read_to_string(context.path(name)).ok();
    assert_eq!(read("a.txt").as_deref(), Some("good\n"), "{}", told(&output));
    assert!(is_free(&context));
    assert_eq!(agent.bash("ls", Ok("")).before.decision(), None);
    let undone = context.plimsoll(&["undo", "--yes"]);
    assert!(undone.status.success(), "{}", told(&undone));
    assert_eq!(read("a.txt").as_deref(), Some("bad\n"));
    assert_eq!(read("leftover.txt").as_deref(), Some("made by the agent\n"));
}

#[test]
fn auto_cleanup_restores_the_safe_checkpoint_on_abort_and_only_then() {
    for (setting, expected) in [("false", "bad\n"), ("true", "good\n")] {
        let context = TestContext::new();
        context.user_config(&format!("interventions: {{emergency_stop: {{auto_cleanup: {setting}}}}}\n"));
        gone_wrong(&context);
        let output = recover(&context, &["abort"]);
        assert!(output.status.success(), "{}", told(&output));
        assert_eq!(fs::read_to_string(context.path("a.txt")).unwrap(), expected, "{}", told(&output));
        assert_eq!(held(&context).mode, LockMode::Aborted);
        if setting == "false" {
            assert!(told(&output).contains("differ from the last safe checkpoint"), "{}", told(&output));
            assert!(told(&output).contains("a.txt"), "{}", told(&output));
        }
    }
}

#[test]
fn without_emergency_stop_nothing_is_locked() {
    let context = TestContext::new();
    context.user_config("interventions: {emergency_stop: {enabled: false}}\n");
    let agent = Agent::new(&context);
    for _ in 0..10 {
        agent.bash(COMMAND, FAILS);
    }
    assert!(is_free(&context));
    assert_eq!(agent.bash(COMMAND, FAILS).before.decision(), Some("deny"), "it is refused instead");
    assert_eq!(agent.bash("ls", Ok("")).before.decision(), None);
}

#[test]
fn a_stop_by_the_hooks_leaves_pages_numbers_and_a_way_on() {
    let context = TestContext::new();
    let agent = Agent::new(&context);
    until_stopped(&agent);
    let id = held(&context).incidents.pop().unwrap();
    let shown = context.plimsoll(&["incident", "show", &id, "--json"]);
    let json: serde_json::Value =
        serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{}", told(&shown)));
    assert_eq!(json["id"], id.as_str(), "{json}");
    let numbers = context.plimsoll(&["stats", "--json", "--session", SESSION]);
    let numbers: serde_json::Value = serde_json::from_slice(&numbers.stdout).unwrap();
    assert_eq!(numbers["interventions"]["by_type"]["emergency_stop"]["open"], 1, "{numbers}");
    assert!(
        numbers["interventions"]["by_type"]["soft_correction"]["persisted"].as_u64() > Some(0),
        "{numbers}"
    );
}
