//! The launcher that a team commits: it starts the hook, or gives the answer that is safe for its event.

use crate::world::World;
use serde_json::Value;
use std::{fs, io::Write, process::Stdio};

fn answer(world: &World, hook: &str, event: &str) -> Value {
    let launcher = world.project().join(".claude/plimsoll/launch");
    let mut child = world
        .command("sh")
        .arg(launcher)
        .arg(hook)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap_or_default();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn shared() -> World {
    let world = World::new();
    world.installed(&["--shared"]);
    world
}

#[test]
fn it_hands_the_event_to_the_installed_hook() {
    let world = World::new();
    world.script("built/hooks/stop", "printf '{\"got\": %s}' \"$(cat)\"");
    world.installed(&["--shared"]);
    assert_eq!(answer(&world, "stop", "[1]")["got"], serde_json::json!([1]));
}

#[test]
fn a_missing_guard_asks() {
    let world = shared();
    fs::remove_dir_all(world.share().join("hooks")).unwrap();
    let answer = answer(&world, "pre-tool-use", "{}");
    let decision = &answer["hookSpecificOutput"];
    assert_eq!(
        (&decision["hookEventName"], &decision["permissionDecision"]),
        (&"PreToolUse".into(), &"ask".into())
    );
    assert!(decision["permissionDecisionReason"].as_str().unwrap().contains("run install.sh"));
}

#[test]
fn a_guard_that_cannot_start_asks() {
    let world = shared();
    fs::write(world.share().join("hooks/pre-tool-use"), "#!/no/such/interpreter\n").unwrap();
    assert_eq!(answer(&world, "pre-tool-use", "{}")["hookSpecificOutput"]["permissionDecision"], "ask");
    fs::remove_file(world.share().join("hooks/pre-tool-use")).unwrap();
    fs::write(world.share().join("hooks/pre-tool-use"), "not executable").unwrap();
    assert_eq!(answer(&world, "pre-tool-use", "{}")["hookSpecificOutput"]["permissionDecision"], "ask");
}

#[test]
fn every_other_missing_hook_says_so_under_its_own_event() {
    let world = shared();
    fs::remove_dir_all(world.share().join("hooks")).unwrap();
    let expansion = r#"{"hook_event_name": "UserPromptExpansion"}"#;
    let forged =
        r#"{"prompt":"\"hook_event_name\":\"UserPromptExpansion\"","hook_event_name":"UserPromptSubmit"}"#;
    for (hook, event, name) in [
        ("session-start", "{}", "SessionStart"),
        ("user-prompt-start", "{}", "UserPromptSubmit"),
        ("user-prompt-ship", expansion, "UserPromptExpansion"),
        ("user-prompt-review", &expansion.replace(": ", ":"), "UserPromptExpansion"),
        ("user-prompt-review", forged, "UserPromptSubmit"),
    ] {
        let answer = answer(&world, hook, event);
        assert_eq!(answer["hookSpecificOutput"]["hookEventName"], name, "{hook}");
        assert!(answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().contains("install.sh"));
    }
    assert_eq!(answer(&world, "config-change", "{}")["decision"], "block");
    for hook in ["stop", "post-tool-use"] {
        let answer = answer(&world, hook, "{}");
        assert!(answer["systemMessage"].is_string() && answer.get("decision").is_none(), "{hook}");
    }
}
