//! Git for one repository, in an environment that nobody else steers.

use super::discover::Repo;
use super::error::Result;
use crate::edge::git::GitCommand;
use crate::pure::review::InstalledFiles;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// Git for one repository, with an environment that the caller chooses.
#[derive(Debug, Clone)]
pub struct Git {
    repo: Repo,
    environment: Vec<(OsString, OsString)>,
    /// Variables that point git at a private index and object store.
    overrides: Vec<(&'static str, OsString)>,
    /// Files of ours as they were installed: no part of any content.
    installed: Arc<InstalledFiles>,
}

impl Git {
    /// With the environment of this process.
    pub fn open(repo: Repo) -> Self {
        Self::with_environment(repo, std::env::vars_os())
    }

    pub fn with_environment(repo: Repo, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self {
            repo,
            environment: variables.into_iter().collect(),
            overrides: Vec::new(),
            installed: Arc::default(),
        }
    }

    /// A bare repository that is receiving a push: new objects lie in the quarantine that git names to its hooks.
    #[cfg(feature = "cli")]
    pub(crate) fn receiving(directory: &camino::Utf8Path) -> Self {
        let repo = Repo {
            worktree: directory.to_owned(),
            git_dir: directory.to_owned(),
            common_dir: directory.to_owned(),
        };
        let quarantine = ["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"];
        Self::open(repo)
            .with_variables(quarantine.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
    }

    /// Git without these files in any content, as long as they are as installed.
    pub(crate) fn without_installed(self, installed: InstalledFiles) -> Self {
        Self { installed: Arc::new(installed), ..self }
    }

    pub(super) fn installed(&self) -> &InstalledFiles {
        &self.installed
    }

    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    pub(super) fn with_variables(
        mut self,
        overrides: impl IntoIterator<Item = (&'static str, OsString)>,
    ) -> Self {
        self.overrides.extend(overrides);
        self
    }

    /// The value of a key in git's configuration.
    pub(crate) fn setting(&self, key: &str) -> Result<Option<String>> {
        let found = self.call(["config", "--null", "--get", key]).answer()?;
        Ok(found.map(|value| String::from_utf8_lossy(&value).trim_end_matches('\0').to_owned()))
    }

    /// Where objects are written, and found first.
    #[cfg(feature = "cli")]
    pub(super) fn object_directory(&self) -> camino::Utf8PathBuf {
        let private = self.overrides.iter().rfind(|(name, _)| *name == "GIT_OBJECT_DIRECTORY");
        let private = private.and_then(|(_, path)| path.to_str()).map(camino::Utf8PathBuf::from);
        private.unwrap_or_else(|| self.repo.common_dir.join("objects"))
    }

    /// Another repository in the same environment.
    #[cfg(feature = "cli")]
    pub(super) fn in_place_of(mut self, repo: Repo) -> Self {
        self.repo = repo;
        self
    }

    /// The same repository with its files elsewhere.
    #[cfg(feature = "cli")]
    pub(super) fn with_worktree(mut self, worktree: &camino::Utf8Path) -> Self {
        self.repo.worktree = worktree.to_owned();
        self
    }

    pub(super) fn call<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> GitCommand {
        let Repo { git_dir, worktree, .. } = &self.repo;
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        let command =
            GitCommand::in_repository(git_dir.as_std_path(), worktree.as_std_path(), environment, arguments);
        let overrides = self.overrides.iter();
        overrides
            .fold(command, |command, (name, value)| command.variable(name, value))
            .unless_pipe(self.repo.pipe_in_the_way())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::super::{commit, worktree_tree};
    use super::*;

    #[test]
    fn git_variables_in_the_environment_are_ignored() {
        let fixture = Fixture::with_commit();
        let other = Fixture::with_commit();
        other.write("other.txt", "other");
        other.commit("other");
        let hostile = [
            ("GIT_DIR", other.path(".git").to_string()),
            ("GIT_WORK_TREE", other.path("").to_string()),
            ("GIT_INDEX_FILE", other.path(".git/index").to_string()),
            ("GIT_OBJECT_DIRECTORY", other.path(".git/objects").to_string()),
            ("GIT_CONFIG_PARAMETERS", "'core.worktree=/'".to_owned()),
            ("GIT_NAMESPACE", "elsewhere".to_owned()),
        ];
        let clean = fixture.open();
        let variables = fixture.environment().into_iter();
        let hostile = hostile.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let git = Git::with_environment(fixture.repo(), variables.chain(hostile));
        assert_eq!(commit(&git, "HEAD").unwrap(), commit(&clean, "HEAD").unwrap());
        assert_eq!(worktree_tree(&git, &[]).unwrap().tree, worktree_tree(&clean, &[]).unwrap().tree);
    }
}
