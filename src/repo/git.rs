//! Git for one repository, in an environment that nobody else steers.

use super::call::Call;
use super::discover::Repo;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Runs `git` for one repository. Variables named `GIT_*` never reach it: each of them can point git at another
/// repository, index, object store or configuration than the one being judged.
#[derive(Debug, Clone)]
pub struct Git {
    repo: Repo,
    environment: Vec<(OsString, OsString)>,
    /// What makes git look at a private index and object store.
    overrides: Vec<(&'static str, OsString)>,
}

impl Git {
    /// With the environment of this process.
    pub fn open(repo: Repo) -> Self {
        Self::with_environment(repo, std::env::vars_os())
    }

    pub fn with_environment(repo: Repo, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let kept = variables.into_iter().filter(|(name, _)| !name.as_bytes().starts_with(b"GIT_"));
        Self { repo, environment: kept.collect(), overrides: Vec::new() }
    }

    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    pub(super) fn environment(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let inherited = self.environment.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()));
        inherited.chain(self.overrides.iter().map(|(name, value)| (OsStr::new(name), value.as_os_str())))
    }

    pub(super) fn with_variables(
        mut self,
        overrides: impl IntoIterator<Item = (&'static str, OsString)>,
    ) -> Self {
        self.overrides.extend(overrides);
        self
    }

    /// Where objects are written, and found first.
    #[cfg(feature = "cli")]
    pub(super) fn object_directory(&self) -> camino::Utf8PathBuf {
        let private = self.overrides.iter().rfind(|(name, _)| *name == "GIT_OBJECT_DIRECTORY");
        let private = private.and_then(|(_, path)| path.to_str()).map(camino::Utf8PathBuf::from);
        private.unwrap_or_else(|| self.repo.common_dir.join("objects"))
    }

    /// The same repository with its files elsewhere.
    #[cfg(feature = "cli")]
    pub(super) fn with_worktree(mut self, worktree: &camino::Utf8Path) -> Self {
        self.repo.worktree = worktree.to_owned();
        self
    }

    pub(super) fn call<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Call<'_> {
        Call::new(self, arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect())
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
