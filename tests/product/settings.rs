//! Settings whose value changes what ships or where things are written.

use crate::context::{LOOP_1_SUFFICES, TestContext};
use crate::gate::secret;
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
