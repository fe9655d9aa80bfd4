//! A refused step that a person lets run once: exactly that one, once, never the floor or the gate, and only by a dialog.

use crate::answer::{Answer, told};
use crate::context::TestContext;
use plimsoll::edge::state::Denials;
use serde_json::json;
use std::fs;

const STEP: &str = "rm -rf notes";

/// A project with a folder that only exists here.
fn project() -> TestContext {
    let context = TestContext::new();
    context.write("notes/idea.md", "worth keeping\n");
    context
}

/// The id that a refusal names.
fn id(answer: &Answer) -> String {
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
    let reason = answer.reason();
    assert!(reason.chars().count() <= 290, "{reason}");
    let (_, id) = reason.rsplit_once("the user types /allow ").unwrap_or_else(|| panic!("no id: {reason}"));
    id.to_owned()
}

fn type_allow(context: &TestContext, id: &str, prompt: &str) -> Answer {
    context.prompt("user-prompt-ship", &format!("/allow {id}"), prompt)
}

#[test]
fn a_typed_request_turns_the_next_refusal_of_exactly_this_step_into_a_question_once() {
    let context = project();
    let id = id(&context.before_bash(STEP));
    let typed = type_allow(&context, &id, "p1");
    assert!(typed.context().starts_with("Allow once:"), "{}", typed.json);
    for (tool, input) in [
        ("Bash", json!({"command": "rm -rf notes/"})),
        ("Bash", json!({"command": "rm -rf notes && true"})),
        ("Bash", json!({"command": STEP, "run_in_background": true})),
    ] {
        assert_eq!(context.before(tool, input.clone()).decision(), Some("deny"), "{input}");
    }
    let elsewhere = context.event(
        "PreToolUse",
        json!({"tool_name": "Bash", "tool_input": {"command": "rm -rf ../notes"}, "tool_use_id": "t",
            "cwd": context.path("notes")}),
    );
    let answer = context.hook_with("pre-tool-use", elsewhere.to_string().as_bytes());
    assert!(!answer.reason().contains("You allowed this once"), "{}", answer.json);

    let asked = context.before("Bash", json!({"description": "in other words", "command": STEP}));
    assert_eq!(asked.decision(), Some("ask"), "{}", asked.json);
    assert!(asked.reason().contains("[prevent_recursive_deletion]"), "{}", asked.reason());
    assert!(asked.reason().contains("You allowed this once"), "{}", asked.reason());
    assert_eq!(context.before_bash(STEP).decision(), Some("deny"), "a second time");
}

#[test]
fn a_request_waits_ten_minutes() {
    let context = project();
    context.before_bash(STEP);
    let denials = context.homes().denials(&context.project());
    let files = fs::read_dir(&denials).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let action = files.into_iter().find_map(|name| name.strip_suffix(".json").map(str::to_owned)).unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let now = u64::try_from(now).unwrap();
    let request = |time: u64| Denials::of(&context.homes(), &context.project()).allow(&action, time).unwrap();
    request(now - 11 * 60 * 1000);
    assert_eq!(context.before_bash(STEP).decision(), Some("deny"));
    request(now - 9 * 60 * 1000);
    assert_eq!(context.before_bash(STEP).decision(), Some("ask"));
}

#[test]
fn floor_and_gate_give_no_id_and_take_no_request() {
    let context = TestContext::enrolled();
    context.change();
    context.commit("unreviewed");
    for command in ["rm -rf /", "echo > /dev/sda", "git push --no-verify", "git push"] {
        let answer = context.before_bash(command);
        assert_eq!(answer.decision(), Some("deny"), "{command}");
        assert!(!answer.reason().contains("/allow"), "{}", answer.reason());
    }
    // Whoever guesses the id of such a refusal is told why it holds.
    let folder = context.homes().denials(&context.project());
    for (number, file) in fs::read_dir(folder).unwrap().enumerate() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let typed = type_allow(&context, name.strip_suffix(".json").unwrap(), &format!("p{number}"));
        assert!(typed.blocks() && typed.reason().contains("holds in any case"), "{}", typed.json);
    }
    assert_eq!(context.before_bash("rm -rf /").decision(), Some("deny"));
    let listed = told(&context.plimsoll(&["allow"]));
    assert_eq!(listed.lines().filter(|line| line.starts_with("holds ")).count(), 4, "{listed}");
}

#[test]
fn only_a_person_in_a_terminal_may_use_the_command_and_no_agent_may_type_it() {
    let context = project();
    let id = id(&context.before_bash(STEP));
    let piped = context.plimsoll(&["allow", &id]);
    assert_eq!(piped.status.code(), Some(1), "{}", told(&piped));
    assert!(told(&piped).contains("this is not a terminal"), "{}", told(&piped));
    let by_agent = context
        .command(crate::context::binary("plimsoll"))
        .env("CLAUDECODE", "1")
        .args(["allow", &id])
        .output()
        .unwrap();
    assert!(told(&by_agent).contains("started by a coding agent"), "{}", told(&by_agent));
    for command in [format!("plimsoll allow {id}"), format!("env -u CLAUDECODE plimsoll allow {id}")] {
        let answer = context.before_bash(&command);
        assert!(answer.reason().contains("[speaks_for_the_person]"), "{}", answer.json);
    }
    for (tool, input) in [
        ("Skill", json!({"skill": "allow", "args": id})),
        ("Skill", json!({"skill": "plimsoll:allow", "args": id})),
        ("CronCreate", json!({"prompt": format!("/allow {id}")})),
    ] {
        assert_eq!(context.before(tool, input.clone()).decision(), Some("deny"), "{input}");
    }
    assert_eq!(context.before_bash(STEP).decision(), Some("deny"));
}

#[test]
fn an_id_that_names_nothing_is_said_so_and_the_recent_ones_are_listed() {
    let context = project();
    assert!(told(&context.plimsoll(&["allow"])).contains("No tool call was refused"));
    let id = id(&context.before_bash(STEP));
    for (number, typed) in ["", "ffffff", "../../x", "a b"].iter().enumerate() {
        let answer = type_allow(&context, typed, &format!("p{number}"));
        assert!(answer.blocks(), "{typed:?}: {}", answer.json);
    }
    assert!(type_allow(&context, "", "q").reason().contains(&id));
    let listed = told(&context.plimsoll(&["allow"]));
    assert!(listed.contains(&id) && listed.contains("[prevent_recursive_deletion]"), "{listed}");
    let other = context.prompt("user-prompt-ship", "please allow this", "r");
    assert!(other.is_silent(), "{}", other.json);
}

#[test]
fn a_damaged_request_is_ignored_and_said() {
    let context = project();
    let id = id(&context.before_bash(STEP));
    type_allow(&context, &id, "p1");
    let folder = context.homes().denials(&context.project());
    let request = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let request =
        request.into_iter().find(|path| path.extension().is_some_and(|end| end == "grant")).unwrap();
    fs::write(&request, "{\"version\":").unwrap();
    let answer = context.before_bash(STEP);
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
    assert!(answer.notice().contains("damaged"), "{}", answer.json);
}

#[test]
fn what_cannot_be_noted_stays_refused() {
    let context = project();
    let folder = context.homes().denials(&context.project());
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    fs::write(&folder, "a file where a directory should be").unwrap();
    let answer = context.before_bash(STEP);
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
    assert!(!answer.reason().contains("/allow"), "{}", answer.reason());
    fs::remove_dir_all(context.path(".git/plimsoll")).unwrap();
    context.write(".git/plimsoll", "another one");
    assert_eq!(context.before_bash(STEP).decision(), Some("deny"));
}

#[test]
fn as_a_plugin_the_command_carries_its_name() {
    let context = project().with_variable("CLAUDE_PLUGIN_ROOT", "/plugins/plimsoll");
    let reason = context.before_bash(STEP).reason().to_owned();
    let (_, id) = reason.rsplit_once("the user types /plimsoll:allow ").unwrap_or_else(|| panic!("{reason}"));
    let typed = context.prompt("user-prompt-ship", &format!("/plimsoll:allow {id}"), "p");
    assert!(typed.context().starts_with("Allow once:"), "{}", typed.json);
    assert_eq!(context.before_bash(STEP).decision(), Some("ask"));
}
