//! A capture that does not fit into a hook: what the hook answers, and the process that goes on.

use super::mistakes::store_of;
use crate::answer::told;
use crate::context::{TestContext, binary};
use crate::interventions::Agent;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::checkpoints::{self, Attempt, CheckpointReason};
use plimsoll::edge::state::{Checkpoints, Lock};
use plimsoll::pure::review::GitPath;
use serde_json::{Value, json};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

const NO_TIME: &str = "interventions: {checkpoint_rollback: {max_wait_ms: 0}}\n";

impl TestContext {
    /// What lies beside the store.
    pub(super) fn beside_store(&self) -> Utf8PathBuf {
        Utf8PathBuf::from(store_of(self).as_str().trim_end_matches(".git"))
    }

    /// As if the background process of the project were at work, as long as the value lives.
    fn capturing(&self, note: Value) -> Lock {
        let key = Checkpoints::key(&self.project());
        let beside = self.beside_store();
        fs::create_dir_all(beside.join("progress")).unwrap();
        fs::write(beside.join(format!("progress/{key}.json")), note.to_string()).unwrap();
        self.background_lock(&beside)
    }

    fn background_lock(&self, beside: &Utf8Path) -> Lock {
        let key = Checkpoints::key(&self.project());
        let lock = beside.join(format!("background-{key}.lock"));
        Lock::acquire_within(&lock, Duration::from_secs(120)).unwrap().unwrap()
    }

    /// Until no background process is left that would write where the test cleans up.
    pub(super) fn wait_for_background(&self) {
        let folder = self.home().join(".local/share/plimsoll/checkpoints");
        let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
        for beside in entries.filter(|entry| Checkpoints::is_key(entry.file_name())) {
            drop(self.background_lock(beside.path()));
        }
    }

    /// The same program, ended if it waits for something that never comes.
    pub(super) fn bounded(&self, command: Command) -> Command {
        let mut bounded = self.command("timeout");
        bounded.arg("120").arg(command.get_program()).args(command.get_args());
        bounded.env("CLAUDE_PROJECT_DIR", self.project());
        bounded
    }
}

fn listed(context: &TestContext) -> usize {
    checkpoints::list(&context.workspace()).unwrap().len()
}

#[test]
fn without_time_a_loss_is_asked_about_a_change_is_noted_and_no_decision_is_softened() {
    let context = TestContext::new();
    context.user_config(NO_TIME);
    context.write("draft.txt", "hours of work\n");
    let changed = context.before_bash("touch new.txt");
    assert_eq!(changed.decision(), None);
    assert!(changed.notice().contains("no checkpoint"), "{}", changed.json);
    context.wait_for_background();
    let again = context.before_bash("touch newer.txt");
    assert_eq!(again.decision(), None);
    let asked = context.before_bash("rm \"$FILE\"");
    assert_eq!(asked.decision(), Some("ask"), "{}", asked.json);
    assert!(asked.reason().contains("captured in the background"), "{}", asked.json);
    // A file that is named is copied, which takes no capture.
    let copied = context.before_bash("rm draft.txt");
    assert_eq!(copied.decision(), None, "{}", copied.json);
    let copies = checkpoints::copies(&context.workspace(), &[GitPath::new("draft.txt")]).unwrap();
    assert_eq!(copies.len(), 1);
    let denied = context.before_bash("rm -rf ~");
    assert_eq!(denied.decision(), Some("deny"), "{}", denied.json);
    context.wait_for_background();
}

#[test]
fn a_note_that_there_is_no_checkpoint_comes_once_per_prompt() {
    let context = TestContext::new();
    context.checkpoint();
    let held = context.capturing(json!({"version": 1, "time": 0, "files": 12, "of": 34}));
    let agent = Agent::new(&context);
    agent.asked_for("Tidy up");
    let first = agent.bash("touch new.txt", Ok(""));
    assert!(first.before.notice().contains("12 of 34 files"), "{}", first.before.json);
    assert!(agent.bash("touch newer.txt", Ok("")).before.is_silent());
    agent.asked_for("Go on");
    assert!(agent.bash("touch newest.txt", Ok("")).before.notice().contains("12 of 34 files"));
    // As soon as it is ready, the rest of the prompt has its checkpoint.
    let before = listed(&context);
    context.write("readme.md", "changed\n");
    drop(held);
    assert!(agent.bash("touch last.txt", Ok("")).before.is_silent());
    assert_eq!(listed(&context), before + 1);
}

#[test]
fn what_a_tool_writes_is_copied_while_the_capture_goes_on() {
    let context = TestContext::new();
    context.write(".gitignore", "dist/\n");
    context.write("dist/a.js", "by hand\n");
    let id = context.checkpoint();
    let _held = context.capturing(json!({"version": 1, "time": 0, "files": 1, "of": 2}));
    let path = context.path("dist/a.js");
    let answer = context.before("Write", json!({"file_path": path, "content": "by the agent\n"}));
    assert_eq!(answer.decision(), None, "{}", answer.json);
    context.write("dist/a.js", "by the agent\n");
    context.restore(&id, &["dist"], 0);
    assert_eq!(context.read("dist/a.js").as_deref(), Some("by hand\n"));
}

#[test]
fn a_project_with_too_many_files_says_so_before_a_loss() {
    let context = TestContext::new();
    context.checkpoint();
    context.write("draft.txt", "hours of work\n");
    let now = plimsoll::edge::clock::milliseconds();
    let why = "this project has more than 200000 files";
    drop(context.capturing(json!({"version": 1, "time": now, "files": 0, "of": 0, "refused": why})));
    let asked = context.before_bash("rm \"$FILE\"");
    assert_eq!(asked.decision(), Some("ask"), "{}", asked.json);
    assert!(asked.reason().contains(why), "{}", asked.json);
}

#[test]
fn somebody_else_who_holds_the_store_costs_a_hook_no_more_than_its_budget() {
    let context = TestContext::new();
    context.checkpoint();
    context.write("draft.txt", "hours of work\n");
    let _held = Lock::acquire(&context.beside_store().join("lock")).unwrap();
    let attempt = checkpoints::take_within(
        &context.workspace(),
        "s",
        CheckpointReason::FirstChange,
        Duration::from_millis(1),
    );
    assert!(matches!(attempt, Ok(Attempt::NotReady(_))), "{attempt:?}");
}

#[test]
fn a_capture_that_is_killed_goes_on_and_leaves_nothing_behind() {
    let context = TestContext::new();
    for number in 0..9_000 {
        let folder = context.path(&format!("dir{}", number % 30));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{number}.txt")), format!("{number}\n")).unwrap();
    }
    let workspace = context.workspace();
    let start = || {
        let mut command = context.command(binary("plimsoll"));
        command.arg("background").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let progress = |child: &mut std::process::Child| {
        let key = Checkpoints::key(&context.project());
        loop {
            let store = context.home().join(".local/share/plimsoll/checkpoints");
            let note =
                store.join(Checkpoints::key(&context.path(".git"))).join(format!("progress/{key}.json"));
            let note = fs::read(note).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
            let files = note.and_then(|note| note["files"].as_u64()).unwrap_or_default();
            if files > 0 || child.try_wait().unwrap().is_some() {
                return files;
            }
            std::thread::yield_now();
        }
    };
    let mut child = start();
    let safe = progress(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(safe >= 1_000, "{safe} files were safe when it was killed");
    // A killed git leaves such files; nobody else may be at work there now.
    let leaked = store_of(&context).join("objects/pack/tmp_pack_AbCdEf");
    fs::write(&leaked, vec![0; 100_000]).unwrap();
    assert!(start().wait().unwrap().success());
    assert!(!leaked.exists());
    let taken = checkpoints::take(&workspace, "", CheckpointReason::Person(None)).unwrap();
    let checkpoint = checkpoints::list(&workspace).unwrap().remove(0);
    assert_eq!((checkpoint.id, checkpoint.files), (taken.id.clone(), 9_001));
    fs::remove_dir_all(context.path("dir7")).unwrap();
    context.restore(&taken.id, &[], 0);
    assert_eq!(context.read("dir7/7.txt").as_deref(), Some("7\n"));
}

#[test]
fn a_session_begins_the_capture_and_does_not_pack_by_itself() {
    let context = TestContext::new();
    context.checkpoint();
    // Over its bound, so that it would be packed at once.
    let noise: Vec<u8> =
        (0..3_000_000_u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    context.write("noise.bin", noise);
    context.checkpoint();
    context.user_config("interventions: {checkpoint_rollback: {max_store_mb: 1, max_file_mb: 5}}\n");
    let log = context.beside("git.log");
    let real = String::from_utf8(context.bash("command -v git").stdout).unwrap();
    context.script("../wrapped/git", &format!("echo \"$*\" >> {log}\nexec {} \"$@\"", real.trim()));
    let path = format!("{}:{}", context.beside("wrapped"), std::env::var("PATH").unwrap());
    let start = |context: &TestContext| {
        let event = context.event("SessionStart", json!({"source": "startup"}));
        let mut command = context.hook_command("session-start");
        command.env("PATH", &path);
        context.feed(command, event.to_string().as_bytes());
    };
    // The background process finds another one at work, so that what is called is called by the hook.
    let held = context.background_lock(&context.beside_store());
    start(&context);
    let called = fs::read_to_string(&log).unwrap_or_default();
    assert!(!called.contains("repack") && !called.contains("fast-import"), "{called}");
    drop(held);
    start(&context);
    context.wait_for_background();
}

#[test]
fn a_session_that_wants_no_checkpoints_begins_no_capture() {
    let context = TestContext::new();
    context.user_config("interventions: {checkpoint_rollback: {before_changes: false}}\n");
    context.hook("session-start", "SessionStart", json!({"source": "startup"}));
    assert!(!context.home().join(".local/share/plimsoll/checkpoints").exists());
}

#[test]
fn a_pipe_in_place_of_an_ignore_file_makes_nobody_wait() {
    let context = TestContext::new();
    context.write("sub/a.txt", "a\n");
    context.write("sub/node_modules/made.js", "again\n");
    context.git(&["add", "sub/a.txt"]);
    for pipe in [".gitignore", "sub/.gitignore", ".git/info/exclude"] {
        let place = context.path(pipe);
        let _ = fs::remove_file(&place);
        assert!(context.bash(&format!("mkfifo {place}")).status.success());
        context.write("draft.txt", format!("before {pipe}\n"));
        let event = context.event(
            "PreToolUse",
            json!({"tool_name": "Bash", "tool_input": {"command": "rm draft.txt"}, "tool_use_id": "t"}),
        );
        let hook = context.bounded(context.hook_command("pre-tool-use"));
        let answer = context.feed(hook, event.to_string().as_bytes());
        assert_ne!(answer.decision(), Some("deny"), "{pipe}: {}", answer.json);
        let mut create = context.command(binary("plimsoll"));
        create.args(["checkpoint", "create", "-m", "x", "--json"]);
        let output = context.bounded(create).output().unwrap();
        assert!(output.status.success(), "{pipe}: {}", told(&output));
        let id = serde_json::from_slice::<Value>(&output.stdout).unwrap()["id"].as_str().unwrap().to_owned();
        fs::remove_file(context.path("draft.txt")).unwrap();
        let mut restore = context.command(binary("plimsoll"));
        restore.args(["checkpoint", "restore", &id, "--yes"]);
        let output = context.bounded(restore).output().unwrap();
        assert_eq!(context.read("draft.txt"), Some(format!("before {pipe}\n")), "{}", told(&output));
        fs::remove_file(&place).unwrap();
    }
    context.wait_for_background();
}

#[test]
fn a_pipe_in_place_of_what_is_read_makes_no_command_wait() {
    let context = TestContext::new();
    assert!(context.bash("mkfifo pipe").status.success());
    let mut scan = context.command(binary("plimsoll"));
    scan.args(["secrets", "scan", "pipe"]);
    let output = context.bounded(scan).output().unwrap();
    assert_ne!(output.status.code(), Some(124), "{}", told(&output));
    // The settings as they were compiled, and what the session remembers.
    context.before_bash("ls");
    let state = context.path(".git/plimsoll");
    let mut ours: Vec<Utf8PathBuf> = Vec::new();
    let mut folders = vec![state];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
            let list = if entry.file_type().unwrap().is_dir() { &mut folders } else { &mut ours };
            list.push(entry.into_path());
        }
    }
    assert!(!ours.is_empty());
    for file in ours {
        let kept = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        assert!(context.bash(&format!("mkfifo {file}")).status.success());
        for (hook, event, fields) in [
            ("session-start", "SessionStart", json!({"source": "startup"})),
            ("user-prompt-start", "UserPromptSubmit", json!({"prompt": "go on"})),
            (
                "pre-tool-use",
                "PreToolUse",
                json!({"tool_name": "Bash", "tool_input": {"command": "touch a"}, "tool_use_id": "t"}),
            ),
            (
                "post-tool-use",
                "PostToolUse",
                json!({"tool_name": "Bash", "tool_input": {"command": "touch a"}, "tool_use_id": "t", "tool_response": {}}),
            ),
            ("stop", "Stop", json!({"stop_hook_active": false})),
        ] {
            let command = context.bounded(context.hook_command(hook));
            context.feed(command, context.event(event, fields).to_string().as_bytes());
        }
        context.wait_for_background();
        let _ = fs::remove_file(&file);
        fs::write(&file, kept).unwrap();
    }
}
