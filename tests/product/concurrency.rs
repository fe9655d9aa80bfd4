//! Many processes at once, and processes that die in the middle: the old state or the new one, never a torn one.

use crate::context::{SESSION, TestContext, binary};
use crate::extent::cases;
use camino::Utf8Path;
use plimsoll::edge::state::{self, Journal};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PROCESSES: u64 = 50;

/// Every JSON file of ours, whole; `tmp` files of killed writers do not count as state.
fn assert_nothing_torn(context: &TestContext) {
    let mut waiting =
        vec![context.path(".git/plimsoll"), context.path(".claude"), context.home().join(".local")];
    while let Some(directory) = waiting.pop() {
        let Ok(entries) = directory.read_dir_utf8() else { continue };
        for entry in entries.map(Result::unwrap) {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                waiting.push(path.to_owned());
            } else if path.extension() == Some("json") {
                assert_json(path, &fs::read_to_string(path).unwrap());
            } else if path.extension() == Some("jsonl") {
                fs::read_to_string(path).unwrap().lines().for_each(|line| assert_json(path, line));
            }
            assert!(!path.as_str().contains(".damaged"), "{path}");
        }
    }
}

fn assert_json(path: &Utf8Path, text: &str) {
    assert!(serde_json::from_str::<Value>(text).is_ok(), "{path} is torn: {text}");
}

#[test]
fn fifty_hooks_of_each_kind_at_once_lose_no_line_of_the_journal() {
    let context = TestContext::new();
    // Fifty failures would be a pattern, and here they are only many.
    let never = "{soft: 1000, deny: 1000, stop: 1000}";
    context.user_config(&format!(
        "interventions: {{patterns: {{error_family: {never}, error_family_with_edits: {never}, error_streak: {never}, repeat: \
         {never}, calls_per_prompt: {never}, error_ratio: 1.0}}}}\n"
    ));
    let call = |number: u64, event: &str| {
        json!({"tool_name": "Bash", "tool_input": {"command": format!("echo {number} > /dev/sda")},
            "tool_response": {}, "tool_use_id": format!("toolu_{event}_{number}")})
    };
    thread::scope(|scope| {
        for number in 0..PROCESSES {
            let context = &context;
            scope.spawn(move || {
                let denied = context.hook("pre-tool-use", "PreToolUse", call(number, "a"));
                assert_eq!(denied.decision(), Some("deny"), "{}", denied.json);
            });
            scope.spawn(move || {
                let answer = context.hook("post-tool-use", "PostToolUseFailure", call(number, "b"));
                assert!(answer.is_silent(), "{}", answer.json);
            });
        }
    });
    let tail = Journal::open(&context.layout().journal(SESSION)).unwrap().tail().unwrap();
    let totals = (tail.totals.calls, tail.totals.denied, tail.totals.failures, tail.damaged);
    assert_eq!(totals, (PROCESSES, PROCESSES, PROCESSES, 0));
    let audit = fs::read_to_string(context.layout().audit()).unwrap();
    assert_eq!(audit.lines().count() as u64, PROCESSES);
    assert_nothing_torn(&context);
}

#[test]
fn prompts_at_once_are_all_remembered() {
    let context = TestContext::new();
    const PROMPTS: usize = 12;
    thread::scope(|scope| {
        for number in 0..PROMPTS {
            let context = &context;
            scope.spawn(move || {
                let id = format!("p{number}");
                assert!(!context.prompt("user-prompt-review", "/review --free", &id).is_silent());
            });
            scope.spawn(move || context.prompt("user-prompt-start", "a goal", &format!("g{number}")));
        }
    });
    let facts = state::read(&context.layout(), SESSION).unwrap();
    assert_eq!(facts.acted.len(), PROMPTS);
    assert_eq!(facts.goal.as_deref(), Some("a goal"));
    assert!(facts.review.is_some());
    let tail = Journal::open(&context.layout().journal(SESSION)).unwrap().tail().unwrap();
    assert_eq!((tail.totals.prompts, tail.damaged), (PROMPTS as u64, 0));
    assert_nothing_torn(&context);
}

#[test]
fn reviews_at_once_make_one_unbroken_chain() {
    let context = TestContext::enrolled();
    context.change();
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| context.review());
        }
    });
    assert_eq!(fs::read_dir(context.layout().receipts()).unwrap().count(), 6);
    assert!(context.gate(&[]).open);
    assert_nothing_torn(&context);
}

const TRIALS: u32 = 60;
const FEW_TRIALS: u32 = 10;

/// Starts it over and over and kills it at ever later moments, spread over the time that it takes when left alone.
fn kill_at_many_moments(start: impl Fn(u32) -> (Command, String)) {
    let run = |trial: u32, deadline: Duration| {
        let (mut command, input) = start(trial);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        while begun.elapsed() < deadline && child.try_wait().unwrap().is_none() {
            thread::yield_now();
        }
        let _ = child.kill();
        let killed = child.wait().unwrap().code().is_none();
        (begun.elapsed(), killed)
    };
    let trials = cases(FEW_TRIALS, TRIALS);
    let whole = (0..3).map(|trial| run(trials + trial, Duration::MAX).0).min().unwrap();
    let killed = (0..trials).filter(|trial| run(*trial, whole * *trial / trials).1).count();
    assert!(killed > 0);
}

#[test]
fn a_review_killed_at_any_moment_leaves_the_old_state_or_the_new() {
    let context = TestContext::enrolled();
    context.change();
    kill_at_many_moments(|_| {
        let mut command = context.command(binary("plimsoll"));
        command.args(["review", "run", "--loop", "1"]);
        (command, String::new())
    });
    assert_nothing_torn(&context);
    let gate = context.gate(&[]);
    assert!(gate.open, "the first review was whole: {}", gate.said);
    assert_eq!(context.git(&["status", "--porcelain", "--untracked-files=all"]), "?? one.md\n?? two.md");
    context.review();
    assert!(context.gate(&[]).open);
}

#[test]
fn prompt_hooks_killed_at_any_moment_leave_the_old_state_or_the_new() {
    let context = TestContext::enrolled();
    for (hook, prompt) in [
        ("user-prompt-start", "a goal"),
        ("user-prompt-review", "/review --free --base"),
        ("user-prompt-ship", "/ship --override"),
    ] {
        kill_at_many_moments(|trial| {
            let fields =
                json!({"prompt": format!("{prompt} {trial}"), "prompt_id": format!("{hook} {trial}")});
            (context.hook_command(hook), context.event("UserPromptSubmit", fields).to_string())
        });
        assert_nothing_torn(&context);
    }
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "echo > /dev/sda"}, "tool_use_id": "t"});
    let event = context.event("PreToolUse", call).to_string();
    kill_at_many_moments(|_| (context.hook_command("pre-tool-use"), event.clone()));
    assert_nothing_torn(&context);
    let tail = Journal::open(&context.layout().journal(SESSION)).unwrap().tail().unwrap();
    assert_eq!(tail.damaged, 0);
    assert!(!context.prompt("user-prompt-review", "/review --free", "after").is_silent());
    assert!(!context.gate(&[]).open);
}
