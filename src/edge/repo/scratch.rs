//! A private index and object store: git works in them and the user's own stay as they are.
//!
//! One thing escapes: git renews the time stamp of an object that it would have written and finds already there, as
//! every `git add` of the user does.

use super::error::{Error, Result};
use super::git::Git;
use crate::edge::file;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{self, File, FileTimes, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

/// Disappears with everything in it when dropped.
#[derive(Debug)]
pub(super) struct Scratch {
    _directory: TempDir,
}

impl Scratch {
    /// A git that sees the repository's objects and index, but writes to copies.
    pub(super) fn new(git: &Git) -> Result<(Self, Git)> {
        Self::from_index(git, &git.repo().git_dir.join("index"))
    }

    /// A scratch repository that begins with this index.
    pub(super) fn from_index(git: &Git, index: &Utf8Path) -> Result<(Self, Git)> {
        let mut builder = tempfile::Builder::new();
        let private = builder.prefix("plimsoll-").permissions(Permissions::from_mode(0o700)).tempdir();
        let directory =
            private.map_err(|source| Error::Scratch { path: "the temporary directory".into(), source })?;
        let path = Utf8PathBuf::from_path_buf(directory.path().to_owned()).map_err(|path| {
            Error::Scratch { path: lossy(&path), source: io::ErrorKind::InvalidInput.into() }
        })?;
        fill(git, &path, index).map_err(|source| Error::Scratch { path: path.clone(), source })?;
        let variables =
            [("GIT_INDEX_FILE", path.join("index")), ("GIT_OBJECT_DIRECTORY", path.join("objects"))];
        let git = git.clone().with_variables(variables.map(|(name, path)| (name, path.into_os_string())));
        Ok((Self { _directory: directory }, git))
    }
}

/// The line by which an object store finds another. Quoted, because git splits the file at line ends and takes `#` for a comment.
pub(super) fn alternate(objects: &Utf8Path) -> String {
    let quoted = objects.as_str().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{quoted}\"\n")
}

fn lossy(path: &std::path::Path) -> Utf8PathBuf {
    path.to_string_lossy().into_owned().into()
}

fn fill(git: &Git, path: &Utf8Path, index: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(path.join("objects/info"))?;
    let objects = alternate(&git.repo().common_dir.join("objects"));
    fs::write(path.join("objects/info/alternates"), objects)?;
    match file::open_to_read(index) {
        Ok(mut original) => {
            let mut copy = File::create(path.join("index"))?;
            io::copy(&mut original, &mut copy)?;
            // Git rereads files that are as young as the index; a younger copy would hide such an edit.
            copy.set_times(FileTimes::new().set_modified(original.metadata()?.modified()?))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::super::{Repo, commit, worktree_tree};
    use super::*;

    #[test]
    fn a_repository_with_an_odd_path_can_be_read() {
        let fixture = Fixture::with_commit();
        for name in ["co:lon", "#hash", "quo\"te \\ slash", "new\nline"] {
            fixture.git(&["clone", "-q", ".", &format!("../{name}")]);
            let repo = Repo::discover(&fixture.beside(name)).unwrap().unwrap();
            let git = Fixture::hermetic(Git::with_environment(repo, fixture.environment()));
            fs::remove_file(fixture.beside(name).join(".git/index")).unwrap();
            let snapshot = worktree_tree(&git, &[]).unwrap();
            assert_eq!(snapshot.tree, commit(snapshot.git(), "HEAD").unwrap().tree, "{name}");
        }
    }
}
