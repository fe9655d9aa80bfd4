//! `plimsoll demo`, run as somebody would run it who wants to see what this is.

#![expect(clippy::unwrap_used, reason = "a place that cannot be set up has to fail its test")]

use crate::programs::{HOOKS, program};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A home, a working directory and a place for temporary files, all empty.
struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        // On the same file system as the binaries, so that they can be linked.
        let place = Self { directory: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap() };
        for name in ["home", "here", "temporary"] {
            fs::create_dir(place.path(name)).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn demo(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Output {
        Command::new(program.as_ref())
            .arg("demo")
            .args(arguments)
            .current_dir(self.path("here"))
            .env("HOME", self.path("home"))
            .env("TMPDIR", self.path("temporary"))
            .env("CLAUDECODE", "1")
            .env("CLAUDE_CODE_SESSION_ID", "somebody-else")
            .env("CLAUDE_PROJECT_DIR", self.path("here"))
            .env("GIT_DIR", self.path("here"))
            .env("XDG_DATA_HOME", self.path("home"))
            .output()
            .unwrap()
    }

    fn is_empty(&self, name: &str) -> bool {
        fs::read_dir(self.path(name)).unwrap().next().is_none()
    }

    /// The program and its hooks under `bin` and `hooks`, as they are installed.
    fn installation(&self) -> PathBuf {
        for folder in ["bin", "hooks"] {
            fs::create_dir(self.path(folder)).unwrap();
        }
        fs::hard_link(env!("CARGO_BIN_EXE_plimsoll"), self.path("bin/plimsoll")).unwrap();
        for hook in HOOKS {
            fs::hard_link(env!("CARGO_BIN_EXE_plimsoll-hook"), self.path("hooks").join(hook)).unwrap();
        }
        self.path("bin/plimsoll")
    }

    /// Puts a script in the place of a hook.
    fn replace(&self, hook: &str, body: &str) {
        let path = self.path("hooks").join(hook);
        fs::remove_file(&path).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_demo_comes_out_as_told_under_an_agent_and_leaves_nothing_behind() {
    let place = Place::new();
    let output = place.demo(program("plimsoll"), &[]);
    let told = told(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    for words in
        ["Ship gate: APPROVED", "Stale review", "[ship_gate]", "Nothing was pushed", "[system_or_home]"]
    {
        assert!(told.contains(words), "{words} is missing in\n{told}");
    }
    for name in ["home", "here", "temporary"] {
        assert!(place.is_empty(name), "{name}");
    }
}

#[test]
fn a_kept_demo_says_where_it_is() {
    let place = Place::new();
    let output = place.demo(place.installation(), &["--keep"]);
    let told = told(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let kept = told.lines().find_map(|line| line.strip_prefix("Kept: ")).unwrap();
    assert!(Path::new(kept).join("home/project/greeting.txt").is_file(), "{kept}");
    assert!(Path::new(kept).starts_with(place.path("temporary")), "{kept}");
}

#[test]
fn a_hook_that_lets_everything_pass_fails_the_demo_at_the_step_that_it_spoils() {
    let place = Place::new();
    let program = place.installation();
    place.replace("pre-tool-use", "cat >/dev/null; echo '{}'");
    let output = place.demo(&program, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains("error: step 6 (The agent tries to push"), "{}", told(&output));
}

#[test]
fn a_push_that_nobody_stops_fails_the_demo() {
    let place = Place::new();
    let program = place.installation();
    place.replace("git-pre-push", "exit 0");
    let output = place.demo(&program, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains("error: step 7 "), "{}", told(&output));
}

#[test]
fn missing_hooks_are_an_error_that_says_where_they_were_looked_for() {
    let place = Place::new();
    let program = place.installation();
    fs::remove_file(place.path("hooks/pre-tool-use")).unwrap();
    let output = place.demo(&program, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("run install.sh"), "{}", told(&output));
    assert!(place.is_empty("temporary"));
}
