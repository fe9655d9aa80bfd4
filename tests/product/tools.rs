//! Tools other than Bash, through the real hook.

use crate::context::TestContext;
use serde_json::{Value, json};

fn token() -> String {
    format!("ghp_{}", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi")
}

#[test]
fn what_a_tool_carries_is_judged() {
    let context = TestContext::new();
    for (tool, input, decision, rule) in [
        ("Write", json!({"file_path": "a.py", "content": token()}), "deny", "secret_in_content"),
        ("Write", json!({"file_path": "a.sh", "content": "rm -rf ~"}), "ask", "harmful_script"),
        ("WebFetch", json!({"url": "http://0xa9fea9fe/latest", "prompt": "x"}), "deny", "metadata_address"),
        ("WebSearch", json!({"query": token()}), "deny", "send_secret"),
        ("Monitor", json!({"command": "rm -rf ~", "description": "x"}), "deny", "system_or_home"),
        ("mcp__db__query", json!({"sql": "drop table users"}), "ask", "destroy_data"),
        ("mcp__shell__run", json!({"command": "rm -rf ~"}), "deny", "system_or_home"),
        ("mcp__github__delete_repository", json!({"owner": "a", "repo": "b"}), "ask", "destroy_data"),
        ("mcp__github__push_files", json!({"owner": "a", "repo": "b"}), "ask", "forge_write"),
        ("mcp__slack__post_message", json!({"text": token()}), "deny", "send_secret"),
    ] {
        let answer = context.before(tool, input);
        assert_eq!(answer.decision(), Some(decision), "{tool}: {}", answer.json);
        assert!(answer.reason().contains(&format!("[{rule}]")), "{tool}: {}", answer.json);
        assert!(
            !answer.reason().contains(&token()) && answer.reason().chars().count() < 300,
            "{}",
            answer.json
        );
    }
}

#[test]
fn a_secret_that_the_file_holds_already_is_no_news() {
    let context = TestContext::new();
    let write =
        |text: String| context.before("Write", json!({"file_path": context.path("a.py"), "content": text}));
    assert_eq!(write(token()).decision(), Some("deny"));
    context.write("a.py", token());
    assert!(write(format!("{}\nmore\n", token())).is_silent());
}

/// What both clients really sent, on work that nobody should be interrupted in.
#[test]
fn captured_calls_pass_in_silence() {
    let context = TestContext::new();
    let captured =
        [include_str!("../fixtures/events-2.1.197.jsonl"), include_str!("../fixtures/events-2.1.325.jsonl")];
    let mut seen = 0;
    for line in captured.iter().flat_map(|file| file.lines()) {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = line["event"].to_string().replace("<PROJECT>", context.project().as_str());
        let event: Value = serde_json::from_str(&text.replace("<PORT>", "80")).unwrap();
        if event["hook_event_name"] == "PreToolUse" {
            let tool = event["tool_name"].as_str().unwrap();
            let answer = context.before(tool, event["tool_input"].clone());
            assert!(answer.is_silent(), "{tool}: {}", answer.json);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
