//! Whether a loss matters is asked of the real repository: what is saved may go, what is not may not.

use crate::context::TestContext;

#[track_caller]
fn assert_decision(context: &TestContext, command: &str, expected: Option<&str>) {
    let answer = context.before_bash(command);
    assert_eq!(answer.decision(), expected, "{command}: {}", answer.json);
    if expected.is_some() {
        assert!(answer.reason().chars().count() < 300, "{}", answer.reason());
    }
}

#[test]
fn uncommitted_work_is_kept_until_it_is_saved() {
    let context = TestContext::new();
    let discards =
        ["git reset --hard", "git checkout -- .", "git checkout readme.md", "git restore readme.md"];
    for command in discards {
        assert_decision(&context, command, None);
    }
    context.write("readme.md", "Changed.\n");
    for command in discards {
        assert_decision(&context, command, Some("deny"));
        let reason = context.before_bash(command).reason().to_owned();
        assert!(reason.contains("readme.md") && reason.contains("git stash push"), "{reason}");
    }
    assert_decision(&context, "git stash push --include-untracked && git reset --hard", None);
    context.git(&["stash", "push", "--include-untracked"]);
    for command in discards {
        assert_decision(&context, command, None);
    }
    assert_decision(&context, "git stash drop", Some("ask"));
}

#[test]
fn what_is_tracked_or_made_again_may_be_deleted_and_nothing_else() {
    let context = TestContext::new();
    context.write("src/a.rs", "one\n");
    context.write(".gitignore", "target/\n.env\n");
    context.commit("source");
    context.write("target/debug/x", "x");
    context.write(".env", "KEY=x\n");
    context.write("draft/a.md", "x\n");
    for (command, expected) in [
        ("rm -rf src", None),
        ("rm -rf target", None),
        ("rm -rf missing", None),
        ("rm draft/a.md", None),
        ("rm -rf draft", Some("deny")),
        ("rm .env", Some("deny")),
        ("echo x > .env", Some("deny")),
        ("echo x >> .env", None),
        ("git clean -fd", Some("deny")),
        ("git clean -fd src", None),
        ("git clean -fdX", Some("deny")),
        ("find . -name '*.md' -delete", Some("deny")),
        ("find src -name '*.rs' -delete", None),
        ("rm -rf .", Some("deny")),
    ] {
        assert_decision(&context, command, expected);
    }
    context.write("src/a.rs", "two\n");
    assert_decision(&context, "rm -rf src", Some("deny"));
}

#[test]
fn a_forced_push_is_asked_about_where_others_work() {
    let context = TestContext::new();
    assert_decision(&context, "git push --force", Some("ask"));
    assert_decision(&context, "git push --force origin main", Some("ask"));
    assert_decision(&context, "git push --force-with-lease", None);
}

#[test]
fn only_a_branch_with_commits_of_its_own_is_missed() {
    let context = TestContext::new();
    context.git(&["branch", "merged"]);
    context.git(&["checkout", "-q", "-b", "side"]);
    context.write("one.md", "one\n");
    context.commit("one");
    context.git(&["checkout", "-q", "main"]);
    assert_decision(&context, "git branch -M merged", None);
    assert_decision(&context, "git branch -f side main", Some("ask"));
    assert_decision(&context, "git branch -D merged", None);
    assert_decision(&context, "git branch -D missing", None);
}

#[test]
fn a_repository_that_the_command_makes_has_nothing_to_lose() {
    let context = TestContext::new();
    assert_decision(&context, "git clone ../remote.git copy && cd copy && git reset --hard", None);
    assert_decision(&context, "git -C copy reset --hard", Some("ask"));
}
