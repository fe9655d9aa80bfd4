//! What no configuration permits is refused whatever is broken around the hook, and from whatever can be read of the event.

use crate::answer::Answer;
use crate::context::{SESSION, TestContext, binary};
use camino::Utf8Path;
use plimsoll::edge::state::Lock;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

/// One event on its way to the hook.
struct Attempt<'a> {
    context: &'a TestContext,
    event: Value,
    /// In place of the event.
    bytes: Option<Vec<u8>>,
    /// What a shell does first, in the process that becomes the hook.
    before: &'static str,
    variables: Vec<(&'static str, Option<Vec<u8>>)>,
    held: Vec<Lock>,
}

impl<'a> Attempt<'a> {
    fn new(context: &'a TestContext, tool: &str, input: Value) -> Self {
        let fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"});
        let event = context.event("PreToolUse", fields);
        Self { context, event, bytes: None, before: "", variables: Vec::new(), held: Vec::new() }
    }

    fn set(&mut self, variable: &'static str, value: impl AsRef<[u8]>) {
        self.variables.push((variable, Some(value.as_ref().to_owned())));
    }

    /// The event as text, changed.
    fn rewrite(&mut self, change: impl FnOnce(String) -> Vec<u8>) {
        self.bytes = Some(change(self.event.to_string()));
    }

    fn replace(&self, path: &Utf8Path, by: Instead) {
        let _ = fs::remove_dir_all(path);
        let _ = fs::remove_file(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match by {
            Instead::Nothing => {}
            Instead::Garbage => fs::write(path, b"\xff{garbage").unwrap(),
            Instead::Folder => fs::create_dir(path).unwrap(),
            Instead::Pipe => {
                let mode = rustix::fs::Mode::RWXU;
                rustix::fs::mkfifoat(rustix::fs::CWD, path.as_std_path(), mode).unwrap();
            }
        }
    }

    fn command(&self) -> Command {
        // Whatever waits for ever fails here instead.
        let mut command = self.context.command("timeout");
        let script = format!("{}\nexec \"$0\"", self.before);
        command.args(["60", "/bin/bash", "-c", &script]).arg(binary("pre-tool-use"));
        command.env("CLAUDE_PROJECT_DIR", self.context.project()).current_dir("/");
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, OsStr::from_bytes(value)),
                None => command.env_remove(name),
            };
        }
        command
    }

    fn answer(&self) -> Answer {
        let bytes = self.bytes.clone().unwrap_or_else(|| self.event.to_string().into_bytes());
        self.context.feed(self.command(), &bytes)
    }
}

#[derive(Clone, Copy)]
enum Instead {
    Nothing,
    Garbage,
    Folder,
    Pipe,
}

const ANYTHING: [Instead; 4] = [Instead::Nothing, Instead::Garbage, Instead::Folder, Instead::Pipe];

type Way = (&'static str, fn(&mut Attempt<'_>));

/// Never run, only shown to the hook.
fn calls(context: &TestContext) -> Vec<(&'static str, Value)> {
    let bash = |command: &str| ("Bash", json!({"command": command}));
    let settings = context.path(".claude/settings.json");
    vec![
        bash("rm -rf ~"),
        bash("rm -rf /"),
        bash("dd if=/dev/zero of=/dev/sda bs=1M"),
        bash(":(){ :|:& };:"),
        bash("echo '{}' > .claude/settings.json"),
        ("Write", json!({"file_path": settings, "content": "{}"})),
        ("Write", json!({"file_path": "/dev/sda", "content": "x"})),
        ("mcp__host__run_command", json!({"command": "rm -rf ~"})),
    ]
}

/// Each way in a world of its own, for each of the calls.
fn assert_denied(ways: &[Way]) {
    for (name, breaks) in ways {
        let context = TestContext::enrolled();
        context.write(".claude/settings.json", "{}");
        context.before_bash("git status");
        for (tool, input) in calls(&context) {
            let mut attempt = Attempt::new(&context, tool, input.clone());
            breaks(&mut attempt);
            let answer = attempt.answer();
            assert_eq!(answer.decision(), Some("deny"), "{name}: {tool} {input}: {}", answer.json);
        }
    }
}

#[test]
fn whatever_the_event_looks_like() {
    assert_denied(&[
        ("as it should be", |_| {}),
        ("an unknown name", |attempt| attempt.event["hook_event_name"] = json!("BeforeToolUse")),
        ("a number for a name", |attempt| attempt.event["hook_event_name"] = json!(3)),
        ("no name", |attempt| attempt.event["hook_event_name"] = Value::Null),
        ("no session", |attempt| attempt.event["session_id"] = Value::Null),
        ("a number for the session", |attempt| attempt.event["session_id"] = json!(7)),
        ("a list for the session", |attempt| attempt.event["session_id"] = json!(["s"])),
        ("no directory", |attempt| attempt.event["cwd"] = Value::Null),
        ("an object for the directory", |attempt| attempt.event["cwd"] = json!({"path": "/"})),
        ("an empty directory", |attempt| attempt.event["cwd"] = json!("")),
        ("a relative directory", |attempt| attempt.event["cwd"] = json!("some/where")),
        ("a list for the id of the call", |attempt| attempt.event["tool_use_id"] = json!([1])),
        ("no id of the call", |attempt| attempt.event["tool_use_id"] = Value::Null),
        ("an object for the transcript", |attempt| attempt.event["transcript_path"] = json!({})),
        ("no tool", |attempt| {
            if attempt.event["tool_name"] == "Bash" {
                attempt.event["tool_name"] = Value::Null;
            }
        }),
        ("a list for the tool", |attempt| {
            if attempt.event["tool_name"] == "Bash" {
                attempt.event["tool_name"] = json!(["Bash"]);
            }
        }),
        ("the input as text", |attempt| {
            attempt.event["tool_input"] = json!(attempt.event["tool_input"].to_string());
        }),
        ("fields of other events", |attempt| {
            attempt.event["tool_calls"] = json!("x");
            attempt.event["stop_hook_active"] = json!("yes");
            attempt.event["error"] = json!({"code": 1});
            attempt.event["prompt"] = json!([]);
        }),
        ("more in the input", |attempt| {
            attempt.event["tool_input"]["timeout"] = json!("long");
            attempt.event["tool_input"]["description"] = json!({"deep": [1]});
        }),
        ("half an emoji", |attempt| {
            attempt.event["prompt"] = json!("PLACE");
            attempt.rewrite(|text| text.replace("PLACE", r"cut \ud83d").into_bytes());
        }),
        ("half an emoji in the input", |attempt| {
            attempt.event["tool_input"]["description"] = json!("PLACE");
            attempt.rewrite(|text| text.replace("PLACE", r"cut \ud83d").into_bytes());
        }),
        ("bytes that are no text", |attempt| {
            attempt.event["permission_mode"] = json!("PLACE");
            attempt.rewrite(|text| {
                let (front, back) = text.split_once("PLACE").unwrap();
                [front.as_bytes(), b"\xff\xfe", back.as_bytes()].concat()
            });
        }),
        ("a byte order mark and empty lines", |attempt| {
            attempt.rewrite(|text| format!("\u{feff}\n{text}\n\n").into_bytes());
        }),
        ("a field said twice", |attempt| {
            attempt.rewrite(|text| text.replacen('{', r#"{"cwd":"/elsewhere","#, 1).into_bytes());
        }),
    ]);
}

#[test]
fn wherever_it_happens() {
    assert_denied(&[
        ("the project was renamed", |attempt| {
            let (project, moved) = (attempt.context.project(), attempt.context.beside("moved"));
            if project.exists() {
                fs::rename(project, moved).unwrap();
            }
        }),
        ("a directory that is not there", |attempt| {
            let gone = attempt.context.beside("gone");
            attempt.set("CLAUDE_PROJECT_DIR", gone.as_str());
            attempt.event["tool_input"] = in_project(attempt, &gone);
            attempt.event["cwd"] = json!(gone);
        }),
        ("a file for a project", |attempt| {
            let file = attempt.context.path("readme.md");
            attempt.set("CLAUDE_PROJECT_DIR", file.as_str());
            attempt.event["tool_input"] = in_project(attempt, &file);
            attempt.event["cwd"] = json!(file);
        }),
        ("no project and a relative directory", |attempt| {
            attempt.variables.push(("CLAUDE_PROJECT_DIR", None));
            attempt.event["tool_input"] = in_project(attempt, "/tmp".into());
            attempt.event["cwd"] = json!("tmp");
        }),
        ("no project", |attempt| attempt.variables.push(("CLAUDE_PROJECT_DIR", None))),
        ("a relative project", |attempt| attempt.set("CLAUDE_PROJECT_DIR", "project")),
        ("a project that is no text", |attempt| attempt.set("CLAUDE_PROJECT_DIR", b"/\xff\xfe")),
        ("git's folder is a link to nothing", |attempt| {
            attempt.replace(&attempt.context.path(".git"), Instead::Nothing);
            attempt.context.write(".git", "gitdir: /nowhere\n");
        }),
        ("git's folder is garbage", |attempt| {
            attempt.replace(&attempt.context.path(".git"), Instead::Garbage)
        }),
        ("git's folder is a pipe", |attempt| attempt.replace(&attempt.context.path(".git"), Instead::Pipe)),
        ("git's folder is empty", |attempt| attempt.replace(&attempt.context.path(".git"), Instead::Folder)),
        ("what worktrees share is a pipe", |attempt| {
            attempt.replace(&attempt.context.path(".git/commondir"), Instead::Pipe);
        }),
        ("HEAD is a pipe", |attempt| attempt.replace(&attempt.context.path(".git/HEAD"), Instead::Pipe)),
        ("no home", |attempt| {
            attempt.variables.push(("HOME", None));
            for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
                attempt.variables.push((name, None));
            }
        }),
        ("no home, but places below it", |attempt| attempt.variables.push(("HOME", None))),
        ("a relative home", |attempt| attempt.set("HOME", "home")),
        ("a home that is no text", |attempt| attempt.set("HOME", b"/home/\xff")),
        ("a home that is not there", |attempt| attempt.set("HOME", "/nowhere/at/all")),
        ("no variables at all", |attempt| {
            attempt.before =
                "unset HOME PATH XDG_DATA_HOME XDG_CONFIG_HOME XDG_STATE_HOME CLAUDE_PROJECT_DIR";
        }),
    ]);
}

/// The same input for a project elsewhere.
fn in_project(attempt: &Attempt<'_>, project: &Utf8Path) -> Value {
    let text = attempt.event["tool_input"].to_string();
    serde_json::from_str(&text.replace(attempt.context.project().as_str(), project.as_str())).unwrap()
}

#[test]
fn whatever_became_of_the_state() {
    assert_denied(&[
        ("state is a file", |attempt| {
            attempt.replace(&attempt.context.path(".git/plimsoll"), Instead::Garbage)
        }),
        ("state is a pipe", |attempt| attempt.replace(&attempt.context.path(".git/plimsoll"), Instead::Pipe)),
        ("the data home is a file", |attempt| {
            attempt.replace(&attempt.context.home().join(".local/share"), Instead::Garbage);
        }),
        ("the data home is not there", |attempt| attempt.set("XDG_DATA_HOME", "/nowhere/at/all")),
        ("the data home cannot be written", |attempt| attempt.set("XDG_DATA_HOME", "/proc")),
        ("the state home cannot be written", |attempt| attempt.set("XDG_STATE_HOME", "/proc")),
        ("locks are held", |attempt| {
            let layout = attempt.context.layout();
            for path in [layout.session_lock(SESSION), layout.standing_lock(SESSION), layout.receipts_lock()]
            {
                attempt.held.push(Lock::acquire(&path).unwrap());
            }
        }),
        ("the configuration is broken", |attempt| attempt.context.user_config("a: [b\n\t: {")),
    ]);
}

#[test]
fn whatever_lies_in_place_of_a_file_of_ours() {
    let context = TestContext::enrolled();
    context.write(".claude/settings.json", "{}");
    context.before_bash("git status");
    let (layout, homes, project) = (context.layout(), context.homes(), context.project());
    let config = context.home().join(".config/plimsoll/review-config.yaml");
    let files = [
        homes.enrolment(&context.path(".git")),
        homes.seal_key(),
        homes.pause(&project),
        homes.project_lock(layout.root()),
        homes.denials(&project),
        layout.enrolment_mark(),
        layout.compiled_settings(),
        layout.review_cache(),
        layout.journal(SESSION),
        layout.audit(),
        layout.session_facts(SESSION),
        layout.standing(SESSION),
        layout.orders(SESSION),
        layout.session(SESSION),
        config,
        context.path(".claude/config/review-config.yaml"),
    ];
    for path in files {
        for by in ANYTHING {
            for (tool, input) in calls(&context) {
                let attempt = Attempt::new(&context, tool, input.clone());
                attempt.replace(&path, by);
                let answer = attempt.answer();
                assert_eq!(answer.decision(), Some("deny"), "{path}: {tool} {input}: {}", answer.json);
            }
        }
        Attempt::new(&context, "", json!({})).replace(&path, Instead::Nothing);
    }
}

#[test]
fn however_little_the_process_may_do() {
    assert_denied(&[
        ("files must not grow", |attempt| attempt.before = "ulimit -f 0"),
        ("files must not grow, without the signal", |attempt| attempt.before = "trap '' XFSZ; ulimit -f 0"),
        ("files may only grow a little", |attempt| attempt.before = "ulimit -S -f 1"),
        ("no file can be opened", |attempt| attempt.before = "ulimit -n 4"),
        ("little memory", |attempt| attempt.before = "ulimit -v 60000"),
        ("little stack", |attempt| attempt.before = "ulimit -s 512"),
        ("stderr is closed", |attempt| attempt.before = "exec 2>&-"),
        ("no program can be found", |attempt| attempt.before = "PATH=/nowhere"),
        ("another language", |attempt| attempt.set("LC_ALL", "tr_TR.UTF-8")),
        ("no temporary directory", |attempt| attempt.set("TMPDIR", "/nowhere")),
    ]);
}

/// The client takes the exit code 2 for a refusal, and everything but an answer on stdout for none.
#[test]
fn where_no_answer_can_be_written_the_exit_code_refuses() {
    let context = TestContext::enrolled();
    for before in ["exec >&-", "exec >/dev/full", "exec >/dev/null"] {
        for (tool, input) in calls(&context) {
            let mut attempt = Attempt::new(&context, tool, input);
            attempt.before = before;
            let mut command = attempt.command();
            let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            serde_json::to_writer(child.stdin.take().unwrap(), &attempt.event).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(2), "{before}: {tool}");
        }
    }
}

#[test]
fn a_call_of_another_shape_is_refused_for_what_it_names() {
    let context = TestContext::new();
    let settings = context.path(".claude/settings.json");
    for (tool, input) in [
        ("Bash", json!({"command": ["rm", "-rf", "~"]})),
        ("Bash", json!({"command": {"line": "rm -rf ~"}})),
        ("Bash", json!({"cmd": "ls; rm -rf /"})),
        ("Bash", json!("rm -rf ~")),
        ("Bash", json!([["bash", "-c", "rm -rf ~"]])),
        ("Write", json!({"path": settings, "content": "{}"})),
        ("Edit", json!({"file_path": settings, "old_string": "a", "new_string": 3})),
    ] {
        let answer = context.before(tool, input.clone());
        assert_eq!(answer.decision(), Some("deny"), "{tool} {input}: {}", answer.json);
    }
    for (tool, input) in [
        ("Bash", json!({"command": ["rm", "-rf", "target"]})),
        ("Bash", json!({"cmd": "ls"})),
        ("Write", json!({"path": "src/main.rs", "content": "fn main() {}"})),
    ] {
        let answer = context.before(tool, input.clone());
        assert_eq!(answer.decision(), Some("ask"), "{tool} {input}: {}", answer.json);
    }
}

/// What is broken must not make the hook stricter than it says: the rest is put before the person.
#[test]
fn what_is_not_of_the_floor_is_asked_about_where_something_is_broken() {
    let context = TestContext::new();
    let mut attempt = Attempt::new(&context, "Bash", json!({"command": "git status"}));
    attempt.variables.push(("HOME", None));
    assert_eq!(attempt.answer().decision(), Some("ask"));
    let mut attempt = Attempt::new(&context, "Bash", json!({"command": "git status"}));
    attempt.event["session_id"] = json!([1]);
    assert_eq!(attempt.answer().decision(), Some("ask"));
    let answer = Attempt::new(&context, "Bash", json!({"command": "git status"})).answer();
    assert!(answer.is_silent(), "{}", answer.json);
}

#[test]
fn a_limit_on_files_takes_no_answer_away() {
    let context = TestContext::new();
    for before in ["ulimit -f 0", "ulimit -f 1000"] {
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}});
        let event = context.event("PreToolUse", fields).to_string();
        let mut command = context.command("bash");
        command.args(["-c", &format!("{before}; exec \"$0\"")]).arg(binary("pre-tool-use"));
        command.env("CLAUDE_PROJECT_DIR", context.project());
        let answer = context.feed(command, event.as_bytes());
        assert!(matches!(answer.decision(), Some("ask" | "deny")), "{before}: {}", answer.json);
    }
}
