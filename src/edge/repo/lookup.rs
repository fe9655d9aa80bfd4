//! Single questions to a repository: a file at a commit, where its hooks lie, whether a commit is out already.

use super::discover::Repo;
use super::error::{Error, Result};
use super::git::Git;
use super::objects::{Content, check, objects};
use crate::pure::review::ObjectId;
use camino::{Utf8Path, Utf8PathBuf};

const FILE_LIMIT: u64 = 1024 * 1024;

/// The content of a file in a commit; `None` if the commit has no such file.
pub(crate) fn file_at(git: &Git, commit: &ObjectId, path: &str) -> Result<Option<Vec<u8>>> {
    let found = check(git, [format!("{commit}:{path}").as_str()])?.into_iter().flatten().next();
    let Some((id, _, _)) = found.filter(|(_, kind, _)| kind == "blob") else { return Ok(None) };
    match objects(git, &[id], FILE_LIMIT)?.next().transpose()? {
        Some((_, Content::Bytes(bytes))) => Ok(Some(bytes)),
        Some((id, Content::TooLarge(_))) => Err(Error::TooLarge { id }),
        None => Ok(None),
    }
}

/// Where git looks for hooks when the user runs it.
pub(crate) fn hooks_directory(git: &Git) -> Result<Utf8PathBuf> {
    let listed =
        git.call(["config", "--show-scope", "--type=path", "--get-all", "core.hooksPath"]).answer()?;
    let listed = String::from_utf8_lossy(&listed.unwrap_or_default()).into_owned();
    // Our own calls carry a value for the one command; what counts is what the files say.
    let configured =
        listed.lines().filter_map(|line| line.split_once('\t')).rfind(|(scope, _)| *scope != "command");
    Ok(match configured {
        Some((_, path)) => git.repo().worktree.join(path),
        None => git.repo().common_dir.join("hooks"),
    })
}

/// Whether a file of the worktree is part of the index.
pub fn is_tracked(repo: &Repo, path: &Utf8Path) -> Result<bool> {
    let inside = path.strip_prefix(&repo.worktree).unwrap_or(path);
    let scope = format!(":(top,literal){inside}");
    Ok(!Git::open(repo.clone()).call(["ls-files", "-z", "--", scope.as_str()]).names()?.is_empty())
}

/// The files that the repository's configuration consists of, includes among them.
pub(crate) fn configuration_files(git: &Git) -> Result<Vec<Utf8PathBuf>> {
    let listed = git.call(["config", "--list", "--null", "--show-origin", "--name-only"]).bytes()?;
    let origins = listed.split(|byte| *byte == 0).filter_map(|field| std::str::from_utf8(field).ok());
    let mut files: Vec<_> = origins
        .filter_map(|origin| origin.strip_prefix("file:"))
        .map(|path| git.repo().worktree.join(path))
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// The remotes that are folders of this machine.
pub(crate) fn remote_folders(git: &Git) -> Result<Vec<Utf8PathBuf>> {
    let listed = git.call(["config", "--null", "--get-regexp", r"^remote\..*\.(push)?url$"]).answer()?;
    let listed = String::from_utf8_lossy(&listed.unwrap_or_default()).into_owned();
    let urls = listed.split('\0').filter_map(|entry| entry.split_once('\n')).map(|(_, url)| url);
    let folders = urls.map(|url| git.repo().worktree.join(url.strip_prefix("file://").unwrap_or(url)));
    Ok(folders.filter(|folder| folder.is_dir()).collect())
}

/// The nearest folder around a path that git would take for a repository, bare or a `.git`.
pub(crate) fn git_folder_on_disk(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let is_git = |folder: &&Utf8Path| folder.join("HEAD").is_file() && folder.join("objects").is_dir();
    path.ancestors().find(is_git).map(ToOwned::to_owned)
}

/// Whether a commit can be reached from anything that git remembers of a remote.
pub(crate) fn published(git: &Git, commit: &ObjectId) -> Result<bool> {
    let refs =
        git.call(["for-each-ref", "--count=1", "--contains", commit.as_str(), "refs/remotes"]).bytes()?;
    Ok(!refs.is_empty())
}
