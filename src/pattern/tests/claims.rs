//! Claims at the end of a turn against what was run.

use super::session::{Session, severity};
use crate::pattern::{Ended, Severity, Sign};
use serde_json::json;

/// The command that is asked for, and the claim.
fn asked(session: &mut Session, message: &str) -> Option<(String, String)> {
    let issue = session.end(message).into_iter().next()?;
    assert_eq!((issue.sign, issue.severity), (Sign::UnprovenClaim, Severity::Low));
    Some((issue.details.evidence?, issue.description))
}

#[test]
fn a_claim_without_a_run_asks_for_the_command_that_shows_it() {
    let mut session = Session::new();
    session.edit("src/lib.rs", "a", "b");
    let (command, why) = asked(&mut session, "Done. All tests pass.").unwrap();
    assert_eq!(command, "cargo test");
    assert!(why.contains("no run in this session shows it"), "{why}");
    session.bash("cargo test --workspace", Ended::Well("test result: ok. 12 passed; 0 failed"));
    assert_eq!(asked(&mut session, "Done. All tests pass."), None);
    assert_eq!(session.end("The work is done."), []);
}

#[test]
fn code_that_changed_since_voids_a_run_and_words_do_not() {
    let mut session = Session::new();
    session.edit("src/a.go", "a", "b");
    session.bash("make test 2>&1 | tail -5", Ended::Well("ok  \tpkg\t0.1s"));
    session.edit("README.md", "a", "b");
    session.edit("src/a.go", "// old words\nx := 1", "// new words\nx := 1");
    session.bash("gofmt -w . && git add -A && git commit -m done", Ended::Well("1 file changed"));
    assert_eq!(asked(&mut session, "All tests pass."), None);
    session.edit("src/a.go", "b", "c");
    let (command, why) = asked(&mut session, "All tests pass.").unwrap();
    assert_eq!(command, "make test 2>&1 | tail -5");
    assert!(why.contains("the code changed after the last run"), "{why}");
    session.bash("go test ./...", Ended::Well("ok"));
    session.bash("git checkout -b topic", Ended::Well(""));
    assert_eq!(asked(&mut session, "All tests pass."), None);
    session.bash("git pull", Ended::Well("Fast-forward"));
    assert!(asked(&mut session, "All tests pass.").is_some());
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
        session.bash(command, Ended::Well(said));
        assert_eq!(asked(&mut session, "All tests pass.").is_none(), shown, "{command}: {said}");
    }
    let mut session = Session::new();
    session.bash("cargo test", Ended::Well("ok"));
    session.bash("cargo test", Ended::Badly("Exit code 101\n1 failed"));
    let (_, why) = asked(&mut session, "All tests pass.").unwrap();
    assert!(why.contains("the last run did not show it"), "{why}");
    let mut session = Session::new();
    session.bash("go test ./... 2>&1 | grep FAIL", Ended::Badly("Exit code 1"));
    assert_eq!(asked(&mut session, "All tests pass."), None, "nothing failed");
}

#[test]
fn each_claim_needs_its_own_kind_of_run() {
    let mut session = Session::new();
    session.bash("cargo test", Ended::Well("12 passed"));
    assert_eq!(asked(&mut session, "Tests pass and the build succeeds."), None);
    let (command, _) = asked(&mut session, "Tests pass and lint is clean.").unwrap();
    assert_eq!(command, "the project's linter");
    session.bash("cargo clippy --all-targets", Ended::Well(""));
    assert_eq!(asked(&mut session, "Tests pass and lint is clean."), None);
    let mut session = Session::new();
    session.bash("make check", Ended::Well(""));
    assert_eq!(asked(&mut session, "All tests pass, lint is clean."), None);
}

#[test]
fn more_tests_than_were_seen_are_asked_about() {
    let mut session = Session::new();
    session.bash("cargo test", Ended::Well("test result: ok. 12 passed; 0 failed"));
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
    session.bash("cargo test", Ended::Well("12 passed"));
    session.agent = String::new();
    assert_eq!(asked(&mut session, "All tests pass."), None);

    let mut session = Session::new();
    session.call("Agent", &json!({ "prompt": "test it" }), Ended::Well("I ran them. All tests pass."));
    assert_eq!(asked(&mut session, "All tests pass."), None);

    let mut session = Session::new();
    session.bash("cargo test", Ended::Well("Command running in background with ID: b42."));
    assert!(asked(&mut session, "All tests pass.").is_some(), "it is not over");
    let output = "<status>completed</status><exit_code>0</exit_code>12 passed";
    session.call("TaskOutput", &json!({ "task_id": "b42" }), Ended::Well(output));
    assert_eq!(asked(&mut session, "All tests pass."), None);
}

#[test]
fn verified_needs_a_look_after_the_last_change() {
    let mut session = Session::new();
    session.edit("src/a.py", "a", "b");
    let (command, _) = asked(&mut session, "I verified the change.").unwrap();
    assert_eq!(command, "pytest");
    session.bash("python app.py", Ended::Well("fine"));
    assert_eq!(asked(&mut session, "I verified the change."), None);
}

#[test]
fn a_structured_response_is_read_like_its_text() {
    let mut session = Session::new();
    let response = r#"{"stdout":"3 passed\n1 failed","stderr":"","interrupted":false,"isImage":false}"#;
    session.bash("npm test | cat", Ended::Well(response));
    assert!(asked(&mut session, "All tests pass.").is_some());
}

#[test]
fn fewer_tests_are_noted_and_told_of_where_a_test_was_deleted() {
    let mut session = Session::new();
    let passed = |count: u32| format!("test result: ok. {count} passed; 0 failed");
    session.bash("cargo test", Ended::Well(&passed(12)));
    let fewer = session.bash("cargo test", Ended::Well(&passed(11)));
    assert_eq!(severity(&fewer, Sign::FewerTests), Some(Severity::Note));
    session.bash("rm tests/parser_test.rs", Ended::Well(""));
    let fewer = session.bash("cargo test", Ended::Well(&passed(7)));
    assert_eq!(severity(&fewer, Sign::FewerTests), Some(Severity::Low));
    let more = session.bash("cargo test", Ended::Well(&passed(9)));
    assert_eq!(severity(&more, Sign::FewerTests), None);
}
