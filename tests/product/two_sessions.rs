//! Two sessions in one folder: nothing of the other is taken without a question that says whose and which.

use crate::answer::Answer;
use crate::context::TestContext;
use camino::Utf8Path;
use serde_json::{Value, json};
use std::fs::File;
use std::time::{Duration, SystemTime};

fn call(context: &TestContext, session: &str, tool: &str, input: Value) -> Answer {
    let fields =
        json!({"session_id": session, "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"});
    context.hook("pre-tool-use", "PreToolUse", fields)
}

fn bash(context: &TestContext, session: &str, command: &str) -> Answer {
    call(context, session, "Bash", json!({"command": command}))
}

/// A tool call that runs.
fn writes(context: &TestContext, session: &str, name: &str, text: &str) {
    let answer = call(context, session, "Write", json!({"file_path": context.path(name), "content": text}));
    assert_eq!(answer.decision(), None, "{}", answer.json);
    context.write(name, text);
}

/// A project in which session B has changed a tracked file and made a new one.
fn side_by_side() -> TestContext {
    let context = TestContext::new();
    context.write("src/a.rs", "one\ntwo\n");
    context.write("src/b.rs", "one\n");
    context.commit("source");
    let goal = json!({"session_id": "bbbbbbbb-1", "prompt": "Fix the parser", "prompt_id": "p"});
    context.hook("user-prompt-start", "UserPromptSubmit", goal);
    writes(&context, "bbbbbbbb-1", "src/a.rs", "one\ntwo\nof b\n");
    writes(&context, "bbbbbbbb-1", "new.rs", "new of b\n");
    context
}

#[track_caller]
fn assert_asked(context: &TestContext, command: &str, file: &str) {
    let answer = bash(context, "a", command);
    assert_eq!(answer.decision(), Some("ask"), "{command}: {}", answer.json);
    let reason = answer.reason();
    assert!(reason.contains("[other_session]") && reason.contains(file), "{command}: {reason}");
    assert!(reason.contains("bbbbbbbb") && reason.contains("Fix the parser"), "{command}: {reason}");
    assert!(reason.chars().count() < 300, "{reason}");
}

#[test]
fn a_command_that_takes_work_of_another_session_is_asked_and_says_whose_and_which() {
    let context = side_by_side();
    for command in [
        "git checkout -- src/a.rs",
        "git checkout .",
        "git restore src",
        "git reset --hard",
        "git stash",
        "git stash push src",
        "git commit -am x",
        "git add -A && git commit -m x",
        "rm src/a.rs",
        "echo x > src/a.rs",
        "cp src/b.rs src/a.rs",
        "mv src/b.rs src/a.rs",
        "sed -i s/o/x/ src/a.rs",
        "rm -rf src",
        "cd src && echo x > a.rs",
        "truncate -s 0 src/a.rs",
    ] {
        assert_asked(&context, command, "src/a.rs");
    }
    for command in ["git clean -fd", "git stash -u", "git add .", "rm new.rs", "rm *.rs"] {
        assert_asked(&context, command, "new.rs");
    }
    let written = |old: Option<&str>, new: &str| {
        let path = context.path("src/a.rs");
        let answer = match old {
            None => call(&context, "a", "Write", json!({"file_path": path, "content": new})),
            Some(old) => {
                call(&context, "a", "Edit", json!({"file_path": path, "old_string": old, "new_string": new}))
            }
        };
        answer.decision().map(ToOwned::to_owned)
    };
    assert_eq!(written(None, "mine\n").as_deref(), Some("ask"));
    assert_eq!(written(Some("of b"), "of a").as_deref(), Some("ask"));
    assert_eq!(written(Some("two"), "2"), None, "a line of nobody");
    assert_eq!(written(None, "one\ntwo\nof b\nand more\n"), None, "nothing goes");
}

#[test]
fn calls_that_take_nothing_of_the_other_are_silent() {
    let context = side_by_side();
    for command in [
        "git status",
        "git diff",
        "cat src/a.rs",
        "git stash list",
        "git commit -m x",
        "git add src/b.rs",
        "git checkout -- src/b.rs",
        "echo x >> src/a.rs",
        "echo x > src/b.rs",
        "rm src/b.rs",
        "git stash push src/b.rs",
        "git checkout -b topic",
        "cp src/a.rs copy.rs",
        "git add src/a.rs",
    ] {
        let answer = bash(&context, "a", command);
        assert_eq!(answer.decision(), None, "{command}: {}", answer.json);
    }
    writes(&context, "bbbbbbbb-1", "build/out.txt", "x\n");
    assert_eq!(bash(&context, "a", "rm -rf build").decision(), None, "what a build makes again is nobody's");
    // Its own work is a session's own.
    assert_eq!(bash(&context, "bbbbbbbb-1", "git stash").decision(), None);
    assert_eq!(bash(&context, "bbbbbbbb-1", "rm new.rs").decision(), None);
    let sub_agent = json!({"session_id": "bbbbbbbb-1", "agent_id": "sub", "agent_type": "general-purpose",
        "tool_name": "Bash", "tool_input": {"command": "git stash"}, "tool_use_id": "toolu_2"});
    assert_eq!(context.hook("pre-tool-use", "PreToolUse", sub_agent).decision(), None);
    // What is committed is in git.
    context.commit("of b");
    for command in ["git reset --hard", "git stash", "echo x > src/a.rs", "rm new.rs"] {
        assert_eq!(bash(&context, "a", command).decision(), None, "{command}");
    }
}

#[test]
fn a_file_that_was_moved_is_still_the_others() {
    let context = side_by_side();
    assert_eq!(bash(&context, "a", "mv new.rs moved.rs").decision(), None);
    std::fs::rename(context.path("new.rs"), context.path("moved.rs")).unwrap();
    assert_asked(&context, "rm moved.rs", "moved.rs");
    assert_asked(&context, "git clean -fd", "moved.rs");
}

fn set_age(path: &Utf8Path, age: Duration) {
    File::options().append(true).open(path).unwrap().set_modified(SystemTime::now() - age).unwrap();
}

#[test]
fn a_session_that_was_idle_for_an_hour_does_not_count() {
    let context = side_by_side();
    let journal = context.layout().journal("bbbbbbbb-1");
    let record = context.layout().writers().read_dir_utf8().unwrap().next().unwrap().unwrap().into_path();
    for (minutes, expected) in [(59, Some("ask")), (61, None)] {
        set_age(&journal, Duration::from_secs(minutes * 60));
        set_age(&record, Duration::from_secs(minutes * 60));
        assert_eq!(bash(&context, "a", "git stash").decision(), expected, "{minutes} minutes");
    }
    context.hook(
        "user-prompt-start",
        "UserPromptSubmit",
        json!({"session_id": "bbbbbbbb-1", "prompt": "go on"}),
    );
    assert_eq!(bash(&context, "a", "git stash").decision(), Some("ask"));
}

#[test]
fn another_worktree_is_somebody_elses_place() {
    let context = side_by_side();
    let other = context.beside("other");
    context.git(&["worktree", "add", "-q", other.as_str(), "-b", "other"]);
    let there = |command: &str| {
        let mut hook = context.hook_command("pre-tool-use");
        hook.env("CLAUDE_PROJECT_DIR", &other);
        let fields = json!({"session_id": "a", "cwd": other, "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_use_id": "toolu_1"});
        context.feed(hook, context.event("PreToolUse", fields).to_string().as_bytes())
    };
    for command in ["git stash", "git clean -fd", "rm -rf src", "echo x > src/a.rs"] {
        assert_eq!(there(command).decision(), None, "{command}");
    }
    let into = format!("git -C {} stash", context.project());
    assert_eq!(there(&into).decision(), Some("ask"));
}

#[test]
fn the_other_sessions_record_holds_no_text() {
    let context = side_by_side();
    let record = context.layout().writers().read_dir_utf8().unwrap().next().unwrap().unwrap().into_path();
    let text = std::fs::read_to_string(record).unwrap();
    assert!(text.contains("new.rs") && !text.contains("of b"), "{text}");
}
