//! Claims at the end of a turn against what was run.

use super::session::{Session, severity};
use crate::pure::monitor::patterns::{CallResult, IssueSeverity, Sign};
use serde_json::json;

/// The command that is asked for, and the claim.
fn asked(session: &mut Session, message: &str) -> Option<(String, String)> {
    let issue = session.end(message).into_iter().next()?;
    assert_eq!((issue.sign, issue.severity), (Sign::UnprovenClaim, IssueSeverity::Low));
    Some((issue.details.evidence?, issue.description))
}

#[test]
fn a_claim_without_a_run_asks_for_the_command_that_shows_it() {
    let mut session = Session::new();
    session.edit("src/lib.rs", "a", "b");
    let (command, why) = asked(&mut session, "Done. All tests pass.").unwrap();
    assert_eq!(command, "cargo test");
    assert!(why.contains("no run in this session shows it"), "{why}");
    session.bash("cargo test --workspace", CallResult::Succeeded("test result: ok. 12 passed; 0 failed"));
    assert_eq!(asked(&mut session, "Done. All tests pass."), None);
    assert_eq!(session.end("The work is done."), []);
}

#[test]
fn code_that_changed_since_voids_a_run_and_words_do_not() {
    let mut session = Session::new();
    session.edit("src/a.go", "a", "b");
    session.bash("make test 2>&1 | tail -5", CallResult::Succeeded("ok  \tpkg\t0.1s"));
    session.edit("README.md", "a", "b");
    session.edit("src/a.go", "// old words\nx := 1", "// new words\nx := 1");
    session.bash("gofmt -w . && git add -A && git commit -m done", CallResult::Succeeded("1 file changed"));
    assert_eq!(asked(&mut session, "All tests pass."), None);
    session.bash("golangci-lint run", CallResult::Succeeded("0 issues."));
    session.edit("src/a.go", "f() // why", "f() //nolint:errcheck");
    assert_eq!(asked(&mut session, "All tests pass."), None, "no test reads a word to the linter");
    assert!(asked(&mut session, "The linter is clean.").is_some(), "the linter does");
    session.edit("src/a.go", "f(\n\ta,\n)", "f(a)");
    assert_eq!(asked(&mut session, "All tests pass."), None, "layout");
    session.bash("make test 2>&1 | tail -5", CallResult::Succeeded("ok  \tpkg\t0.1s"));
    session.edit("src/a.go", "b", "c");
    let (command, why) = asked(&mut session, "All tests pass.").unwrap();
    assert_eq!(command, "make test 2>&1 | tail -5");
    assert!(why.contains("the code changed after the last run"), "{why}");
    session.bash("go test ./...", CallResult::Succeeded("ok"));
    session.bash("git checkout -b topic", CallResult::Succeeded(""));
    assert_eq!(asked(&mut session, "All tests pass."), None);
    session.bash("git pull", CallResult::Succeeded("Fast-forward"));
    assert_eq!(asked(&mut session, "All tests pass."), None, "a pull is no edit");
}

#[test]
fn a_failure_behind_a_pipe_is_a_failure() {
    for (command, said, shown) in [
        ("cargo test 2>&1 | tail -3", "test result: FAILED. 3 passed; 1 failed", false),
        ("cargo test 2>&1 | tail -3", "test result: ok. 4 passed; 0 failed", true),
        ("go test ./... | grep FAIL", "FAIL\tpkg/a\t0.1s", false),
        ("npm test || true", "1 failing", false),
        ("pytest -q; echo done", "1 failed, 3 passed in 0.1s\ndone", false),
    ] {
        let mut session = Session::new();
        session.bash(command, CallResult::Succeeded(said));
        assert_eq!(asked(&mut session, "All tests pass.").is_none(), shown, "{command}: {said}");
    }
    let mut session = Session::new();
    session.bash("cargo test", CallResult::Succeeded("ok"));
    session.bash("cargo test", CallResult::Failed("Exit code 101\n1 failed"));
    let (_, why) = asked(&mut session, "All tests pass.").unwrap();
    assert!(why.contains("the last run did not show it"), "{why}");
    let mut session = Session::new();
    session.bash("go test ./... 2>&1 | grep FAIL", CallResult::Failed("Exit code 1"));
    assert_eq!(asked(&mut session, "All tests pass."), None, "nothing failed");
}

#[test]
fn each_claim_needs_its_own_kind_of_run() {
    let mut session = Session::new();
    session.edit("src/a.rs", "a", "b");
    session.bash("cargo test", CallResult::Succeeded("12 passed"));
    assert_eq!(asked(&mut session, "Tests pass and the build succeeds."), None);
    let (command, _) = asked(&mut session, "Tests pass and lint is clean.").unwrap();
    assert_eq!(command, "cargo clippy --all-targets");
    session.bash("cargo clippy --all-targets", CallResult::Succeeded(""));
    assert_eq!(asked(&mut session, "Tests pass and lint is clean."), None);
    let mut session = Session::new();
    session.bash("make check", CallResult::Succeeded(""));
    assert_eq!(asked(&mut session, "All tests pass, lint is clean."), None);
}

#[test]
fn more_tests_than_were_seen_are_asked_about() {
    let mut session = Session::new();
    session.bash("cargo test", CallResult::Succeeded("test result: ok. 12 passed; 0 failed"));
    assert_eq!(asked(&mut session, "All 12 tests pass."), None);
    assert_eq!(asked(&mut session, "All 3 new tests pass."), None);
    let (_, why) = asked(&mut session, "42/42 tests pass.").unwrap();
    assert!(why.contains("the runs showed 12 tests"), "{why}");
}

#[test]
fn runs_of_sub_agents_and_in_the_background_count() {
    let mut session = Session::new();
    session.edit("src/a.rs", "a", "b");
    session.agent = "helper".into();
    session.bash("cargo test", CallResult::Succeeded("12 passed"));
    session.agent = String::new();
    assert_eq!(asked(&mut session, "All tests pass."), None);

    let mut session = Session::new();
    session.call(
        "Agent",
        &json!({ "prompt": "test it" }),
        CallResult::Succeeded("I ran them. All tests pass."),
    );
    assert_eq!(asked(&mut session, "All tests pass."), None);

    let mut session = Session::new();
    session.bash("cargo test", CallResult::Succeeded("Command running in background with ID: b42."));
    assert_eq!(
        asked(&mut session, "All tests pass."),
        None,
        "the client may have told the model how it ended"
    );
    let output = "<status>completed</status><exit_code>0</exit_code>12 passed";
    session.call("TaskOutput", &json!({ "task_id": "b42" }), CallResult::Succeeded(output));
    assert_eq!(asked(&mut session, "All tests pass."), None);
}

#[test]
fn verified_needs_a_look_after_the_last_change() {
    let mut session = Session::new();
    session.edit("src/a.py", "a", "b");
    let (command, _) = asked(&mut session, "I verified the change.").unwrap();
    assert_eq!(command, "pytest");
    session.bash("python app.py", CallResult::Succeeded("fine"));
    assert_eq!(asked(&mut session, "I verified the change."), None);
}

#[test]
fn a_structured_response_is_read_like_its_text() {
    let mut session = Session::new();
    let response = r#"{"stdout":"3 passed\n1 failed","stderr":"","interrupted":false,"isImage":false}"#;
    session.bash("npm test | cat", CallResult::Succeeded(response));
    assert!(asked(&mut session, "All tests pass.").is_some());
}

#[test]
fn fewer_tests_are_noted_and_told_of_where_a_test_was_deleted() {
    let mut session = Session::new();
    let passed = |count: u32| format!("test result: ok. {count} passed; 0 failed");
    session.bash("cargo test", CallResult::Succeeded(&passed(12)));
    let fewer = session.bash("cargo test", CallResult::Succeeded(&passed(11)));
    assert_eq!(severity(&fewer, Sign::FewerTests), Some(IssueSeverity::Note));
    session.bash("rm tests/parser_test.rs", CallResult::Succeeded(""));
    let fewer = session.bash("cargo test", CallResult::Succeeded(&passed(7)));
    assert_eq!(severity(&fewer, Sign::FewerTests), Some(IssueSeverity::Low));
    let more = session.bash("cargo test", CallResult::Succeeded(&passed(9)));
    assert_eq!(severity(&more, Sign::FewerTests), None);
}

#[test]
fn what_a_run_did_counts_and_not_how_it_was_spelled() {
    for (command, said) in [
        ("rtk bun run test 2>&1 | tail -20", "Error: on purpose\n 12 pass\n 0 fail"),
        ("mise x -- go test ./...", "ok  \tpkg\t0.1s"),
        ("docker compose run --rm web pytest", "12 passed in 0.1s"),
        ("git commit -m done", "$ bun test src/\n 12 pass\n 0 fail\n[main 1a2b3c4] done\n 1 file changed"),
        ("git commit -qm done", ""),
        ("./everything", ""),
        ("tail -5 /tmp/run.log", "12 passed in 0.1s"),
    ] {
        let mut session = Session::new();
        session.edit("src/a.ts", "a", "b");
        session.bash(command, CallResult::Succeeded(said));
        assert_eq!(asked(&mut session, "All tests pass."), None, "{command}");
    }
}

#[test]
fn an_edit_without_any_run_behind_it_is_asked_about() {
    let plain = "[main 1a2b3c4] done\n 1 file changed, 1 insertion(+)";
    for (command, said) in [
        ("git status", "clean"),
        ("git add -A && git commit -m done", plain),
        ("ls src", "a.ts"),
        ("npm run lint", "0 issues"),
        ("grep -rn '12 passed' src", "src/a.ts:12 passed"),
    ] {
        let mut session = Session::new();
        session.bash("npm test", CallResult::Succeeded("12 passed"));
        session.edit("src/a.ts", "a", "b");
        session.bash(command, CallResult::Succeeded(said));
        assert!(asked(&mut session, "All tests pass.").is_some(), "{command}");
    }
}

#[test]
fn the_report_of_a_person_or_of_a_sub_agent_leaves_a_doubt() {
    let mut session = Session::new();
    session.edit("src/a.ts", "a", "b");
    session.prompt("I ran them: all tests pass here");
    assert_eq!(asked(&mut session, "All tests pass."), None);
    let mut session = Session::new();
    session.edit("src/a.ts", "a", "b");
    session.call(
        "Agent",
        &json!({ "prompt": "x", "subagent_type": "tester" }),
        CallResult::Succeeded("Done."),
    );
    assert_eq!(asked(&mut session, "All tests pass."), None);
    let mut session = Session::new();
    session.edit("src/a.ts", "a", "b");
    session.call(
        "Agent",
        &json!({ "prompt": "x", "subagent_type": "Explore" }),
        CallResult::Succeeded("Found."),
    );
    assert!(asked(&mut session, "All tests pass.").is_some());
}
