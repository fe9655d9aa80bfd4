//! The four options, chosen at a terminal, each does what it says; nobody else can choose.

use super::stage::{held, is_free, recover, stopped};
use crate::answer::told;
use crate::context::{TestContext, binary};
use plimsoll::edge::state::LockMode;
use plimsoll::pure::monitor::interventions::SessionLimits;
use serde_json::json;

fn chosen(context: &TestContext, option: &str) -> String {
    let output = recover(context, &[option]);
    assert!(output.status.success(), "{option}: {}", told(&output));
    told(&output)
}

#[test]
fn resume_with_limits_halves_the_limits_and_asks_about_risky_steps_until_it_is_ended() {
    let context = TestContext::new();
    context.user_config(
        "interventions: {limits: {max_commands: 40, batch_size: 1, max_tokens: 1000, max_execution_seconds: 90, max_memory_mb: 512}}\n",
    );
    stopped(&context, "the same call failed six times");
    let said = chosen(&context, "resume_with_limits");
    assert!(said.contains("20 commands") && said.contains("100 file operations"), "{said}");
    let lock = held(&context);
    assert_eq!(lock.mode, LockMode::Limited);
    let limits = SessionLimits {
        file_operations: 100,
        commands: 20,
        tokens: 500,
        seconds: 45,
        batch_size: 1,
        memory_mb: 256,
        added: Default::default(),
    };
    assert_eq!(lock.limits, Some(limits));

    assert!(context.before_bash("git status").is_silent());
    assert!(context.before("Write", json!({"file_path": context.path("a"), "content": "x"})).is_silent());
    for command in ["kill 1234", "docker rm -f web"] {
        let risky = context.before_bash(command);
        assert_eq!(risky.decision(), Some("ask"), "{}", risky.json);
        assert!(risky.reason().contains("strict limits"), "{}", risky.reason());
    }
    assert_eq!(context.before_bash("echo > /dev/sda").decision(), Some("deny"));

    chosen(&context, "--end");
    assert!(is_free(&context));
}

#[test]
fn manual_intervention_asks_about_writes_deletions_and_commands_and_lets_reads_pass() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    chosen(&context, "manual_intervention");
    let path = context.path("readme.md");
    for (tool, input) in [
        ("Bash", json!({"command": "cargo build"})),
        ("Bash", json!({"command": "ls"})),
        ("Write", json!({"file_path": path, "content": "x"})),
        ("Edit", json!({"file_path": path, "old_string": "A", "new_string": "B"})),
        ("WebFetch", json!({"url": "https://example.com", "prompt": "x"})),
        ("mcp__db__delete_row", json!({"id": "1"})),
        ("BrandNewTool", json!({"whatever": "x"})),
    ] {
        let answer = context.before(tool, input.clone());
        assert_eq!(answer.decision(), Some("ask"), "{tool} {input}: {}", answer.json);
    }
    let asked = context.before_bash("cargo build");
    assert!(asked.reason().contains("manual intervention is on"), "{}", asked.reason());
    for (tool, input) in [
        ("Read", json!({"file_path": path})),
        ("Grep", json!({"pattern": "x", "path": context.project()})),
        ("Glob", json!({"pattern": "*.md"})),
        ("TodoWrite", json!({"todos": []})),
    ] {
        let answer = context.before(tool, input);
        assert!(answer.is_silent(), "{tool}: {}", answer.json);
    }
    let floor = context.before_bash("echo > /dev/sda");
    assert_eq!(floor.decision(), Some("deny"), "{}", floor.json);
    chosen(&context, "--end");
    assert!(context.before_bash("ls").is_silent());
}

#[test]
fn abort_stays_locked_and_lists_what_is_left() {
    let context = TestContext::new();
    context.write("half-done.txt", "x");
    context.write("readme.md", "changed\n");
    stopped(&context, "it went in circles");
    let mut program = context.command("sleep").arg("61").spawn().unwrap();
    let said = chosen(&context, "abort");
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(said.contains("not committed: 2\n") && said.contains("half-done.txt"), "{said}");
    if cfg!(target_os = "linux") {
        assert!(said.contains(&format!("{} sleep 61", program.id())), "{said}");
    }
    let refused = context.before_bash("ls");
    assert_eq!(refused.decision(), Some("deny"), "{}", refused.json);
    assert!(refused.reason().contains("the user aborted"), "{}", refused.reason());
    chosen(&context, "--end");
    assert!(context.before_bash("ls").is_silent());
}

#[test]
fn a_rollback_without_a_safe_checkpoint_lifts_nothing() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    let output = recover(&context, &["rollback_and_retry"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("the project stays stopped"), "{}", told(&output));
    assert_eq!(context.before_bash("ls").decision(), Some("deny"));
}

#[test]
fn nothing_but_one_of_the_four_ends_a_stop_and_nothing_is_chosen_where_nothing_stopped() {
    let context = TestContext::new();
    for option in ["abort", "manual_intervention", "--end"] {
        let output = recover(&context, &[option]);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        assert!(told(&output).contains("not stopped"), "{}", told(&output));
    }
    assert!(is_free(&context), "a choice without a stop leaves no lock");
    stopped(&context, "it went in circles");
    for (option, code) in [("--end", 1), ("resume", 2), ("", 2), ("../abort", 2)] {
        let output = recover(&context, &[option]);
        assert_eq!(output.status.code(), Some(code), "{option}: {}", told(&output));
        assert_eq!(held(&context).mode, LockMode::Stopped);
    }
}

#[test]
fn how_things_stand_is_shown_with_every_option() {
    let context = TestContext::new();
    assert!(told(&context.plimsoll(&["recover"])).contains("is not stopped"));
    let id = stopped(&context, "the same call failed six times");
    let said = told(&context.plimsoll(&["recover"]));
    for words in [
        "is stopped: no tool call runs",
        "What happened: the same call failed six times",
        id.as_str(),
        "index.html",
        "resume_with_limits",
        "rollback_and_retry",
        "manual_intervention",
        "abort",
        "/recover CHOICE",
    ] {
        assert!(said.contains(words), "no {words:?} in: {said}");
    }
    assert!(!said.contains("--end"), "{said}");
    chosen(&context, "abort");
    let said = told(&context.plimsoll(&["recover"]));
    assert!(said.contains("Decided: abort (terminal,") && said.contains("--end"), "{said}");
}

#[test]
fn no_agent_and_no_pipe_can_choose() {
    let context = TestContext::new();
    stopped(&context, "it went in circles");
    let piped = context.plimsoll(&["recover", "manual_intervention"]);
    assert_eq!(piped.status.code(), Some(1));
    assert!(told(&piped).contains("this is not a terminal"), "{}", told(&piped));
    for mark in ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"] {
        let mut command = context.command(binary("plimsoll"));
        command.env(mark, "1").args(["recover", "manual_intervention"]);
        let output = crate::terminal::at_a_terminal(command);
        assert_eq!(output.status.code(), Some(1), "{mark}: {}", told(&output));
        assert!(told(&output).contains("started by a coding agent"), "{}", told(&output));
    }
    assert_eq!(held(&context).mode, LockMode::Stopped);
    let free = TestContext::new();
    for command in ["plimsoll recover abort", "env -u CLAUDECODE plimsoll recover --end", "plimsoll recover"]
    {
        let answer = free.before_bash(command);
        assert!(answer.reason().contains("[speaks_for_the_person]"), "{}", answer.json);
    }
    for (tool, input) in [
        ("Skill", json!({"skill": "recover", "args": "abort"})),
        ("Skill", json!({"skill": "plimsoll:recover", "args": "abort"})),
        ("CronCreate", json!({"prompt": "/recover resume_with_limits"})),
        ("SendMessage", json!({"message": "now run plimsoll recover --end"})),
    ] {
        assert_eq!(free.before(tool, input.clone()).decision(), Some("deny"), "{input}");
    }
}
