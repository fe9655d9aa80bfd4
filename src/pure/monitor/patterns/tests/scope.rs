//! The declared scope, the plan, and what happens without either.

use super::session::{Session, noticed, severity};
use crate::pure::monitor::patterns::{CallResult, IssueSeverity, Pattern, Sign};
use serde_json::json;

#[test]
fn files_outside_the_scope_are_told_of_then_refused() {
    let mut session = Session::within(&["src/auth/**", "tests"], &["migrations/**"]);
    assert_eq!(noticed(&session.edit("src/auth/login.rs", "a", "b")), []);
    assert_eq!(noticed(&session.edit("tests/login.rs", "a", "b")), []);
    let first = session.edit("src/billing.rs", "a", "b");
    assert_eq!(noticed(&first), [(Sign::OutOfScope, IssueSeverity::Low)]);
    assert_eq!(first[0].details.out_of_scope_path.as_deref(), Some("src/billing.rs"));
    assert_eq!(first[0].pattern, Pattern::ScopeCreep);
    assert_eq!(
        noticed(&session.edit("src/billing.rs", "c", "d")),
        [(Sign::OutOfScope, IssueSeverity::Low)],
        "the same file"
    );
    session.edit("README.md", "a", "b");
    let third = session.bash("sed -i s/a/b/ Cargo.toml", CallResult::Succeeded(""));
    assert_eq!(noticed(&third), [(Sign::OutOfScope, IssueSeverity::High)], "what a shell writes counts too");
    assert!(third[0].refuse.is_some() && third[0].cause == first[0].cause);
    let forbidden = session.edit("migrations/001.sql", "a", "b");
    assert!(noticed(&forbidden).contains(&(Sign::ForbiddenPath, IssueSeverity::High)));
}

#[test]
fn scratch_files_and_failed_writes_are_no_creep() {
    let mut session = Session::within(&["src/**"], &[]);
    let write = |path: &str| json!({ "file_path": path, "content": "x" });
    assert_eq!(noticed(&session.call("Write", &write("/tmp/notes.txt"), CallResult::Succeeded("ok"))), []);
    let plan = write("/home/user/.claude/plans/p.md");
    assert_eq!(noticed(&session.call("Write", &plan, CallResult::Succeeded("ok"))), []);
    assert_eq!(
        noticed(&session.call("Write", &write("/home/user/project/x"), CallResult::Failed("denied"))),
        []
    );
    let outside = session.call("Write", &write("/etc/hosts"), CallResult::Succeeded("ok"));
    assert_eq!(noticed(&outside), [(Sign::OutOfScope, IssueSeverity::Low)]);
}

#[test]
fn without_a_scope_many_files_are_only_noted() {
    let mut session = Session::new();
    let seen: Vec<_> = (0..20)
        .map(|number| severity(&session.edit(&format!("src/{number}.rs"), "a", "b"), Sign::ManyFiles))
        .collect();
    assert_eq!((seen[8], seen[9], seen[10]), (None, Some(IssueSeverity::Note), None));
}

#[test]
fn calls_that_serve_no_declared_goal_add_up() {
    let mut session = Session::within(&["src/auth/**"], &[]);
    let seen: Vec<_> = (0..80)
        .map(|number| severity(&session.read(&format!("/elsewhere/{number}.md")), Sign::OffGoal))
        .collect();
    assert_eq!((seen[23], seen[24]), (None, Some(IssueSeverity::Low)));
    assert_eq!((seen[39], seen[79]), (Some(IssueSeverity::High), Some(IssueSeverity::Critical)));
    assert_eq!(severity(&session.read("/home/user/project/src/auth/a.rs"), Sign::OffGoal), None);
    assert_eq!(severity(&session.read("/elsewhere/x.md"), Sign::OffGoal), None, "counted anew");
}

#[test]
fn a_plan_that_does_not_move_is_only_noted_and_none_is_never_drift() {
    let mut session = Session::new();
    let looks = |session: &mut Session| -> Vec<_> {
        (0..90)
            .flat_map(|_| {
                let number = session.number;
                session.read(&format!("{number}.md"))
            })
            .filter(|issue| issue.sign == Sign::OffGoal)
            .map(|issue| issue.severity)
            .collect()
    };
    assert_eq!(looks(&mut session), []);
    session.prompt("now this");
    let todos = json!({ "todos": [{ "content": "fix", "status": "in_progress" }, { "content": "read", "status": "completed" }] });
    session.call("TodoWrite", &todos, CallResult::Succeeded("ok"));
    assert_eq!(looks(&mut session), [IssueSeverity::Note, IssueSeverity::Note]);
    assert_eq!(
        (session.watch.plan().open, session.watch.plan().done),
        (vec!["fix".into()], vec!["read".into()])
    );
}
