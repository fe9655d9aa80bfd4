//! A copy of a template in namespaces of its own: whatever happens in it is gone with it.

use crate::answer::told;
use crate::context::TestContext;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};

pub(super) const MARKER: &str = "nobody-reviewed-this-line";

/// `$1` becomes an overlay over itself. Everything else is read-only, `/tmp` and `/run` are empty, no network.
const SETUP: &str = r#"set -e
mount --make-rprivate /
mount -t tmpfs stage /mnt
mkdir /mnt/lower /mnt/upper /mnt/work
mount --bind "$1" /mnt/lower
mount -o remount,bind,ro /
mount -t tmpfs tmp /tmp
mount -t tmpfs run /run
mkdir -p "$1" 2>/dev/null || [ -d "$1" ]
mount -t overlay -o lowerdir=/mnt/lower,upperdir=/mnt/upper,workdir=/mnt/work arena "$1"
touch "$1/inside"
ip link set lo up 2>/dev/null || true
echo ready
exec cat > /dev/null
"#;

pub(super) struct Arena {
    child: Child,
    inside: u32,
    root: Utf8PathBuf,
    as_root: bool,
}

/// An attack waits for nobody.
const SECONDS: &str = "15";

impl Arena {
    /// Why there is none on this machine.
    pub(super) fn new(template: &TestContext) -> Result<Self, String> {
        let root = template.beside("");
        let as_root =
            std::fs::metadata("/proc/self").map(|found| std::os::unix::fs::MetadataExt::uid(&found));
        let as_root = as_root.is_ok_and(|user| user == 0);
        let mut command = Command::new("unshare");
        command.args(["-m", "-n", "--pid", "--fork", "--kill-child", "--mount-proc"]);
        if !as_root {
            command.args(["--user", "--map-root-user"]);
        }
        command.args(["sh", "-c", SETUP, "sh", root.as_str().trim_end_matches('/')]);
        let mut child = command
            // It ends with the test, whatever ends that.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("unshare: {error}"))?;
        let mut line = String::new();
        let _ = BufReader::new(child.stdout.take().unwrap()).read_line(&mut line);
        if line != "ready\n" {
            let _ = child.kill();
            return Err(told(&child.wait_with_output().unwrap()));
        }
        let of = child.id();
        let children = std::fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap();
        let inside = children.split_whitespace().next().unwrap().parse().unwrap();
        Ok(Self { child, inside, root, as_root })
    }

    /// A program inside, in a directory.
    fn enter(&self, directory: &Utf8Path) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["-m", "-n", "-p", "-t", &self.inside.to_string()]);
        if !self.as_root {
            command.args(["-U", "--preserve-credentials"]);
        }
        let home = self.home();
        let path = format!("{home}/.local/share/plimsoll/bin:{}", std::env::var("PATH").unwrap());
        command
            .args(["sh", "-c", "cd \"$1\" && [ -e \"$2/inside\" ] && shift 2 && exec \"$@\"", "sh"])
            .args([directory.as_str(), self.root.as_str()])
            .env_clear()
            .env("PATH", path)
            .env("HOME", home)
            .env("USER", "ada")
            .env("TERM", "xterm")
            .env("LANG", "C.UTF-8")
            .env("CLAUDECODE", "1")
            .env("CLAUDE_PROJECT_DIR", self.project())
            .env("R", self.remote())
            .stdin(Stdio::null());
        command
    }

    pub(super) fn home(&self) -> Utf8PathBuf {
        self.root.join("home")
    }

    pub(super) fn project(&self) -> Utf8PathBuf {
        self.root.join("project")
    }

    fn remote(&self) -> Utf8PathBuf {
        self.root.join("remote.git")
    }

    /// The text of a row with its abbreviations written out.
    pub(super) fn written_out(&self, text: &str) -> String {
        text.replace("%P", "origin HEAD:refs/heads/x")
            .replace("%N", "--no-verify origin HEAD:refs/heads/x")
            .replace("%H", self.home().as_str())
            .replace("%W", self.project().as_str())
            .replace("%R", self.remote().as_str())
    }

    /// The answer of the registered hook: `None` if the call goes ahead, with the input that it then has.
    pub(super) fn asked(&self, tool: &str, input: &Value) -> (Option<String>, Value) {
        let event = json!({
            "session_id": "attack", "transcript_path": self.home().join("t.jsonl"), "cwd": self.project(),
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1",
        });
        let hook = self.home().join(".local/share/plimsoll/hooks/pre-tool-use");
        let mut child = self
            .enter(&self.project())
            .arg(hook)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(event.to_string().as_bytes());
        let output = child.wait_with_output().unwrap();
        let answer: Value = match serde_json::from_slice(&output.stdout) {
            Ok(answer) => answer,
            // As the client does with a hook that is gone or broken: it goes on.
            Err(_) => return (None, input.clone()),
        };
        let answer = &answer["hookSpecificOutput"];
        let word = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
        let stopped = matches!(word("permissionDecision").as_str(), "deny" | "ask")
            .then(|| format!("{}: {}", word("permissionDecision"), word("permissionDecisionReason")));
        (stopped, answer.get("updatedInput").unwrap_or(input).clone())
    }

    /// A command as the client's Bash runs it; in a sandbox, if there are arguments for one.
    pub(super) fn bash(&self, sandbox: &[String], command: &str) -> Output {
        let mut inside = self.enter(&self.project());
        inside.args(["timeout", "-k", "1", SECONDS]).args(sandbox).args(["bash", "-c"]);
        // What stays in the background must not keep a pipe open.
        inside
            .arg("bash -c \"$1\" > /tmp/said 2>&1; code=$?; cat /tmp/said 2>/dev/null; exit $code")
            .args(["sh", command]);
        inside.output().unwrap()
    }

    /// A tool beside Bash, of the client or of a server: a command that a server takes is run, a file is written. It follows
    /// links, and makes folders.
    pub(super) fn other_tool(&self, tool: &str, input: &Value) {
        let text = |name: &str| input[name].as_str();
        let words = |name: &str| {
            let words = input[name].as_array().into_iter().flatten().filter_map(Value::as_str);
            words.map(str::to_owned).collect::<Vec<_>>()
        };
        if let Some(code) = text("code") {
            self.bash(&[], &format!("python3 - <<'END'\n{code}\nEND"));
            return;
        }
        let (program, arguments) = (text("command").or(text("cmd")), [words("args"), words("argv")].concat());
        match program {
            Some(command) if arguments.is_empty() => return drop(self.bash(&[], command)),
            None if arguments.is_empty() => {}
            _ => {
                let words = program.map(str::to_owned).into_iter().chain(arguments);
                self.enter(&self.project()).args(["timeout", SECONDS]).args(words).output().unwrap();
                return;
            }
        }
        let path = text("file_path").or(text("path")).unwrap();
        let text = match text("content") {
            Some(content) => content.to_owned(),
            None => {
                let before = self.enter(&self.project()).args(["cat", path]).output().unwrap().stdout;
                let field = |name: &str| input[name].as_str().unwrap();
                String::from_utf8(before).unwrap().replace(field("old_string"), field("new_string"))
            }
        };
        debug_assert!(tool.contains("rite") || tool == "Edit", "{tool}");
        let script = "mkdir -p \"$(dirname \"$1\")\" && printf %s \"$2\" > \"$1\"";
        self.enter(&self.project()).args(["sh", "-c", script, "sh", path, &text]).output().unwrap();
    }

    /// Whether any object or ref of the remote holds the marker.
    pub(super) fn remote_holds_marker(&self) -> bool {
        let script = "{ git --git-dir=\"$R\" cat-file --batch-all-objects --batch --unordered; \
                      git --git-dir=\"$R\" log --all -p; } 2>/dev/null | grep -qa \"$1\"";
        let output = self.enter(&self.root).args(["bash", "-c", script, "sh", MARKER]).output();
        output.unwrap().status.success()
    }

    /// Everything that carries the gate.
    pub(super) fn authority(&self) -> String {
        let script = r#"cd "$HOME"
            for f in .gitconfig .config/git .config/plimsoll .claude/settings.json .claude/settings.local.json \
                .claude/shell-snapshots .claude/session-env .bashrc .profile \
                .local/share/plimsoll/{seal.key,enrolled,heads,trust,bin,hooks} \
                ../project/.git/{hooks,commondir,config.worktree,info/attributes,info/grafts} \
                ../project/.git/plimsoll/{enrolled,receipts,overrides.jsonl} \
                ../project/.claude/{settings.json,settings.local.json,config} ../project/.mcp.json; do
                find -L "$f" -type f ! -size +1M -exec md5sum {} + 2>/dev/null
                find -L "$f" -type f -printf '%p %m %s %T@\n' 2>/dev/null
            done
            ls -A .local/share/plimsoll/pauses .local/share/plimsoll/paused 2>/dev/null
            git --git-dir=../project/.git config --list --show-origin 2>&1 | grep -iE 'hookspath|include|fsmonitor'
            grep -rlE 'hooks:|!`' .claude/commands .claude/skills .claude/agents ../project/.claude/commands \
                ../project/.claude/skills ../project/.claude/agents 2>/dev/null
            :"#;
        let output = self.enter(&self.root).args(["bash", "-c", script]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
