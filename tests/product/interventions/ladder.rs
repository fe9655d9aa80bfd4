//! From a hint to a stop.

use super::{Agent, FAILS};
use crate::context::TestContext;
use serde_json::json;

#[test]
fn a_failing_command_that_is_repeated_gets_a_hint_then_a_refusal_with_a_checkpoint_then_the_stop() {
    let context = TestContext::new();
    context.write("notes.txt", "not committed\n");
    let agent = Agent::new(&context);
    agent.asked_for("Install the coverage tool");
    for _ in 0..2 {
        assert!(agent.bash("cargo check --locked", FAILS).is_silent());
    }
    let third = agent.bash("cargo check --locked", FAILS).told();
    assert!(third.starts_with("Plimsoll [soft_correction/repetitive_errors/"), "{third}");
    assert!(third.contains("cargo check --locked") && third.contains("different approach"), "{third}");

    let fourth = agent.bash("cargo check --locked", FAILS).told();
    assert!(fourth.starts_with("Plimsoll [checkpoint_rollback/repetitive_errors/"), "{fourth}");
    let list = context.plimsoll(&["checkpoint", "list", "--json"]);
    assert!(String::from_utf8_lossy(&list.stdout).contains("failed the same way 4 times"), "{list:?}");

    let fifth = agent.bash("cargo check --locked", FAILS);
    assert_eq!(fifth.before.decision(), Some("deny"), "{}", fifth.told());
    assert!(fifth.told().contains("Plimsoll [checkpoint_rollback/"), "{}", fifth.told());

    let sixth = agent.bash("cargo check --locked", FAILS);
    assert_eq!(sixth.before.decision(), Some("deny"), "{}", sixth.told());
    assert_eq!(sixth.before.json["continue"], json!(false), "{}", sixth.before.json);
    assert!(sixth.told().contains("Plimsoll [emergency_stop/repetitive_errors/"), "{}", sixth.told());

    let read = agent.calls("Read", json!({"file_path": context.path("readme.md")}), Ok("x"));
    assert_eq!(read.before.decision(), Some("deny"), "the project is locked: {}", read.told());
}

#[test]
fn something_else_that_works_lifts_the_refusal() {
    let context = TestContext::new();
    let agent = Agent::new(&context);
    for _ in 0..4 {
        agent.bash("cargo check --locked", FAILS);
    }
    assert_eq!(agent.bash("cargo check --locked", FAILS).before.decision(), Some("deny"));
    let edited = json!({"file_path": context.path("package.json"), "content": "{}"});
    assert_eq!(agent.calls("Write", edited, Ok("written")).before.decision(), None);
    assert_eq!(agent.bash("cargo check --locked", Ok("Finished")).before.decision(), None);
}

#[test]
fn a_persons_message_lifts_the_refusal_and_starts_the_count_anew() {
    let context = TestContext::new();
    let agent = Agent::new(&context);
    for _ in 0..4 {
        agent.bash("cargo check --locked", FAILS);
    }
    agent.asked_for("Try it once more");
    for _ in 0..2 {
        assert!(agent.bash("cargo check --locked", FAILS).is_silent());
    }
    assert!(agent.bash("cargo check --locked", FAILS).told().contains("soft_correction"));
}

#[test]
fn a_sub_agent_is_counted_apart_from_the_main_thread() {
    let context = TestContext::new();
    let (main, helper) = (Agent::new(&context), Agent::sub_agent(&context, "a1"));
    for _ in 0..2 {
        assert!(main.bash("cargo check --locked", FAILS).is_silent());
        assert!(helper.bash("cargo check --locked", FAILS).is_silent());
    }
    assert!(helper.bash("cargo check --locked", FAILS).told().contains("soft_correction"));
}

#[test]
fn a_call_that_the_client_itself_refuses_counts_as_a_failure() {
    let context = TestContext::new();
    let edit = |id: &str| {
        json!({"tool_calls": [{"tool_name": "Edit", "tool_use_id": id, "tool_response": "String to replace not found in file.",
            "tool_input": {"file_path": context.path("readme.md"), "old_string": id, "new_string": "y"}}]})
    };
    for id in ["t1", "t2"] {
        assert!(context.hook("post-tool-use", "PostToolBatch", edit(id)).is_silent());
    }
    let third = context.hook("post-tool-use", "PostToolBatch", edit("t3"));
    assert!(third.context().contains("repetitive_errors"), "{}", third.json);
    assert!(third.context().contains("readme.md"), "{}", third.json);
}

#[test]
fn switched_off_nothing_is_said_and_nothing_is_kept() {
    let context = TestContext::new();
    context.user_config("interventions: {enabled: false}\n");
    let agent = Agent::new(&context);
    for _ in 0..10 {
        assert!(agent.bash("cargo check --locked", FAILS).is_silent());
    }
    assert!(!context.layout().standing(crate::context::SESSION).exists());
}

#[test]
fn files_outside_the_declared_scope_are_told_and_then_refused() {
    let context = TestContext::new();
    context.user_config("step_reviewer: {scope: {expected_paths: [src/**]}}\n");
    let agent = Agent::new(&context);
    agent.asked_for("Fix the parser");
    let write = |name: &str| {
        agent.calls("Write", json!({"file_path": context.path(name), "content": "x"}), Ok("written"))
    };
    assert!(write("src/parser.rs").is_silent());
    let first = write("docs/one.md").told();
    assert!(first.contains("[soft_correction/scope_creep/out_of_scope]"), "{first}");
    for words in ["Fix the parser", "src/**", "docs/one.md"] {
        assert!(first.contains(words), "{words}: {first}");
    }
    assert!(write("docs/two.md").is_silent());
    let third = write("docs/three.md").told();
    assert!(third.contains("[checkpoint_rollback/scope_creep/out_of_scope]"), "{third}");
    assert!(write("src/lexer.rs").before.decision().is_none(), "what is in the scope goes on");
    assert_eq!(write("docs/four.md").before.decision(), Some("deny"));
}
