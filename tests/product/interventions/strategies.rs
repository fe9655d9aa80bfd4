//! Which intervention comes is the settings' choice.

use super::{Agent, FAILS};
use crate::context::TestContext;
use serde_json::json;

fn fourth(config: &str) -> String {
    let context = TestContext::new();
    context.user_config(config);
    repeat(&context)
}

fn repeat(context: &TestContext) -> String {
    let agent = Agent::new(context);
    agent.asked_for("Install the coverage tool");
    (0..3).map(|_| agent.bash("cargo check --locked", FAILS).told()).last().unwrap()
}

#[test]
fn a_handler_of_ones_own_chooses_and_speaks() {
    let context = TestContext::new();
    context.script(
        "handler.sh",
        "cat > seen.json\necho '{\"intervention\": \"context_reinforcement\", \"message\": \"Ask Ada.\"}'\n",
    );
    let handler = context.path("handler.sh");
    context.user_config(&format!(
        "interventions: {{strategy: {{type: custom, handler: [sh, \"{handler}\"]}}}}\n"
    ));
    let told = repeat(&context);
    assert!(told.contains("[context_reinforcement/repetitive_errors/"), "{told}");
    assert!(told.contains("Ask Ada."), "{told}");
    let seen: serde_json::Value =
        serde_json::from_slice(&std::fs::read(context.path("seen.json")).unwrap()).unwrap();
    assert!(seen.to_string().contains("\"repetitive_errors\""), "{seen}");
}

#[test]
fn a_handler_that_fails_hangs_or_talks_nonsense_is_told_and_the_score_decides() {
    for body in ["exit 3", "echo nonsense", "sleep 60", "echo '{\"intervention\": \"magic\"}'"] {
        let context = TestContext::new();
        context.script("handler.sh", body);
        let handler = context.path("handler.sh");
        context.user_config(&format!(
            "interventions: {{strategy: {{type: custom, handler: [sh, \"{handler}\"]}}}}\n"
        ));
        let agent = Agent::new(&context);
        agent.bash("cargo check --locked", FAILS);
        agent.bash("cargo check --locked", FAILS);
        let third = agent.bash("cargo check --locked", FAILS);
        assert!(third.told().contains("[soft_correction/"), "{body}: {}", third.told());
        assert!(third.after.unwrap().notice().contains("handler"), "{body}");
    }
}

#[test]
fn the_pattern_specific_strategy_takes_the_kind_from_its_table() {
    let told = fourth("interventions: {strategy: {type: pattern_specific}}\n");
    assert!(told.contains("[soft_correction/repetitive_errors/"), "{told}");
    let context = TestContext::new();
    context.user_config(
        "interventions: {strategy: {type: pattern_specific}}\nstep_reviewer: {scope: {expected_paths: [src/**]}}\n",
    );
    let agent = Agent::new(&context);
    agent.asked_for("Fix the parser");
    let write = json!({"file_path": context.path("docs/other.md"), "content": "x"});
    let told = agent.calls("Write", write, Ok("written")).told();
    assert!(told.contains("[context_reinforcement/scope_creep/out_of_scope]"), "{told}");
    for words in ["Fix the parser", "src/**", "docs/other.md"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn without_soft_corrections_the_next_kind_comes() {
    let told = fourth("interventions: {soft_correction: {enabled: false}}\n");
    assert!(told.contains("[context_reinforcement/repetitive_errors/"), "{told}");
    assert!(told.contains("Install the coverage tool"), "{told}");
}
