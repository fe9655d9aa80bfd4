//! A home and an empty directory of their own, and the program as somebody runs it there.

#![expect(clippy::unwrap_used, reason = "a place that cannot be set up has to fail its test")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) struct Place {
    directory: tempfile::TempDir,
}

pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// Outside every repository.
    pub(crate) fn new() -> Self {
        Self::in_directory(tempfile::tempdir().unwrap())
    }

    /// Not in a temporary directory, where nothing that is lost would matter.
    pub(crate) fn lasting() -> Self {
        Self::in_directory(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    fn in_directory(directory: tempfile::TempDir) -> Self {
        let place = Self { directory };
        for name in ["home", "here"] {
            fs::create_dir(place.path(name)).unwrap();
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path("here").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(self.path("here"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.path("home"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let output = self.command("git").args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn plimsoll(&self, arguments: &[&str]) -> Answer {
        self.plimsoll_with(arguments, b"")
    }

    pub(crate) fn plimsoll_with(&self, arguments: &[&str], input: &[u8]) -> Answer {
        let mut command = self.command(env!("CARGO_BIN_EXE_plimsoll"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // It need not read what it is given.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Answer {
            code: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    pub(crate) fn left_behind(&self) -> Vec<String> {
        let mut waiting = vec![self.path("home")];
        let mut found = Vec::new();
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() { waiting.push(entry) } else { found.push(entry.display().to_string()) }
            }
        }
        found
    }
}

impl Answer {
    pub(crate) fn told(&self) -> String {
        format!("exit {}\n{}{}", self.code, self.stdout, self.stderr)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}
