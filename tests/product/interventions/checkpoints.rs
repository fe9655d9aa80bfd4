//! Checkpoints that the hooks take by themselves.

use super::{Agent, FAILS};
use crate::context::TestContext;
use serde_json::{Value, json};
use std::fs;

fn checkpoints(context: &TestContext) -> Vec<Value> {
    let output = context.plimsoll(&["checkpoint", "list", "--json"]);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    list.as_array().or_else(|| list["checkpoints"].as_array()).unwrap().clone()
}

#[test]
fn one_is_taken_before_the_first_change_of_a_prompt_and_none_for_reading() {
    let context = TestContext::new();
    context.write("draft.txt", "not committed\n");
    let agent = Agent::new(&context);
    agent.asked_for("Tidy up");
    agent.bash("git status", Ok(""));
    agent.calls("Read", json!({"file_path": context.path("draft.txt")}), Ok("x"));
    assert_eq!(checkpoints(&context).len(), 0);
    agent.bash("touch new.txt", Ok(""));
    assert_eq!(checkpoints(&context).len(), 1);
    agent.bash("touch newer.txt", Ok(""));
    assert_eq!(checkpoints(&context).len(), 1);
    context.write("draft.txt", "changed\n");
    agent.asked_for("Go on");
    agent.bash("touch newest.txt", Ok(""));
    assert_eq!(checkpoints(&context).len(), 2);
}

#[test]
fn a_redirection_over_a_file_is_a_change_and_one_into_nowhere_is_none() {
    let context = TestContext::new();
    context.write("draft.txt", "hours of work\n");
    let agent = Agent::new(&context);
    agent.asked_for("Tidy up");
    agent.bash("git status 2>/dev/null >/dev/null", Ok(""));
    assert_eq!(checkpoints(&context).len(), 0);
    agent.bash("echo short > draft.txt", Ok(""));
    assert_eq!(checkpoints(&context).len(), 1);
    context.write("draft.txt", "short\n");
    let taken = checkpoints(&context)[0]["id"].as_str().unwrap().to_owned();
    assert!(context.plimsoll(&["checkpoint", "restore", &taken, "--yes"]).status.success());
    assert_eq!(fs::read_to_string(context.path("draft.txt")).unwrap(), "hours of work\n");
}

#[test]
fn one_is_taken_before_a_step_that_takes_something_away_and_brings_it_back() {
    let context = TestContext::new();
    context.write("draft.txt", "hours of work\n");
    let agent = Agent::new(&context);
    agent.asked_for("Tidy up");
    agent.bash("touch new.txt", Ok(""));
    context.write("draft.txt", "hours and hours of work\n");
    assert_eq!(agent.bash("rm draft.txt", Ok("")).before.decision(), None);
    fs::remove_file(context.path("draft.txt")).unwrap();
    let newest = checkpoints(&context)[0]["id"].as_str().unwrap().to_owned();
    let output = context.plimsoll(&["checkpoint", "restore", &newest, "--yes"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(context.path("draft.txt")).unwrap(), "hours and hours of work\n");
}

#[test]
fn before_changes_switched_off_takes_none() {
    let context = TestContext::new();
    context.user_config("interventions: {checkpoint_rollback: {before_changes: false}}\n");
    let agent = Agent::new(&context);
    agent.bash("touch new.txt", Ok(""));
    assert_eq!(checkpoints(&context).len(), 0);
}

#[test]
fn without_a_checkpoint_a_step_that_takes_something_away_needs_a_person() {
    let context = TestContext::new();
    context.write("draft.txt", "hours of work\n");
    let agent = Agent::new(&context);
    let stores = context.homes().hooks().with_file_name("checkpoints");
    fs::create_dir_all(stores.parent().unwrap()).unwrap();
    fs::write(&stores, "no folder").unwrap();
    let asked = agent.bash("rm draft.txt", Ok(""));
    assert_eq!(asked.before.decision(), Some("ask"), "{}", asked.told());
    assert!(asked.told().contains("no checkpoint"), "{}", asked.told());
    let changed = agent.bash("touch new.txt", Ok(""));
    assert_eq!(changed.before.decision(), None, "{}", changed.told());
}

#[test]
fn an_automatic_rollback_restores_the_last_safe_checkpoint_and_can_be_undone() {
    let context = TestContext::new();
    context.user_config(
        "interventions: {checkpoint_rollback: {mode: automatic, safe_checkpoint_criteria: {no_errors_duration_seconds: 0}}}\n",
    );
    context.write("draft.txt", "as it was\n");
    let agent = Agent::new(&context);
    agent.asked_for("Tidy up");
    agent.bash("touch new.txt", Ok(""));
    context.write("draft.txt", "spoilt\n");
    let told: Vec<String> = (0..4).map(|_| agent.bash("cargo check --locked", FAILS).told()).collect();
    assert!(told[3].contains("checkpoint_rollback"), "{told:#?}");
    assert_eq!(fs::read_to_string(context.path("draft.txt")).unwrap(), "as it was\n", "{told:#?}");
    assert!(told[3].contains("plimsoll undo"), "{}", told[3]);
    assert!(context.plimsoll(&["undo", "--yes"]).status.success());
    assert_eq!(fs::read_to_string(context.path("draft.txt")).unwrap(), "spoilt\n");
}

#[test]
fn an_automatic_rollback_ends_throttling_and_begins_the_usage_anew() {
    for (mode, asked) in [("propose", true), ("automatic", false)] {
        let context = TestContext::new();
        context.user_config(&format!(
            "interventions: {{limits: {{max_commands: 6}}, checkpoint_rollback: {{mode: {mode}, \
             safe_checkpoint_criteria: {{no_errors_duration_seconds: 0}}}}}}\n"
        ));
        context.write("draft.txt", "as it was\n");
        let agent = Agent::new(&context);
        agent.asked_for("Tidy up");
        agent.bash("touch new.txt", Ok(""));
        context.write("draft.txt", "spoilt\n");
        std::thread::sleep(std::time::Duration::from_millis(10));
        (0..4).for_each(|_| drop(agent.bash("cargo check --locked", FAILS)));
        assert_eq!(agent.bash("touch one.txt", Ok("")).before.decision(), None, "{mode}: the sixth command");
        let seventh = agent.bash("touch two.txt", Ok(""));
        assert_eq!(seventh.before.decision() == Some("ask"), asked, "{mode}: {}", seventh.told());
    }
}
