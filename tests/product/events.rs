//! Everything that can arrive on a hook's stdin: what the real client sends, and what nobody should.

use crate::answer::Answer;
use crate::context::{TestContext, binary};
use camino::Utf8Path;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const HOOKS: [&str; 8] = [
    "session-start", "user-prompt-start", "user-prompt-review", "user-prompt-ship", "pre-tool-use",
    "post-tool-use", "stop", "config-change",
];

/// What each hook says when it could not do its job.
fn assert_safe(hook: &str, answer: &Answer, input: &str) {
    let said = format!("{hook}: {input}: {}", answer.json);
    match hook {
        "pre-tool-use" => assert_eq!(answer.decision(), Some("ask"), "{said}"),
        "config-change" => assert!(answer.blocks(), "{said}"),
        "user-prompt-ship" => assert!(answer.notice().contains("Nothing counts as approved"), "{said}"),
        _ => assert!(answer.notice().contains("could not handle this event"), "{said}"),
    }
}

#[test]
fn every_captured_event_gets_one_well_formed_answer_from_every_hook() {
    let context = TestContext::enrolled();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut events = 0;
    for version in ["2.1.197", "2.1.325"] {
        let text = fs::read_to_string(fixtures.join(format!("events-{version}.jsonl"))).unwrap();
        for line in text.lines() {
            let line = line
                .replace("<PROJECT>", context.project().as_str())
                .replace("<HOME>", context.home().as_str());
            let captured: Value = serde_json::from_str(&line).unwrap();
            let Some(name) = captured["event"]["hook_event_name"].as_str() else { continue };
            events += 1;
            for hook in HOOKS {
                let answer = context.hook_with(hook, captured["event"].to_string().as_bytes());
                if let Some(specific) = answer.json.get("hookSpecificOutput") {
                    assert_eq!(
                        specific["hookEventName"], name,
                        "{hook}: {}: {}",
                        captured["name"], answer.json
                    );
                }
                let expected = hook == "session-start" && answer.notice().starts_with("Plimsoll is on: ");
                assert!(expected || answer.notice().is_empty(), "{hook} broke on {}", captured["name"]);
            }
        }
    }
    assert!(events > 150, "{events}");
}

#[test]
fn what_is_no_event_gets_the_safe_answer() {
    let context = TestContext::new();
    let whole = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": context.project(),
        "tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "t"})
    .to_string();
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let huge = format!("{{\"hook_event_name\":\"PreToolUse\",\"padding\":\"{}\"}}", "x".repeat(9 << 20));
    let garbage: Vec<u8> = (0..4096_u32).map(|number| u8::try_from(number * 31 % 256).unwrap()).collect();
    let cases: [(&str, &[u8]); 10] = [
        ("nothing", b""),
        ("no JSON", b"hello"),
        ("cut short", whole.get(..whole.len() / 2).unwrap().as_bytes()),
        ("garbage", &garbage),
        ("9 MiB", huge.as_bytes()),
        ("nested", nested.as_bytes()),
        ("another type", b"[1, 2]"),
        ("a number as the name", br#"{"hook_event_name": 3}"#),
        (
            "a list as the session",
            br#"{"hook_event_name": "PreToolUse", "session_id": [3], "tool_name": "Bash"}"#,
        ),
        ("no name", b"{}"),
    ];
    for (name, input) in cases {
        for hook in HOOKS {
            assert_safe(hook, &context.hook_with(hook, input), name);
        }
    }
}

/// The event that each hook is there for.
fn usual(context: &TestContext) -> [(&'static str, Value); 8] {
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "git status", "description": "MARK"},
        "tool_response": {"stdout": "MARK", "stderr": ""}, "tool_use_id": "t"});
    let prompt = json!({"prompt": "tell me about MARK", "prompt_id": "p"});
    let stop = json!({"stop_hook_active": false, "last_assistant_message": "MARK"});
    [
        ("session-start", context.event("SessionStart", json!({"source": "startup", "prompt": "MARK"}))),
        ("user-prompt-start", context.event("UserPromptSubmit", prompt.clone())),
        ("user-prompt-review", context.event("UserPromptSubmit", prompt.clone())),
        ("user-prompt-ship", context.event("UserPromptSubmit", prompt)),
        ("pre-tool-use", context.event("PreToolUse", call.clone())),
        ("post-tool-use", context.event("PostToolUse", call)),
        ("stop", context.event("Stop", stop)),
        ("config-change", context.event("ConfigChange", json!({"source": "skills", "prompt": "MARK"}))),
    ]
}

#[test]
fn what_is_nearly_an_event_is_read_as_one() {
    let context = TestContext::new();
    let marked = |mark: &'static [u8]| {
        move |text: &str| {
            let parts: Vec<&[u8]> = text.split("MARK").map(str::as_bytes).collect();
            parts.join(mark)
        }
    };
    let first =
        |field: &'static str| move |text: &str| text.replacen('{', &format!("{{{field},"), 1).into_bytes();
    type Change = Box<dyn Fn(&str) -> Vec<u8>>;
    let changes: [(&str, Change); 11] = [
        ("half an emoji", Box::new(marked(br"cut \ud83d"))),
        ("its other half", Box::new(marked(br"\uDE00 cut"))),
        ("halves in the wrong order", Box::new(marked(br"\ude00\ud83d"))),
        ("bytes that are no text", Box::new(marked(b"\xf0\x9f\x98"))),
        ("a NUL", Box::new(marked(br"\u0000"))),
        ("a byte order mark", Box::new(|text| [b"\xef\xbb\xbf", text.as_bytes()].concat())),
        ("empty lines", Box::new(|text| format!("\n{text}\r\n\n").into_bytes())),
        ("a field said twice", Box::new(first(r#""cwd":"/elsewhere""#))),
        ("a number for the session", Box::new(|text| text.replace("\"session-1\"", "7").into_bytes())),
        ("a number for an id", Box::new(first(r#""agent_id":7,"agent_type":8,"permission_mode":9"#))),
        (
            "empty fields",
            Box::new(first(r#""agent_id":null,"error":null,"is_interrupt":null,"file_path":null"#)),
        ),
    ];
    for (hook, event) in usual(&context) {
        for (name, change) in &changes {
            let answer = context.hook_with(hook, &change(&event.to_string()));
            assert_eq!(answer.decision(), None, "{hook}: {name}: {}", answer.json);
            assert!(
                !answer.blocks() && !answer.notice().contains("could not"),
                "{hook}: {name}: {}",
                answer.json
            );
        }
    }
}

#[test]
fn a_call_of_the_wrong_shape_is_put_before_the_person() {
    let context = TestContext::new();
    for (tool, input) in [
        ("Bash", json!({"command": 3})),
        ("Bash", json!(null)),
        ("Bash", json!({"cmd": "ls"})),
        ("Write", json!({"file_path": ["x"]})),
        ("Write", json!({"path": "x", "content": "y"})),
        ("Agent", json!("quality-checker")),
        ("Skill", json!({"name": "ship"})),
        ("WebFetch", json!({"address": "x"})),
    ] {
        let answer = context.before(tool, input.clone());
        assert_eq!(answer.decision(), Some("ask"), "{tool} {input}: {}", answer.json);
    }
    let deep = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
    let event = format!(
        r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"{}","tool_name":"mcp__x__y","tool_input":{deep}}}"#,
        context.project()
    );
    for hook in HOOKS {
        context.hook_with(hook, event.as_bytes());
    }
}

#[test]
fn an_unknown_event_and_an_unknown_tool_are_let_be() {
    let context = TestContext::new();
    for hook in HOOKS {
        let answer = context.hook(hook, "PostTeleport", json!({"brand_new": {"deep": [1]}}));
        assert!(answer.is_silent(), "{hook}: {}", answer.json);
    }
    assert!(context.before("BrandNew", json!({"anything": 1})).is_silent());
    assert!(context.before("Bash", json!({})).is_silent(), "the client itself refuses it");
}

#[test]
fn every_binary_tells_its_version() {
    let context = TestContext::new();
    for name in HOOKS.into_iter().chain(["git-pre-push", "plimsoll"]) {
        let output = context.command(binary(name)).arg("--version").output().unwrap();
        assert!(output.status.success(), "{name}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.starts_with("plimsoll ") && said.contains(env!("CARGO_PKG_VERSION")), "{name}: {said}");
    }
}

/// The program under another name. A link where the file system allows it: a copy that was just written cannot be started
/// while another thread of the tests starts a process.
fn renamed(program: &str, name: &Utf8Path) {
    if fs::hard_link(binary(program), name).is_err() {
        fs::copy(binary(program), name).unwrap();
    }
}

#[test]
fn under_an_unknown_name_the_program_answers_as_a_broken_hook_of_that_event() {
    let context = TestContext::new();
    let unnamed = context.beside("plimsoll-hook");
    renamed("pre-tool-use", &unnamed);
    let hook = |event: &str, fields: Value| {
        let input = context.event(event, fields).to_string();
        context.feed(context.command(&unnamed), input.as_bytes())
    };
    let call =
        |command: &str| json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t"});
    assert_eq!(hook("PreToolUse", call("ls")).decision(), Some("ask"));
    assert_eq!(hook("PreToolUse", call("rm -rf ~")).decision(), Some("deny"));
    assert_eq!(hook("BrandNew", call("ls")).decision(), Some("ask"));
    assert!(hook("ConfigChange", json!({"source": "user_settings"})).blocks());
    for (event, fields) in [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "/ship"})),
        ("PostToolUse", call("ls")),
        ("Stop", json!({"stop_hook_active": false})),
    ] {
        assert!(hook(event, fields).notice().contains("unknown name"), "{event}");
    }
}

#[test]
fn under_an_unknown_name_the_program_lets_no_push_out() {
    let context = TestContext::new();
    let unnamed = context.beside("pre-push");
    renamed("git-pre-push", &unnamed);
    let output = context.command(&unnamed).args(["origin", "../remote.git"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("run install.sh again"));
}

#[test]
fn state_that_cannot_be_written_leads_to_the_safe_answer() {
    let context = TestContext::new();
    context.write(".git/plimsoll", "a file where a directory should be");
    assert_safe("pre-tool-use", &context.before_bash("git status"), "git status");
    let ship = context.prompt("user-prompt-ship", "/ship", "p1");
    assert_safe("user-prompt-ship", &ship, "/ship");
    let after = json!({"tool_name": "Bash", "tool_input": {}, "tool_response": {}, "tool_use_id": "t"});
    assert_safe("post-tool-use", &context.hook("post-tool-use", "PostToolUse", after), "PostToolUse");
    let start = context.hook("session-start", "SessionStart", json!({"source": "startup"}));
    assert_safe("session-start", &start, "SessionStart");
}

#[test]
fn a_broken_configuration_leaves_the_guard_on_the_gate_shut_and_is_said_at_the_start() {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context.user_config("blocking: {required_lops: [1]}\n");
    assert_eq!(context.before_bash("rm -rf /").decision(), Some("deny"));
    assert!(context.before_bash("git status").is_silent());
    assert_eq!(context.before_bash("cat <<E && (").decision(), Some("ask"));
    context.push(&[]).assert_refused(&["Could not check", "required_lops"]);
    let start = context.hook("session-start", "SessionStart", json!({"source": "startup"}));
    assert!(start.notice().contains("the ship gate is closed") && start.notice().contains("required_lops"));
}

#[test]
fn without_a_git_repository_the_guard_works_all_the_same() {
    let context = TestContext::new();
    let bare = context.beside("no-git");
    fs::create_dir(&bare).unwrap();
    let answer = |command: &str| {
        let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": bare, "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_use_id": "t"});
        let mut command = context.command(binary("pre-tool-use"));
        command.env("CLAUDE_PROJECT_DIR", &bare).current_dir(&bare);
        context.feed(command, event.to_string().as_bytes())
    };
    assert!(answer("ls").is_silent());
    assert_eq!(answer("rm -rf ~").decision(), Some("deny"));
    assert!(context.home().join(".local/state/plimsoll/projects").is_dir());
}

#[test]
fn the_start_of_a_session_says_that_the_repository_is_watched_and_keeps_the_tools_path() {
    let context = TestContext::enrolled();
    let file = context.beside("env-file");
    let context = context.with_variable("CLAUDE_ENV_FILE", file.as_str());
    let start = context.hook("session-start", "SessionStart", json!({"source": "startup"}));
    assert!(start.context().contains("only reviewed content leaves it"), "{}", start.json);
    assert!(fs::read_to_string(file).unwrap().starts_with("export PATH="));
    context.prompt("user-prompt-start", "fix the <b>parser</b>", "p1");
    let resumed = context.hook("session-start", "SessionStart", json!({"source": "compact"}));
    assert!(resumed.context().contains("fix the <b>parser</b>"), "{}", resumed.json);
}
