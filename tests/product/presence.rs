//! Who is there: hooks answer only the client, and only a person at a terminal of their own opens anything.

use crate::answer::told;
use crate::context::TestContext;
use crate::terminal::at_a_terminal;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

fn binary(name: &str) -> String {
    crate::context::binary(name).to_str().unwrap().to_owned()
}

/// A hook as the client starts it: its standard input is a socket of the client. This test is the client.
fn from_client(context: &TestContext, name: &str, event: &Value) -> Value {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut command = context.hook_command(name);
    let child = command.stdin(OwnedFd::from(theirs)).stdout(Stdio::piped()).spawn().unwrap();
    drop(command);
    ours.write_all(event.to_string().as_bytes()).unwrap();
    ours.shutdown(Shutdown::Write).unwrap();
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", told(&output)))
}

fn with_a_client() -> TestContext {
    let context = TestContext::new();
    context.enrol();
    let event = context.event("SessionStart", json!({"source": "startup"}));
    let answer = from_client(&context, "session-start", &event);
    assert!(answer.to_string().contains("Plimsoll guards this repository"), "{answer}");
    context
}

fn call(context: &TestContext, session: &str) -> Value {
    let mut event = context.event(
        "PreToolUse",
        json!({"tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "toolu_1"}),
    );
    event["session_id"] = json!(session);
    event
}

fn sessions(context: &TestContext) -> usize {
    fs::read_dir(context.project().join(".git/plimsoll/sessions")).unwrap().count()
}

#[test]
fn a_hook_answers_the_client_and_nobody_else_while_a_client_runs() {
    let context = with_a_client();
    assert_eq!(from_client(&context, "pre-tool-use", &call(&context, "one")), json!({}));
    let before = sessions(&context);
    let event = context.home().join("event.json");
    fs::write(&event, call(&context, "two").to_string()).unwrap();
    let hook = binary("pre-tool-use");
    for line in [
        format!("{hook} < {event}"),
        format!("exec {hook} < {event}"),
        format!("cat {event} | {hook}"),
        format!("cp {hook} pre-tool-use; ./pre-tool-use < {event}"),
        format!("env -i HOME=$HOME PATH=$PATH {hook} < {event}"),
        format!("setsid --wait {hook} < {event}"),
        format!("(sleep 0.1; {hook} < {event} > late) & wait; cat late"),
    ] {
        let output = context.bash(&line);
        let answer: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{line}: {}", told(&output)));
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask", "{line}: {answer}");
        assert!(answer.to_string().contains("not started by the client"), "{line}: {answer}");
        assert_eq!(sessions(&context), before, "{line} wrote a session");
    }
    for (hook, name, fields) in [
        ("session-start", "SessionStart", json!({"source": "startup"})),
        ("user-prompt-start", "UserPromptSubmit", json!({"prompt": "go", "prompt_id": "p"})),
        (
            "post-tool-use",
            "PostToolUse",
            json!({"tool_name": "Read", "tool_input": {}, "tool_use_id": "t", "tool_response": {}}),
        ),
        ("stop", "Stop", json!({"stop_hook_active": false, "last_assistant_message": "done"})),
    ] {
        let mut event = context.event(name, fields);
        event["session_id"] = json!("three");
        let answer = context.hook_with(hook, event.to_string().as_bytes());
        assert!(answer.json.to_string().contains("not started by the client"), "{hook}: {}", answer.json);
        assert!(answer.json.get("hookSpecificOutput").is_none(), "{hook}: {}", answer.json);
        assert_eq!(sessions(&context), before, "{hook} wrote a session");
    }
}

#[test]
fn the_floor_holds_for_a_call_that_something_else_than_the_client_sent() {
    let context = with_a_client();
    let answer = context.before_bash("rm -rf /");
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
}

#[test]
fn a_client_that_has_ended_keeps_nobody_out() {
    let context = with_a_client();
    let folder = context.home().join(".local/share/plimsoll/clients");
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let mut record: Value = serde_json::from_str(&text).unwrap();
        record["started"] = json!(1);
        fs::write(&path, record.to_string()).unwrap();
    }
    assert_eq!(context.before_bash("git status").json, json!({}));
    let event = context.event("SessionStart", json!({"source": "startup"}));
    from_client(&context, "session-start", &event);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "the record of the ended client is gone");
}

/// Every command that opens, loosens, pauses or removes something.
const OPENERS: [&[&str]; 11] = [
    &["pause"],
    &["resume"],
    &["enrol", "--remove"],
    &["gate", "override", "--reason", "x"],
    &["gate", "new-key"],
    &["allow", "0123"],
    &["recover", "abort"],
    &["config", "trust"],
    &["sandbox", "off"],
    &["review", "dismiss", "0123", "--reason", "x"],
    &["uninstall"],
];

fn terminal(context: &TestContext, program: &str, arguments: &[&str]) -> String {
    let mut command: Command = context.command(program);
    command.args(arguments);
    told(&at_a_terminal(command))
}

#[test]
fn what_the_client_started_is_no_person_whatever_terminal_it_makes() {
    let context = with_a_client();
    fs::create_dir_all(context.project().join(".claude/config")).unwrap();
    let config = "step_reviewer:\n  enabled: false\n";
    fs::write(context.project().join(".claude/config/review-config.yaml"), config).unwrap();
    let plimsoll = binary("plimsoll");
    for opener in OPENERS {
        let words = opener.join(" ");
        let said = terminal(&context, &plimsoll, opener);
        assert!(said.contains("started by a coding agent"), "{words}: {said}");
        assert!(!said.contains("to confirm"), "{words}: {said}");
    }
    let script = format!("script -qec 'env -u CLAUDECODE {plimsoll} pause' /dev/null");
    let said = terminal(&context, "bash", &["-c", &script]);
    assert!(said.contains("started by a coding agent"), "{said}");
    // Its parent is gone when it looks, so that no client is above it.
    let orphan = format!("setsid --fork sh -c 'sleep 0.5; exec {plimsoll} pause'");
    let said = terminal(&context, "bash", &["-c", &orphan]);
    assert!(said.contains("is not older than it"), "{said}");
    let unshared = format!("unshare --user --map-root-user --pid --fork --mount-proc {plimsoll} pause");
    let said = terminal(&context, "bash", &["-c", &unshared]);
    assert!(said.contains("is not older than it") || said.contains("unshare"), "{said}");
    assert!(!context.home().join(".local/share/plimsoll/paused").exists());
}

#[test]
fn a_person_types_the_word_that_the_terminal_shows() {
    let context = TestContext::new();
    let plimsoll = binary("plimsoll");
    let said = terminal(&context, &plimsoll, &["pause"]);
    assert!(said.contains("to confirm") && said.contains("is paused"), "{said}");
    let said = terminal(&context, &plimsoll, &["resume"]);
    assert!(said.contains("is on"), "{said}");
    // A terminal that nobody reads. Not an endless `yes`: script keeps all of it in memory.
    let script = format!("yes | head -n 100 | script -qec '{plimsoll} pause' /dev/null");
    let mut child = context.command("bash").args(["-c", &script]).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    assert!(said.contains("the word does not match"), "{said}");
    assert!(
        !context
            .home()
            .join(".local/share/plimsoll/paused")
            .read_dir()
            .is_ok_and(|mut files| files.next().is_some())
    );
}
