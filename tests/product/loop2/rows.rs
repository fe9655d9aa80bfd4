//! The gate's table where readings count: what keeps them, what voids them, on real repositories.

use super::{Reviewing, ready};
use crate::context::TestContext;
use serde_json::json;

/// Both loops passed on two changed files; nothing committed.
fn read() -> TestContext {
    let context = ready();
    read_again(&context);
    context
}

fn read_again(context: &TestContext) {
    let started = context.start();
    assert!(context.answer(&started.honest(json!([])).to_string()).is_silent());
}

/// The files that a reviewer would be given now.
fn unread(context: &TestContext) -> Vec<String> {
    context.ask("--claude --yes");
    context.start().files()
}

#[test]
fn read_content_ships_in_one_commit_or_many_amended_or_squashed() {
    for commits in [
        "git add -A && git commit -qm all",
        "git add one.md && git commit -qm one && git add two.md && git commit -qm two",
        "git add -A && git commit -qm x && git commit -q --amend -m 'other words'",
        "git add one.md && git commit -qm one && git add two.md && git commit -qm two && git reset -q --soft HEAD~2 && git \
         commit -qm squashed",
    ] {
        let context = read();
        assert!(context.bash(commits).status.success(), "{commits}");
        context.push(&[]).assert_accepted();
    }
}

#[test]
fn some_of_the_read_files_need_their_checks_again_and_no_reviewer() {
    let context = read();
    context.bash("git add one.md && git commit -qm part");
    context.push(&[]).assert_refused(&["not in refs/heads/main: two.md"]);
    context.bash("git stash -qu");
    context.review();
    context.push(&[]).assert_accepted();
}

#[test]
fn a_formatter_or_half_a_file_leaves_that_file_unread_and_only_that_one() {
    let context = read();
    context.write("one.md", "one  \n");
    context.commit("formatted");
    context.push(&[]).assert_refused(&["one.md"]);
    context.review();
    context.push(&[]).assert_refused(&["Loop 2 has not read: one.md", "/review --loops 2"]);
    assert_eq!(unread(&context), ["one.md"]);
    read_again(&context);
    context.push(&[]).assert_accepted();
}

#[test]
fn a_rebase_over_other_files_keeps_the_readings_and_asks_for_loop_1_alone() {
    let context = read();
    context.commit("read");
    context.colleague_pushes("theirs.md", "theirs\n");
    assert!(context.bash("git fetch -q && git rebase -q origin/main").status.success());
    context.push(&[]).assert_refused(&["/review --loops 1 is enough"]);
    context.review();
    context.push(&[]).assert_accepted();
}

#[test]
fn a_rebase_over_the_same_file_asks_for_that_file_and_for_loop_1() {
    let context = TestContext::new();
    context.write("one.md", "top\n\n\n\n\n\n\n\nbottom\n");
    context.commit("long");
    context.git(&["push", "-q"]);
    context.user_config("{}\n");
    context.enrol();
    context.write("one.md", "top\n\n\n\n\n\n\n\nbottom, ours\n");
    context.write("two.md", "two\n");
    context.review();
    context.ask("--claude --yes");
    read_again(&context);
    context.commit("read");
    context.colleague_pushes("one.md", "top, theirs\n\n\n\n\n\n\n\nbottom\n");
    assert!(context.bash("git fetch -q && git rebase -q origin/main").status.success());
    context.review();
    context.push(&[]).assert_refused(&["Loop 2 has not read: one.md"]);
    assert_eq!(unread(&context), ["one.md"]);
}

#[test]
fn a_base_that_moved_without_a_merge_voids_no_reading() {
    let context = read();
    context.git(&["switch", "-qc", "feature"]);
    context.commit("read");
    context.colleague_pushes("theirs.md", "theirs\n");
    context.git(&["fetch", "-q"]);
    context.push(&["origin", "feature"]).assert_accepted();
}
