//! Settings whose value changes what ships or where things are written.

use crate::answer::{Answer, Gate};
use crate::context::{LOOP_1_SUFFICES, TestContext};
use crate::gate::secret;
use crate::loop2::Reviewing;
use std::fs;

#[test]
fn a_secret_ships_only_where_the_policy_says_so() {
    let context = TestContext::reviewed();
    context.commit(&format!("use {}", secret()));
    context.push(&[]).assert_refused(&["github-token at the commit message"]);
    context.user_config("blocking: {required_loops: [1], secrets_block_ship: false}\n");
    context.review();
    context.push(&[]).assert_accepted();
}

#[test]
fn required_loops_that_are_not_run_keep_the_gate_closed() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context.user_config("blocking: {required_loops: [1, 2]}\n");
    context.push(&[]).assert_refused(&["Loop 2 not run", "/review --loops 2"]);
    context.user_config(LOOP_1_SUFFICES);
    context.push(&[]).assert_accepted();
}

#[test]
fn the_readable_copies_go_where_the_paths_say() {
    let context = TestContext::new();
    context.user_config("paths: {state_dir: notes/state, log_dir: notes/logs}\n");
    context.write("one.md", "one\n");
    context.review();
    assert!(context.path("notes/state/loop-state.json").is_file());
    let logs = fs::read_dir(context.path("notes/logs")).unwrap();
    assert!(
        logs.filter_map(Result::ok).any(|file| file.file_name().to_string_lossy().starts_with("review-"))
    );
    assert!(!context.path(".claude").exists());
    assert_eq!(context.git(&["status", "--porcelain"]), "?? one.md");
}

#[test]
fn copies_that_a_link_would_lead_out_of_the_project_are_not_written_and_the_result_is_told() {
    let context = TestContext::enrolled();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir_all(context.path(".claude")).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), context.path(".claude/state")).unwrap();
    let output = context.plimsoll(&["review", "run", "--loop", "1"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("PASS") && told.contains("leads out of the project"), "{told}");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

/// Loop 1 fails in one check, and a reviewer is called.
fn after_a_failed(check: &str, setting: &str) -> (Gate, Answer) {
    let context = TestContext::new();
    context.user_config(&format!(
        "loop1: {{checks: {{{check}: [sh, -c, 'exit 1']}}}}\nblocking: {{{setting}}}\n"
    ));
    context.enrol();
    context.change();
    assert_eq!(context.plimsoll(&["review", "run", "--loop", "1"]).status.code(), Some(1));
    context.ask("--claude --yes");
    let reviewer = context.call();
    (context.gate(&[]), reviewer)
}

#[test]
fn loop_2_starts_after_a_failure_that_the_settings_let_ship() {
    for (check, key) in [("test", "test_failure_blocks_ship"), ("build", "build_failure_blocks_ship")] {
        let (_, refused) = after_a_failed(check, "max_rounds: 3");
        assert!(refused.reason().contains("loop 1 failed"), "{key}: {}", refused.json);
        let (gate, started) = after_a_failed(check, &format!("{key}: false"));
        assert!(started.updated_input().is_some(), "{key}: {}", started.json);
        assert!(!gate.said.contains("loop 1 failed"), "{key}: {}", gate.said);
    }
    let (_, refused) = after_a_failed("lint", "test_failure_blocks_ship: false");
    assert!(refused.updated_input().is_none(), "{}", refused.json);
}

#[test]
fn loop_2_starts_after_a_secret_that_the_settings_let_ship() {
    for (settings, starts) in [("", false), ("blocking: {secrets_block_ship: false}\n", true)] {
        let context = TestContext::new();
        context.user_config(settings);
        context.enrol();
        context.write("notes.txt", format!("token = {}\n", secret()));
        assert_eq!(context.plimsoll(&["review", "run", "--loop", "1"]).status.code(), Some(1));
        context.ask("--claude --yes");
        assert_eq!(context.call().updated_input().is_some(), starts, "{settings}");
    }
}

#[test]
fn the_policy_of_the_base_commit_is_read_where_config_dir_says() {
    let context = TestContext::new();
    context.user_config("paths: {config_dir: ops/review}\nblocking: {required_loops: [1]}\n");
    context.enrol();
    context.write("ops/review/review-config.yaml", "blocking: {required_loops: [1, 2]}\n");
    context.commit("policy");
    context.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    context.git(&["rm", "-q", "-r", "ops"]);
    context.write("one.md", "one\n");
    context.review();
    let gate = context.gate(&[]);
    assert!(
        !gate.open && gate.said.contains("Loop 2 not run"),
        "a change deleted its own policy: {}",
        gate.said
    );
}
