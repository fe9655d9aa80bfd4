//! Where things are on this machine, and what its programs answer. The doctor's only door to both.

use crate::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use std::{
    env,
    io::Read,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const PATIENCE: Duration = Duration::from_secs(10);
const ANSWER_LIMIT: u64 = 64 * 1024;

pub(crate) struct Machine {
    pub(crate) project: Utf8PathBuf,
    /// Where Claude Code keeps the user's settings.
    pub(crate) claude_home: Utf8PathBuf,
    pub(crate) config_home: Utf8PathBuf,
    pub(crate) data_home: Utf8PathBuf,
}

impl Machine {
    pub(crate) fn look(directory: Option<Utf8PathBuf>) -> Result<Self, Failure> {
        let start = match directory {
            Some(directory) => {
                directory.canonicalize_utf8().map_err(|error| format!("{directory}: {error}"))?
            }
            None => Utf8PathBuf::try_from(env::current_dir()?)?,
        };
        let project =
            start.ancestors().find(|parent| parent.join(".git").exists()).unwrap_or(&start).to_owned();
        let home = Utf8PathBuf::from(
            env::var("HOME").map_err(|_| "HOME is not set: set it to your home directory")?,
        );
        let under =
            |variable: &str, fallback: &str| absolute(variable).unwrap_or_else(|| home.join(fallback));
        Ok(Self {
            project,
            claude_home: under("CLAUDE_CONFIG_DIR", ".claude"),
            config_home: under("XDG_CONFIG_HOME", ".config").join("plimsoll"),
            data_home: under("XDG_DATA_HOME", ".local/share").join("plimsoll"),
        })
    }

    /// What a program prints, if it ends well and soon.
    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(&self.project)
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let output = child.stdout.take()?;
        let reader = thread::spawn(move || {
            let mut text = String::new();
            output.take(ANSWER_LIMIT).read_to_string(&mut text).map(|_| text).ok()
        });
        let deadline = Instant::now() + PATIENCE;
        while child.try_wait().ok()?.is_none() {
            if Instant::now() > deadline {
                child.kill().ok()?;
                child.wait().ok()?;
                return None;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let text = reader.join().ok()??;
        child.wait().ok()?.success().then_some(text)
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> Option<String> {
        self.ask("git", arguments).map(|text| text.trim().to_owned())
    }

    /// A path that git printed, which may be relative to the project.
    pub(crate) fn git_path(&self, arguments: &[&str]) -> Option<Utf8PathBuf> {
        self.git(arguments).map(|path| self.project.join(path))
    }
}

fn absolute(variable: &str) -> Option<Utf8PathBuf> {
    env::var(variable).ok().map(Utf8PathBuf::from).filter(|path| path.is_absolute())
}

pub(crate) fn is_executable(path: &Utf8Path) -> bool {
    path.is_file() && rustix::fs::access(path.as_std_path(), rustix::fs::Access::EXEC_OK).is_ok()
}

pub(crate) fn is_writable(path: &Utf8Path) -> bool {
    rustix::fs::access(path.as_std_path(), rustix::fs::Access::WRITE_OK).is_ok()
}
