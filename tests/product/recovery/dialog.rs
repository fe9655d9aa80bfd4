//! `/recover` in the client: a request, then a dialog, then the choice. Nothing else, and once.

use super::stage::{held, is_free, stopped};
use crate::answer::{Answer, told};
use crate::context::{TestContext, binary};
use plimsoll::edge::state::{LockMode, Permissions, RecoveryPermission, SessionFacts, edit};
use serde_json::json;
use std::process::Output;

const SHIP: &str = "user-prompt-ship";

fn typed(context: &TestContext, option: &str, prompt: &str) -> Answer {
    context.prompt(SHIP, &format!("/recover {option}"), prompt)
}

/// The command that the dialog shows.
fn offered(answer: &Answer) -> String {
    assert_eq!(answer.decision(), Some("ask"), "{}", answer.json);
    answer.updated_input().unwrap()["command"].as_str().unwrap().to_owned()
}

/// As the client runs it after a yes.
fn approved(context: &TestContext, command: &str) -> Output {
    let folder = binary("plimsoll").parent().unwrap().to_str().unwrap().to_owned();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    context.command("bash").env("PATH", path).env("CLAUDECODE", "1").args(["-c", command]).output().unwrap()
}

#[test]
fn a_typed_request_turns_exactly_its_command_into_a_question_and_a_yes_there_decides() {
    let context = TestContext::new();
    let id = stopped(&context, "the same call failed six times");
    assert_eq!(context.before_bash("plimsoll recover abort").decision(), Some("deny"), "nobody asked");
    let answer = typed(&context, "manual_intervention", "p1");
    assert!(answer.context().starts_with("Recovery:"), "{}", answer.json);
    assert!(answer.context().contains("`plimsoll recover manual_intervention`"), "{}", answer.json);
    assert_eq!(held(&context).mode, LockMode::Stopped, "a request decides nothing");
    for command in [
        "ls",
        "plimsoll recover manual_intervention && ls",
        "plimsoll recover manual_intervention --project /tmp",
        "PLIMSOLL_GRANT=x plimsoll recover manual_intervention",
        "bash -c 'plimsoll recover manual_intervention'",
    ] {
        assert_eq!(context.before_bash(command).decision(), Some("deny"), "{command}");
    }
    let asked = context.before_bash("plimsoll recover manual_intervention");
    for words in [id.as_str(), "the same call failed six times", "manual_intervention"] {
        assert!(asked.reason().contains(words), "{}", asked.reason());
    }
    let command = offered(&asked);
    assert_eq!(context.before_bash("plimsoll recover manual_intervention").decision(), Some("deny"), "once");
    assert_eq!(held(&context).mode, LockMode::Stopped, "nobody said yes yet");
    let output = approved(&context, &command);
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(held(&context).mode, LockMode::Manual);

    let again = approved(&context, &command);
    assert_eq!(again.status.code(), Some(1), "a token serves once: {}", told(&again));

    typed(&context, "--end", "p2");
    let end = offered(&context.before_bash("plimsoll recover --end"));
    assert!(approved(&context, &end).status.success());
    assert!(is_free(&context));
}

#[test]
fn a_request_for_one_option_is_none_for_another() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    typed(&context, "abort", "p1");
    assert_eq!(context.before_bash("plimsoll recover resume_with_limits").decision(), Some("deny"));
    typed(&context, "abort", "p2");
    let command = offered(&context.before_bash("plimsoll recover abort"));
    let other = command.replace("abort", "resume_with_limits");
    assert_eq!(approved(&context, &other).status.code(), Some(1));
    assert_eq!(held(&context).mode, LockMode::Stopped);
    assert_eq!(approved(&context, &command).status.code(), Some(1), "a misused token is used up");
}

#[test]
fn forged_and_late_tokens_and_tokens_of_another_stop_decide_nothing() {
    let context = TestContext::new();
    let id = stopped(&context, "it went in circles");
    let run = |token: &str| approved(&context, &format!("PLIMSOLL_GRANT={token} plimsoll recover --end"));
    let grant = |choice: &str, incidents: Vec<String>, expires: u64, token: &str| {
        let permission = RecoveryPermission { choice: choice.into(), incidents };
        Permissions::of(&context.layout(), &context.homes()).grant(token, &permission, expires).unwrap();
    };
    for (token, choice, incidents, expires) in [
        ("guess", "abort", vec![], 0),
        ("late", "abort", vec![id.clone()], 1),
        ("stale", "abort", vec!["20200101-000000-aaaaaa".to_owned()], u64::MAX),
        ("other", "manual_intervention", vec![id.clone()], u64::MAX),
    ] {
        if token != "guess" {
            grant(choice, incidents, expires, token);
        }
        let output = approved(&context, &format!("PLIMSOLL_GRANT={token} plimsoll recover abort"));
        assert_eq!(output.status.code(), Some(1), "{token}: {}", told(&output));
        assert_eq!(held(&context).mode, LockMode::Stopped, "{token}");
    }
    assert_eq!(run("").status.code(), Some(1));
    grant("abort", vec![id], u64::MAX, "good");
    assert!(approved(&context, "PLIMSOLL_GRANT=good plimsoll recover abort").status.success());
}

#[test]
fn a_request_waits_ten_minutes_and_needs_a_stop() {
    let context = TestContext::new();
    let answer = typed(&context, "resume_with_limits", "p0");
    assert!(answer.blocks() && answer.reason().contains("not stopped"), "{}", answer.json);
    stopped(&context, "it went in circles");
    assert_eq!(
        context.before_bash("plimsoll recover resume_with_limits").decision(),
        Some("deny"),
        "what was typed before the stop counts for nothing"
    );
    let age = |minutes: u64| {
        edit(&context.layout(), crate::context::SESSION, |facts: &mut SessionFacts| {
            facts.recovery.as_mut().unwrap().time -= minutes * 60 * 1000;
        })
        .unwrap();
    };
    typed(&context, "abort", "p1");
    age(11);
    assert_eq!(context.before_bash("plimsoll recover abort").decision(), Some("deny"));
    typed(&context, "abort", "p2");
    age(9);
    assert_eq!(context.before_bash("plimsoll recover abort").decision(), Some("ask"));
}

#[test]
fn submit_and_expansion_act_once_and_other_words_are_answered_with_the_usage() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    let shown = typed(&context, "", "p1");
    assert!(shown.blocks() && shown.reason().contains("How it can go on:"), "{}", shown.json);
    for (number, words) in ["everything", "abort now", "resume"].iter().enumerate() {
        let answer = typed(&context, words, &format!("q{number}"));
        assert!(answer.blocks() && answer.reason().starts_with("usage: /recover ["), "{}", answer.json);
    }
    let fields = json!({"command_name": "plimsoll:recover", "command_args": "abort", "prompt_id": "p2"});
    let first = context.hook(SHIP, "UserPromptExpansion", fields);
    assert!(first.context().starts_with("Recovery:"), "{}", first.json);
    let second = context.prompt(SHIP, "/plimsoll:recover abort", "p2");
    assert!(second.is_silent(), "{}", second.json);
    let mention = context.prompt(SHIP, "please /recover abort", "p3");
    assert!(mention.is_silent(), "{}", mention.json);
}

#[test]
fn from_another_directory_the_command_names_the_project() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    context.write("deep/er/file", "x");
    typed(&context, "abort", "p1");
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "plimsoll recover abort"},
        "tool_use_id": "t", "cwd": context.home()});
    let command = offered(&context.hook("pre-tool-use", "PreToolUse", fields));
    assert!(
        command.ends_with(&format!("plimsoll recover abort --project '{}'", context.project())),
        "{command}"
    );
    let output = approved(&context, &format!("cd / && {command}"));
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(held(&context).mode, LockMode::Aborted);
}
