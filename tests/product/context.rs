//! A home, a project with a bare remote, and the product's binaries; nothing of the developer's own is seen.

use crate::answer::{Answer, Gate, Push, told};
use crate::template;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::edge::state::{Homes, Pending, RepositoryIdentity, StateLayout};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

pub(crate) const SESSION: &str = "session-1";

/// One requirement fewer: reviewers are not what most tests are about.
pub(crate) const LOOP_1_SUFFICES: &str = "blocking: {required_loops: [1]}\n";

pub(crate) struct TestContext {
    root: Utf8PathBuf,
    _directory: tempfile::TempDir,
    variables: Vec<(String, String)>,
}

impl TestContext {
    /// A project on `main` whose first commit is on its remote; not enrolled.
    pub(crate) fn new() -> Self {
        let context = Self::empty();
        template::lay_down(&context.root);
        context.git(&["update-index", "-q", "--refresh"]);
        context
    }

    /// The same, by a dozen calls of git.
    pub(crate) fn made_by_git() -> Self {
        let context = Self::with_empty_remote();
        context.git(&["push", "-q", "-u", "origin", "main"]);
        context
    }

    pub(crate) fn with_empty_remote() -> Self {
        let context = Self::empty();
        for name in ["home", "project"] {
            fs::create_dir(context.root.join(name)).unwrap();
        }
        context.git(&["init", "-q", "--bare", "-b", "main", "../remote.git"]);
        context.new_repository("project");
        context.write("readme.md", "A project.\n");
        context.commit("first");
        context
    }

    fn empty() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(directory.path()).unwrap().canonicalize_utf8().unwrap();
        Self { root, _directory: directory, variables: Vec::new() }
    }

    /// Enrolled, under settings for which loop 1 suffices.
    pub(crate) fn enrolled() -> Self {
        Self::new().enrolled_for_loop_1()
    }

    pub(crate) fn enrolled_for_loop_1(self) -> Self {
        self.user_config(LOOP_1_SUFFICES);
        self.enrol();
        self
    }

    /// Enrolled, with changes in two files that loop 1 has passed; nothing committed.
    pub(crate) fn reviewed() -> Self {
        let context = Self::enrolled();
        context.change();
        context.review();
        context
    }

    pub(crate) fn change(&self) {
        self.write("one.md", "one\n");
        self.write("two.md", "two\n");
    }

    pub(crate) fn with_variable(mut self, name: &str, value: impl Into<String>) -> Self {
        self.set_variable(name, value);
        self
    }

    pub(crate) fn set_variable(&mut self, name: &str, value: impl Into<String>) {
        self.variables.push((name.into(), value.into()));
    }

    /// A repository of its own beside the project, with the same remote.
    pub(crate) fn new_repository(&self, name: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(&path).unwrap();
        self.git_in(&path, &["init", "-q", "-b", "main"]);
        for (key, value) in [("user.name", "Ada"), ("user.email", "ada@example.invalid")] {
            self.git_in(&path, &["config", key, value]);
        }
        self.git_in(&path, &["remote", "add", "origin", self.root.join("remote.git").as_str()]);
    }

    /// Somebody else pushes to the remote's `main`.
    pub(crate) fn colleague_pushes(&self, file: &str, text: &str) {
        let place = self.beside("colleague");
        if !place.exists() {
            self.new_repository("colleague");
        }
        self.git_in(&place, &["pull", "-q", "origin", "main"]);
        fs::write(place.join(file), text).unwrap();
        self.git_in(&place, &["add", "-A"]);
        self.git_in(&place, &["commit", "-q", "-m", "by a colleague"]);
        self.git_in(&place, &["push", "-q", "origin", "HEAD:main"]);
    }

    pub(crate) fn beside(&self, name: &str) -> Utf8PathBuf {
        self.root.join(name)
    }

    pub(crate) fn home(&self) -> Utf8PathBuf {
        self.root.join("home")
    }

    pub(crate) fn project(&self) -> Utf8PathBuf {
        self.root.join("project")
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        self.project().join(relative)
    }

    pub(crate) fn layout(&self) -> StateLayout {
        StateLayout::in_repository(&self.path(".git"))
    }

    pub(crate) fn homes(&self) -> Homes {
        Homes::new(&self.home().join(".local/share/plimsoll"))
    }

    /// Whose receipts count in the project, which is enrolled.
    pub(crate) fn identity(&self) -> RepositoryIdentity {
        RepositoryIdentity { id: self.layout().repository_id(), enrolled: true }
    }

    pub(crate) fn write(&self, relative: &str, text: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn user_config(&self, text: &str) {
        let folder = self.home().join(".config/plimsoll");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("review-config.yaml"), text).unwrap();
    }

    /// Written by a child: a descriptor that another test's fork inherits from us would make the script "busy".
    pub(crate) fn script(&self, relative: &str, body: &str) {
        let write =
            "mkdir -p \"$(dirname \"$0\")\" && printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod +x \"$0\"";
        let output = self.command("/bin/sh").args(["-c", write, self.path(relative).as_str(), body]).output();
        assert!(output.unwrap().status.success());
    }

    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let home = self.home();
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join(".local/share"))
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("XDG_STATE_HOME", home.join(".local/state"))
            .env("XDG_CACHE_HOME", home.join(".cache"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.project())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn git_in(&self, directory: &Utf8Path, arguments: &[&str]) -> String {
        let output = self.command("git").current_dir(directory).args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", told(&output));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.project(), arguments)
    }

    /// Everything in the worktree becomes a commit, whose id is returned.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
        self.head()
    }

    pub(crate) fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    pub(crate) fn bash(&self, command: &str) -> Output {
        self.command("bash").args(["-c", command]).output().unwrap()
    }

    pub(crate) fn push(&self, arguments: &[&str]) -> Push {
        let output = self.command("git").arg("push").args(arguments).output().unwrap();
        Push { accepted: output.status.success(), said: told(&output) }
    }

    /// Whether any ref of the remote leads to the commit.
    pub(crate) fn remote_has(&self, commit: &str) -> bool {
        let arguments = ["for-each-ref", "--contains", commit];
        let output = self.command("git").current_dir(self.beside("remote.git")).args(arguments).output();
        let output = output.unwrap();
        output.status.success() && !output.stdout.is_empty()
    }

    pub(crate) fn plimsoll(&self, arguments: &[&str]) -> Output {
        self.plimsoll_in(&self.project(), arguments)
    }

    pub(crate) fn plimsoll_in(&self, directory: &Utf8Path, arguments: &[&str]) -> Output {
        self.command(binary("plimsoll")).current_dir(directory).args(arguments).output().unwrap()
    }

    pub(crate) fn enrol(&self) {
        let output = self.plimsoll(&["enrol", "--yes"]);
        assert!(output.status.success(), "{}", told(&output));
    }

    /// Loop 1 passes on the content as it is.
    pub(crate) fn review(&self) {
        let output = self.plimsoll(&["review", "run", "--loop", "1"]);
        assert!(output.status.success(), "{}", told(&output));
    }

    /// `gate check` for the content as it is.
    pub(crate) fn gate(&self, options: &[&str]) -> Gate {
        let output = self.plimsoll(&[&["gate", "check", "--worktree"], options].concat());
        let said = told(&output);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
        Gate { open: output.status.success(), said }
    }

    /// A hook as the client starts it.
    pub(crate) fn hook_command(&self, name: &str) -> Command {
        let mut command = self.command(binary(name));
        command.env("CLAUDE_PROJECT_DIR", self.project());
        command
    }

    pub(crate) fn hook_with(&self, name: &str, input: &[u8]) -> Answer {
        self.feed(self.hook_command(name), input)
    }

    /// Feeds raw bytes to a hook. Whatever they are, the answer is one JSON object on one line and never an approval.
    pub(crate) fn feed(&self, mut command: Command, input: &[u8]) -> Answer {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A hook may have read enough before we have written everything.
        let _ = stdin.write_all(input);
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let stdout = String::from_utf8(output.stdout.clone()).unwrap();
        let told = || format!("{name}: {}", told(&output));
        assert_eq!(output.status.code(), Some(0), "{}", told());
        assert!(stdout.ends_with('\n') && stdout.lines().count() == 1, "{}", told());
        let json: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {}", told()));
        assert!(json.is_object(), "{}", told());
        let answer = Answer { json };
        assert_ne!(answer.decision(), Some("allow"), "{}", told());
        answer
    }

    /// An event of this session.
    pub(crate) fn event(&self, event: &str, fields: Value) -> Value {
        let mut input = json!({
            "session_id": SESSION,
            "transcript_path": self.home().join("transcript.jsonl"),
            "cwd": self.project(),
            "hook_event_name": event,
        });
        for (key, value) in fields.as_object().unwrap() {
            input[key] = value.clone();
        }
        input
    }

    pub(crate) fn hook(&self, name: &str, event: &str, fields: Value) -> Answer {
        let input = self.event(event, fields);
        let answer = self.hook_with(name, input.to_string().as_bytes());
        if let Some(specific) = answer.json.get("hookSpecificOutput") {
            assert_eq!(specific["hookEventName"], event, "{}", answer.json);
        }
        answer
    }

    pub(crate) fn before(&self, tool: &str, input: Value) -> Answer {
        let fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"});
        self.hook("pre-tool-use", "PreToolUse", fields)
    }

    pub(crate) fn before_bash(&self, command: &str) -> Answer {
        self.before("Bash", json!({"command": command}))
    }

    /// As if the reviewer had been seen to read every file whose mark is in its answer.
    pub(crate) fn reads(&self, session: &str, agent: &str, message: &str) {
        let (layout, homes) = (self.layout(), self.homes());
        let waiting = Pending::of_session(&layout, &homes, session, 0).unwrap_or_default();
        let bound = waiting.iter().any(|pending| pending.agent.as_deref() == Some(agent));
        for mut pending in waiting {
            let read = pending.marks.iter().filter(|(_, mark)| message.contains(mark.as_str()));
            let seen: Vec<String> = read.map(|(name, _)| name.clone()).collect();
            let own = pending.agent.as_deref() == Some(agent)
                || (pending.agent.is_none() && !bound && message.contains(&pending.nonce));
            if own && !seen.is_empty() {
                pending.agent = Some(agent.to_owned());
                pending.seen.extend(seen);
                pending.write(&layout, &homes).unwrap();
            }
        }
    }

    /// A prompt that somebody typed.
    pub(crate) fn prompt(&self, hook: &str, text: &str, id: &str) -> Answer {
        self.hook(hook, "UserPromptSubmit", json!({"prompt": text, "prompt_id": id}))
    }
}

pub(crate) use crate::programs::program as binary;
