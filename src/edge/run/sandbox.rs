//! Puts a job into a sandbox of bubblewrap: some files hidden, some read-only, no privileges, no view of other processes.

use super::process::Job;
use super::program::ProgramSearch;
use crate::pure::sandbox::SandboxRules;
use camino::{Utf8Path, Utf8PathBuf};

/// Looked for before `PATH`: a command must not choose its own sandbox.
const SYSTEM: &str = "/usr/bin:/usr/local/bin:/bin:";

/// What is writable besides what the rules say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SandboxReach<'a> {
    /// One folder, and no network: as the agent's commands.
    Only(&'a Utf8Path),
    /// Everything, and the network: as the project's checks, which need their caches.
    AllButRules,
}

/// The file of a program that the sandbox needs.
pub(crate) fn sandbox_program(name: &str, project: &Utf8Path, path: &str) -> Option<Utf8PathBuf> {
    let path = format!("{SYSTEM}{path}");
    let found = ProgramSearch { directory: project, path: &path, project: Some(project) }.locate(name)?;
    (!found.starts_with(project)).then_some(found)
}

/// The same job inside. Paths that do not exist need no rule.
pub(crate) fn sandboxed(
    job: &Job,
    bubblewrap: &Utf8Path,
    rules: &SandboxRules,
    reach: SandboxReach<'_>,
) -> Job {
    let mut argv = vec![bubblewrap.to_string()];
    let mut add = |words: &[&str]| argv.extend(words.iter().map(|word| (*word).to_owned()));
    match reach {
        SandboxReach::Only(folder) => {
            add(&["--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net"]);
            add(&["--bind", folder.as_str(), folder.as_str()]);
        }
        SandboxReach::AllButRules => add(&["--dev-bind", "/", "/"]),
    }
    for path in rules.read_only.iter().filter_map(|path| path.canonicalize_utf8().ok()) {
        add(&["--ro-bind", path.as_str(), path.as_str()]);
    }
    for path in rules.hidden.iter().filter_map(|path| path.canonicalize_utf8().ok()) {
        match path.is_dir() {
            true => add(&["--tmpfs", path.as_str()]),
            false => add(&["--ro-bind", "/dev/null", path.as_str()]),
        }
    }
    add(&["--proc", "/proc", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"]);
    add(&["--die-with-parent", "--new-session", "--chdir", job.directory.as_str(), "--"]);
    argv.extend(job.argv.iter().cloned());
    Job { argv, ..job.clone() }
}
