//! Repetitions: what is a loop, and what is work.

use super::session::{PROJECT, Session, is_meant, noticed, severity};
use crate::pure::monitor::patterns::{CallResult, IssueSeverity, Refuse, Sign};
use crate::pure::step::Nature;
use serde_json::json;

const QUIET: [(Sign, IssueSeverity); 0] = [];
const FAILED: CallResult<'_> = CallResult::Failed("Exit code 1\nnpm error network timed out");

#[test]
fn a_failing_command_is_told_of_then_refused_and_at_last_stopped() {
    let mut session = Session::new();
    let install = |session: &mut Session, ended| session.bash("npm install left-pad", ended);
    assert_eq!(noticed(&install(&mut session, FAILED)), QUIET);
    assert_eq!(noticed(&install(&mut session, FAILED)), QUIET);
    let told = install(&mut session, FAILED);
    assert_eq!(noticed(&told), [(Sign::NoProgress, IssueSeverity::Low)]);
    assert_eq!(told[0].events, ["call-1", "call-2", "call-3"]);
    assert_eq!(told[0].details.error.as_deref(), Some("npm error network timed out"));
    assert_eq!((told[0].details.what.as_str(), told[0].details.count), ("npm install left-pad", 3));
    assert!(told[0].refuse.is_none());

    let refused = install(&mut session, FAILED);
    assert_eq!(noticed(&refused), [(Sign::NoProgress, IssueSeverity::High)]);
    assert_eq!(refused[0].cause, told[0].cause);
    let refuse = refused[0].refuse.unwrap();
    let same = r#"{"command":"cd . && npm  install left-pad 2>&1","description":"again"}"#;
    assert!(is_meant(refuse, "Bash", same, Nature::Network));
    assert!(!is_meant(refuse, "Bash", r#"{"command":"npm install right-pad"}"#, Nature::Network));

    let again = install(&mut session, CallResult::Refused);
    assert_eq!(noticed(&again), [(Sign::NoProgress, IssueSeverity::High)]);
    let stop = install(&mut session, CallResult::Refused);
    assert_eq!(noticed(&stop), [(Sign::NoProgress, IssueSeverity::Critical)]);
    assert_eq!(stop[0].cause, told[0].cause);
}

#[test]
fn a_look_that_shows_the_same_again_and_again_is_a_loop() {
    let mut session = Session::new();
    let mut last = Vec::new();
    for _ in 0..3 {
        last = session.bash("git status", CallResult::Succeeded("nothing to commit"));
        session.read("docs/other.md");
        session.number += 1;
    }
    assert_eq!(severity(&last, Sign::NoProgress), Some(IssueSeverity::Low));
}

#[test]
fn work_driven_by_tests_is_left_alone() {
    let mut session = Session::new();
    for round in 0..4 {
        let ran = session.bash("cargo test", CallResult::Failed("Exit code 101\n1 failed"));
        assert_eq!(noticed(&ran), QUIET, "round {round}");
        assert_eq!(
            noticed(&session.edit("src/lib.rs", &format!("a{round}"), &format!("a{}", round + 1))),
            QUIET
        );
    }
    assert_eq!(noticed(&session.bash("cargo test", CallResult::Succeeded("12 passed"))), QUIET);
}

#[test]
fn a_check_between_two_looks_changes_nothing_and_an_edit_does() {
    for (edits, expected) in [(false, Some(IssueSeverity::Low)), (true, None)] {
        let mut session = Session::new();
        let mut last = Vec::new();
        for round in 0..3 {
            session.bash("cargo test", CallResult::Succeeded(&format!("{round} passed")));
            if edits {
                session.edit("src/lib.rs", &round.to_string(), &(round + 1).to_string());
            }
            last = session.read("/home/user/project/src/main.rs");
        }
        assert_eq!(severity(&last, Sign::NoProgress), expected, "edits: {edits}");
    }
}

#[test]
fn another_result_is_progress() {
    let mut session = Session::new();
    for number in 0..8 {
        let looked = session.bash("wc -l out.csv", CallResult::Succeeded(&format!("{number} out.csv")));
        assert_eq!(noticed(&looked), QUIET);
    }
}

#[test]
fn a_batch_counts_once_and_so_does_a_call_that_is_told_of_twice() {
    let mut session = Session::new();
    session.in_batch = true;
    for _ in 0..6 {
        assert_eq!(noticed(&session.bash("cat notes.md", CallResult::Succeeded("x"))), QUIET);
    }
    session.watch.end_batch("");
    session.in_batch = false;
    assert_eq!(noticed(&session.bash("cat notes.md", CallResult::Succeeded("x"))), QUIET);
    let told = session.bash("cat notes.md", CallResult::Succeeded("x"));
    assert_eq!(noticed(&told), [(Sign::NoProgress, IssueSeverity::Low)]);
    let mut session = Session::new();
    for _ in 0..6 {
        assert_eq!(noticed(&session.told("one", "Bash", r#"{"command":"ls"}"#, FAILED)), QUIET);
    }
    assert_eq!(session.watch.recent().len(), 1);
}

#[test]
fn where_nobody_tells_of_batches_every_call_counts() {
    let mut session = Session { in_batch: true, ..Session::default() };
    let issues: Vec<_> =
        (0..3).flat_map(|_| session.bash("cat notes.md", CallResult::Succeeded("x"))).collect();
    assert_eq!(noticed(&issues), [(Sign::NoProgress, IssueSeverity::Low)]);
}

#[test]
fn a_persons_message_begins_anew() {
    let mut session = Session::new();
    for _ in 0..5 {
        session.prompt("try it again");
        for _ in 0..2 {
            assert_eq!(noticed(&session.bash("npm install", FAILED)), QUIET);
        }
    }
}

#[test]
fn what_a_person_refuses_or_breaks_off_is_no_error() {
    let mut session = Session::new();
    for _ in 0..8 {
        let refused = CallResult::Failed("The user doesn't want to proceed with this tool use.");
        assert_eq!(noticed(&session.call("ExitPlanMode", &json!({ "plan": "x" }), refused)), QUIET);
        assert_eq!(noticed(&session.bash("npm start", CallResult::Interrupted)), QUIET);
        let sibling = CallResult::Failed("<tool_use_error>Sibling tool call errored</tool_use_error>");
        assert_eq!(noticed(&session.bash(&format!("cat {}", session.number), sibling)), QUIET);
    }
    assert_eq!(session.watch.usage(0).session.failures, 0);
}

#[test]
fn agents_are_apart_but_a_change_of_one_is_seen_by_all() {
    let mut session = Session::new();
    for agent in ["", "a", "b", "", "a", "b"] {
        session.agent = agent.into();
        assert_eq!(noticed(&session.read("x.md")), QUIET);
    }
    session.agent = "c".into();
    session.edit("src/lib.rs", "a", "b");
    session.agent = String::new();
    assert_eq!(noticed(&session.read("x.md")), QUIET, "the third look, but after a change");
}

#[test]
fn the_same_few_calls_in_turn_are_a_loop_though_one_of_them_writes() {
    let mut session = Session::new();
    let mut seen = Vec::new();
    for _ in 0..4 {
        session.read("src/main.rs");
        session.call("mcp__ide__getDiagnostics", &json!({}), CallResult::Succeeded("[]"));
        let write = json!({ "file_path": "/home/user/project/out.rs", "content": "fn main() {}" });
        let issues = session.call("Write", &write, CallResult::Succeeded("written"));
        seen.push(severity(&issues, Sign::Cycle).or(severity(&issues, Sign::NoProgress)));
    }
    assert_eq!(seen, [None, None, Some(IssueSeverity::Low), Some(IssueSeverity::High)]);
}

#[test]
fn batches_of_different_files_are_work() {
    let mut session = Session::new();
    for number in 0..40 {
        assert_eq!(noticed(&session.read(&format!("data/{number}.csv"))), QUIET);
        let moved = format!("git mv src/a{number}.rs src/ui/a{number}.rs");
        assert_eq!(noticed(&session.bash(&moved, CallResult::Succeeded(""))), QUIET);
    }
}

#[test]
fn waiting_is_no_loop_but_too_many_looks_are_told_of() {
    let look = |session: &mut Session| {
        let issues =
            session.bash("gh run view 1 --json status", CallResult::Succeeded(r#"{"status":"in_progress"}"#));
        assert_eq!(severity(&issues, Sign::NoProgress), None);
        severity(&issues, Sign::UnchangedPoll)
    };
    let mut session = Session::new();
    let seen: Vec<_> = (0..40).map(|_| look(&mut session)).collect();
    assert_eq!((seen[3], seen[4], seen[18]), (None, Some(IssueSeverity::Low), Some(IssueSeverity::Low)));
    assert_eq!((seen[19], seen[39]), (Some(IssueSeverity::High), Some(IssueSeverity::Critical)));

    let mut session = Session::new();
    let mut patient = Vec::new();
    for _ in 0..20 {
        patient.push(look(&mut session));
        assert_eq!(noticed(&session.bash("sleep 60", CallResult::Succeeded(""))), QUIET);
    }
    assert_eq!(
        (patient[4], patient[18]),
        (Some(IssueSeverity::Note), Some(IssueSeverity::Note)),
        "it waits already"
    );
    assert_eq!(patient[19], Some(IssueSeverity::High));
}

#[test]
fn a_pause_before_the_same_look_makes_it_a_wait() {
    let mut session = Session::new();
    for _ in 0..4 {
        let looked = session.bash("ls build", CallResult::Succeeded("half.o"));
        assert_eq!(noticed(&looked), QUIET);
        session.bash("sleep 10", CallResult::Succeeded(""));
    }
    let mut session = Session::new();
    for percent in 0..60 {
        let looked = session.call(
            "TaskOutput",
            &json!({ "task_id": "b1" }),
            CallResult::Succeeded(&format!("{percent} %")),
        );
        assert_eq!(noticed(&looked), QUIET);
    }
}

#[test]
fn sleeping_without_looking_is_told_of() {
    let mut session = Session::new();
    let seen: Vec<_> =
        (0..7).map(|_| noticed(&session.bash("sleep 60", CallResult::Succeeded("")))).collect();
    assert_eq!(seen[6], [(Sign::UnchangedPoll, IssueSeverity::Low)]);
}

#[test]
fn an_edit_made_reversed_and_made_again_is_a_flip_flop_and_one_step_back_is_not() {
    let mut session = Session::new();
    let flip = |session: &mut Session| session.edit("src/x.rs", "foo()", "bar()");
    let flop = |session: &mut Session| session.edit("src/x.rs", "bar()", "foo()");
    assert!(flip(&mut session).is_empty() && flop(&mut session).is_empty(), "a step back");
    assert_eq!(severity(&flip(&mut session), Sign::FlipFlop), Some(IssueSeverity::Note));
    assert_eq!(severity(&flop(&mut session), Sign::FlipFlop), Some(IssueSeverity::Low));
    flip(&mut session);
    let refused = flop(&mut session);
    assert_eq!(severity(&refused, Sign::FlipFlop), Some(IssueSeverity::High));
    let edit = format!(r#"{{"file_path":"{PROJECT}/src/x.rs","old_string":"q","new_string":"r"}}"#);
    assert!(is_meant(refused[0].refuse.unwrap(), "Edit", &edit, Nature::Modification));

    let mut session = Session::new();
    flip(&mut session);
    flop(&mut session);
    session.prompt("no, as it was before");
    assert!(flip(&mut session).is_empty(), "a person asked for it");
}

#[test]
fn whole_files_written_to_and_fro_are_a_flip_flop_too() {
    let mut session = Session::new();
    let mut write = |text: &str| {
        let input = json!({ "file_path": "/home/user/project/a.toml", "content": text });
        severity(&session.call("Write", &input, CallResult::Succeeded("ok")), Sign::FlipFlop)
    };
    assert_eq!(
        ["a", "b", "a", "b", "a"].map(&mut write),
        [None, None, None, Some(IssueSeverity::Note), Some(IssueSeverity::Low)]
    );
}

#[test]
fn reviews_that_always_find_something_new_are_told_of() {
    let mut session = Session::new();
    let review = |session: &mut Session, said: &str| {
        let input = json!({ "subagent_type": "code-reviewer", "prompt": "Review the change" });
        severity(&session.call("Agent", &input, CallResult::Succeeded(said)), Sign::ReviewRatchet)
    };
    for round in 0..3 {
        assert_eq!(review(&mut session, "1 finding: a bypass"), None);
        session.edit("src/v.rs", &format!("{round}"), &format!("{}", round + 1));
    }
    assert_eq!(review(&mut session, "Another bug"), Some(IssueSeverity::Low));
    assert_eq!(review(&mut session, "Another bug"), None, "nothing was fixed in between");
    session.edit("src/v.rs", "3", "4");
    assert_eq!(review(&mut session, "No issues found."), None);
    session.edit("src/v.rs", "4", "5");
    assert_eq!(review(&mut session, "1 finding"), None, "a clean review ends it");
}

#[test]
fn what_is_refused_is_told_from_what_is_not() {
    let target = |path: &str| format!(r#"{{"file_path":"{path}","old_string":"a","new_string":"b"}}"#);
    let mut session = Session::new();
    let mut last = Vec::new();
    for number in 0..5 {
        let input = json!({ "file_path": "/p/a.ts", "old_string": format!("x{number}"), "new_string": "y" });
        last = session.call(
            "Edit",
            &input,
            CallResult::Failed("<tool_use_error>String to replace not found in file."),
        );
    }
    assert_eq!(noticed(&last), [(Sign::ErrorFamily, IssueSeverity::High)]);
    let refuse = last[0].refuse.unwrap();
    assert!(is_meant(refuse, "Edit", &target("/p/a.ts"), Nature::Modification));
    assert!(!is_meant(refuse, "Edit", &target("/p/b.ts"), Nature::Modification));
    assert!(!is_meant(refuse, "Read", r#"{"file_path":"/p/a.ts"}"#, Nature::Read));
    assert!(is_meant(Refuse::Changes, "Edit", &target("/p/b.ts"), Nature::Modification));
    assert!(!is_meant(Refuse::Changes, "Read", r#"{"file_path":"/p/a.ts"}"#, Nature::Read));
    let refused =
        session.call("Edit", &json!({ "file_path": "/p/a.ts", "old_string": "z" }), CallResult::Refused);
    assert_eq!(refused[0].cause, last[0].cause);
}

#[test]
fn what_was_forgotten_may_be_read_again() {
    let mut session = Session::new();
    for _ in 0..3 {
        session.read("src/a.rs");
        assert_eq!(noticed(&session.read("src/b.rs")), QUIET);
        session.watch.forget_reads("");
    }
    session.bash("npm install", FAILED);
    session.bash("npm install", FAILED);
    session.watch.forget_reads("");
    let told = session.bash("npm install", FAILED);
    assert_eq!(noticed(&told), [(Sign::NoProgress, IssueSeverity::Low)], "what fails does not begin anew");
}
