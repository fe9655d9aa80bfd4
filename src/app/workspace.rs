//! Where a hook or command finds itself: environment, project, repository, state.

use crate::app::failure::{Failure, chain};
use crate::edge::config::{
    DEFAULT_CONFIG_DIR, Environment, Loaded, StepPolicy, load_compiled, load_step, project_file,
};
use crate::edge::repo::{Git, Repo, git_folder_on_disk, remote_folders};
use crate::edge::run::stdio::current_directory;
use crate::edge::state::{Enrolment, Homes, InstallRecord, StateLayout};
use crate::pure::step::{Condition, CustomRules, Place, Protected, ProtectedName, git_folder_around};
use crate::pure::text::{below_home, child};
use camino::{Utf8Path, Utf8PathBuf};

pub struct Workspace {
    pub environment: Environment,
    pub project: Utf8PathBuf,
    pub repo: Option<Repo>,
    pub layout: StateLayout,
    pub homes: Homes,
}

impl Workspace {
    /// For a hook: the session's project is what the client says it is; the event's directory follows every `cd`.
    pub fn of_event(cwd: &str) -> Result<Self, Failure> {
        let environment = Environment::read()?;
        let project = match environment.project_dir.clone() {
            Some(project) => project,
            None if cwd.starts_with('/') => cwd.into(),
            None => current_directory()?.join(cwd),
        };
        Self::at(environment, project)
    }

    /// By the text of the environment and the event alone: nothing is looked at, and nothing can fail.
    pub fn by_text(cwd: &str) -> Self {
        let cwd = match cwd.starts_with('/') {
            true => cwd.into(),
            false => current_directory().map_or_else(|_| "/".into(), |here| here.join(cwd)),
        };
        let environment = Environment::read_or_guess(&cwd);
        let worktree = environment.project_dir.clone().unwrap_or(cwd);
        let git_dir = worktree.join(".git");
        Self {
            layout: StateLayout::in_repository(&git_dir),
            homes: Homes::new(&environment.data_home),
            project: worktree.clone(),
            repo: Some(Repo { worktree, common_dir: git_dir.clone(), git_dir }),
            environment,
        }
    }

    /// For a command: the repository around the current directory, or that directory.
    pub fn here() -> Result<Self, Failure> {
        Self::at(Environment::read()?, current_directory()?)
    }

    /// The same user in another directory; `None` if that does not exist or has no repository.
    pub fn of_directory(&self, directory: &Utf8Path) -> Result<Option<Self>, Failure> {
        if !directory.exists() {
            return Ok(None);
        }
        let workspace = Self::at(self.environment.clone(), directory.to_owned())?;
        Ok(workspace.repo.is_some().then_some(workspace))
    }

    fn at(environment: Environment, start: Utf8PathBuf) -> Result<Self, Failure> {
        let repo = match Repo::discover(&start) {
            // Nothing is worked on in a bare repository; there is nothing to review either.
            Err(crate::edge::repo::Error::Bare { .. }) => None,
            found => found?,
        };
        let project = repo.as_ref().map_or(start, |repo| repo.worktree.clone());
        let layout = match &repo {
            Some(repo) => StateLayout::in_repository(&repo.common_dir),
            None => StateLayout::without_git(&environment.state_home, &project),
        };
        let homes = Homes::new(&environment.data_home);
        Ok(Self { environment, project, repo, layout, homes })
    }

    /// The settings in force, from the compiled copy where that is current.
    pub fn settings(&self) -> Result<Loaded, Failure> {
        Ok(load_compiled(&self.project, &self.environment, &self.layout.compiled_settings())?)
    }

    /// The policy of the step review. Unreadable settings leave the defaults, and the custom rules unknown.
    pub fn step_policy(&self) -> StepPolicy {
        let copy = self.layout.compiled_settings();
        load_step(&self.project, &self.environment, &copy).unwrap_or_else(|error| {
            let rules = CustomRules { unreadable: Some(chain(&error)), ..CustomRules::default() };
            StepPolicy { rules, ..StepPolicy::default() }
        })
    }

    pub fn enrolment(&self) -> Result<Option<Enrolment>, Failure> {
        match &self.repo {
            Some(repo) => Ok(Enrolment::of(&self.homes, &repo.common_dir)?),
            None => Ok(None),
        }
    }

    /// Git for this repository, which leaves out files of ours as they were installed.
    pub(crate) fn git(&self) -> Result<Option<Git>, Failure> {
        let Some(repo) = &self.repo else { return Ok(None) };
        let installed = InstallRecord::files(&self.homes, &repo.common_dir)?;
        Ok(Some(Git::open(repo.clone()).without_installed(installed)))
    }

    /// A path for a person: with `~` for the home directory.
    pub fn shown(&self, path: &Utf8Path) -> String {
        below_home(path.as_str(), self.environment.home.as_str())
    }

    /// A command of ours as it is installed: `/review`, or `/plimsoll:review` as a plugin.
    pub fn command(&self, name: &str) -> String {
        match self.environment.plugin_root {
            Some(_) => format!("/plimsoll:{name}"),
            None => format!("/{name}"),
        }
    }

    /// Where an action of the agent happens, and what it may not touch there.
    pub fn place(&self, cwd: &str) -> Place {
        Place {
            project: self.project.clone(),
            // A directory that is not known in full would hide where a relative path leads.
            cwd: if cwd.starts_with('/') { cwd.into() } else { self.project.clone() },
            home: self.environment.home.clone(),
            protected: self.protected(),
        }
    }

    fn protected(&self) -> Protected {
        let mut protected = Protected::default();
        let environment = &self.environment;
        protected.add(environment.data_home.clone(), &INSTALLATION);
        protected.add(environment.config_home.clone(), &CONFIGURATION);
        protected.add(environment.state_home.clone(), &STATE);
        protected.add(self.layout.root().to_owned(), &STATE);
        if let Some(plugin) = &environment.plugin_root {
            protected.add(plugin.clone(), &PLUGIN);
        }
        protected.add(child(&self.project, ".claude"), &IN_CLAUDE_FOLDER);
        // The client reads its settings where the session began, which may lie below the worktree.
        if let Some(start) = environment.project_dir.as_ref().filter(|start| **start != self.project) {
            protected.add(child(start, ".claude"), &IN_CLAUDE_FOLDER);
        }
        protected.add(environment.claude_home.clone(), &IN_CLAUDE_FOLDER);
        protected.add(environment.home.clone(), &IN_HOME);
        protected.add(environment.config_home.with_file_name("git"), &IN_GIT_CONFIGURATION);
        if let Some(repo) = &self.repo {
            protected.add(repo.common_dir.clone(), &IN_GIT_FOLDER);
        }
        protected
    }

    /// Adds what is found only by asking: the project's configuration where the user moved it, and the gate's hook in a
    /// folder that `core.hooksPath` names. Only a write or a removal needs to know.
    pub fn protect_elsewhere(&self, protected: &mut Protected) {
        if let Ok(Some(Enrolment { hook, .. })) = self.enrolment()
            && !hook.as_str().is_empty()
        {
            protected.add(hook, &CARRIES_THE_GATE);
        }
        if let Some(moved) = self.step_policy().config_dir {
            protected.add(self.project.join(moved), &CONFIGURATION);
        }
    }

    /// The project's configuration, relative to its root. Only the user's own file moves it.
    pub(crate) fn project_config(&self) -> Utf8PathBuf {
        project_file(self.step_policy().config_dir.as_deref().unwrap_or(DEFAULT_CONFIG_DIR))
    }

    /// Whether the path lies in a folder of this machine that is a remote of this enrolled repository.
    pub fn receives_pushes(&self, path: &Utf8Path) -> Result<bool, Failure> {
        let Some(repo) = self.repo.as_ref().filter(|_| !matches!(self.enrolment(), Ok(None))) else {
            return Ok(false);
        };
        let Some(folder) = git_folder_on_disk(path) else { return Ok(false) };
        let remotes = remote_folders(&Git::open(repo.clone()))?;
        let same = |remote: Utf8PathBuf| {
            let real = remote.canonicalize_utf8().unwrap_or(remote);
            real == folder || real.join(".git") == folder
        };
        Ok(remotes.into_iter().any(same))
    }

    /// Adds the git folder of another enrolled repository that `path` lies in.
    pub fn protect_around(&self, path: &Utf8Path, protected: &mut Protected) {
        if let Some(folder) = git_folder_around(path)
            && !matches!(Enrolment::of(&self.homes, folder), Ok(None))
        {
            protected.add(folder.to_owned(), &IN_BOUND_GIT_FOLDER);
        }
    }
}

const fn always(name: &'static str, what: &'static str) -> ProtectedName {
    ProtectedName { name, what, condition: Condition::Always }
}

const GATE: &str = "what carries the ship gate in git";

const fn gated(name: &'static str) -> ProtectedName {
    ProtectedName { name, what: GATE, condition: Condition::Gated }
}

static INSTALLATION: [ProtectedName; 2] = [
    ProtectedName { name: "seal.key", what: "Plimsoll's seal key", condition: Condition::Secret },
    always("", "Plimsoll's installation"),
];
static CONFIGURATION: [ProtectedName; 1] = [always("", "Plimsoll's configuration")];
static STATE: [ProtectedName; 1] = [always("", "Plimsoll's state")];
static PLUGIN: [ProtectedName; 1] = [always("", "the Plimsoll plugin")];
/// Below `.claude`, in the project and in the home directory.
static IN_CLAUDE_FOLDER: [ProtectedName; 25] = [
    always("settings.json", "the settings that register Plimsoll"),
    always("settings.local.json", "the settings that register Plimsoll"),
    always("settings.json.plimsoll-backup", "the settings before Plimsoll"),
    always("settings.local.json.plimsoll-sandbox-backup", "the settings before the sandbox"),
    always("session-env", "the variables of the client's commands"),
    always("shell-snapshots", "the functions of the client's commands"),
    always("plimsoll", "Plimsoll's launcher"),
    always("commands/allow.md", "Plimsoll's commands"),
    always("commands/parse-review.md", "Plimsoll's commands"),
    always("commands/reconcile.md", "Plimsoll's commands"),
    always("commands/recover.md", "Plimsoll's commands"),
    always("commands/review.md", "Plimsoll's commands"),
    always("commands/review-task.md", "Plimsoll's commands"),
    always("commands/ship.md", "Plimsoll's commands"),
    always("agents/quality-checker.md", "Plimsoll's agents"),
    always("agents/claude-reviewer.md", "Plimsoll's agents"),
    always("agents/outside-reviewer.md", "Plimsoll's agents"),
    always("agents/integration-checker.md", "Plimsoll's agents"),
    always("agents/git-agent.md", "Plimsoll's agents"),
    always("agents/review-parser.md", "Plimsoll's agents"),
    always("agents/task-reviewer.md", "Plimsoll's agents"),
    always("skills/plimsoll", "Plimsoll's skill"),
    always("config", "Plimsoll's configuration and rules"),
    always("state", "Plimsoll's state files"),
    always("logs", "Plimsoll's logs"),
];
/// git reads its configuration there too, and with it `core.hooksPath`.
static IN_HOME: [ProtectedName; 1] = [gated(".gitconfig")];
static IN_GIT_CONFIGURATION: [ProtectedName; 1] = [gated("config")];
static IN_GIT_FOLDER: [ProtectedName; 9] = [
    gated("hooks"),
    gated("config"),
    gated("config.worktree"),
    gated("commondir"),
    gated("worktrees"),
    gated("refs"),
    gated("packed-refs"),
    // Not `info/exclude`: ignore rules have no effect on what leaves.
    gated("info/attributes"),
    gated("info/grafts"),
];
static CARRIES_THE_GATE: [ProtectedName; 1] = [always("", GATE)];
static IN_BOUND_GIT_FOLDER: [ProtectedName; 10] = [
    always("plimsoll", "Plimsoll's state"),
    always("hooks", GATE),
    always("config", GATE),
    always("config.worktree", GATE),
    always("commondir", GATE),
    always("worktrees", GATE),
    always("refs", GATE),
    always("packed-refs", GATE),
    always("info/attributes", GATE),
    always("info/grafts", GATE),
];
