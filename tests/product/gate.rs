//! What ships and what does not, by a real `git push` through the installed hook.

use crate::answer::told;
use crate::context::TestContext;
use std::fs;

/// Put together here, so that no scanner takes this file for a leak.
pub(crate) fn secret() -> String {
    format!("ghp_{}", "R4nd0mT0k3nV4lu3".repeat(3).get(..36).unwrap())
}

#[test]
fn reviewed_content_ships_however_it_is_committed() {
    type Committing = fn(&TestContext);
    let ways: [(&str, Committing); 4] = [
        ("one commit", |context| drop(context.commit("all"))),
        ("many commits", |context| {
            context.git(&["add", "one.md"]);
            context.git(&["commit", "-q", "-m", "the first file"]);
            context.commit("the second file");
        }),
        ("an amended message", |context| {
            context.commit("wrong words");
            context.git(&["commit", "-q", "--amend", "-m", "right words"]);
        }),
        ("a local squash", |context| {
            context.git(&["add", "one.md"]);
            context.git(&["commit", "-q", "-m", "half"]);
            context.commit("whole");
            context.git(&["reset", "-q", "--soft", "origin/main"]);
            context.commit("squashed");
        }),
    ];
    for (way, commit) in ways {
        let context = TestContext::reviewed();
        commit(&context);
        let push = context.push(&[]);
        assert!(push.accepted && context.remote_has(&context.head()), "{way}: {}", push.said);
    }
}

#[test]
fn some_of_the_reviewed_files_do_not_ship_and_the_missing_one_is_named() {
    let context = TestContext::reviewed();
    context.git(&["add", "one.md"]);
    context.git(&["commit", "-q", "-m", "half"]);
    context.push(&[]).assert_refused(&["not in refs/heads/main: two.md", "Commit the missing files too"]);
    assert!(!context.remote_has(&context.head()));
    context.commit("the rest");
    context.push(&[]).assert_accepted();
}

#[test]
fn a_file_staged_in_part_does_not_ship() {
    let context = TestContext::enrolled();
    context.write("one.md", "first\n");
    context.git(&["add", "one.md"]);
    context.write("one.md", "first\nsecond\n");
    context.review();
    context.git(&["commit", "-q", "-m", "part"]);
    context.push(&[]).assert_refused(&["one.md", "--loops 1"]);
    context.commit("the rest");
    context.push(&[]).assert_accepted();
}

#[test]
fn what_a_formatter_made_of_reviewed_content_ships_only_after_loop_1() {
    let context = TestContext::reviewed();
    context.script(".git/hooks/pre-commit", "sed -i s/one/ONE/ one.md && git add one.md");
    context.commit("formatted");
    context.push(&[]).assert_refused(&["one.md"]);
    context.review();
    context.push(&[]).assert_accepted();
}

#[test]
fn a_rebase_or_merge_over_other_files_asks_for_loop_1_again() {
    for update in ["rebase", "merge"] {
        let context = TestContext::reviewed();
        context.commit("mine");
        context.colleague_pushes("theirs.md", "theirs\n");
        context.git(&["fetch", "-q"]);
        context.git(&[update, "-q", "origin/main"]);
        context.push(&[]).assert_refused(&["its base has changed", "--loops 1"]);
        context.review();
        context.push(&[]).assert_accepted();
    }
}

#[test]
fn a_rebase_over_the_same_file_names_that_file() {
    let context = TestContext::enrolled();
    let lines: Vec<String> = (0..20).map(|number| format!("line {number}")).collect();
    let text = lines.join("\n") + "\n";
    context.write("long.md", &text);
    context.review();
    context.commit("long");
    context.push(&[]).assert_accepted();
    context.write("long.md", text.replace("line 1\n", "mine\n"));
    context.review();
    context.commit("mine");
    context.colleague_pushes("long.md", &text.replace("line 18\n", "theirs\n"));
    context.git(&["fetch", "-q"]);
    context.git(&["rebase", "-q", "origin/main"]);
    context.push(&[]).assert_refused(&["long.md"]);
    context.review();
    context.push(&[]).assert_accepted();
}

#[test]
fn a_base_that_moved_on_and_a_fetch_void_nothing() {
    let context = TestContext::enrolled();
    context.git(&["checkout", "-q", "-b", "feature"]);
    context.change();
    context.review();
    context.commit("feature");
    context.colleague_pushes("theirs.md", "theirs\n");
    context.git(&["fetch", "-q"]);
    assert!(context.gate(&[]).open);
    context.push(&["origin", "feature"]).assert_accepted();
}

#[test]
fn a_new_branch_on_the_same_content_stays_open() {
    let context = TestContext::reviewed();
    context.git(&["checkout", "-q", "-b", "another"]);
    assert!(context.gate(&[]).open);
    context.commit("all");
    context.push(&["origin", "HEAD:refs/heads/yet-another"]).assert_accepted();
    context.push(&["-u", "origin", "another"]).assert_accepted();
}

#[test]
fn what_was_reviewed_in_one_worktree_ships_from_another() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    let linked = context.beside("linked");
    context.git(&["worktree", "add", "-q", "-b", "linked", linked.as_str()]);
    context.git_in(&linked, &["push", "-q", "origin", "linked"]);
    assert!(context.remote_has(&context.head()));
}

#[test]
fn every_ref_that_leaves_must_be_covered() {
    let context = TestContext::reviewed();
    let reviewed = context.commit("reviewed");
    context.git(&["checkout", "-q", "-b", "side"]);
    context.write("side.md", "unreviewed\n");
    let side = context.commit("unreviewed");
    context.git(&["tag", "light"]);
    context.git(&["tag", "-a", "heavy", "-m", "a tag with words"]);
    context.git(&["checkout", "-q", "main"]);
    for arguments in [
        &["origin", "side"][..],
        &["origin", "side:refs/heads/main"],
        &["origin", "light"],
        &["origin", "heavy"],
        &["--all", "origin"],
        &["--tags", "origin"],
        &["--mirror", "origin"],
        &["origin", "main", "side"],
    ] {
        context.push(arguments).assert_refused(&["side.md"]);
        assert!(!context.remote_has(&side) && !context.remote_has(&reviewed), "{arguments:?}");
    }
    context.git(&["tag", "good", "main"]);
    context.push(&["origin", "main", "good"]).assert_accepted();
}

#[test]
fn what_the_remote_has_already_does_not_leave() {
    let context = TestContext::enrolled();
    context.push(&["origin", "HEAD:refs/heads/copy"]).assert_accepted();
    context.git(&["tag", "v1"]);
    context.push(&["origin", "v1"]).assert_accepted();
    context.push(&["origin", "--delete", "copy"]).assert_accepted();
    let remaining = context.git(&["ls-remote", "--heads", "origin"]);
    assert!(remaining.ends_with("refs/heads/main") && remaining.lines().count() == 1, "{remaining}");
}

#[test]
fn a_submodule_that_moves_to_an_unpublished_commit_does_not_ship() {
    let context = TestContext::enrolled();
    let library = context.beside("library");
    context.git(&["init", "-q", "--bare", "-b", "main", "../library.git"]);
    context.new_repository("library");
    context.git_in(&library, &["remote", "set-url", "origin", context.beside("library.git").as_str()]);
    context.git_in(&library, &["commit", "-q", "--allow-empty", "-m", "library"]);
    context.git_in(&library, &["push", "-q", "origin", "main"]);
    let url = context.beside("library.git");
    context.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url.as_str(), "sub"]);
    context.review();
    context.commit("submodule");
    context.push(&[]).assert_accepted();

    let sub = context.path("sub");
    for (key, value) in [("user.name", "Ada"), ("user.email", "ada@example.invalid")] {
        context.git_in(&sub, &["config", key, value]);
    }
    context.git_in(&sub, &["commit", "-q", "--allow-empty", "-m", "moved"]);
    context.review();
    context.commit("bump");
    context.push(&[]).assert_refused(&["Submodule sub moves to", "Push the submodule sub first"]);
    context.git_in(&sub, &["push", "-q", "origin", "HEAD:main"]);
    context.push(&[]).assert_accepted();
}

#[test]
fn ignore_rules_and_index_flags_change_nothing_about_what_leaves() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context.write(".git/info/exclude", "*.md\n");
    context.git(&["update-index", "--assume-unchanged", "one.md"]);
    context.push(&[]).assert_accepted();
}

#[test]
fn at_ship_a_file_that_ignore_rules_hide_or_reveal_is_named() {
    let context = TestContext::enrolled();
    context.change();
    context.write(".git/info/exclude", "hidden.md\n");
    context.write("hidden.md", "seen by nobody\n");
    context.review();
    context.write(".git/info/exclude", "two.md\nhidden.md\n");
    let hidden = context.gate(&[]);
    assert!(!hidden.open && hidden.said.contains("two.md"), "{}", hidden.said);
    context.write(".git/info/exclude", "");
    let revealed = context.gate(&[]);
    assert!(!revealed.open && revealed.said.contains("hidden.md"), "{}", revealed.said);
}

#[test]
fn a_first_push_to_an_empty_remote_is_judged_whole() {
    let context = TestContext::with_empty_remote().enrolled_for_loop_1();
    context.push(&["-u", "origin", "main"]).assert_refused(&["No review state found"]);
    context.review();
    context.push(&["-u", "origin", "main"]).assert_accepted();
}

#[test]
fn a_secret_that_a_later_commit_removes_is_refused_by_commit_and_file() {
    let context = TestContext::enrolled();
    context.write("settings.txt", format!("token = {}\n", secret()));
    let leak = context.commit("by mistake");
    fs::remove_file(context.path("settings.txt")).unwrap();
    context.write("one.md", "one\n");
    context.review();
    context.commit("removed");
    let short = leak.get(..7).unwrap();
    let push = context.push(&[]);
    push.assert_refused(&["github-token at settings.txt:1", short, "rewrite the commits"]);
    assert!(!push.said.contains(&secret()), "{}", push.said);
    assert!(!context.gate(&[]).open);

    context.git(&["reset", "-q", "--soft", "origin/main"]);
    context.commit("squashed");
    context.push(&[]).assert_accepted();
}

#[test]
fn a_stray_untracked_file_does_not_lock_the_user_out() {
    let context = TestContext::reviewed();
    context.write("stray.txt", "notes\n");
    let why = context.plimsoll(&["gate", "why", "--worktree"]);
    let said = told(&why);
    assert_eq!(why.status.code(), Some(1), "{said}");
    assert!(said.contains("stray.txt") && said.contains("/ship --leave-out stray.txt"), "{said}");
    assert!(context.gate(&["--leave-out", "stray.txt"]).open);
    context.git(&["add", "one.md", "two.md"]);
    context.git(&["commit", "-q", "-m", "without the stray file"]);
    context.push(&[]).assert_accepted();
}

#[test]
fn a_hook_that_was_there_before_is_asked_after_ours() {
    let context = TestContext::new();
    context.script(".git/hooks/pre-push", "cat > \"$(git rev-parse --git-dir)/seen\"; exit 3");
    let context = context.enrolled_for_loop_1();
    context.change();
    context.review();
    let commit = context.commit("reviewed");
    assert!(!context.push(&[]).accepted && !context.remote_has(&commit));
    assert!(fs::read_to_string(context.path(".git/seen")).unwrap().contains(&commit));
}

/// `gate why` and `gate check` say of HEAD what a push then does.
fn assert_agrees(context: &TestContext, open: bool, words: &[&str]) -> String {
    let why = context.plimsoll(&["gate", "why"]);
    let check = context.plimsoll(&["gate", "check"]);
    let (why, said, checked) = (why.status.success(), told(&why), check.status.success());
    assert_eq!((why, checked), (open, open), "{said}{}", told(&check));
    for word in words {
        assert!(said.contains(word), "no {word:?} in: {said}");
    }
    let push = context.push(&["--dry-run"]);
    assert_eq!(push.accepted, open, "{said}{}", push.said);
    said
}

#[test]
fn gate_why_judges_what_a_push_would_send_and_says_where_the_worktree_differs() {
    let context = TestContext::enrolled();
    assert_agrees(&context, true, &["Nothing to push"]);
    context.change();
    let said = assert_agrees(&context, true, &["Nothing to push", "--worktree"]);
    assert_eq!(
        said.lines().filter(|line| line.contains("differs from HEAD in one.md, two.md")).count(),
        1,
        "{said}"
    );
    context.commit("unreviewed");
    let said = assert_agrees(&context, false, &["No review state found", "next: Run /review"]);
    assert!(!said.contains("differs"), "{said}");

    // The worktree is reviewed, HEAD is not: the push is refused, and so says the gate.
    context.write("one.md", "better\n");
    context.review();
    assert!(context.gate(&[]).open);
    assert_agrees(&context, false, &["changed since: one.md", "differs from HEAD in one.md"]);

    // HEAD is reviewed, the worktree is not: the push goes out.
    context.commit("reviewed");
    context.write("two.md", "work in progress\n");
    assert_agrees(&context, true, &["open for HEAD", "differs from HEAD in two.md"]);
    assert!(!context.gate(&[]).open);
    context.push(&[]).assert_accepted();
    assert_agrees(&context, true, &["Nothing to push"]);
}

#[test]
fn gate_why_knows_what_leaves_without_an_upstream_without_a_remote_and_before_the_first_commit() {
    let context = TestContext::enrolled();
    context.git(&["checkout", "-q", "-b", "feature"]);
    context.write("new.md", "new\n");
    context.commit("on a branch that the remote does not have");
    let said = told(&context.plimsoll(&["gate", "why"]));
    assert!(said.contains("No review state found") && !said.contains("not enrolled"), "{said}");
    context.review();
    let why = context.plimsoll(&["gate", "why"]);
    assert!(why.status.success() && told(&why).contains("open for HEAD"), "{}", told(&why));
    context.push(&["-u", "origin", "feature"]).assert_accepted();

    context.git(&["remote", "remove", "origin"]);
    context.write("more.md", "more\n");
    context.commit("nowhere to go");
    let why = context.plimsoll(&["gate", "why"]);
    assert!(!why.status.success() && told(&why).contains("/review"), "{}", told(&why));

    let empty = context.beside("empty");
    context.new_repository("empty");
    let why = context.plimsoll_in(&empty, &["gate", "why"]);
    assert!(why.status.success() && told(&why).contains("Nothing to push"), "{}", told(&why));
    assert!(told(&why).contains("This repository is not enrolled"), "{}", told(&why));
}

#[test]
fn no_ref_comes_to_point_at_a_step_that_nobody_reviewed() {
    let context = TestContext::enrolled();
    context.git(&["checkout", "-q", "-b", "feature"]);
    context.write("step.md", "unreviewed\n");
    let step = context.commit("step");
    context.git(&["revert", "--no-edit", "HEAD"]);
    context.write("done.md", "reviewed\n");
    let tip = context.commit("done");
    context.review();
    let push = context.push(&["origin", "feature"]);
    assert!(push.accepted, "{}", push.said);
    for spec in [
        format!("{step}:refs/heads/evil"),
        format!("{step}:refs/tags/v1"),
        format!("+{step}:refs/heads/feature"),
    ] {
        let push = context.push(&["origin", &spec]);
        assert!(!push.accepted && push.said.contains("BLOCKED"), "{spec}: {}", push.said);
    }
    context.git(&["tag", "-a", "-m", "note", "v2", &step]);
    assert!(!context.push(&["origin", "v2"]).accepted);
    let push = context.push(&["origin", &format!("{tip}:refs/heads/again")]);
    assert!(push.accepted, "its content was reviewed: {}", push.said);
    let push = context.push(&["origin", "main:refs/heads/copy"]);
    assert!(push.accepted, "the default branch has it: {}", push.said);
}

#[test]
fn content_that_a_later_commit_takes_back_does_not_ship_with_the_history() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context.write("one.md", "one\nnobody reviewed this\n");
    let sneaked = context.commit("sneaked");
    context.git(&["revert", "--no-edit", "HEAD"]);
    let refused = ["no review saw", "one.md in commit", "Squash the commits"];
    context.push(&[]).assert_refused(&refused);
    // A review that was given none of it says nothing about it.
    let from_head = ["review", "run", "--loop", "1", "--base", "HEAD"];
    assert!(context.plimsoll(&from_head).status.success());
    context.push(&[]).assert_refused(&refused);
    context.git(&["reset", "-q", "--soft", "origin/main"]);
    context.commit("squashed");
    context.push(&[]).assert_accepted();
    assert!(!context.remote_has(&sneaked));
}

#[test]
fn versions_that_were_committed_before_the_review_ship() {
    let context = TestContext::enrolled();
    context.write("gone.md", "a file that did not stay\n");
    context.write("one.md", "a draft\n");
    context.commit("draft");
    context.git(&["rm", "-q", "gone.md"]);
    context.write("one.md", "better\n");
    context.commit("better");
    context.review();
    context.push(&[]).assert_accepted();
}

#[test]
fn versions_that_were_reviewed_one_by_one_ship_also_rebased() {
    let context = TestContext::enrolled();
    for text in ["one\n", "two\n", "three\n"] {
        context.write("one.md", text);
        context.review();
        context.commit(text);
    }
    context.colleague_pushes("theirs.md", "theirs\n");
    context.git(&["fetch", "-q"]);
    context.git(&["rebase", "-q", "origin/main"]);
    context.review();
    context.push(&[]).assert_accepted();
}
