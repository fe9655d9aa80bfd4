//! Puts a job into a sandbox of bubblewrap: some files hidden, some read-only, no privileges, no view of other processes.

use super::process::Job;
use super::program::ProgramSearch;
use crate::pure::sandbox::SandboxRules;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The program that makes the sandbox.
pub(crate) const SANDBOX_PROGRAM: &str = if cfg!(target_os = "macos") { "sandbox-exec" } else { "bwrap" };

/// Looked for before `PATH`: a command must not choose its own sandbox.
const SYSTEM: &str = "/usr/bin:/usr/local/bin:/bin:";

/// Folders that are writable besides those of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SandboxReach<'a> {
    /// One folder, and no network: as the agent's commands.
    Only(&'a Utf8Path),
    /// Everything, and the network: as the project's checks, which need their caches.
    AllButRules,
    /// Everything, but no network.
    AllButNetwork,
}

/// The file of a program that the sandbox needs.
pub(crate) fn sandbox_program(name: &str, project: &Utf8Path, path: &str) -> Option<Utf8PathBuf> {
    let path = format!("{SYSTEM}{path}");
    let found = ProgramSearch { directory: project, path: &path, project: Some(project) }.locate(name)?;
    (!found.starts_with(project)).then_some(found)
}

/// The same job inside. A path that does not exist needs no rule where the job cannot write; elsewhere see `folders_with_gaps`.
pub(crate) fn sandboxed(job: &Job, program: &Utf8Path, rules: &SandboxRules, reach: SandboxReach<'_>) -> Job {
    if cfg!(target_os = "macos") {
        return with_profile(job, program, rules, reach);
    }
    let mut argv = vec![program.to_string()];
    let mut add = |words: &[&str]| argv.extend(words.iter().map(|word| (*word).to_owned()));
    match reach {
        SandboxReach::Only(folder) => {
            add(&["--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net"]);
            add(&["--bind", folder.as_str(), folder.as_str()]);
        }
        SandboxReach::AllButRules => add(&["--dev-bind", "/", "/"]),
        SandboxReach::AllButNetwork => add(&["--dev-bind", "/", "/", "--unshare-net"]),
    }
    if !matches!(reach, SandboxReach::Only(_)) {
        let gaps = folders_with_gaps(rules, &job.directory);
        for folder in folders_around(rules).union(&gaps) {
            match gaps.contains(folder) {
                true => copy_entries(folder, &mut add),
                false => add(&["--bind", folder.as_str(), folder.as_str()]),
            }
        }
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

/// Every folder above a path of the rules, the outermost first. As a mount point, none of them can be moved out of the way.
fn folders_around(rules: &SandboxRules) -> BTreeSet<Utf8PathBuf> {
    let paths = rules.read_only.iter().chain(&rules.hidden).filter_map(|path| path.canonicalize_utf8().ok());
    let above = |path: Utf8PathBuf| path.ancestors().skip(1).map(Utf8Path::to_owned).collect::<Vec<_>>();
    paths.flat_map(above).filter(|folder| folder != "/").collect()
}

/// Folders in the home directory that lack a path of the rules. A file that appears there would steer what runs outside.
fn folders_with_gaps(rules: &SandboxRules, project: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let nearest = |path: &Utf8PathBuf| {
        path.ancestors().skip(1).find(|folder| folder.is_dir())?.canonicalize_utf8().ok()
    };
    let home = rules.home.canonicalize_utf8().unwrap_or_else(|_| rules.home.clone());
    let is_repository = |folder: &Utf8Path| {
        folder.join(".git").exists() || folder.components().any(|part| part.as_str() == ".git")
    };
    let missing = rules.read_only.iter().chain(&rules.hidden).filter(|path| !path.exists());
    let folders = missing.filter_map(nearest).filter(|folder| folder.starts_with(&home));
    folders.filter(|folder| folder != project && !is_repository(folder)).collect()
}

/// A folder in memory with the same entries: they stay what they are, and new ones are gone with the job.
fn copy_entries(folder: &Utf8Path, add: &mut impl FnMut(&[&str])) {
    add(&["--tmpfs", folder.as_str()]);
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        let path = entry.path();
        match path.read_link_utf8() {
            Ok(target) => add(&["--symlink", target.as_str(), path.as_str()]),
            Err(_) => add(&["--bind", path.as_str(), path.as_str()]),
        }
    }
}

/// The same for macOS, whose rules are a text.
fn with_profile(job: &Job, program: &Utf8Path, rules: &SandboxRules, reach: SandboxReach<'_>) -> Job {
    let list = |paths: &[Utf8PathBuf]| -> String {
        let real = paths.iter().map(|path| path.canonicalize_utf8().unwrap_or_else(|_| path.clone()));
        real.map(|path| format!(" (subpath {:?})", path.as_str())).collect()
    };
    let (hidden, read_only) = (list(&rules.hidden), list(&rules.read_only));
    let network = if reach == SandboxReach::AllButRules { "" } else { "(deny network*)" };
    let profile = format!(
        "(version 1)(allow default)(deny file-read* file-write*{hidden})(deny file-write*{read_only}){network}"
    );
    let mut argv = vec![program.to_string(), "-p".into(), profile];
    argv.extend(job.argv.iter().cloned());
    Job { argv, ..job.clone() }
}
