//! Whose reviews count: each repository has its own, enrolled or not.

use crate::answer::told;
use crate::context::{LOOP_1_SUFFICES, TestContext};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;

/// Not enrolled, with a change that loop 1 has passed.
fn reviewed() -> TestContext {
    let context = TestContext::new();
    context.user_config(LOOP_1_SUFFICES);
    context.change();
    context.review();
    context
}

/// A repository beside the project, with a change of its own.
fn neighbour(context: &TestContext) -> Utf8PathBuf {
    let place = context.beside("neighbour");
    context.git(&["clone", "-q", context.beside("remote.git").as_str(), place.as_str()]);
    fs::write(place.join("new.md"), "new\n").unwrap();
    place
}

fn review_in(context: &TestContext, place: &Utf8Path) {
    let output = context.plimsoll_in(place, &["review", "run", "--loop", "1"]);
    assert!(output.status.success(), "{}", told(&output));
}

fn gate_in(context: &TestContext, place: &Utf8Path) -> String {
    let output = context.plimsoll_in(place, &["gate", "check", "--worktree"]);
    let state = if output.status.success() { "open" } else { "closed" };
    format!("{state}: {}", told(&output))
}

fn copy(context: &TestContext, name: &str) -> Utf8PathBuf {
    let place = context.beside(name);
    let copied = context.command("cp").args(["-R", context.project().as_str(), place.as_str()]).output();
    assert!(copied.unwrap().status.success());
    place
}

#[test]
fn a_review_in_one_repository_says_nothing_about_another() {
    let context = reviewed();
    let place = neighbour(&context);
    let before = gate_in(&context, &place);
    assert!(before.starts_with("closed") && before.contains("No review state found"), "{before}");
    review_in(&context, &place);
    review_in(&context, &place);
    assert!(gate_in(&context, &place).starts_with("open"));
    assert!(context.gate(&[]).open);
}

#[test]
fn enrolment_keeps_the_reviews_made_before_it() {
    let context = reviewed();
    context.enrol();
    assert!(context.gate(&[]).open, "{}", context.gate(&[]).said);
    context.commit("reviewed before the enrolment");
    context.push(&[]).assert_accepted();
}

#[test]
fn a_linked_worktree_has_the_reviews_of_its_repository() {
    let context = reviewed();
    context.commit("reviewed");
    let linked = context.beside("linked");
    context.git(&["worktree", "add", "-q", "-b", "linked", linked.as_str()]);
    assert!(gate_in(&context, &linked).starts_with("open"), "{}", gate_in(&context, &linked));
}

#[test]
fn a_copied_or_moved_repository_is_reviewed_again_and_the_original_keeps_its_reviews() {
    let context = reviewed();
    let place = copy(&context, "copied");
    let foreign = gate_in(&context, &place);
    assert!(foreign.starts_with("closed") && foreign.contains("in another folder"), "{foreign}");
    review_in(&context, &place);
    assert!(gate_in(&context, &place).starts_with("open"));
    assert!(context.gate(&[]).open);
}

#[test]
fn a_repository_cloned_again_in_the_same_folder_starts_without_reviews() {
    let context = reviewed();
    let place = neighbour(&context);
    review_in(&context, &place);
    fs::remove_dir_all(&place).unwrap();
    neighbour(&context);
    let said = gate_in(&context, &place);
    assert!(said.starts_with("closed") && said.contains("No review state found"), "{said}");
    review_in(&context, &place);
    assert!(gate_in(&context, &place).starts_with("open"));
}

#[test]
fn receipts_of_an_identical_repository_in_another_folder_open_nothing() {
    let context = reviewed();
    context.enrol();
    context.write("one.md", "unreviewed here\n");
    let place = copy(&context, "elsewhere");
    // A person ended the enrolment of the copy; its checks may be whatever its folder makes of them.
    fs::remove_file(place.join(".git/plimsoll/enrolled")).unwrap();
    fs::remove_dir_all(place.join(".git/plimsoll/receipts")).unwrap();
    review_in(&context, &place);
    let receipts = context.layout().receipts();
    fs::remove_dir_all(&receipts).unwrap();
    fs::rename(place.join(".git/plimsoll/receipts"), &receipts).unwrap();
    context.commit("reviewed elsewhere");
    context.push(&[]).assert_refused(&["belongs to another repository"]);
}
