//! Settings that change under a running session.

use crate::answer::Answer;
use crate::context::TestContext;
use serde_json::{Value, json};

fn ours() -> Value {
    let command = "/home/ada/.local/share/plimsoll/hooks/pre-tool-use";
    json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}})
}

/// The project's settings become this text.
fn changed(context: &TestContext, text: &str) -> Answer {
    let file = ".claude/settings.json";
    context.write(file, text);
    let fields = json!({"source": "project_settings", "file_path": context.path(file)});
    context.hook("config-change", "ConfigChange", fields)
}

fn with(key: &str, value: Value) -> String {
    let mut settings = ours();
    settings[key] = value;
    settings.to_string()
}

#[test]
fn a_change_that_would_take_plimsoll_out_is_blocked() {
    let context = TestContext::enrolled();
    for (text, word) in [
        ("{}".to_owned(), "no longer registers Plimsoll"),
        (json!({"hooks": {"PreToolUse": []}}).to_string(), "no longer registers Plimsoll"),
        (with("disableAllHooks", json!(true)), "disableAllHooks"),
        (with("env", json!({"PATH": "/tmp"})), "PATH"),
        (with("env", json!({"GIT_DIR": "/tmp"})), "GIT_DIR"),
        (with("env", json!({"XDG_DATA_HOME": "/tmp"})), "XDG_DATA_HOME"),
        ("{".to_owned(), "valid JSON"),
    ] {
        let answer = changed(&context, &text);
        assert!(answer.blocks() && answer.reason().contains(word), "{text}: {}", answer.json);
    }
}

#[test]
fn a_harmless_change_is_nobodys_business() {
    let context = TestContext::enrolled();
    for text in [
        ours().to_string(),
        with("model", json!("opus")),
        with("env", json!({"EDITOR": "vi"})),
        with("disableAllHooks", json!(false)),
    ] {
        let answer = changed(&context, &text);
        assert!(answer.is_silent(), "{text}: {}", answer.json);
    }
    let skills = json!({"source": "skills", "file_path": context.path(".claude/skills/x/SKILL.md")});
    assert!(context.hook("config-change", "ConfigChange", skills).is_silent());
}

#[test]
fn as_a_plugin_no_settings_file_has_to_register_us() {
    let context = TestContext::enrolled().with_variable("CLAUDE_PLUGIN_ROOT", "/plugins/plimsoll");
    assert!(changed(&context, "{}").is_silent());
    assert!(changed(&context, r#"{"disableAllHooks": true}"#).blocks());
}
