//! Sandboxed mode of one project: its rules, what the client's settings promise, and whether a real command keeps to it.

use crate::app::failure::{Failure, chain};
use crate::app::workspace::Workspace;
use crate::edge::config::{Environment, ManagedPlaces};
use crate::edge::file;
use crate::edge::repo::{Git, configuration_files, hooks_directory, remote_folders};
use crate::edge::run::{ExitKind, Job, SANDBOX_PROGRAM, SandboxReach, run, sandbox_program, sandboxed};
use crate::pure::client::registration::SandboxEntries;
use crate::pure::policy::CheckSandbox;
use crate::pure::sandbox::{GitPlaces, SandboxPlaces, SandboxRules, SandboxState, promise, rules};
use crate::pure::text::quoted;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use std::time::Duration;

/// Larger settings are no settings.
const SETTINGS_LIMIT: u64 = 4 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

/// Sockets of services that would do anything for the user.
const SOCKETS: [&str; 5] = [
    "/run/docker.sock",
    "/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
    "/run/dbus/system_bus_socket",
    "/var/run/docker.sock",
];

/// Sandboxed, not sandboxed, or sandboxed with limits. Where the settings switch it on, a real command tries.
pub fn state(workspace: &Workspace) -> SandboxState {
    let scopes = scopes(workspace, &client_folder(workspace));
    if !promise(&scopes, &SandboxEntries::default()).enabled {
        return SandboxState::Off;
    }
    let places = match places(workspace) {
        Ok(places) => places,
        Err(failure) => return SandboxState::Limited(vec![chain(failure.as_ref())]),
    };
    let rules = rules(&places);
    let mut doubts = promise(&scopes, &rules.entries(&places)).doubts;
    doubts.extend(probe(workspace, &rules).err());
    SandboxState::with(doubts)
}

/// Whether the project's settings switch it on. Quick: nothing is started.
pub fn is_declared(workspace: &Workspace) -> bool {
    promise(&scopes(workspace, &workspace.project), &SandboxEntries::default()).enabled
}

/// Whether the client was started in a folder of the project whose settings do not switch it on, although the project's do.
pub fn is_missed(workspace: &Workspace) -> bool {
    let folder = client_folder(workspace);
    folder != workspace.project
        && is_declared(workspace)
        && !promise(&scopes(workspace, &folder), &SandboxEntries::default()).enabled
}

/// The folder whose settings the client reads: the one that it was started in.
fn client_folder(workspace: &Workspace) -> Utf8PathBuf {
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let project = real(&workspace.project);
    let started = workspace.environment.project_dir.as_deref().map(real);
    match started.filter(|folder| *folder != project && folder.starts_with(&project)) {
        Some(folder) => folder,
        None => workspace.project.clone(),
    }
}

/// Where things are that the rules speak of.
pub fn places(workspace: &Workspace) -> Result<SandboxPlaces, Failure> {
    let environment = &workspace.environment;
    let git = match workspace.repo.clone() {
        None => None,
        Some(repo) => {
            let common_dir = repo.common_dir.clone();
            let git = Git::open(repo);
            Some(GitPlaces {
                common_dir,
                hooks: hooks_directory(&git)?,
                configuration: configuration_files(&git)?,
                remotes: remote_folders(&git)?,
            })
        }
    };
    Ok(SandboxPlaces {
        home: environment.home.clone(),
        data: environment.data_home.clone(),
        config: environment.config_home.clone(),
        state: environment.state_home.clone(),
        claude: environment.claude_home.clone(),
        project: workspace.project.clone(),
        git,
    })
}

/// The settings that `plimsoll sandbox` edits: of this user in this project, never committed.
pub fn settings_file(workspace: &Workspace) -> Utf8PathBuf {
    workspace.project.join(".claude/settings.local.json")
}

/// Ends the name of the backup beside those settings, which is there as long as a person wants the project sandboxed.
pub const BACKUP: &str = "plimsoll-sandbox-backup";

/// Whether a person switched it on and the settings no longer say so.
pub fn is_lost(workspace: &Workspace) -> bool {
    let backup = Utf8PathBuf::from(format!("{}.{BACKUP}", settings_file(workspace)));
    backup.exists() && !is_declared(workspace)
}

/// Makes the folders that are to be hidden: a rule about a missing one would not take hold before the next command.
pub fn prepare(rules: &SandboxRules, workspace: &Workspace) -> Result<(), Failure> {
    let own = [workspace.environment.data_home.as_path(), workspace.layout.root()];
    for folder in rules.hidden.iter().filter(|path| path.extension().is_none()) {
        if own.iter().any(|own| folder.starts_with(own)) {
            file::create_private_folder(folder)?;
        }
    }
    Ok(())
}

/// Runs a command under the same rules as the client's, which tries to get at everything. The error says what it got, or why
/// there is no sandbox on this machine.
pub fn probe(workspace: &Workspace, rules: &SandboxRules) -> Result<(), String> {
    if cfg!(not(target_os = "linux")) {
        return Err("nothing was tried: Plimsoll can probe the sandbox only on Linux".into());
    }
    let environment = Environment::variables();
    let path = environment.iter().find(|(name, _)| name == "PATH").map_or("", |(_, value)| value);
    let program = |name| sandbox_program(name, &workspace.project, path);
    let bubblewrap = program(SANDBOX_PROGRAM)
        .ok_or("bubblewrap is not installed (Debian, Ubuntu, Fedora: package bubblewrap)")?;
    program("socat").ok_or("socat is not installed (Debian, Ubuntu, Fedora: package socat)")?;
    let attempts = attempts(rules);
    let job = Job {
        argv: vec!["/bin/sh".into(), "-c".into(), attempts],
        directory: workspace.project.clone(),
        environment,
        deadline: PATIENCE,
        slow_after: PATIENCE,
    };
    let reach = SandboxReach::Only(&workspace.project);
    let ended = run(&sandboxed(&job, &bubblewrap, rules, reach), || ());
    let told = String::from_utf8_lossy(&ended.output.bytes()).trim().to_owned();
    match ended.how {
        ExitKind::Exited(0) if told == DONE => Ok(()),
        ExitKind::Exited(0) => Err(format!(
            "a sandboxed command got through: {}",
            told.lines().filter(|line| *line != DONE).collect::<Vec<_>>().join(", ")
        )),
        how => Err(format!(
            "bubblewrap does not work here: {}",
            told.lines()
                .last()
                .filter(|line| !line.is_empty())
                .map_or_else(|| how.failure("bwrap", PATIENCE).unwrap_or_default(), str::to_owned)
        )),
    }
}

/// A sandbox for code of the project that a command of ours runs outside the client's: checks, and hooks of others.
#[derive(Debug, Clone)]
pub(crate) struct Enclosure {
    program: Utf8PathBuf,
    rules: SandboxRules,
    settings: CheckSandbox,
}

impl Enclosure {
    /// `None` where the project is not sandboxed. An error where it is, and code of the project could run without a sandbox.
    pub(crate) fn of(workspace: &Workspace) -> Result<Option<Self>, Failure> {
        if is_lost(workspace) {
            return Err(
                "the settings of the sandbox were changed or removed: run `plimsoll sandbox on`".into()
            );
        }
        if !is_declared(workspace) {
            return Ok(None);
        }
        let mut rules = rules(&places(workspace)?);
        let environment = Environment::variables();
        let variable =
            |wanted: &str| environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        // Whoever answers on these sockets runs commands or signs for the user, outside.
        rules.hidden.extend(SOCKETS.map(Utf8PathBuf::from));
        rules.hidden.extend(variable("XDG_RUNTIME_DIR").map(Utf8PathBuf::from));
        rules.hidden.extend(variable("SSH_AUTH_SOCK").map(Utf8PathBuf::from));
        let path = variable("PATH").map(String::as_str).unwrap_or_default();
        let program = sandbox_program(SANDBOX_PROGRAM, &workspace.project, path)
            .ok_or("this project is sandboxed, but bubblewrap is not installed: install it, or run `plimsoll sandbox off`")?;
        Ok(Some(Self { program, rules, settings: CheckSandbox::default() }))
    }

    pub(crate) fn with_settings(self, settings: &CheckSandbox) -> Self {
        Self { settings: settings.clone(), ..self }
    }

    /// The same for a check. One that the user's configuration names stays as it is, and so does one whose program is missing.
    pub(crate) fn enclose_check(&self, name: &str, job: &Job) -> Job {
        let Some(program) = job.argv.first().map(Utf8PathBuf::from) else { return job.clone() };
        let exempt = |named: &String| named == name || Some(named.as_str()) == program.file_name();
        match !program.is_absolute() || self.settings.unsandboxed_checks.iter().any(exempt) {
            true => job.clone(),
            false => self.enclose(job),
        }
    }

    /// The same job with key, state and credentials hidden, and hooks and configuration read-only.
    pub(crate) fn enclose(&self, job: &Job) -> Job {
        let reach = match self.settings.check_network {
            true => SandboxReach::AllButRules,
            false => SandboxReach::AllButNetwork,
        };
        sandboxed(job, &self.program, &self.rules, reach)
    }
}

/// The last line of the script, after all its attempts.
const DONE: &str = "tried";

/// A script that prints what it could read or write, and nothing else. It opens files to append and writes nothing.
fn attempts(rules: &SandboxRules) -> String {
    let mut script = String::from("exec 2>/dev/null\n");
    for path in &rules.hidden {
        let path = quoted(path);
        script += &format!(
            "if [ -f {path} ] && (: <{path}); then echo read {path}; fi\n\
             if [ -d {path} ] && [ -n \"$(ls -A {path})\" ]; then echo listed {path}; fi\n"
        );
    }
    for path in &rules.read_only {
        let file = quoted(path);
        let inside = quoted(path.join("plimsoll-probe"));
        script += &format!(
            "if [ -f {file} ] && (: >>{file}); then echo wrote {file}; fi\n\
             if [ -d {file} ] && (: >{inside}); then rm -f {inside}; echo wrote {inside}; fi\n"
        );
    }
    script + &format!("echo {DONE}\n")
}

/// The settings files that the client reads here, the weakest first. One that cannot be read promises nothing.
fn scopes(workspace: &Workspace, folder: &Utf8Path) -> Vec<Value> {
    let project = folder.join(".claude");
    let files = [
        workspace.environment.claude_home.join("settings.json"),
        project.join("settings.json"),
        project.join("settings.local.json"),
    ];
    let files = files.into_iter().chain(ManagedPlaces::of_system().files());
    files.filter_map(|path| read_settings(&path)).collect()
}

fn read_settings(path: &Utf8Path) -> Option<Value> {
    serde_json::from_str(&file::read_text(path, SETTINGS_LIMIT).ok()?).ok()
}
