//! Errors, budgets and things that do not exist.

use super::session::{Session, noticed, severity};
use crate::pure::monitor::patterns::{CallResult, IssueSeverity, Pattern, RecentResult, Sign};
use serde_json::json;

#[test]
fn the_same_error_in_spite_of_changes_takes_longer_to_count() {
    let mut session = Session::new();
    let mut seen = Vec::new();
    for round in 0..12 {
        let issues =
            session.bash("cargo build", CallResult::Failed("Exit code 101\nerror[E0308]: mismatched types"));
        seen.push(severity(&issues, Sign::ErrorFamily));
        session.edit("src/lib.rs", &format!("a{round}"), &format!("b{round}"));
    }
    assert_eq!((seen[3], seen[4]), (None, Some(IssueSeverity::Low)));
    assert_eq!((seen[7], seen[11]), (Some(IssueSeverity::High), Some(IssueSeverity::Critical)));
}

#[test]
fn a_success_of_the_same_command_ends_the_errors() {
    let mut session = Session::new();
    for round in 0..20 {
        let error = CallResult::Failed("Exit code 101\nerror[E0308]: mismatched types");
        let ended = if round % 3 == 2 { CallResult::Succeeded("ok") } else { error };
        assert_eq!(noticed(&session.bash("cargo build", ended)), []);
        session.edit("src/lib.rs", &format!("a{round}"), &format!("b{round}"));
    }
}

#[test]
fn errors_of_any_kind_one_after_the_other_are_a_streak() {
    let mut session = Session::new();
    let mut seen = Vec::new();
    for number in 0..9 {
        let error = format!("Exit code 2\n{}: cannot do that", "abcdefghi".chars().nth(number).unwrap());
        let issues = session.bash(&format!("tool{number} --go"), CallResult::Failed(&error));
        seen.push(severity(&issues, Sign::ErrorStreak));
    }
    assert_eq!((seen[2], seen[3]), (None, Some(IssueSeverity::Low)));
    assert_eq!((seen[5], seen[8]), (Some(IssueSeverity::High), Some(IssueSeverity::Critical)));
}

#[test]
fn a_batch_in_which_something_went_well_is_no_streak() {
    let mut session = Session::new();
    for round in 0..6 {
        session.in_batch = true;
        session.read(&format!("{round}.md"));
        session.in_batch = false;
        let failed = CallResult::Failed("Exit code 2\nsome error");
        assert_eq!(severity(&session.bash(&format!("tool{round} x"), failed), Sign::ErrorStreak), None);
    }
}

#[test]
fn a_search_without_a_match_is_no_error() {
    let mut session = Session::new();
    for number in 0..30 {
        let issues = session.bash(&format!("grep -rn word{number} src"), CallResult::Failed("Exit code 1"));
        assert_eq!(noticed(&issues), []);
    }
}

#[test]
fn too_many_failures_among_the_last_calls_are_told_of() {
    let mut session = Session::new();
    let mut last = Vec::new();
    for number in 0..20 {
        last = if number % 2 == 0 {
            session.read(&format!("{number}.md"))
        } else {
            session.bash(
                &format!("tool{number} x"),
                CallResult::Failed(&format!("Exit code 2\nerror {number}a")),
            )
        };
    }
    assert_eq!(severity(&last, Sign::ErrorRatio), Some(IssueSeverity::Low));
    assert_eq!(
        last.iter().find(|issue| issue.sign == Sign::ErrorRatio).unwrap().pattern,
        Pattern::ResourceSpiral
    );
}

#[test]
fn paths_and_commands_that_do_not_exist_are_counted_apart() {
    let mut session = Session::new();
    let mut seen = Vec::new();
    for name in ["a", "b", "b", "c"] {
        let missing = CallResult::Failed("<tool_use_error>File does not exist.</tool_use_error>");
        let issues = session.call("Read", &json!({ "file_path": format!("/p/{name}.rs") }), missing);
        seen.push(severity(&issues, Sign::PhantomPath));
        session.read("real.md");
        session.number += 1;
    }
    assert_eq!(seen, [None, None, None, Some(IssueSeverity::Low)]);
    let mut session = Session::new();
    let mut last = Vec::new();
    for name in ["frob", "grok", "zap"] {
        let error = format!("Exit code 127\nbash: {name}: command not found");
        last = session.bash(&format!("{name} --all"), CallResult::Failed(&error));
        session.read(&format!("{name}.md"));
    }
    assert_eq!(severity(&last, Sign::PhantomCommand), Some(IssueSeverity::Low));
    assert_eq!(severity(&last, Sign::PhantomPath), None);
}

#[test]
fn a_long_prompt_is_told_of_then_throttled_then_stopped() {
    let mut session = Session::new();
    let seen: Vec<_> =
        (1..=1000).map(|number| severity(&session.read(&format!("{number}.md")), Sign::CallBudget)).collect();
    let at = |count: usize| seen[count - 1];
    assert_eq!((at(119), at(120), at(121)), (None, Some(IssueSeverity::Low), None));
    assert_eq!(
        (at(140), at(200), at(201), at(1000)),
        (Some(IssueSeverity::Low), Some(IssueSeverity::Medium), None, Some(IssueSeverity::Critical))
    );
    session.prompt("go on");
    assert_eq!(severity(&session.read("x.md"), Sign::CallBudget), None);
}

#[test]
fn the_last_steps_are_told_as_they_came_out() {
    let mut session = Session::new();
    session.prompt("fix it");
    session.bash("cargo build", CallResult::Failed("Exit code 101\nerror: it broke"));
    session.read("a.md");
    for _ in 0..60 {
        session.bash("true", CallResult::Interrupted);
    }
    session.bash("rm -r x", CallResult::Refused);
    let recent = session.watch.recent();
    assert_eq!((recent.len(), recent.last().unwrap().outcome), (50, RecentResult::Refused));
    assert_eq!(session.watch.goal.as_str(), "fix it");
    let usage = session.watch.usage(session.number * 1000);
    assert_eq!((usage.prompt.calls, usage.prompt.commands, usage.prompt.failures), (63, 62, 1));
}
