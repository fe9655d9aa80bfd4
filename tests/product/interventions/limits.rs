//! Limits that hold at the next call.

use super::{Agent, FAILS};
use crate::context::{SESSION, TestContext};
use serde_json::json;

#[test]
fn each_limit_makes_the_next_call_a_persons_decision() {
    for (limit, word) in [
        ("limits: {max_commands: 2}", "commands"),
        ("session_limits: {max_commands: 2}", "commands"),
        ("session_limits: {max_file_operations: 2}", "file operations"),
    ] {
        let context = TestContext::new();
        context.user_config(&format!("interventions: {{{limit}}}\n"));
        let agent = Agent::new(&context);
        for name in ["a", "b"] {
            assert!(agent.bash(&format!("touch {name}.txt"), Ok("")).is_silent(), "{limit}");
        }
        let third = agent.bash("touch c.txt", Ok(""));
        assert_eq!(third.before.decision(), Some("ask"), "{limit}: {}", third.told());
        assert!(third.told().contains(word) && third.told().contains('2'), "{limit}: {}", third.told());
        let read = agent.calls("Read", json!({"file_path": context.path("readme.md")}), Ok("x"));
        assert!(read.is_silent(), "reading uses none of it: {}", read.told());
    }
}

#[test]
fn tokens_are_counted_from_the_transcript() {
    let context = TestContext::new();
    context.user_config("interventions: {limits: {max_tokens: 1000}}\n");
    let transcript = context.beside("transcript.jsonl");
    let line = |id: &str, tokens: u64| {
        json!({"type": "assistant", "message": {"id": id, "usage": {"input_tokens": 0, "output_tokens": tokens}}}).to_string()
    };
    let call = |id: &str| {
        json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": id, "tool_response": {"stdout": ""},
            "transcript_path": transcript})
    };
    std::fs::write(&transcript, format!("{}\n", line("m1", 900))).unwrap();
    context.hook("post-tool-use", "PostToolUse", call("t1"));
    assert!(context.hook("pre-tool-use", "PreToolUse", call("t2")).is_silent());
    std::fs::write(&transcript, format!("{}\n{}\n", line("m1", 900), line("m2", 200))).unwrap();
    context.hook("post-tool-use", "PostToolUse", call("t2"));
    let asked = context.hook("pre-tool-use", "PreToolUse", call("t3"));
    assert_eq!(asked.decision(), Some("ask"), "{}", asked.json);
    assert!(asked.reason().contains("1100") && asked.reason().contains("tokens"), "{}", asked.json);
}

#[test]
fn memory_of_the_client_and_its_children_is_limited() {
    let context = TestContext::new();
    context.user_config("interventions: {limits: {max_memory_mb: 1}}\n");
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1", "transcript_path": "/nowhere",
        "tool_response": {"stdout": ""}});
    context.hook("post-tool-use", "PostToolUse", call.clone());
    let asked = context.hook("pre-tool-use", "PreToolUse", call);
    assert_eq!(asked.decision(), Some("ask"), "{}", asked.json);
    assert!(asked.reason().contains("memory"), "{}", asked.json);
}

#[test]
fn a_batch_is_limited_even_if_its_hooks_start_together() {
    let context = TestContext::new();
    context.user_config("interventions: {limits: {batch_size: 4}}\n");
    let read = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
    let batch_end = || context.hook("post-tool-use", "PostToolBatch", json!({"tool_calls": []}));
    context.hook("pre-tool-use", "PreToolUse", read.clone());
    batch_end();
    let decisions: Vec<Option<String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| context.hook("pre-tool-use", "PreToolUse", read.clone())))
            .collect();
        threads.into_iter().map(|one| one.join().unwrap().decision().map(str::to_owned)).collect()
    });
    let asked = decisions.iter().filter(|decision| decision.as_deref() == Some("ask")).count();
    assert_eq!(asked, 2, "{decisions:?}");
    batch_end();
    assert!(context.hook("pre-tool-use", "PreToolUse", read).is_silent());
}

#[test]
fn a_yes_extends_the_limit_and_a_prompt_starts_it_anew() {
    let context = TestContext::new();
    context.user_config("interventions: {limits: {max_commands: 4}}\n");
    let agent = Agent::new(&context);
    for _ in 0..4 {
        agent.bash("date", Ok("now"));
    }
    let asked = json!({"tool_name": "Bash", "tool_input": {"command": "pwd"}, "tool_use_id": "yes", "tool_response": {"stdout": "/"}});
    assert_eq!(context.hook("pre-tool-use", "PreToolUse", asked.clone()).decision(), Some("ask"));
    context.hook("post-tool-use", "PostToolUse", asked);
    agent.asked_for("go on");
    assert!(agent.bash("whoami", Ok("me")).is_silent());
    assert!(!context.layout().orders(SESSION).exists());
}

#[test]
fn many_calls_for_one_prompt_are_throttled() {
    let context = TestContext::new();
    context.user_config("interventions: {patterns: {calls_per_prompt: {soft: 2, deny: 3, stop: 50}}}\n");
    let agent = Agent::new(&context);
    let told: Vec<String> = (0..6).map(|n| agent.bash(&format!("echo {n}"), Ok("x")).told()).collect();
    let throttled =
        told.iter().find(|told| told.contains("[resource_throttling/resource_spiral/call_budget]"));
    let throttled = throttled.unwrap_or_else(|| panic!("{told:#?}"));
    for words in ["Batch size", "Token", "file operations"] {
        assert!(throttled.to_lowercase().contains(&words.to_lowercase()), "{throttled}");
    }
}

#[test]
fn far_too_many_calls_for_one_prompt_stop_the_project() {
    let context = TestContext::new();
    context.user_config("interventions: {patterns: {calls_per_prompt: {soft: 2, deny: 3, stop: 4}}}\n");
    let agent = Agent::new(&context);
    let told: Vec<String> = (0..4).map(|n| agent.bash(&format!("echo {n}"), Ok("x")).told()).collect();
    assert!(told[3].contains("[emergency_stop/resource_spiral/call_budget]"), "{told:#?}");
    assert_eq!(agent.bash("ls", Ok("x")).before.decision(), Some("deny"));
    let shown = context.plimsoll(&["incident", "show", "last", "--json"]);
    crate::schemas::assert_fits("incident", &serde_json::from_slice(&shown.stdout).unwrap());
}

#[test]
fn orders_that_cannot_be_read_need_a_person() {
    let context = TestContext::new();
    context.before_bash("ls");
    std::fs::write(context.layout().orders(SESSION), "{").unwrap();
    let asked = context.before_bash("ls");
    assert_eq!(asked.decision(), Some("ask"), "{}", asked.json);
    let agent = Agent::new(&context);
    agent.bash("cargo check --locked", FAILS);
}
