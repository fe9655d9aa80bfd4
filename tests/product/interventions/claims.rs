//! What the agent says it did, held against what was seen.

use super::{Agent, FAILS};
use crate::context::TestContext;
use serde_json::json;

const CLAIM: &str = "Done. I changed the parser and all tests pass.";

fn edit(agent: &Agent<'_>, path: &str) {
    let input = json!({"file_path": agent.context.path(path), "old_string": "a", "new_string": "b"});
    agent.calls("Edit", input, Ok("edited"));
}

#[test]
fn a_claim_without_a_run_is_asked_for_once_and_names_the_command() {
    let context = TestContext::new();
    context.write("go.mod", "module harbour\n");
    let agent = Agent::new(&context);
    agent.asked_for("Fix the parser");
    assert!(agent.stops(CLAIM, false).is_silent(), "nothing was changed");
    edit(&agent, "parser.go");
    let held = agent.stops(CLAIM, false);
    assert!(held.blocks(), "{}", held.json);
    assert!(held.reason().contains("/hallucination/unproven_claim]"), "{}", held.json);
    assert!(
        held.reason().contains("all tests pass") && held.reason().contains("go test ./..."),
        "{}",
        held.json
    );
    assert!(agent.stops(CLAIM, true).is_silent(), "a turn is held up once");
}

#[test]
fn a_run_that_passed_is_evidence_until_the_code_changes() {
    let context = TestContext::new();
    let agent = Agent::new(&context);
    agent.bash("cargo test", Ok("test result: ok. 12 passed; 0 failed"));
    assert!(agent.stops(CLAIM, false).is_silent());
    edit(&agent, "src/lib.rs");
    let held = agent.stops(CLAIM, false);
    assert!(held.blocks() && held.reason().contains("cargo test"), "{}", held.json);
}

#[test]
fn a_run_of_a_sub_agent_is_evidence_and_a_failed_one_is_not() {
    let context = TestContext::new();
    let helper = Agent::sub_agent(&context, "a1");
    helper.bash("cargo test", FAILS);
    let agent = Agent::new(&context);
    assert!(agent.stops(CLAIM, false).blocks());
    helper.bash("cargo test", Ok("test result: ok. 12 passed; 0 failed"));
    assert!(agent.stops(CLAIM, false).is_silent());
}

#[test]
fn claims_need_no_evidence_where_the_settings_say_so() {
    let context = TestContext::new();
    context.user_config("interventions: {patterns: {claims_need_evidence: false}}\n");
    let agent = Agent::new(&context);
    edit(&agent, "src/lib.rs");
    assert!(agent.stops(CLAIM, false).is_silent());
}
