//! States in which the gate must not open, however it is asked.

use crate::answer::told;
use crate::context::TestContext;
use camino::Utf8PathBuf;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Neither the working tree nor the commit ships.
fn assert_shut(context: &TestContext, words: &[&str]) {
    let gate = context.gate(&[]);
    assert!(!gate.open, "{}", gate.said);
    let commit = context.head();
    context.push(&["origin", "HEAD"]).assert_refused(words);
    assert!(!context.remote_has(&commit));
}

fn newest_receipt(context: &TestContext) -> Utf8PathBuf {
    let mut files: Vec<_> = context
        .layout()
        .receipts()
        .read_dir_utf8()
        .unwrap()
        .map(|entry| entry.unwrap().into_path())
        .collect();
    files.sort();
    files.pop().unwrap()
}

#[test]
fn without_state_the_gate_is_closed() {
    let context = TestContext::enrolled();
    context.change();
    context.commit("unreviewed");
    assert_shut(&context, &["No review state found", "Run /review before shipping"]);
}

#[test]
fn a_receipt_that_was_removed_leaves_the_gate_closed() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    fs::remove_dir_all(context.layout().receipts()).unwrap();
    assert_shut(&context, &["the newest receipt (1) is gone"]);
    context.review();
    assert!(context.gate(&[]).open);
}

#[test]
fn a_corrupt_receipt_closes_the_gate_and_a_fresh_review_is_the_way_out() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    let receipt = newest_receipt(&context);
    let whole = fs::read(&receipt).unwrap();
    for content in [&b""[..], b"garbage", b"{}", b"\xff\xfe\x00", whole.get(..whole.len() / 2).unwrap()] {
        fs::write(&receipt, content).unwrap();
        assert_shut(&context, &["is damaged"]);
        assert_eq!(fs::read(&receipt).unwrap(), content, "asking must not destroy what is there");
    }
    context.review();
    let kept = context.path(".git/plimsoll/receipts.damaged-0").join(receipt.file_name().unwrap());
    assert!(kept.is_file());
    context.push(&[]).assert_accepted();
}

#[test]
fn a_receipt_edited_by_hand_closes_the_gate() {
    let context = TestContext::reviewed();
    let reviewed = context.commit("reviewed");
    context.write("three.md", "unreviewed\n");
    context.commit("more");
    let tree = |commit: &str| context.git(&["rev-parse", &format!("{commit}^{{tree}}")]);
    let receipt = newest_receipt(&context);
    let text = fs::read_to_string(&receipt).unwrap();
    let edited = text.replace(&tree(&reviewed), &tree("HEAD"));
    assert_ne!(text, edited);
    fs::write(&receipt, edited).unwrap();
    assert_shut(&context, &["was edited after it was written"]);
}

#[test]
fn a_failed_review_edited_into_a_pass_closes_the_gate() {
    let context = TestContext::enrolled();
    context.user_config("blocking: {required_loops: [1]}\nloop1: {checks: {lint: [\"false\"]}}\n");
    context.change();
    let failed = context.plimsoll(&["review", "run", "--loop", "1"]);
    assert_eq!(failed.status.code(), Some(1), "{}", told(&failed));
    context.commit("failed");
    context.push(&[]).assert_refused(&["Loop 1 failed"]);
    let receipt = newest_receipt(&context);
    let text = fs::read_to_string(&receipt).unwrap();
    let edited = text.replace("\"fail\"", "\"pass\"");
    assert_ne!(text, edited);
    fs::write(&receipt, edited).unwrap();
    assert_shut(&context, &["was edited after it was written"]);
}

#[test]
fn a_receipt_of_another_repository_closes_the_gate() {
    let context = TestContext::reviewed();
    let other = context.beside("other");
    context.git(&["clone", "-q", context.beside("remote.git").as_str(), other.as_str()]);
    let enrolled =
        context.command(crate::context::binary("plimsoll")).current_dir(&other).arg("enrol").output();
    assert!(enrolled.unwrap().status.success());
    context.commit("reviewed");
    context.git_in(&other, &["pull", "-q", context.project().as_str(), "main"]);
    let copies = other.join(".git/plimsoll/receipts");
    fs::create_dir_all(&copies).unwrap();
    let receipt = newest_receipt(&context);
    fs::copy(&receipt, copies.join(receipt.file_name().unwrap())).unwrap();
    let push =
        context.command("git").current_dir(&other).args(["push", "origin", "HEAD:main"]).output().unwrap();
    assert!(
        !push.status.success() && told(&push).contains("belongs to another repository"),
        "{}",
        told(&push)
    );
    assert!(!context.remote_has(&context.head()));
}

#[test]
fn another_branch_with_other_content_is_shut() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context.git(&["checkout", "-q", "-b", "other", "origin/main"]);
    context.write("other.md", "unreviewed\n");
    context.commit("other content");
    assert_shut(&context, &["other.md"]);
}

#[test]
fn one_changed_byte_closes_the_gate() {
    let context = TestContext::reviewed();
    context.write("one.md", "onE\n");
    context.commit("changed after the review");
    assert_shut(&context, &["one.md"]);
}

#[test]
fn a_change_of_mode_alone_closes_the_gate() {
    let context = TestContext::reviewed();
    fs::set_permissions(context.path("one.md"), PermissionsExt::from_mode(0o755)).unwrap();
    context.commit("executable");
    assert_shut(&context, &["one.md"]);
}

#[test]
fn an_edit_behind_a_hidden_index_flag_is_seen() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let context = TestContext::reviewed();
        context.commit("reviewed");
        context.git(&["update-index", flag, "one.md"]);
        context.write("one.md", "edited where git does not look\n");
        let gate = context.gate(&[]);
        assert!(!gate.open && gate.said.contains("one.md"), "{flag}: {}", gate.said);
    }
}

#[test]
fn a_replace_ref_does_not_pass_other_content_off_as_reviewed() {
    let context = TestContext::reviewed();
    let reviewed = context.commit("reviewed");
    context.write("one.md", "unreviewed\n");
    let other = context.commit("other");
    context.git(&["replace", &other, &reviewed]);
    context.push(&[]).assert_refused(&["one.md"]);
    assert!(!context.remote_has(&other));
}

#[test]
fn faked_remote_tracking_refs_do_not_open_the_gate() {
    let context = TestContext::enrolled();
    context.change();
    context.commit("unreviewed");
    for name in ["refs/remotes/origin/main", "refs/remotes/origin/HEAD", "refs/remotes/origin/fake"] {
        context.git(&["update-ref", "--no-deref", name, "HEAD"]);
    }
    for target in ["HEAD:main", "HEAD:refs/heads/new", "HEAD:refs/tags/new"] {
        let push = context.push(&["origin", target]);
        push.assert_refused(&[]);
    }
    assert!(!context.remote_has(&context.head()));
}

#[test]
fn other_settings_than_those_of_the_review_shut_the_gate() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context.user_config("blocking: {required_loops: [1]}\nloop1: {checks: {lint: [\"true\"]}}\n");
    assert_shut(&context, &["under other settings"]);
}

#[test]
fn a_repository_that_cannot_be_judged_is_shut() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context.write(".git/info/grafts", format!("{}\n", context.head()));
    assert_shut(&context, &["Could not check", "info/grafts"]);
}

#[test]
fn a_missing_or_damaged_seal_key_closes_the_gate() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    let key = context.homes().seal_key();
    let whole = fs::read(&key).unwrap();
    fs::write(&key, b"short").unwrap();
    assert_shut(&context, &[]);
    fs::write(&key, [7; 32]).unwrap();
    assert_shut(&context, &["was edited after it was written"]);
    fs::remove_file(&key).unwrap();
    assert_shut(&context, &["seal key"]);
    fs::write(&key, whole).unwrap();
    context.push(&[]).assert_accepted();
}
