//! A pipe or a folder in place of a file: nothing waits for it, and nothing gets laxer by it.

use crate::answer::{Answer, told};
use crate::context::{SESSION, TestContext, binary};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Output};

/// Whatever waits for ever fails here instead.
fn bounded(context: &TestContext, program: &str) -> Command {
    let mut command = context.command("timeout");
    command.arg("60").arg(binary(program)).env("CLAUDE_PROJECT_DIR", context.project());
    command
}

fn pipe(path: &Utf8Path) {
    rustix::fs::mkfifoat(rustix::fs::CWD, path.as_std_path(), rustix::fs::Mode::RWXU).unwrap();
}

fn hook(context: &TestContext, name: &str, event: &str, fields: Value) -> Answer {
    context.feed(bounded(context, name), context.event(event, fields).to_string().as_bytes())
}

fn bash(context: &TestContext, command: &str) -> Answer {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t", "prompt_id": "p"});
    hook(context, "pre-tool-use", "PreToolUse", fields)
}

/// How firm each hook is, in an order that does not change.
fn firmness(context: &TestContext) -> Vec<(String, u8)> {
    let steps =
        ["git push", "rm -rf notes", "git push --no-verify", "rm -rf ~", "cat <<E && (", "git status"];
    let mut all: Vec<(String, u8)> =
        steps.map(|step| (step.to_owned(), firm(&bash(context, step)))).into_iter().collect();
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {}, "tool_use_id": "t"});
    hook(context, "post-tool-use", "PostToolUse", call);
    hook(context, "post-tool-use", "PostToolBatch", json!({"tool_calls": []}));
    hook(context, "session-start", "SessionStart", json!({"source": "resume"}));
    for name in ["user-prompt-start", "user-prompt-review"] {
        hook(context, name, "UserPromptSubmit", json!({"prompt": "/review", "prompt_id": "p"}));
    }
    let ship =
        hook(context, "user-prompt-ship", "UserPromptSubmit", json!({"prompt": "/ship", "prompt_id": "p"}));
    all.push(("/ship".into(), u8::from(!ship.context().contains("\"open\": true"))));
    let changed = context.path(".claude/settings.json");
    let change = json!({"source": "project_settings", "file_path": changed});
    all.push(("settings".into(), u8::from(hook(context, "config-change", "ConfigChange", change).blocks())));
    hook(
        context,
        "stop",
        "Stop",
        json!({"stop_hook_active": false, "last_assistant_message": "All tests pass."}),
    );
    all
}

fn firm(answer: &Answer) -> u8 {
    match answer.decision() {
        Some("deny") => 2,
        Some(_) => 1,
        None => 0,
    }
}

/// A session that leaves behind a file of nearly every kind.
fn session() -> TestContext {
    let context = TestContext::reviewed();
    context.write(".gitignore", "/target\n");
    context.write("notes/a.txt", "nobody has this\n");
    context.write(".claude/settings.json", "{}");
    context.write(".claude/config/review-config.yaml", "blocking: {minor_blocks_ship: true}\n");
    context.write("CLAUDE.md", "Be careful.\n");
    fs::write(context.home().join("transcript.jsonl"), "{}\n").unwrap();
    firmness(&context);
    let written = json!({"tool_name": "Write", "tool_use_id": "w",
        "tool_input": {"file_path": context.path("one.md"), "content": "x"}});
    hook(&context, "pre-tool-use", "PreToolUse", written);
    let long = format!("echo {}", "word ".repeat(200));
    bash(&context, &long);
    for arguments in
        [&["config", "trust", "--yes"][..], &["task", "add", "a task"], &["checkpoint", "create"]]
    {
        context.plimsoll(arguments);
    }
    context
}

/// Every file of ours, of the project's configuration, and those beside them that the hooks look at.
fn left_behind(context: &TestContext) -> Vec<Utf8PathBuf> {
    let mut found = vec![
        context.home().join("transcript.jsonl"),
        context.path("CLAUDE.md"),
        context.homes().pause(&context.project()),
        context.homes().project_lock(context.layout().root()),
        context.layout().orders(SESSION),
    ];
    let mut waiting = vec![
        context.layout().root().to_owned(),
        context.home().join(".local"),
        context.home().join(".config"),
        context.path(".claude"),
    ];
    while let Some(folder) = waiting.pop() {
        for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                // The inside of the store belongs to git.
                true if entry.file_name().ends_with(".git") => {}
                true => waiting.push(entry.into_path()),
                false => found.push(entry.into_path()),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn no_file_of_ours_is_waited_for_and_none_makes_a_hook_laxer() {
    let context = session();
    let before = firmness(&context);
    let files = left_behind(&context);
    assert!(files.len() > 25, "{files:?}");
    for path in files {
        let aside = context.beside("aside");
        for put in [pipe, |path: &Utf8Path| fs::create_dir(path).unwrap()] {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let kept = fs::rename(&path, &aside).is_ok();
            put(&path);
            for ((step, was), (_, is)) in before.iter().zip(firmness(&context)) {
                assert!(is >= *was, "{path}: {step} was {was}, is {is}");
            }
            // A hook may have put a file of its own in its place.
            let _ = fs::remove_file(&path);
            let _ = fs::remove_dir_all(&path);
            if kept {
                fs::rename(&aside, &path).unwrap();
            }
        }
    }
}

fn run(context: &TestContext, arguments: &[&str]) -> Output {
    bounded(context, "plimsoll").args(arguments).output().unwrap()
}

#[test]
fn no_command_waits_for_a_pipe_that_it_is_given() {
    let context = TestContext::new();
    for name in ["pipe", "package.json", "Makefile", ".gitleaksignore", "CLAUDE.md"] {
        pipe(&context.path(name));
    }
    for arguments in [&["secrets", "scan", "pipe"][..], &["score", "pipe"], &["replay", "pipe"]] {
        let output = run(&context, arguments);
        let said = told(&output);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {said}");
        assert!(
            said.contains("not a regular file") || said.contains("neither a file"),
            "{arguments:?}: {said}"
        );
    }
    for arguments in
        [&["secrets", "scan", "."][..], &["explain", "bash pipe"], &["explain", "make all; npm test"]]
    {
        let output = run(&context, arguments);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {}", told(&output));
    }
}

#[test]
fn a_script_that_is_a_pipe_is_not_waited_for() {
    let context = TestContext::new();
    for name in ["run.sh", "package.json", "Makefile", "tool.py"] {
        pipe(&context.path(name));
    }
    for command in ["bash run.sh", "./run.sh", "npm test", "make all", "python3 tool.py", "source run.sh"] {
        assert_ne!(bash(&context, command).decision(), Some("deny"), "{command}");
    }
    assert_eq!(bash(&context, "bash run.sh; rm -rf ~").decision(), Some("deny"));
}
