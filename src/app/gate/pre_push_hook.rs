//! The git hook that judges what really leaves: where it lies, whether it is ours, how it is put there and taken away.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::config::Environment;
use crate::edge::file;
use crate::edge::file::metadata::{is_executable, make_executable, rename};
use crate::edge::repo::{Git, hooks_directory};
use crate::edge::run::stdio::own_program;
use crate::edge::run::{ExitKind, Job, run};
use crate::edge::state;
use crate::pure::text::quoted;
use camino::{Utf8Path, Utf8PathBuf};
use std::time::Duration;

/// No script is longer.
const HOOK_LIMIT: u64 = 64 * 1024 * 1024;
const MARK: &str = "# plimsoll pre-push";
const CHAINED: &str = "pre-push.before-plimsoll";
/// `-p` makes bash ignore functions and SHELLOPTS of the environment, with which a pusher could make the hook do nothing.
/// A shell that does not know it has neither.
const SHELLS: [&str; 2] = ["/bin/sh -p", "/bin/sh"];

/// The pre-push hook of one repository.
pub struct PrePushHook {
    directory: Utf8PathBuf,
    /// Where the binary that judges may lie: in the user's installation, or beside this program, which may be a build
    /// that is deleted after the installation.
    guards: Vec<Utf8PathBuf>,
    /// Where the one who enrolled keeps enrolments, keys and settings; whoever pushes cannot name other places.
    homes: String,
}

impl PrePushHook {
    pub fn of(workspace: &Workspace) -> Result<Self, Failure> {
        let repo = workspace.repo.clone().ok_or("there is no git repository here")?;
        let directory = hooks_directory(&Git::open(repo))?;
        let own = own_program().ok();
        let folder = own.as_deref().and_then(Utf8Path::parent);
        let beside =
            folder.into_iter().flat_map(|folder| [folder.to_owned(), folder.with_file_name("hooks")]);
        let folders = [workspace.homes.hooks()].into_iter().chain(beside);
        let guards = folders.map(|folder| folder.join("git-pre-push")).collect();
        Ok(Self { directory, guards, homes: homes(&workspace.environment) })
    }

    pub fn path(&self) -> Utf8PathBuf {
        self.directory.join("pre-push")
    }

    /// Exactly the text that we would write, executable, with a guard that can run.
    pub fn is_in_place(&self) -> bool {
        let Ok(text) = file::read_text(self.path(), HOOK_LIMIT) else { return false };
        let ours = |guard: &Utf8PathBuf| SHELLS.iter().any(|shell| text == self.text(shell, guard));
        is_executable(&self.path()) && self.guards.iter().any(|guard| is_executable(guard) && ours(guard))
    }

    /// Puts the hook there; one that was there before is kept and called after ours. Doing it twice changes nothing.
    pub fn install(&self) -> Result<Option<Utf8PathBuf>, Failure> {
        let guard = self
            .guards
            .iter()
            .find(|guard| is_executable(guard))
            .ok_or("the binary git-pre-push is not installed; run `plimsoll install`")?;
        let chained = self.directory.join(CHAINED);
        let existing = file::read_text(self.path(), HOOK_LIMIT).ok();
        if existing.is_some_and(|text| !text.contains(MARK)) {
            if chained.exists() {
                return Err(format!("{} and {chained} both exist; remove one of them", self.path()).into());
            }
            rename(&self.path(), &chained)?;
        }
        state::write_atomic(&self.path(), self.text(shell(), guard).as_bytes())?;
        make_executable(&self.path())?;
        Ok(chained.exists().then_some(chained))
    }

    /// Puts back what was there before. A hook that is not ours is left alone.
    pub fn remove(&self) -> Result<(), Failure> {
        let ours = file::read_text(self.path(), HOOK_LIMIT).is_ok_and(|text| text.contains(MARK));
        if !ours {
            return Ok(());
        }
        let chained = self.directory.join(CHAINED);
        if chained.exists() {
            rename(&chained, &self.path())?;
        } else {
            state::remove(&self.path())?;
        }
        Ok(())
    }

    /// The hook of somebody else that a push has to run: the one that was there before ours, or the one in its place.
    #[cfg(feature = "cli")]
    pub fn foreign(&self) -> Option<Utf8PathBuf> {
        let ours = file::read_text(self.path(), HOOK_LIMIT).is_ok_and(|text| text.contains(MARK));
        let hook = if ours { self.directory.join(CHAINED) } else { self.path() };
        is_executable(&hook).then_some(hook)
    }

    fn text(&self, shell: &str, guard: &Utf8Path) -> String {
        let (guard, homes) = (quoted(guard), &self.homes);
        let chained = quoted(self.directory.join(CHAINED));
        format!(
            "#!{shell}\n\
             {MARK}: lets out only what was reviewed. `plimsoll enrol --remove` takes it away.\n\
             if [ ! -x {guard} ]; then\n\
             \x20   echo 'plimsoll: the gate of this repository is not installed; run install.sh again' >&2\n\
             \x20   exit 1\n\
             fi\n\
             # Builtins only, and none that the environment redefines: a `cat` of somebody's own could hide what leaves.\n\
             unset -f read printf [\n\
             lines=\n\
             while IFS= read -r line; do lines=\"$lines$line\n\"; done\n\
             feed() {{ printf '%s' \"$lines\"; }}\n\
             feed | {homes} {guard} \"$1\" \"$2\" \"${{GIT_DIR:-}}\" || exit 1\n\
             if [ -x {chained} ]; then\n\
             \x20   feed | {chained} \"$@\" || exit $?\n\
             fi\n"
        )
    }
}

/// The first that can start here.
fn shell() -> &'static str {
    let starts = |shell: &&&str| {
        let job = Job {
            argv: shell.split(' ').chain(["-c", ":"]).map(String::from).collect(),
            directory: "/".into(),
            environment: Vec::new(),
            deadline: Duration::from_secs(10),
            slow_after: Duration::from_secs(10),
        };
        matches!(run(&job, || {}).how, ExitKind::Exited(0))
    };
    SHELLS.iter().find(starts).unwrap_or(&"/bin/sh")
}

fn homes(environment: &Environment) -> String {
    let base = |path: &Utf8Path| quoted(path.parent().unwrap_or(path));
    format!(
        "HOME={} XDG_DATA_HOME={} XDG_CONFIG_HOME={} XDG_STATE_HOME={}",
        quoted(&environment.home),
        base(&environment.data_home),
        base(&environment.config_home),
        base(&environment.state_home)
    )
}
