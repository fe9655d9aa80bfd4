//! The objects of a push, against bare remotes and with the lines that git itself writes.

use crate::edge::repo::fixture::Fixture;
use crate::edge::repo::{Error, LeavingRef, LeavingTip, PushLine, RemoteIds, leaving};
use crate::pure::review::ObjectId;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Lets git call a pre-push hook that writes its input down and refuses.
pub(super) fn lines(fixture: &Fixture, arguments: &[&str]) -> Vec<PushLine> {
    fixture.write(".git/hooks/pre-push", format!("#!/bin/sh\ncat > {}\nexit 1\n", fixture.beside("lines")));
    fs::set_permissions(fixture.path(".git/hooks/pre-push"), PermissionsExt::from_mode(0o755)).unwrap();
    assert!(!fixture.user_git(&[&["push"], arguments].concat()).status.success());
    fs::remove_file(fixture.path(".git/hooks/pre-push")).unwrap();
    PushLine::parse_all(&fs::read(fixture.beside("lines")).unwrap()).unwrap()
}

fn would_leave(fixture: &Fixture, arguments: &[&str]) -> Vec<LeavingRef> {
    leaving(&fixture.open(), &lines(fixture, arguments), RemoteIds::Ask { url: "../remote.git" }).unwrap()
}

pub(super) fn only_tip(mut leaving: Vec<LeavingRef>) -> LeavingTip {
    assert_eq!(leaving.len(), 1);
    match leaving.remove(0) {
        LeavingRef::Update(tip) => tip,
        LeavingRef::Delete { .. } => panic!("an update was expected"),
    }
}

pub(super) fn pair_paths(tip: &LeavingTip) -> Vec<String> {
    tip.pairs.iter().map(|pair| pair.path.to_string()).collect()
}

fn introduced_paths(tip: &LeavingTip) -> Vec<String> {
    tip.introduced.iter().map(|blob| blob.path.to_string()).collect()
}

fn messages(tip: &LeavingTip) -> Vec<&str> {
    tip.messages.iter().map(|(_, message)| message.trim_end()).collect()
}

#[test]
fn on_a_first_push_everything_leaves() {
    let fixture = Fixture::with_remote();
    fixture.write("b.txt", "b");
    let head = fixture.commit("second");
    let tip = only_tip(would_leave(&fixture, &["origin", "main"]));
    assert_eq!(tip.commit.to_string(), head);
    assert_eq!(tip.tree.to_string(), fixture.git(&["rev-parse", "HEAD^{tree}"]));
    assert_eq!((tip.base.as_ref(), tip.base_tree.as_ref(), tip.already_there), (None, None, false));
    assert_eq!(pair_paths(&tip), ["a.txt", "b.txt"]);
    assert_eq!(introduced_paths(&tip), ["a.txt", "b.txt"]);
    assert_eq!(messages(&tip), ["first", "second"]);
}

#[test]
fn an_update_leaves_what_is_new_since_the_remote_ref() {
    let fixture = Fixture::with_remote();
    let first = fixture.git(&["rev-parse", "HEAD"]);
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.write("a.txt", "two\n");
    fixture.commit("second");
    fixture.write("b.txt", "b");
    let third = fixture.commit("third");
    let tip = only_tip(would_leave(&fixture, &["origin", "main"]));
    assert_eq!(tip.base.as_ref().unwrap().to_string(), first);
    assert_eq!(pair_paths(&tip), ["a.txt", "b.txt"]);
    assert_eq!(messages(&tip), ["second", "third"]);
    assert_eq!(tip.introduced[1].commit.to_string(), third);
}

#[test]
fn a_secret_that_was_removed_again_still_leaves() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.write("key\n.pem", "secret");
    let guilty = fixture.commit("oops");
    fs::remove_file(fixture.path("key\n.pem")).unwrap();
    fixture.commit("clean up");
    let tip = only_tip(would_leave(&fixture, &["origin", "main"]));
    assert_eq!(pair_paths(&tip), [""; 0]);
    assert_eq!(introduced_paths(&tip), ["key\\x0a.pem"]);
    assert_eq!(tip.introduced[0].commit.to_string(), guilty);
    assert!(!tip.already_there);
}

#[test]
fn another_name_for_what_the_remote_has_sends_nothing() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main"]);
    let tip = only_tip(would_leave(&fixture, &["origin", "main:refs/heads/copy"]));
    assert!(tip.already_there);
    assert_eq!((tip.pairs.len(), tip.introduced.len(), tip.messages.len()), (0, 0, 0));
}

#[test]
fn what_only_another_branch_of_the_remote_has_is_content_of_its_own() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.git(&["checkout", "-q", "-b", "feature"]);
    fixture.write("b.txt", "b");
    fixture.commit("step");
    fs::remove_file(fixture.path("b.txt")).unwrap();
    fixture.commit("taken back");
    fixture.git(&["push", "-q", "origin", "feature"]);
    for spec in ["HEAD~1:refs/heads/evil", "HEAD~1:refs/tags/v1", "+HEAD~1:refs/heads/feature"] {
        let tip = only_tip(would_leave(&fixture, &["origin", spec]));
        assert!(!tip.already_there, "{spec}");
        assert_eq!(pair_paths(&tip), ["b.txt"], "{spec}");
    }
    let tip = only_tip(would_leave(&fixture, &["origin", "HEAD~2:refs/heads/copy"]));
    assert!(tip.already_there, "the default branch has it");
}

#[test]
fn a_new_branch_starts_where_it_left_the_remotes_default_branch() {
    let fixture = Fixture::with_remote();
    let first = fixture.git(&["rev-parse", "HEAD"]);
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.git(&["checkout", "-q", "-b", "feature"]);
    fixture.write("f.txt", "f");
    fixture.commit("feature");
    let tip = only_tip(would_leave(&fixture, &["origin", "feature"]));
    assert_eq!(tip.base.as_ref().unwrap().to_string(), first);
    assert_eq!(pair_paths(&tip), ["f.txt"]);
}

#[test]
fn a_new_branch_can_start_at_any_branch_of_the_remote() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.git(&["checkout", "-q", "--orphan", "island"]);
    let island = fixture.commit("island");
    fixture.git(&["push", "-q", "origin", "island"]);
    fixture.write("i.txt", "i");
    fixture.commit("more island");
    let tip = only_tip(would_leave(&fixture, &["origin", "HEAD:refs/heads/beach"]));
    assert_eq!(tip.base.as_ref().unwrap().to_string(), island);
    assert_eq!(pair_paths(&tip), ["i.txt"]);
}

#[test]
fn a_forged_remote_tracking_ref_does_not_shrink_what_leaves() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.write("b.txt", "unreviewed");
    fixture.commit("second");
    for name in ["main", "feature", "HEAD"] {
        fixture.git(&["update-ref", &format!("refs/remotes/origin/{name}"), "HEAD"]);
    }
    for target in ["main", "main:refs/heads/feature"] {
        let tip = only_tip(would_leave(&fixture, &["origin", target]));
        assert_eq!((pair_paths(&tip), introduced_paths(&tip)), (vec!["b.txt".into()], vec!["b.txt".into()]));
    }
    let lines = lines(&fixture, &["origin", "main:refs/heads/feature"]);
    let believed = leaving(&fixture.open(), &lines, RemoteIds::Tracking { remote: "origin" }).unwrap();
    assert!(only_tip(believed).already_there, "the forecast believes them");
}

#[test]
fn an_annotated_tag_is_followed_and_its_message_leaves() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.git(&["tag", "-a", "-m", "inner note", "v1"]);
    fixture.git(&["tag", "-a", "-m", "outer note", "v2", "v1"]);
    let tip = only_tip(would_leave(&fixture, &["origin", "v2"]));
    assert_eq!(tip.commit.to_string(), fixture.git(&["rev-parse", "HEAD"]));
    assert!(tip.already_there);
    assert_eq!(messages(&tip), ["outer note", "inner note"]);
}

#[test]
fn a_deletion_sends_nothing_and_is_named() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main", "main:side"]);
    let found = would_leave(&fixture, &["origin", ":side"]);
    assert!(matches!(&found[..], [LeavingRef::Delete { remote_ref, .. }] if remote_ref == "refs/heads/side"));
}

#[test]
fn a_remote_that_is_ahead_must_be_fetched_first() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main"]);
    let mut lines = lines(&fixture, &["origin", "main:refs/heads/x"]);
    lines[0].remote = ObjectId::parse(&"1".repeat(40));
    let error = leaving(&fixture.open(), &lines, RemoteIds::Ask { url: "../remote.git" }).unwrap_err();
    assert!(matches!(error, Error::FetchFirst { .. }) && error.to_string().contains("git fetch"), "{error}");
}

#[test]
fn a_force_push_is_compared_where_the_histories_part() {
    let fixture = Fixture::with_remote();
    let first = fixture.git(&["rev-parse", "HEAD"]);
    fixture.write("b.txt", "b");
    fixture.commit("second");
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.git(&["reset", "-q", "--hard", &first]);
    fixture.write("c.txt", "c");
    fixture.commit("instead");
    let tip = only_tip(would_leave(&fixture, &["--force", "origin", "main"]));
    assert_eq!(tip.base.as_ref().unwrap().to_string(), first);
    assert_eq!(pair_paths(&tip), ["c.txt"]);
}

#[test]
fn content_made_up_in_a_merge_is_introduced_by_the_merge() {
    let fixture = Fixture::with_remote();
    fixture.git(&["checkout", "-q", "-b", "side"]);
    fixture.write("side.txt", "side");
    fixture.commit("side");
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("main.txt", "main");
    fixture.commit("main");
    fixture.git(&["push", "-q", "origin", "main", "side"]);
    fixture.git(&["merge", "-q", "--no-ff", "--no-commit", "side"]);
    fixture.write("evil.txt", "in neither parent");
    fixture.write("side.txt", "changed in the merge");
    let merge = fixture.commit("merge");
    let tip = only_tip(would_leave(&fixture, &["origin", "main"]));
    let of_the_merge = tip.introduced.iter().filter(|blob| blob.commit.to_string() == merge);
    let paths: Vec<_> = of_the_merge.map(|blob| blob.path.to_string()).collect();
    assert_eq!(paths, ["evil.txt", "side.txt"]);
    assert_eq!(pair_paths(&tip), ["evil.txt", "side.txt"]);
}

#[test]
fn a_submodule_bump_is_listed_even_if_set_to_be_ignored() {
    let fixture = Fixture::with_submodule();
    fixture.git(&["init", "-q", "--bare", "-b", "main", "../remote.git"]);
    fixture.git(&["push", "-q", "../remote.git", "main"]);
    fixture.git(&["-C", "sub", "commit", "-q", "--allow-empty", "-m", "bump"]);
    let bump = fixture.commit("bump");
    fixture.git(&["config", "submodule.sub.ignore", "all"]);
    let tip = only_tip(would_leave(&fixture, &["../remote.git", "main"]));
    assert_eq!(tip.commit.to_string(), bump);
    let moved: Vec<_> = tip
        .pairs
        .iter()
        .filter_map(|pair| {
            let side = pair.new.as_ref().filter(|side| side.is_submodule())?;
            Some((pair.path.to_string(), side.id.to_string()))
        })
        .collect();
    assert_eq!(moved, [("sub".to_owned(), fixture.git(&["-C", "sub", "rev-parse", "HEAD"]))]);
}

#[test]
fn several_refs_are_judged_each() {
    let fixture = Fixture::with_remote();
    fixture.git(&["push", "-q", "origin", "main", "main:old"]);
    fixture.git(&["tag", "v1"]);
    fixture.git(&["checkout", "-q", "-b", "feature"]);
    fixture.write("f.txt", "f");
    fixture.commit("feature");
    let found = would_leave(&fixture, &["origin", "feature", "v1", ":old"]);
    let there: Vec<_> = found
        .iter()
        .map(|one| match one {
            LeavingRef::Update(tip) => (tip.remote_ref.as_str(), tip.already_there),
            LeavingRef::Delete { remote_ref, .. } => (remote_ref.as_str(), true),
        })
        .collect();
    let expected = [("refs/heads/feature", false), ("refs/tags/v1", true), ("refs/heads/old", true)];
    assert!(expected.iter().all(|one| there.contains(one)), "{there:?}");
}

#[test]
fn what_a_merge_or_rebase_brings_along_from_the_default_branch_is_not_part_of_the_change() {
    for (update, changed) in [
        (&["merge", "-q", "--no-edit", "main"][..], &["g.txt"][..]),
        (&["rebase", "-q", "main"], &["f.txt", "g.txt"]),
    ] {
        let fixture = Fixture::with_remote();
        fixture.git(&["checkout", "-q", "-b", "feature"]);
        fixture.write("f.txt", "f");
        fixture.commit("feature");
        fixture.git(&["checkout", "-q", "main"]);
        fixture.git(&["push", "-q", "origin", "main", "feature"]);
        fixture.write("m.txt", "m");
        fixture.commit("main moves on");
        fixture.git(&["checkout", "-q", "feature"]);
        fixture.write("g.txt", "g");
        fixture.commit("more feature");
        fixture.git(update);
        let push = || only_tip(would_leave(&fixture, &["--force", "origin", "feature"]));
        assert!(pair_paths(&push()).contains(&"m.txt".into()), "{update:?}: the remote does not have it yet");
        fixture.git(&["push", "-q", "origin", "main"]);
        assert_eq!(pair_paths(&push()), changed, "{update:?}");
    }
}

#[test]
fn a_ref_that_leads_to_no_commit_is_an_error() {
    let fixture = Fixture::with_remote();
    fixture.git(&["tag", "blob", "HEAD:a.txt"]);
    let lines = lines(&fixture, &["origin", "blob"]);
    let found = leaving(&fixture.open(), &lines, RemoteIds::Ask { url: "../remote.git" });
    assert!(matches!(found, Err(Error::NotACommit { .. })));
}
