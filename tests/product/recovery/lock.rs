//! A stopped project: nothing runs, in no session, no worktree, no sub-agent, until a person decides.

use super::stage::{is_free, stopped};
use crate::context::TestContext;
use serde_json::{Value, json};
use std::fs;

fn calls(context: &TestContext) -> Vec<(&'static str, Value)> {
    let file = context.path("readme.md");
    vec![
        ("Bash", json!({"command": "ls"})),
        ("Bash", json!({"command": "plimsoll recover abort"})),
        ("Bash", json!({"cmd": "not even a command"})),
        ("Bash", json!({})),
        ("Read", json!({"file_path": file})),
        ("Write", json!({"file_path": file, "content": "x"})),
        ("Grep", json!({"pattern": "x"})),
        ("Glob", json!({"pattern": "*"})),
        ("WebFetch", json!({"url": "https://example.com", "prompt": "x"})),
        ("Agent", json!({"subagent_type": "general-purpose", "description": "d", "prompt": "p"})),
        ("Skill", json!({"skill": "recover", "args": "abort"})),
        ("TodoWrite", json!({"todos": []})),
        ("AskUserQuestion", json!({"questions": []})),
        ("CronCreate", json!({"prompt": "go on"})),
        ("mcp__db__query", json!({"sql": "select 1"})),
        ("BrandNewTool", json!(null)),
    ]
}

#[test]
fn every_call_of_every_session_and_agent_is_refused_with_the_incident_and_the_way_out() {
    let context = TestContext::new();
    let id = stopped(&context, "the same call failed six times");
    for (tool, input) in calls(&context) {
        for (session, agent) in
            [("session-1", None), ("a-second-session", None), ("session-1", Some("sub-agent-7"))]
        {
            let mut fields = json!({"session_id": session, "tool_name": tool, "tool_input": input,
                "tool_use_id": "t"});
            if let Some(agent) = agent {
                fields["agent_id"] = json!(agent);
                fields["agent_type"] = json!("general-purpose");
            }
            let answer = context.hook("pre-tool-use", "PreToolUse", fields);
            assert_eq!(answer.decision(), Some("deny"), "{session} {tool} {input}: {}", answer.json);
            assert!(answer.updated_input().is_none(), "{}", answer.json);
        }
    }
    let reason = context.before_bash("ls").reason().to_owned();
    let page = context.layout().incidents().join(&id).join("index.html");
    for words in ["the same call failed six times", &id, page.as_str(), "/recover", "`plimsoll recover`"] {
        assert!(reason.contains(words), "no {words:?} in: {reason}");
    }
    assert!(fs::read_to_string(page).unwrap().starts_with("<!doctype html>"));
}

#[test]
fn as_a_plugin_the_way_out_carries_its_name() {
    let context = TestContext::new().with_variable("CLAUDE_PLUGIN_ROOT", "/plugins/plimsoll");
    stopped(&context, "it went in circles");
    let reason = context.before_bash("ls").reason().to_owned();
    assert!(reason.contains("/plimsoll:recover"), "{reason}");
}

#[test]
fn a_linked_worktree_is_locked_too_and_another_project_is_not() {
    let context = TestContext::new();
    context.git(&["worktree", "add", "-q", "../linked"]);
    context.new_repository("unrelated");
    stopped(&context, "it went in circles");
    for (name, decision) in [("linked", Some("deny")), ("unrelated", None)] {
        let place = context.beside(name);
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t",
            "cwd": place});
        let event = context.event("PreToolUse", fields).to_string();
        let mut hook = context.hook_command("pre-tool-use");
        hook.env("CLAUDE_PROJECT_DIR", &place);
        let answer = context.feed(hook, event.as_bytes());
        assert_eq!(answer.decision(), decision, "{name}: {}", answer.json);
    }
}

#[test]
fn a_project_without_git_is_locked_as_well() {
    let context = TestContext::new();
    fs::remove_dir_all(context.path(".git")).unwrap();
    stopped(&context, "it went in circles");
    assert_eq!(context.before_bash("ls").decision(), Some("deny"));
}

#[test]
fn removing_the_repository_does_not_unlock_the_project() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    fs::remove_dir_all(context.path(".git")).unwrap();
    assert_eq!(context.before_bash("ls").decision(), Some("deny"));
    context.git(&["init", "-q"]);
    assert_eq!(context.before_bash("ls").decision(), Some("deny"));
}

#[test]
fn resumed_forked_and_compacted_sessions_are_told_to_wait_and_the_person_how_to_go_on() {
    let context = TestContext::new();
    let id = stopped(&context, "the same call failed six times");
    for source in ["startup", "resume", "compact", "fork", "clear"] {
        let answer = context.hook("session-start", "SessionStart", json!({"source": source}));
        assert!(answer.context().contains("Call no tool"), "{source}: {}", answer.json);
        let notice = answer.notice();
        assert!(notice.contains(&id) && notice.contains("/recover"), "{source}: {notice}");
    }
}

#[test]
fn prompts_and_the_end_of_a_turn_go_on_as_always() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    assert!(context.prompt("user-prompt-start", "what happened?", "p").is_silent());
    let stop = json!({"stop_hook_active": false, "last_assistant_message": "I wait."});
    assert!(context.hook("stop", "Stop", stop).is_silent());
}

#[test]
fn no_tool_of_the_agent_touches_the_lock_or_the_incidents() {
    let context = TestContext::new();
    let lock = context.homes().project_lock(context.layout().root());
    for command in [
        format!("rm -f {lock}"),
        format!("rm -rf {}", lock.parent().unwrap()),
        "rm -rf .git/plimsoll".to_owned(),
        "rm -rf .git/plimsoll/incidents".to_owned(),
        format!("mv {lock} /tmp/x"),
        format!("echo '{{}}' > {lock}"),
    ] {
        let answer = context.before_bash(&command);
        assert_eq!(answer.decision(), Some("deny"), "{command}: {}", answer.json);
    }
    for path in
        [lock, context.path(".git/plimsoll/recoveries.jsonl"), context.path(".claude/commands/recover.md")]
    {
        let answer = context.before("Write", json!({"file_path": path, "content": "{}"}));
        assert_eq!(answer.decision(), Some("deny"), "{path}: {}", answer.json);
    }
    assert!(is_free(&context));
}
