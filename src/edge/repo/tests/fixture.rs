//! Real repositories in a temporary directory, for the tests of this room.

use crate::edge::repo::{Git, Repo};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::process::Command;
use std::time::SystemTime;
use tempfile::TempDir;

pub(in crate::edge::repo) struct Fixture {
    root: Utf8PathBuf,
    _directory: TempDir,
}

impl Fixture {
    pub(in crate::edge::repo) fn new() -> Self {
        Self::init(&[])
    }

    pub(in crate::edge::repo) fn init(options: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(directory.path()).unwrap().canonicalize_utf8().unwrap();
        fs::create_dir(root.join("work")).unwrap();
        let fixture = Self { root, _directory: directory };
        fixture.git(&[&["init", "-q", "-b", "main"], options].concat());
        fixture
    }

    pub(in crate::edge::repo) fn with_commit() -> Self {
        let fixture = Self::new();
        fixture.write("a.txt", "one\n");
        fixture.commit("first");
        fixture
    }

    /// With an empty bare repository `remote.git` beside it, known as `origin`.
    pub(in crate::edge::repo) fn with_remote() -> Self {
        let fixture = Self::with_commit();
        fixture.git(&["init", "-q", "--bare", "-b", "main", "../remote.git"]);
        fixture.git(&["remote", "add", "origin", "../remote.git"]);
        fixture
    }

    pub(in crate::edge::repo) fn with_submodule() -> Self {
        let fixture = Self::with_commit();
        fixture.git(&["init", "-q", "-b", "main", "../library"]);
        fixture.git(&["-C", "../library", "commit", "-q", "--allow-empty", "-m", "library"]);
        fixture.git(&[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            "../library",
            "sub",
        ]);
        fixture.commit("submodule");
        fixture
    }

    /// Leaves `a.txt` in conflict.
    pub(in crate::edge::repo) fn conflict(&self) {
        self.git(&["checkout", "-q", "-b", "theirs"]);
        self.write("a.txt", "theirs\n");
        self.commit("theirs");
        self.git(&["checkout", "-q", "main"]);
        self.write("a.txt", "ours\n");
        self.commit("ours");
        assert!(!self.user_git(&["merge", "theirs"]).status.success());
    }

    pub(in crate::edge::repo) fn path(&self, path: &str) -> Utf8PathBuf {
        let work = self.root.join("work");
        if path.is_empty() { work } else { work.join(path) }
    }

    pub(in crate::edge::repo) fn beside(&self, path: &str) -> Utf8PathBuf {
        self.root.join(path)
    }

    pub(in crate::edge::repo) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(in crate::edge::repo) fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs git as a user would, without the developer's configuration; returns its first output, trimmed.
    pub(in crate::edge::repo) fn git(&self, arguments: &[&str]) -> String {
        let output = self.user_git(arguments);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub(in crate::edge::repo) fn user_git(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = Command::new("git");
        command.current_dir(self.path("")).env_clear().envs(self.environment());
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Someone");
            command.env(format!("GIT_{role}_EMAIL"), "someone@example.org");
            command.env(format!("GIT_{role}_DATE"), "2026-01-02T03:04:05Z");
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").args(arguments);
        command.output().unwrap()
    }

    pub(in crate::edge::repo) fn environment(&self) -> Vec<(OsString, OsString)> {
        let home = self.root.join("home");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let pairs = [("HOME", home.as_str()), ("XDG_CONFIG_HOME", home.as_str())];
        let pairs = pairs.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        pairs.into_iter().chain([("PATH".into(), path)]).collect()
    }

    pub(in crate::edge::repo) fn repo(&self) -> Repo {
        Repo::discover(&self.path("")).unwrap().unwrap()
    }

    pub(in crate::edge::repo) fn open(&self) -> Git {
        Self::hermetic(Git::with_environment(self.repo(), self.environment()))
    }

    /// Keeps the machine's own configuration out; the product itself reads it.
    pub(in crate::edge::repo) fn hermetic(git: Git) -> Git {
        git.with_variables([("GIT_CONFIG_NOSYSTEM", "1".into())])
    }

    /// Every file under `.git` with its bytes and its time.
    pub(in crate::edge::repo) fn git_dir_state(&self) -> BTreeMap<Utf8PathBuf, (Vec<u8>, SystemTime)> {
        let mut state = BTreeMap::new();
        let mut left = vec![self.path(".git")];
        while let Some(path) = left.pop() {
            let metadata = fs::symlink_metadata(&path).unwrap();
            let bytes = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            if metadata.is_dir() {
                left.extend(path.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path()));
            }
            state.insert(path, (bytes, metadata.modified().unwrap()));
        }
        state
    }
}
