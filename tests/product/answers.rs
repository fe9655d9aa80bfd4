//! What reaches the client for each decision: silence, a word to the model, another input, a question, a refusal.

use crate::context::{SESSION, TestContext};
use plimsoll::edge::state::Journal;
use serde_json::json;
use std::fs;

const RULES: &str = "\
version: 1
rules:
  - name: gentle_deploy
    when: {program: fleet, argument: --force}
    answer: modify
    reason: fleet would overwrite what others deployed
    instead_option: {from: --force, to: --keep}
    examples: {hit: [fleet deploy --force], miss: [fleet deploy]}
  - name: mind_the_migration
    when: {program: migrate}
    answer: warn
    reason: the schema is shared. Announce it
    examples: {hit: [migrate up], miss: [echo migrate]}
";

fn context() -> TestContext {
    let context = TestContext::new();
    context.user_config("step_reviewer: {rules: {custom_rules_path: rules.yaml}}\n");
    fs::write(context.home().join(".config/plimsoll/rules.yaml"), RULES).unwrap();
    context
}

#[test]
fn a_rewrite_replaces_the_whole_input_and_is_told_to_model_and_person() {
    let context = context();
    let input = json!({"command": "fleet deploy --force a", "description": "sync", "timeout": 9});
    let answer = context.before("Bash", input);
    assert_eq!(answer.decision(), None, "{}", answer.json);
    let given = answer.updated_input().unwrap();
    assert_eq!(*given, json!({"command": "fleet deploy --keep a", "description": "sync", "timeout": 9}));
    for told in [answer.context(), answer.notice()] {
        assert!(told.contains("[gentle_deploy]: fleet would overwrite"), "{}", answer.json);
        assert!(told.contains("`fleet deploy --keep a`"), "{}", answer.json);
        assert!(told.chars().count() <= 290, "{told}");
    }
    let after =
        json!({"tool_name": "Bash", "tool_input": given, "tool_response": {}, "tool_use_id": "toolu_1"});
    assert!(context.hook("post-tool-use", "PostToolUse", after).is_silent());
    let totals = Journal::open(&context.layout().journal(SESSION)).unwrap().tail().unwrap().totals;
    assert_eq!((totals.calls, totals.modified), (1, 1));
}

#[test]
fn a_warning_is_for_the_model_alone() {
    let context = context();
    let answer = context.before_bash("migrate up");
    assert_eq!((answer.decision(), answer.notice()), (None, ""), "{}", answer.json);
    assert!(answer.context().contains("[mind_the_migration]: the schema is shared"), "{}", answer.json);
    let totals = Journal::open(&context.layout().journal(SESSION)).unwrap().tail().unwrap().totals;
    assert_eq!((totals.calls, totals.warned), (1, 1));
}

#[test]
fn a_rewrite_that_leaves_something_firmer_behind_is_none() {
    let context = context();
    let answer = context.before_bash("fleet deploy --force; rm -rf /");
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
    assert_eq!(answer.updated_input(), None, "{}", answer.json);
}
