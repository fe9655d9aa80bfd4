//! Where the story is played: a temporary home, project and remote, and the programs that act in them.
//!
//! The children see nothing of the caller's environment but PATH and the place for temporary files.

use crate::Failure;
use camino::{Utf8Path, Utf8PathBuf};
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

pub(super) struct Stage {
    directory: tempfile::TempDir,
    root: Utf8PathBuf,
    own: Utf8PathBuf,
    hooks: Utf8PathBuf,
}

/// What a program printed, and whether it ended well.
pub(super) struct Answer {
    pub(super) success: bool,
    pub(super) text: String,
}

impl Stage {
    pub(super) fn set() -> Result<Self, Failure> {
        let own = Utf8PathBuf::try_from(env::current_exe()?)?;
        let hooks = hooks_of(&own)?;
        let directory = tempfile::Builder::new().prefix("plimsoll-demo-").tempdir()?;
        // Links are resolved so that git and the hooks call everything by the same name.
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

    /// Leaves everything where it is, and says where.
    pub(super) fn keep(self) -> String {
        self.directory.keep().display().to_string()
    }

    pub(super) fn plimsoll(&self, arguments: &[&str]) -> Result<Answer, Failure> {
        self.answer(self.command(&self.own).args(arguments).stdin(Stdio::null()).output()?)
    }

    pub(super) fn git(&self, arguments: &[&str]) -> Result<Answer, Failure> {
        let output = self.command("git").args(arguments).stdin(Stdio::null()).output();
        self.answer(output.map_err(|error| format!("git cannot be started: {error}"))?)
    }

    /// Feeds an event to a hook, as the client does.
    pub(super) fn hook(&self, name: &str, event: &str) -> Result<Answer, Failure> {
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

    pub(super) fn write(&self, text: &str) -> Result<Answer, Failure> {
        fs::write(self.project().join(FILE), text)?;
        Ok(Answer { success: true, text: String::new() })
    }

    /// Well if the remote's branch is at the project's last commit.
    pub(super) fn arrival(&self) -> Result<Answer, Failure> {
        let here = self.git(&["rev-parse", "HEAD"])?;
        let there = self.git(&["--git-dir=../../remote.git", "rev-parse", "main"])?;
        let success = here.success && here.text == there.text;
        let text = format!("{}, HEAD is {}", if success { "yes" } else { "no" }, here.text.trim_end());
        Ok(Answer { success, text })
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

    /// What it said, with the temporary home written as `~`; what it muttered while it went well is left out.
    fn answer(&self, output: Output) -> Result<Answer, Failure> {
        let success = output.status.success();
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !success {
            text.push_str(&String::from_utf8_lossy(&output.stderr));
        }
        Ok(Answer { success, text: text.replace(self.home().as_str(), "~") })
    }
}

/// The hooks lie beside this program, or in `hooks` beside its folder.
fn hooks_of(own: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    const PLAYED: [&str; 4] = ["user-prompt-review", "user-prompt-ship", "pre-tool-use", "git-pre-push"];
    let folder = own.parent().unwrap_or(own);
    let places = [folder.to_owned(), folder.with_file_name("hooks")];
    let complete = |place: &&Utf8PathBuf| PLAYED.iter().all(|hook| place.join(hook).is_file());
    let found = places.iter().find(complete).cloned();
    found.ok_or_else(|| {
        let [beside, hooks] = &places;
        format!("the hooks are neither in {beside} nor in {hooks}; run install.sh, or cargo build").into()
    })
}
