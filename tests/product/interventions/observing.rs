//! `mode: observe` and a pause: the session monitor records what it would have done, and does none of it.

use super::{Agent, FAILS};
use crate::answer::told;
use crate::context::{SESSION, TestContext};
use plimsoll::app::step::pause::Pause;
use plimsoll::edge::state::{self, InterventionEvent, InterventionsLog};
use plimsoll::pure::monitor::interventions::InterventionKind;
use serde_json::{Value, json};

fn pause(context: &TestContext, until: u64) {
    state::write_json(&context.homes().pause(&context.project()), &Pause { version: 1, until }).unwrap();
}

fn would_have(context: &TestContext) -> Vec<InterventionKind> {
    let log = InterventionsLog::read(&context.layout().interventions(SESSION)).unwrap();
    assert!(log.lines.iter().all(|line| line.event != InterventionEvent::Delivered), "{:?}", log.lines);
    let lines = log.lines.iter().filter(|line| line.event == InterventionEvent::WouldHave);
    lines.map(|line| line.intervention).collect()
}

fn stats(context: &TestContext) -> Value {
    serde_json::from_slice(&context.plimsoll(&["stats", "--json"]).stdout).unwrap()
}

/// Eight times the same failure, which would end in a stop.
fn fails_without_end(context: &TestContext) -> Agent<'_> {
    let agent = Agent::new(context);
    agent.asked_for("Install the coverage tool");
    for _ in 0..8 {
        let said = agent.bash("cargo check --locked", FAILS);
        assert!(said.is_silent(), "{}", said.told());
    }
    let read = agent.calls("Read", json!({"file_path": context.path("readme.md")}), Ok("x"));
    assert!(read.is_silent(), "nothing is locked: {}", read.told());
    agent
}

fn records_the_ladder(context: &TestContext) {
    let due = would_have(context);
    for kind in [
        InterventionKind::SoftCorrection,
        InterventionKind::CheckpointRollback,
        InterventionKind::EmergencyStop,
    ] {
        assert!(due.contains(&kind), "{kind:?}: {due:?}");
    }
    let stats = stats(context);
    let refused = stats["would_have"].as_array().unwrap();
    assert!(refused.len() >= 2, "{stats}");
    assert_eq!(refused[0]["decision"], "deny", "{stats}");
    assert_eq!(refused[0]["rule"], "intervention", "{stats}");
    assert_eq!(refused[0]["what"], "cargo check --locked", "{stats}");
    assert_eq!(stats["interventions"]["total"], 0, "{stats}");
    let shown = told(&context.plimsoll(&["stats"]));
    assert!(shown.contains("not enforced (observed, paused or switched off): "), "{shown}");
    assert!(shown.contains("emergency_stop 1"), "{shown}");
}

#[test]
fn observed_loops_are_recorded_and_neither_refused_nor_stopped() {
    for mode in ["observe", "async"] {
        let context = TestContext::new();
        context.user_config(&format!("step_reviewer: {{mode: {mode}}}\n"));
        fails_without_end(&context);
        records_the_ladder(&context);
    }
}

#[test]
fn while_paused_loops_are_recorded_and_afterwards_enforced_again() {
    let context = TestContext::new();
    pause(&context, u64::MAX);
    let agent = fails_without_end(&context);
    records_the_ladder(&context);
    pause(&context, 1);
    agent.asked_for("Once more");
    let told: String = (0..3).map(|_| agent.bash("cargo check --locked", FAILS).told()).collect();
    assert!(told.contains("soft_correction"), "{told}");
}

#[test]
fn a_refusal_from_before_the_pause_is_recorded_while_it_lasts() {
    let context = TestContext::new();
    let agent = Agent::new(&context);
    for _ in 0..4 {
        agent.bash("cargo check --locked", FAILS);
    }
    pause(&context, u64::MAX);
    assert_eq!(agent.bash("cargo check --locked", FAILS).before.decision(), None);
    pause(&context, 1);
    assert_eq!(agent.bash("cargo check --locked", FAILS).before.decision(), Some("deny"));
}

#[test]
fn observed_limits_claims_and_unknown_calls_interrupt_nobody() {
    let context = TestContext::new();
    context.user_config(
        "step_reviewer: {mode: observe}\ninterventions: {limits: {max_commands: 2, batch_size: 1}}\n",
    );
    let agent = Agent::new(&context);
    agent.asked_for("Fix the parser");
    for number in 0..4 {
        assert!(agent.bash(&format!("echo {number}"), Ok("x")).is_silent());
    }
    let edit = json!({"file_path": context.path("parser.rs"), "content": "fn main() {}"});
    assert!(agent.calls("Write", edit, Ok("written")).is_silent());
    assert!(agent.stops("Done. All tests pass.", false).is_silent());
    let odd = json!({"tool_name": "Bash", "tool_input": {"command": 7}, "tool_use_id": "odd"});
    assert!(context.hook("pre-tool-use", "PreToolUse", odd).is_silent());
    let stats = stats(&context);
    let rules: Vec<&str> =
        stats["would_have"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect();
    assert!(rules.contains(&"resource_limit") && rules.contains(&"opaque"), "{stats}");
}

#[test]
fn one_type_of_agent_can_be_observed_alone() {
    let context = TestContext::new();
    context.user_config("step_reviewer: {overrides: [{agent: helper, mode: observe}]}\n");
    let (main, helper) = (Agent::new(&context), Agent::sub_agent(&context, "a1"));
    for _ in 0..8 {
        assert!(helper.bash("cargo check --locked", FAILS).is_silent());
    }
    let told: String = (0..3).map(|_| main.bash("cargo test --locked", FAILS).told()).collect();
    assert!(told.contains("soft_correction"), "{told}");
}
