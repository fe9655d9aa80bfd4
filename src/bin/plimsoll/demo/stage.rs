//! The temporary home, project and remote of the demo, and the programs that run in them.
//!
//! Of the caller's environment, the programs see only PATH and TMPDIR.

use crate::CommandError;
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::edge::git;
use std::env;
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

pub(super) const FILE: &str = "greeting.txt";
/// Checks that need nothing installed but git and grep.
const CONFIGURATION: &str = "\
blocking:
  required_loops: [1]
loop1:
  checks:
    lint: [git, diff, --check]
    test: [grep, -q, Hello, greeting.txt]
";

pub(super) struct DemoStage {
    directory: tempfile::TempDir,
    root: Utf8PathBuf,
    own: Utf8PathBuf,
    hooks: Utf8PathBuf,
}

/// The output of a program, and whether it succeeded.
pub(super) struct DemoOutput {
    pub(super) success: bool,
    pub(super) text: String,
}

impl DemoStage {
    pub(super) fn set() -> Result<Self, CommandError> {
        let own = Utf8PathBuf::try_from(env::current_exe()?)?;
        let hooks = hooks_of(&own)?;
        let directory = tempfile::Builder::new().prefix("plimsoll-demo-").tempdir()?;
        // Links are resolved, so that git and the hooks use the same paths.
        let root = Utf8PathBuf::try_from(directory.path().canonicalize()?)?;
        let stage = Self { directory, root, own, hooks };
        let configuration = stage.home().join(".config/plimsoll");
        fs::create_dir_all(&configuration)?;
        fs::write(configuration.join("review-config.yaml"), CONFIGURATION)?;
        fs::create_dir(stage.project())?;
        stage.write("Hello\n")?;
        for arguments in [
            &["init", "--quiet", "--bare", "../../remote.git"][..],
            &["init", "--quiet", "--initial-branch=main"],
            &["config", "user.name", "Demo"],
            &["config", "user.email", "demo@example.invalid"],
            &["remote", "add", "origin", "../../remote.git"],
            &["add", FILE],
            &["commit", "--quiet", "--message=Start"],
            &["push", "--quiet", "--set-upstream", "origin", "main"],
        ] {
            let answer = stage.git(arguments)?;
            if !answer.success {
                return Err(format!("git {} failed: {}", arguments.join(" "), answer.text).into());
            }
        }
        Ok(stage)
    }

    fn home(&self) -> Utf8PathBuf {
        self.root.join("home")
    }

    pub(super) fn project(&self) -> Utf8PathBuf {
        self.home().join("project")
    }

    /// Keeps the temporary directory, and returns its path.
    pub(super) fn keep(self) -> String {
        self.directory.keep().display().to_string()
    }

    pub(super) fn plimsoll(&self, arguments: &[&str]) -> Result<DemoOutput, CommandError> {
        self.answer(self.command(&self.own).args(arguments).stdin(Stdio::null()).output()?)
    }

    pub(super) fn git(&self, arguments: &[&str]) -> Result<DemoOutput, CommandError> {
        let program = git::program(&self.project());
        let output = program.and_then(|git| self.command(git).args(arguments).stdin(Stdio::null()).output());
        self.answer(output.map_err(|error| format!("git cannot be started: {error}"))?)
    }

    /// Sends an event to a hook, like the client.
    pub(super) fn hook(&self, name: &str, event: &str) -> Result<DemoOutput, CommandError> {
        let mut child = self
            .command(self.hooks.join(name))
            .env("CLAUDE_PROJECT_DIR", self.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} cannot be started: {error}", self.hooks.join(name)))?;
        // An event fits into a pipe's buffer, and a hook that does not read it is judged by its answer.
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(event.as_bytes());
        }
        self.answer(child.wait_with_output()?)
    }

    pub(super) fn write(&self, text: &str) -> Result<DemoOutput, CommandError> {
        fs::write(self.project().join(FILE), text)?;
        Ok(DemoOutput { success: true, text: String::new() })
    }

    /// Succeeds if the remote's branch is at the project's last commit.
    pub(super) fn arrival(&self) -> Result<DemoOutput, CommandError> {
        let here = self.git(&["rev-parse", "HEAD"])?;
        let there = self.git(&["--git-dir=../../remote.git", "rev-parse", "main"])?;
        let success = here.success && here.text == there.text;
        let text = format!("{}, HEAD is {}", if success { "yes" } else { "no" }, here.text.trim_end());
        Ok(DemoOutput { success, text })
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let kept = ["PATH", "TMPDIR"].into_iter().filter_map(|name| Some((name, env::var_os(name)?)));
        command
            .env_clear()
            .envs(kept)
            .env("HOME", self.home())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(self.project());
        command
    }

    /// The output with the temporary home written as `~`; stderr only after a failure.
    fn answer(&self, output: Output) -> Result<DemoOutput, CommandError> {
        let success = output.status.success();
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !success {
            text.push_str(&String::from_utf8_lossy(&output.stderr));
        }
        Ok(DemoOutput { success, text: text.replace(self.home().as_str(), "~") })
    }
}

/// The hooks are beside this program, or in `hooks` beside its folder.
fn hooks_of(own: &Utf8Path) -> Result<Utf8PathBuf, CommandError> {
    const HOOKS: [&str; 4] = ["user-prompt-review", "user-prompt-ship", "pre-tool-use", "git-pre-push"];
    let folder = own.parent().unwrap_or(own);
    let places = [folder.to_owned(), folder.with_file_name("hooks")];
    let complete = |place: &&Utf8PathBuf| HOOKS.iter().all(|hook| place.join(hook).is_file());
    let found = places.iter().find(complete).cloned();
    found.ok_or_else(|| {
        let [beside, hooks] = &places;
        format!("the hooks are neither in {beside} nor in {hooks}; run install.sh").into()
    })
}
