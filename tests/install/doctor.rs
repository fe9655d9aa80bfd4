//! `plimsoll doctor` on real and damaged installations.

use crate::world::{World, told};
use std::{fs, os::unix::fs::PermissionsExt};

/// A check must stand like this, and its line hold this word.
fn line(world: &World, standing: &str, check: &str, word: &str) {
    let told = told(&world.doctor(&[]));
    let start = format!("{standing:<5} {check:<14} ");
    let found = told.lines().any(|line| line.starts_with(&start) && line.contains(word));
    assert!(found, "no line {start:?} with {word:?} in\n{told}");
}

#[test]
fn a_fresh_installation_has_no_failure() {
    let world = World::new();
    world.installed(&[]);
    let output = world.doctor(&[]);
    assert!(output.status.success(), "{}", told(&output));
    line(&world, "ok", "client", "2.1.325");
    line(&world, "ok", "registration", "project settings");
    line(&world, "ok", "hooks", env!("CARGO_PKG_VERSION"));
    line(&world, "ok", "state", ".git/plimsoll");
    line(&world, "warn", "gate", "not bound");
}

#[test]
fn a_shared_installation_is_followed_through_its_launcher() {
    let world = World::new();
    world.installed(&["--shared"]);
    line(&world, "ok", "hooks", "start");
    fs::remove_file(world.project().join(".claude/plimsoll/launch")).unwrap();
    line(&world, "FAIL", "hooks", "launch is missing");
}

#[test]
fn nothing_registered_is_a_failure_with_its_fix() {
    let world = World::new();
    let output = world.doctor(&[]);
    assert_eq!(output.status.code(), Some(1));
    line(&world, "FAIL", "registration", "no hook is registered");
    assert!(told(&output).contains("fix: install.sh --project"), "{}", told(&output));
}

#[test]
fn damaged_binaries_are_named() {
    let world = World::new();
    world.installed(&[]);
    let stop = world.share().join("hooks/stop");
    fs::write(&stop, "#!/bin/sh\necho stop 0.0.9\n").unwrap();
    line(&world, "FAIL", "hooks", "hooks/stop is version 0.0.9");
    fs::set_permissions(&stop, fs::Permissions::from_mode(0o644)).unwrap();
    line(&world, "FAIL", "hooks", "hooks/stop is not executable");
    fs::remove_file(&stop).unwrap();
    line(&world, "FAIL", "hooks", "hooks/stop is missing");
}

#[test]
fn a_registration_that_was_narrowed_or_cut_is_a_failure() {
    let world = World::new();
    world.installed(&[]);
    let text = world.read(".claude/settings.json");
    let narrowed =
        text.replacen("\"PreToolUse\": [\n      {", "\"PreToolUse\": [\n      {\"matcher\": \"Write\",", 1);
    assert_ne!(text, narrowed);
    world.write(".claude/settings.json", &narrowed);
    line(&world, "FAIL", "registration", "pre-tool-use on PreToolUse");
    world.write(".claude/settings.json", &text.replace("\"SubagentStop\"", "\"Notification\""));
    line(&world, "FAIL", "registration", "stop on SubagentStop");
}

#[test]
fn two_installations_are_a_warning() {
    let world = World::new();
    world.installed(&[]);
    world.installed(&["--user"]);
    line(&world, "warn", "registration", "registered 2 times");
}

#[test]
fn hooks_switched_off_are_a_failure() {
    let world = World::new();
    world.installed(&[]);
    world.write(".claude/settings.local.json", r#"{"disableAllHooks": true}"#);
    line(&world, "FAIL", "hooks", "local settings");
}

#[test]
fn settings_that_are_not_json_are_named() {
    let world = World::new();
    world.write(".claude/settings.json", "{,}");
    line(&world, "FAIL", "hooks", "project settings are not JSON");
}

#[test]
fn the_pre_push_hook_must_be_the_one_that_git_runs() {
    let world = World::new();
    world.installed(&[]);
    let hook = world.project().join(".git/hooks/pre-push");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\nexec plimsoll/hooks/git-pre-push\n").unwrap();
    line(&world, "FAIL", "gate", "not executable");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    line(&world, "ok", "gate", "bound");
    world.git(&["config", "core.hooksPath", "elsewhere"]);
    line(&world, "FAIL", "gate", "core.hooksPath");
}

#[test]
fn without_git_the_gate_is_a_warning() {
    let world = World::without_git();
    world.installed(&[]);
    line(&world, "warn", "gate", "not a git repository");
    assert!(world.doctor(&[]).status.success());
}

#[test]
fn json_holds_every_check() {
    let world = World::new();
    let output = world.doctor(&["--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = value["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["name"] == "registration" && check["standing"] == "fail"));
    assert!(checks.iter().all(|check| check["standing"] == "ok" || check["fix"].is_string()));
}
