//! Damage, crashes, full disks and two stops at once: never open, nothing lost, and a person gets out.

use super::stage::{held, incident, is_free, lock, recover, stop_command, stopped};
use crate::answer::told;
use crate::context::TestContext;
use plimsoll::edge::state::{LockMode, Locked};
use serde_json::json;
use std::fs;

fn own_program() -> String {
    std::env::current_exe().unwrap().to_str().unwrap().to_owned()
}

fn start(context: &TestContext) -> crate::answer::Answer {
    context.hook("session-start", "SessionStart", json!({"source": "resume"}))
}

#[test]
fn a_damaged_lock_stops_everything_until_a_person_chooses() {
    for damage in ["", "{", "{\"version\":1,\"mode\":\"asleep\"}", "\u{0}\u{0}"] {
        let context = TestContext::new();
        let id = stopped(&context, "it went in circles");
        let file = context.homes().project_lock(context.layout().root());
        fs::write(&file, damage).unwrap();
        let refused = context.before_bash("ls");
        assert_eq!(refused.decision(), Some("deny"), "{}", refused.json);
        assert!(refused.reason().contains("its lock cannot be read"), "{}", refused.reason());
        assert!(start(&context).notice().contains("cannot be read"));
        assert_eq!(recover(&context, &["--end"]).status.code(), Some(1));
        let output = recover(&context, &["manual_intervention"]);
        assert!(output.status.success(), "{}", told(&output));
        assert_eq!((held(&context).mode, held(&context).incidents), (LockMode::Manual, vec![id]));
    }
}

#[test]
fn the_lock_of_a_newer_plimsoll_holds_and_is_left_alone() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    let file = context.homes().project_lock(context.layout().root());
    let newer = "{\"version\":9,\"state\":\"unknown\"}";
    fs::write(&file, newer).unwrap();
    assert_eq!(context.before_bash("ls").decision(), Some("deny"));
    let output = recover(&context, &["abort"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("newer Plimsoll"), "{}", told(&output));
    stopped(&context, "again");
    assert_eq!(fs::read_to_string(&file).unwrap(), newer);
}

#[test]
fn of_stops_at_once_the_first_gives_the_lock_its_words_and_every_other_is_added() {
    let context = TestContext::new();
    let first = stopped(&context, "the first");
    let others: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|number| {
                let context = &context;
                scope.spawn(move || stopped(context, &format!("number {number}")))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let lock = held(&context);
    assert_eq!((lock.summary.as_str(), lock.incidents.first()), ("the first", Some(&first)));
    let mut added = lock.incidents[1..].to_vec();
    let mut expected = others;
    added.sort();
    expected.sort();
    assert_eq!(added, expected);
    let listed = told(&context.plimsoll(&["incident", "list"]));
    assert_eq!(listed.lines().count(), 7, "{listed}");
}

#[test]
fn a_stop_that_was_killed_before_it_wrote_its_pages_locks_all_the_same() {
    let context = TestContext::new();
    let id = stopped(&context, "it went in circles");
    fs::remove_dir_all(context.layout().incidents()).unwrap();
    let refused = context.before_bash("ls");
    assert_eq!(refused.decision(), Some("deny"));
    assert!(refused.reason().contains(&format!("Incident {id}; its page could not be written")));
    assert!(told(&context.plimsoll(&["recover"])).contains(&id));
    assert!(recover(&context, &["manual_intervention"]).status.success());
}

#[test]
fn on_a_full_disk_the_project_is_locked_and_the_failure_told() {
    // Writing fails with an error, or, as some limits do it, with a signal.
    for limit in ["trap '' XFSZ; ulimit -f 0", "ulimit -f 0"] {
        let context = TestContext::new();
        let stage = stop_command(&context, &own_program(), "it went in circles");
        let mut command = context.command("bash");
        command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")]).arg(stage.get_program());
        command.args(stage.get_args());
        command.envs(stage.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = command.output().unwrap();
        assert!(!is_free(&context), "{}", told(&output));
        let refused = context.before_bash("ls");
        assert_eq!(refused.decision(), Some("deny"), "{}", refused.json);
        assert!(recover(&context, &["manual_intervention"]).status.success(), "once there is room again");
    }
}

#[test]
fn a_lock_that_could_not_be_set_is_an_error_and_not_a_stop() {
    let context = TestContext::new();
    let data = context.home().join(".local/share");
    fs::create_dir_all(data.parent().unwrap()).unwrap();
    fs::write(&data, "a file where the data should be").unwrap();
    let output = stop_command(&context, &own_program(), "it went in circles").output().unwrap();
    // What is not there cannot be read either, so that nothing runs all the same.
    assert!(matches!(lock(&context), Locked::Unreadable(_)), "{}", told(&output));
    assert_eq!(context.before_bash("ls").decision(), Some("deny"));
}

#[test]
fn a_lock_that_vanished_without_a_decision_is_put_back_when_a_session_starts() {
    let context = TestContext::new();
    let output = stop_command(&context, &own_program(), "it went in circles").output().unwrap();
    let id = incident(&output);
    fs::remove_dir_all(context.homes().project_lock(context.layout().root()).parent().unwrap()).unwrap();
    assert!(is_free(&context));
    assert!(start(&context).notice().contains(&id));
    assert_eq!(held(&context).mode, LockMode::Stopped);
    recover(&context, &["abort"]);
    recover(&context, &["--end"]);
    start(&context);
    assert!(is_free(&context), "a person has decided");
}

#[test]
fn a_choice_that_cannot_be_written_down_changes_nothing() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    fs::create_dir(context.layout().recoveries()).unwrap();
    for option in ["resume_with_limits", "manual_intervention", "abort"] {
        let output = recover(&context, &[option]);
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert_eq!(held(&context).mode, LockMode::Stopped, "{option}");
    }
}
