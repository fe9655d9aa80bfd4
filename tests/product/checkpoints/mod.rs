//! Checkpoints and restoring: through the command line, and through the same lines that hooks call.

mod background;
mod command;
mod dice;
mod disk;
mod full_disk;
mod held;
mod histories;
mod killed;
mod mistakes;
mod model;
mod overwrites;
mod property;
mod selection;
mod single_files;
mod store;
mod tidying;

use crate::answer::told;
use crate::context::TestContext;
use camino::Utf8Path;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::Environment;
use plimsoll::edge::repo::Repo;
use plimsoll::edge::state::{Homes, StateLayout};
use serde_json::Value;

/// What a hook of this user would see in a folder.
pub(crate) fn workspace(home: &Utf8Path, project: &Utf8Path) -> Workspace {
    let lookup = |name: &str| (name == "HOME").then(|| home.as_os_str().to_owned());
    let environment = Environment::from_lookup(lookup).unwrap();
    let repo = Repo::discover(project).unwrap();
    let project = repo.as_ref().map_or(project.to_owned(), |repo| repo.worktree.clone());
    let layout = match &repo {
        Some(repo) => StateLayout::in_repository(&repo.common_dir),
        None => StateLayout::without_git(&environment.state_home, &project),
    };
    Workspace { homes: Homes::new(&environment.data_home), environment, project, repo, layout }
}

impl TestContext {
    pub(crate) fn workspace(&self) -> Workspace {
        workspace(&self.home(), &self.project())
    }

    /// A checkpoint through the command line; its id.
    pub(crate) fn checkpoint(&self) -> String {
        let output = self.plimsoll(&["checkpoint", "create", "-m", "test", "--json"]);
        assert!(output.status.success(), "{}", told(&output));
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        json["id"].as_str().unwrap().to_owned()
    }

    /// Restores and says what came of it; `code` is the exit code that is expected.
    pub(crate) fn restore(&self, id: &str, more: &[&str], code: i32) -> Value {
        let arguments = [&["checkpoint", "restore", id, "--yes", "--json"], more].concat();
        let output = self.plimsoll(&arguments);
        assert_eq!(output.status.code(), Some(code), "{}", told(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub(crate) fn undo(&self) -> Value {
        let output = self.plimsoll(&["undo", "--yes", "--json"]);
        assert!(output.status.success(), "{}", told(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub(crate) fn read(&self, relative: &str) -> Option<String> {
        std::fs::read_to_string(self.path(relative)).ok()
    }
}
