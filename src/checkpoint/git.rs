//! Git for the store, and for questions about what a repository ignores. The environment and the configuration are ours.

use super::error::{Error, Result};
use super::leash::Leash;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SETTINGS: [(&str, &str); 14] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.commitGraph", "false"),
    ("core.quotePath", "false"),
    ("core.protectNTFS", "false"),
    ("core.protectHFS", "false"),
    ("core.compression", "1"),
    // Looking for similar content in large files takes longer than all the rest.
    ("core.bigFileThreshold", "1m"),
    ("core.autocrlf", "false"),
    ("submodule.recurse", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    // Objects of one checkpoint stay one pack.
    ("fastimport.unpackLimit", "1"),
];
const MOST_TALK: u64 = 4 * 1024;
/// For one question or command where nothing else is said; far more than any of them takes.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A command on the store, which knows no configuration but ours.
pub(super) fn in_store(store: &Path, arguments: &[&str]) -> Command {
    let mut command = hardened();
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_ATTR_NOSYSTEM", "1");
    command.current_dir(store).arg("--git-dir").arg(store).args(arguments);
    command
}

/// A command on a repository of the user, or on the store in its place, that only reads what is ignored there.
pub(super) fn in_worktree(git_dir: &Path, worktree: &Path, arguments: &[&str]) -> Command {
    let mut command = hardened();
    command
        .current_dir(worktree)
        .arg("--git-dir")
        .arg(git_dir)
        .arg("--work-tree")
        .arg(worktree)
        .args(arguments);
    command
}

fn hardened() -> Command {
    let mut command = Command::new("git");
    let inherited = std::env::vars_os().filter(|(name, _)| !name.as_bytes().starts_with(b"GIT_"));
    command.env_clear().envs(inherited.collect::<Vec<(OsString, OsString)>>());
    for (name, value) in [
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_GRAFT_FILE", "/dev/null"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_LITERAL_PATHSPECS", "0"),
        ("LC_ALL", "C"),
    ] {
        command.env(name, value);
    }
    for (number, (key, value)) in SETTINGS.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{number}"), OsStr::new(key));
        command.env(format!("GIT_CONFIG_VALUE_{number}"), OsStr::new(value));
    }
    command.env("GIT_CONFIG_COUNT", SETTINGS.len().to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ended as a group by its leash; a signal to ours leaves git the time to put its files away.
    command.process_group(0);
    command
}

/// Everything that the command prints, up to `limit` bytes, in at most that time.
pub(super) fn printed(
    mut command: Command,
    name: &'static str,
    limit: u64,
    patience: Duration,
) -> Result<Vec<u8>> {
    let mut child = command.spawn().map_err(|source| Error::Start { source })?;
    let leash = Leash::hold(&child, patience);
    let talk = talk(&mut child);
    let mut bytes = Vec::new();
    let read = child.stdout.take().map(|pipe| pipe.take(limit).read_to_end(&mut bytes));
    let full = u64::try_from(bytes.len()).is_ok_and(|length| length >= limit);
    if full {
        // More is not wanted; what git says to a closed pipe does not matter.
        let _ = child.kill();
    }
    let status = leash.end(&mut child).map_err(|source| Error::Start { source })?;
    match (read, status) {
        (_, None) => Err(Error::Deadline { command: name }),
        (Some(Ok(_)), Some(status)) if status.success() || full => Ok(bytes),
        _ => Err(Error::Git { command: name, said: said(talk) }),
    }
}

pub(super) type Talk = std::thread::JoinHandle<String>;

/// Reads what the child says on stderr, so that it never waits for us.
pub(super) fn talk(child: &mut Child) -> Option<Talk> {
    let mut pipe = child.stderr.take()?;
    Some(std::thread::spawn(move || {
        let mut kept = Vec::new();
        let _ = pipe.by_ref().take(MOST_TALK).read_to_end(&mut kept);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        String::from_utf8_lossy(&kept).trim().to_owned()
    }))
}

pub(super) fn said(talk: Option<Talk>) -> String {
    let said = talk.and_then(|talk| talk.join().ok()).unwrap_or_default();
    if said.is_empty() { "it said nothing".into() } else { said }
}
