//! `plimsoll doctor` on real and damaged installations.

use crate::world::{World, told};
use std::{fs, os::unix::fs::PermissionsExt};

/// A check must stand like this, and its line hold this word.
fn line(world: &World, standing: &str, check: &str, word: &str) {
    let told = told(&world.doctor(&["-v"]));
    let start = format!("{standing} {check} ");
    let found = told.lines().any(|line| line.starts_with(&start) && line.contains(word));
    assert!(found, "no line {start:?} with {word:?} in\n{told}");
}

#[test]
fn a_fresh_installation_has_no_failure() {
    let world = World::new();
    world.installed(&[]);
    let output = world.doctor(&[]);
    assert!(output.status.success(), "{}", told(&output));
    line(&world, "✓", "client", "2.1.325");
    line(&world, "✓", "registration", "project settings");
    line(&world, "✓", "hooks", env!("CARGO_PKG_VERSION"));
    line(&world, "✓", "state", ".git/plimsoll");
    line(&world, "✓", "gate", "enrolled");
}

#[test]
fn a_shared_installation_is_followed_through_its_launcher() {
    let world = World::new();
    world.installed(&["--shared"]);
    line(&world, "✓", "hooks", "start");
    fs::remove_file(world.project().join(".claude/plimsoll/launch")).unwrap();
    line(&world, "✗", "hooks", "launch is missing");
}

#[test]
fn nothing_registered_is_a_failure_with_its_fix() {
    let world = World::new();
    let output = world.doctor(&[]);
    assert_eq!(output.status.code(), Some(1));
    line(&world, "✗", "registration", "no hook is registered");
    assert!(told(&output).contains("fix: plimsoll install --project"), "{}", told(&output));
}

#[test]
fn damaged_binaries_are_named() {
    let world = World::new();
    world.installed(&[]);
    let stop = world.share().join("hooks/stop");
    fs::remove_file(&stop).unwrap();
    world.script("the home/.local/share/plimsoll/hooks/stop", "echo stop 0.0.9");
    line(&world, "✗", "hooks", "hooks/stop is version 0.0.9");
    fs::set_permissions(&stop, fs::Permissions::from_mode(0o644)).unwrap();
    line(&world, "✗", "hooks", "hooks/stop is not executable");
    fs::remove_file(&stop).unwrap();
    line(&world, "✗", "hooks", "hooks/stop is missing");
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
    line(&world, "✗", "registration", "pre-tool-use on PreToolUse");
    world.write(".claude/settings.json", &text.replace("\"SubagentStop\"", "\"Notification\""));
    line(&world, "✗", "registration", "stop on SubagentStop");
}

#[test]
fn two_installations_are_a_warning() {
    let world = World::new();
    world.installed(&[]);
    world.installed(&["--user"]);
    line(&world, "!", "registration", "registered 2 times");
}

#[test]
fn hooks_switched_off_are_a_failure() {
    let world = World::new();
    world.installed(&[]);
    world.write(".claude/settings.local.json", r#"{"disableAllHooks": true}"#);
    line(&world, "✗", "hooks", "local settings");
}

#[test]
fn settings_that_are_not_json_are_named() {
    let world = World::new();
    world.write(".claude/settings.json", "{,}");
    line(&world, "✗", "hooks", "project settings are not JSON");
}

#[test]
fn the_pre_push_hook_must_be_the_one_that_git_runs() {
    let world = World::new();
    world.installed(&[]);
    world.enrol();
    line(&world, "✓", "gate", "enrolled");
    let hook = world.project().join(".git/hooks/pre-push");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).unwrap();
    line(&world, "✗", "gate", "not executable");
    world.enrol();
    fs::write(&hook, fs::read_to_string(&hook).unwrap().replace("exit 1", "exit 0")).unwrap();
    line(&world, "✗", "gate", "differs from the hook of this version");
    world.enrol();
    world.git(&["config", "core.hooksPath", "elsewhere"]);
    line(&world, "✗", "gate", "elsewhere/pre-push is missing");
    world.enrol();
    line(&world, "✓", "gate", "elsewhere/pre-push");
}

#[test]
fn a_damaged_enrolment_is_a_failure_until_the_repository_is_enrolled_again() {
    let world = World::new();
    world.installed(&[]);
    world.enrol();
    let record = fs::read_dir(world.share().join("enrolled")).unwrap().next().unwrap().unwrap().path();
    fs::write(record, "{").unwrap();
    line(&world, "✗", "gate", "is damaged");
    world.enrol();
    line(&world, "✓", "gate", "enrolled");
}

#[test]
fn a_receipt_that_was_edited_is_named_until_the_next_review() {
    let world = World::new();
    world.installed(&[]);
    world.enrol();
    world.write("a.txt", "a\n");
    let review = || {
        let output = world.plimsoll(&["review", "run", "--loop", "1"]);
        assert!(output.status.success(), "{}", told(&output));
    };
    review();
    line(&world, "✓", "state", "reviews: 1");
    let receipt = world.project().join(".git/plimsoll/receipts/00000001.json");
    let text = fs::read_to_string(&receipt).unwrap();
    fs::write(&receipt, text.replacen("pass", "fail", 1)).unwrap();
    line(&world, "!", "state", "00000001.json was edited");
    review();
    line(&world, "✓", "state", "reviews: 1");
}

#[test]
fn a_seal_key_that_is_none_is_named() {
    let world = World::new();
    world.installed(&[]);
    fs::write(world.share().join("seal.key"), "short").unwrap();
    line(&world, "✗", "state", "seal.key");
}

#[test]
fn a_broken_configuration_is_a_failure_and_a_waiting_one_a_warning() {
    let world = World::new();
    world.installed(&[]);
    line(&world, "✓", "configuration", "defaults, no file");
    let own = world.home().join(".config/plimsoll/review-config.yaml");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "blocking: {required_loops: [1]}\n").unwrap();
    line(&world, "✓", "configuration", "review-config.yaml");
    world.write(".claude/config/review-config.yaml", "loop1: {checks: {test: [make, test]}}\n");
    line(&world, "!", "configuration", "loop1.checks.test");
    world.write(".claude/config/review-config.yaml", "loop1: {tier1_timeout: never}\n");
    line(&world, "✗", "configuration", "review-config.yaml:1: `loop1.tier1_timeout`");
    assert_eq!(world.doctor(&[]).status.code(), Some(1));
}

#[test]
fn without_git_the_gate_is_a_warning() {
    let world = World::without_git();
    world.installed(&[]);
    line(&world, "!", "gate", "not a git repository");
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
