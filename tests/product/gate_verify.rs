//! Door 3, for CI and servers, and the override of a person.

use crate::answer::told;
use crate::context::{LOOP_1_SUFFICES, TestContext};
use crate::gate::secret;
use crate::receipts::{passes, workspace};
use plimsoll::app::gate::overrides::let_head_leave;
use plimsoll::pure::policy::LoopNumber;
use std::fs;
use std::process::Output;

fn verify(context: &TestContext, options: &[&str]) -> (Option<i32>, String) {
    let output: Output = context.plimsoll(&[&["gate", "verify"], options].concat());
    (output.status.code(), told(&output))
}

#[test]
fn a_reviewed_commit_is_verified_by_its_receipts() {
    let context = TestContext::new();
    context.enrol();
    context.change();
    context.review();
    context.commit("half reviewed");
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Loop 2 not run") && said.contains("Receipts stay where the review ran"), "{said}");
    passes(&context, LoopNumber::Two);
    let (code, said) = verify(&context, &["--base", "origin/main"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("2 changed files") && said.contains("Gate: OPEN"), "{said}");
    context.write("one.md", "changed\n");
    context.commit("unreviewed");
    assert_eq!(verify(&context, &[]).0, Some(1));
    assert_eq!(verify(&context, &["--ref", "HEAD~1", "--base", "origin/main"]).0, Some(0));
}

#[test]
fn without_receipts_loop_1_is_run_again_and_the_others_are_not_taken_for_granted() {
    let context = TestContext::new();
    context.change();
    context.commit("from elsewhere");
    let (code, said) = verify(&context, &["--rerun", "1"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Loop 1, run again here: PASS") && said.contains("Loop 2 not run"), "{said}");
    let (code, said) = verify(&context, &["--rerun", "1", "--only-rerun"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Loop 2 is required to ship and was NOT judged here"), "{said}");
    assert!(!context.layout().receipts().exists(), "nothing is recorded");

    context.user_config("loop1: {checks: {lint: [\"false\"]}}\n");
    for options in
        [&["--rerun", "1", "--only-rerun"][..], &["--rerun", "1", "--only-rerun", "--base", "HEAD"]]
    {
        let (code, said) = verify(&context, options);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("Loop 1 failed"), "{said}");
    }
}

#[test]
fn loop_1_runs_again_only_on_exactly_that_content() {
    let context = TestContext::new();
    context
        .user_config(&format!("{LOOP_1_SUFFICES}loop1: {{checks: {{test: [test, '!', -e, stray.txt]}}}}\n"));
    context.change();
    context.commit("committed");
    context.write("stray.txt", "not committed\n");
    let (code, said) = verify(&context, &["--rerun", "1"]);
    assert_eq!(code, Some(0), "checks see the commit and nothing beside it: {said}");
    fs::remove_file(context.path("stray.txt")).unwrap();
    context.git(&["checkout", "-q", "--detach"]);
    assert_eq!(verify(&context, &["--rerun", "1"]).0, Some(0), "a detached checkout, as in CI");
}

#[test]
fn a_secret_anywhere_in_the_range_is_found_also_where_a_later_commit_removes_it() {
    let context = TestContext::new();
    context.user_config(LOOP_1_SUFFICES);
    context.write("settings.txt", format!("token = {}\n", secret()));
    context.commit("by mistake");
    fs::remove_file(context.path("settings.txt")).unwrap();
    context.change();
    context.commit("removed");
    // As in CI, the branch itself is known from the remote already.
    context.git(&["update-ref", "refs/remotes/origin/feature", "HEAD"]);
    let (code, said) = verify(&context, &["--rerun", "1", "--base", "origin/main"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("settings.txt:1") && !said.contains(&secret()), "{said}");
}

#[test]
fn a_range_that_cannot_be_told_is_an_error_and_no_pass() {
    let context = TestContext::new();
    let (code, said) = verify(&context, &[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("part of origin/main already") && said.contains("--base"), "{said}");
    let (code, said) = verify(&context, &["--base", "nope"]);
    assert_eq!(code, Some(2), "{said}");
    assert_eq!(verify(&context, &["--only-rerun"]).0, Some(2), "nothing is run again");
    let zeros = "0".repeat(40);
    let (code, said) = verify(&context, &["--base", &zeros, "--rerun", "1", "--only-rerun"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("against an empty tree"), "{said}");

    context.change();
    context.commit("second");
    let head = context.head();
    context.write(".git/shallow", format!("{head}\n"));
    let (code, said) = verify(&context, &["--rerun", "1"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("fetch-depth: 0"), "{said}");
}

#[test]
fn a_person_lets_exactly_one_commit_leave_once() {
    let context = TestContext::enrolled();
    context.change();
    let first = context.commit("unreviewed");
    context.push(&[]).assert_refused(&["No review state found"]);
    let piped = context.plimsoll(&["gate", "override", "--reason", "hotfix"]);
    assert!(!piped.status.success() && told(&piped).contains("not a terminal"), "{}", told(&piped));
    assert!(let_head_leave(&workspace(&context), " ").is_err());

    let_head_leave(&workspace(&context), "hotfix").unwrap();
    context.write("one.md", "another\n");
    let second = context.commit("another");
    context.push(&[]).assert_refused(&[]);
    context.git(&["reset", "-q", "--hard", &first]);
    let push = context.push(&[]);
    assert!(push.accepted && push.said.contains("a person let this push through once"), "{}", push.said);
    assert!(context.remote_has(&first) && !context.remote_has(&second));
    let notes = fs::read_to_string(context.layout().root().join("overrides.jsonl")).unwrap();
    let events: Vec<&str> =
        notes.lines().map(|line| if line.contains("granted") { "granted" } else { "used" }).collect();
    assert_eq!(events, ["granted", "used"], "{notes}");
    assert!(notes.contains("hotfix") && notes.contains(&first), "{notes}");
}
