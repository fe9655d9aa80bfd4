//! `plimsoll` without arguments, `plimsoll statusline`, and the line at the start of a session.

use crate::answer::told;
use crate::context::{TestContext, binary};
use crate::terminal::at_a_terminal;
use camino::Utf8Path;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn status(context: &TestContext) -> String {
    let output = context.plimsoll(&[]);
    assert!(output.status.success(), "{}", told(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_status_names_gate_review_findings_checkpoints_and_the_next_command() {
    let context = TestContext::new();
    let fresh = status(&context);
    for words in [
        "! gate",
        "not enrolled",
        "· sandbox      not sandboxed",
        "last review  none",
        "! step review  off: no hook is registered here",
        "next: plimsoll install",
    ] {
        assert!(fresh.contains(words), "no {words:?} in\n{fresh}");
    }
    let context = context.enrolled_for_loop_1();
    context.change();
    context.before_bash("ls");
    let closed = status(&context);
    assert!(closed.contains("✓ step review  on, last tool call reviewed just now"), "{closed}");
    assert!(closed.contains("✗ gate         closed: No review state found"), "{closed}");
    assert!(closed.contains("next: Run /review before shipping"), "{closed}");
    context.review();
    context.plimsoll(&["checkpoint", "create"]);
    let open = status(&context);
    for words in [
        "✓ gate         open for this content",
        "loop 1 pass, just now",
        "none open",
        "(just now, 3 files)",
        "next: /ship",
    ] {
        assert!(open.contains(words), "no {words:?} in\n{open}");
    }
    let output = context.plimsoll(&["status", "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&value["next"], &value["branch"]), (&json!("/ship"), &json!("main")));
}

#[test]
fn the_status_works_outside_a_repository_and_with_damaged_state() {
    let context = TestContext::reviewed();
    let elsewhere = context.beside("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let output = context.plimsoll_in(&elsewhere, &[]);
    assert!(output.status.success() && told(&output).contains("not a git repository"), "{}", told(&output));
    fs::write(context.layout().receipts().join("00000001.json"), "garbage").unwrap();
    assert!(status(&context).contains("✗ gate"), "{}", status(&context));
    context.user_config("step_reviewer: 7\n");
    let broken = status(&context);
    assert!(
        broken.contains("✗ step review  on, with defaults") && broken.contains("plimsoll config check"),
        "{broken}"
    );
    fs::remove_dir_all(context.layout().root()).unwrap();
    fs::write(context.layout().root(), "a file where a directory should be").unwrap();
    assert!(status(&context).contains("✗ gate"), "{}", status(&context));
}

fn segment(context: &TestContext, input: &str) -> String {
    let mut child = context
        .command(binary("plimsoll"))
        .arg("statusline")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn client(project: &Utf8Path) -> String {
    json!({"session_id": "s", "workspace": {"project_dir": project, "current_dir": project}}).to_string()
}

/// The file is renewed in the background; whoever asks again sees the new one.
fn comes_to_show(context: &TestContext, words: &str) {
    let begun = Instant::now();
    loop {
        let shown = segment(context, &client(&context.project()));
        if shown.contains(words) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no {words:?} in {shown}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn the_status_line_shows_the_gate_from_a_file_that_is_renewed_in_the_background() {
    let context = TestContext::reviewed();
    assert_eq!(segment(&context, &client(&context.project())), "Plimsoll ✓ on\n");
    comes_to_show(&context, "Plimsoll ✓ gate open");
}

#[test]
fn the_status_line_never_fails() {
    let context = TestContext::new();
    for input in ["", "{", "[]", "{\"workspace\": {\"project_dir\": 7}}"] {
        assert_eq!(segment(&context, input), "Plimsoll\n", "{input}");
    }
    context.user_config("step_reviewer: {mode: observe}\n");
    assert_eq!(segment(&context, &client(&context.project())), "Plimsoll ! observing\n");
    let context = context.with_variable("HOME", "/nonexistent");
    assert_eq!(segment(&context, &client(&context.project())), "Plimsoll\n");
}

#[test]
fn at_a_terminal_the_status_line_shows_the_current_project_and_waits_for_nothing() {
    let context = TestContext::reviewed();
    let mut command = context.command(binary("plimsoll"));
    command.arg("statusline").env("NO_COLOR", "1");
    let output = at_a_terminal(command);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Plimsoll ✓ on\n");
}

#[test]
fn a_session_starts_with_one_line_for_the_person() {
    let context = TestContext::new();
    let start = |source: &str| context.hook("session-start", "SessionStart", json!({"source": source}));
    assert_eq!(
        start("startup").notice(),
        "Plimsoll is on: every tool call is reviewed, and pushes are not judged (`plimsoll enrol` changes that)."
    );
    assert_eq!(start("compact").json.get("systemMessage"), None);
    context.enrol();
    assert!(start("resume").notice().ends_with("only reviewed content may be pushed."));
    context.user_config("step_reviewer: {mode: observe}\n");
    assert!(start("startup").notice().contains("tool calls are only observed"));
}
