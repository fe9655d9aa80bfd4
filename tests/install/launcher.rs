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
    let world = shared();
    world.script("the home/.local/share/plimsoll/hooks/stop", "printf '{\"got\": %s}' \"$(cat)\"");
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

/// What a bare shell on this text would do leaves a trace.
const TRAP: &str = r#"{"hook_event_name":"EVENT","tool_name":"Bash","tool_input":{"command":"$(touch trace); `touch trace`"}}
touch trace
"#;

/// Every command that is registered, as a host runs it that knows nothing of `args`.
fn without_arguments(world: &World, settings: &str, root: &str) {
    let settings: Value = serde_json::from_str(settings).unwrap();
    for (event, groups) in settings.get("hooks").and_then(Value::as_object).unwrap() {
        let groups = groups.as_array().unwrap().iter().flat_map(|group| group.get("hooks")?.as_array());
        for entry in groups.flatten() {
            let line = entry.get("command").and_then(Value::as_str).unwrap();
            let mut child = world
                .command("sh")
                .args(["-c", line])
                .env("CLAUDE_PROJECT_DIR", world.project())
                .env("CLAUDE_PLUGIN_ROOT", root)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            child
                .stdin
                .take()
                .unwrap()
                .write_all(TRAP.replace("EVENT", event).as_bytes())
                .unwrap_or_default();
            let output = child.wait_with_output().unwrap();
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            assert!(output.status.success(), "{event}: {line}");
            match event.as_str() {
                "PreToolUse" => {
                    let decision = answer.pointer("/hookSpecificOutput/permissionDecision");
                    assert_eq!(decision, Some(&"ask".into()), "{line}");
                }
                "ConfigChange" => assert_eq!(answer.get("decision"), Some(&"block".into()), "{line}"),
                _ => {}
            }
            assert!(!world.project().join("trace").exists(), "{event}: {line}");
        }
    }
}

#[test]
fn a_host_that_drops_arguments_runs_nothing_of_the_event() {
    let world = shared();
    fs::remove_dir_all(world.share().join("hooks")).unwrap();
    without_arguments(&world, &world.read(".claude/settings.json"), "");
    let checkout = env!("CARGO_MANIFEST_DIR");
    let plugin = world.path("plug in");
    fs::create_dir_all(plugin.join("hooks")).unwrap();
    fs::copy(format!("{checkout}/hooks/launch"), plugin.join("hooks/launch")).unwrap();
    let settings = fs::read_to_string(format!("{checkout}/hooks/hooks.json")).unwrap();
    without_arguments(&world, &settings, plugin.to_str().unwrap());
}

#[test]
fn without_a_name_it_answers_safely_and_starts_nothing() {
    let world = shared();
    let event = |name: &str| TRAP.replace("EVENT", name);
    let guard = answer(&world, "", &event("PreToolUse"));
    assert_eq!(guard["hookSpecificOutput"]["permissionDecision"], "ask");
    assert_eq!(answer(&world, "", &event("ConfigChange"))["decision"], "block");
    assert!(!world.project().join("trace").exists());
}
