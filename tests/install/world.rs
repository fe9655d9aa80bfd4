//! A home, a project and built binaries, all temporary, with spaces in their paths.

use crate::programs::program;
use crate::terminal::at_a_terminal;
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

pub(crate) const HOOKS: [&str; 9] = [
    "session-start", "user-prompt-start", "user-prompt-review", "user-prompt-ship", "pre-tool-use",
    "post-tool-use", "stop", "config-change", "git-pre-push",
];

pub(crate) struct World {
    root: tempfile::TempDir,
}

/// Everything below a directory except `.git`: modes and bytes, or where a link points.
pub(crate) type Snapshot = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl World {
    /// A git project; the hooks only tell their version.
    pub(crate) fn new() -> Self {
        let world = Self::without_git();
        world.git(&["init", "--quiet"]);
        world
    }

    pub(crate) fn without_git() -> Self {
        let world = Self { root: tempfile::tempdir().unwrap() };
        for directory in [world.home(), world.project(), world.path("built/bin"), world.path("bin")] {
            fs::create_dir_all(directory).unwrap();
        }
        world.script("built/plimsoll-hook", &format!("echo \"${{0##*/}}\" {}", env!("CARGO_PKG_VERSION")));
        symlink(program("plimsoll"), world.path("built/bin/plimsoll")).unwrap();
        world.script("bin/claude", "echo '2.1.325 (Claude Code)'");
        world
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.path().join(relative)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("the home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("my project")
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.project().join(".claude/settings.json")
    }

    pub(crate) fn share(&self) -> PathBuf {
        self.home().join(".local/share/plimsoll")
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        let path = self.project().join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.project().join(relative)).unwrap()
    }

    pub(crate) fn script(&self, relative: &str, body: &str) {
        let path = self.path(relative);
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        command
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("PLIMSOLL_BUILD_DIR", self.path("built"))
            .current_dir(self.project())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        assert!(self.command("git").args(arguments).status().unwrap().success());
    }

    /// Runs `install.sh`; to uninstall, at a terminal.
    pub(crate) fn install(&self, arguments: &[&str]) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh");
        let mut command = self.command("sh");
        command.arg(script).arg("--no-build").args(arguments);
        match arguments.contains(&"--uninstall") {
            true => at_a_terminal(command),
            false => command.output().unwrap(),
        }
    }

    /// Runs `install.sh` and expects it to succeed.
    pub(crate) fn installed(&self, arguments: &[&str]) -> String {
        let output = self.install(arguments);
        assert!(output.status.success(), "{}", told(&output));
        told(&output)
    }

    pub(crate) fn plimsoll(&self, arguments: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_plimsoll")).args(arguments).output().unwrap()
    }

    pub(crate) fn doctor(&self, arguments: &[&str]) -> Output {
        self.plimsoll(&[&["doctor"], arguments].concat())
    }

    pub(crate) fn enrol(&self) {
        let output = self.plimsoll(&["enrol", "--yes"]);
        assert!(output.status.success(), "{}", told(&output));
    }

    pub(crate) fn is_enrolled(&self) -> bool {
        let recorded =
            fs::read_dir(self.share().join("enrolled")).is_ok_and(|mut records| records.next().is_some());
        let hooked = self.project().join(".git/hooks/pre-push").exists();
        assert_eq!(recorded, hooked);
        recorded
    }

    pub(crate) fn snapshot(&self, directory: &Path) -> Snapshot {
        let mut found = BTreeMap::new();
        let mut waiting = vec![directory.to_owned()];
        while let Some(directory) = waiting.pop() {
            for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
                let (path, metadata) = (entry.path(), entry.path().symlink_metadata().unwrap());
                let content = if metadata.is_symlink() {
                    fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
                } else if metadata.is_dir() {
                    Vec::new()
                } else {
                    fs::read(&path).unwrap()
                };
                if path.file_name().is_some_and(|name| name != ".git") {
                    if metadata.is_dir() {
                        waiting.push(path.clone());
                    }
                    found.insert(path, (metadata.permissions().mode(), content));
                }
            }
        }
        found
    }
}

/// Whether the hooks in this folder are one file under nine names.
pub(crate) fn is_one_file(folder: &Path) -> bool {
    let inode = |hook: &str| fs::metadata(folder.join(hook)).unwrap().ino();
    HOOKS.iter().all(|hook| inode(hook) == inode(HOOKS[0]))
}

/// Both streams, for messages.
pub(crate) fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
