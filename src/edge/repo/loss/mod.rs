//! Finds what a command would destroy for good. It asks git and the file system, and decides nothing.
//!
//! Every answer is bounded: one call of git, and a limited number of directory entries.

mod copies;
mod files;
mod references;
mod standing;
mod status;

use super::discover::Repo;
use super::error::{Error, Result};
use super::git::Git;
use super::revision::peel;
use crate::pure::step::{Addressed, Losing, Loss};
use crate::pure::text::list;
use camino::{Utf8Path, Utf8PathBuf};
pub(crate) use copies::Copies;
use files::LossFiles;
pub(crate) use standing::{standing, worktree_of};
use status::{ChangedFiles, RepoStatus, StatusKind};

/// The most losses of one tool call that are examined.
const MOST: usize = 64;

/// Answers, for one action, whether what would go matters. In `project` a single file is scratch paper; elsewhere it is
/// somebody's.
pub(crate) struct Losses {
    project: Utf8PathBuf,
    copies: Copies,
    changed: ChangedFiles,
    left: usize,
}

impl Losses {
    pub fn new(project: &Utf8Path, copies: Copies) -> Self {
        Self { project: project.to_owned(), copies, changed: ChangedFiles::default(), left: MOST }
    }

    pub fn of(&mut self, losing: &Losing) -> Loss {
        // One file more costs nothing once git has said what is changed.
        if !matches!(losing, Losing::Path { recursive: false, .. } | Losing::Content(_)) {
            let Some(left) = self.left.checked_sub(1) else {
                return Loss::Unknown("there is too much to look at".into());
            };
            self.left = left;
        }
        answer(losing, &self.project, self.copies, &self.changed, Git::open)
    }
}

fn answer(
    losing: &Losing,
    project: &Utf8Path,
    copies: Copies,
    changed: &ChangedFiles,
    open: impl Fn(Repo) -> Git,
) -> Loss {
    let files = LossFiles { project, copies, changed, open: &open };
    let answer = match losing {
        Losing::Content(path) => files.content(path),
        Losing::Contents(pattern) => files.contents(pattern),
        Losing::Merged { from, into, deep } => files.merged(from, into, *deep),
        Losing::Path { path, recursive } => files.path(path, *recursive),
        Losing::Inside(directory) => files.inside(directory),
        Losing::Matching { pattern, recursive } => files.matching(pattern, *recursive),
        // Single files of a repository that is not there are nobody's work; a whole tree may be made by then.
        Losing::Changes { repository, paths } if is_absent(repository, paths) => Ok(Loss::Nothing),
        Losing::Named { repository, path, .. } if is_absent(repository, std::slice::from_ref(path)) => {
            Ok(Loss::Nothing)
        }
        Losing::Changes { repository, paths } => within(repository, |at| changes(&open(at), paths)),
        Losing::Named { repository, word, path } => within(repository, |at| {
            let git = open(at);
            match peel(&git, word, "commit")? {
                Some(_) => Ok(Loss::Nothing),
                None => changes(&git, std::slice::from_ref(path)),
            }
        }),
        Losing::Untracked { repository, paths, ignored, except } => {
            within(repository, |at| files.untracked(&open(at), paths, *ignored, except))
        }
        Losing::Branch { repository, name } => within(repository, |at| references::branch(&open(at), name)),
        Losing::Stash { repository } => within(repository, |at| references::stash(&open(at))),
        Losing::History { repository } => references::history(repository, &open),
        Losing::Worktree { repository, path } => files.worktree(repository, path),
    };
    answer.unwrap_or_else(|error| Loss::Unknown(error.to_string()))
}

/// Whether the repository is not there, and the paths in it are narrower than all of it.
fn is_absent(repository: &Addressed, paths: &[Utf8PathBuf]) -> bool {
    let Addressed::Directory(directory) = repository else { return false };
    !paths.is_empty() && paths.iter().all(|path| path != directory) && !directory.exists()
}

fn within(repository: &Addressed, ask: impl Fn(Repo) -> Result<Loss>) -> Result<Loss> {
    let Addressed::Directory(directory) = repository else {
        return Ok(Loss::Unknown("which repository it means is not known before it runs".into()));
    };
    if !directory.exists() {
        return Ok(Loss::Unknown(format!("there is no {directory} yet")));
    }
    match Repo::discover(directory)? {
        Some(repo) => ask(repo),
        None => Ok(Loss::Unknown(format!("{directory} lies in no repository"))),
    }
}

/// Changes of tracked files that no commit holds. What is only deleted comes back.
fn changes(git: &Git, paths: &[Utf8PathBuf]) -> Result<Loss> {
    let Some(status) = RepoStatus::read(git, paths, &["--untracked-files=no"])? else {
        return Ok(Loss::Nothing);
    };
    let changed =
        status.entries.iter().filter(|entry| matches!(entry.kind, StatusKind::Changed | StatusKind::Staged));
    Ok(loss_of(changed.map(|entry| entry.path.clone()).collect(), "uncommitted changes in "))
}

/// The loss in words: at most two names.
fn loss_of(paths: Vec<String>, what: &str) -> Loss {
    const SHOWN: usize = 2;
    if paths.is_empty() {
        return Loss::Nothing;
    }
    let paths: Vec<String> = paths.iter().map(|path| short(path)).collect();
    Loss::Matters(format!("{what}{}", list(&paths, SHOWN)))
}

/// A long path by its end.
fn short(path: &str) -> String {
    const LONGEST: usize = 48;
    match path.chars().count().checked_sub(LONGEST) {
        Some(over) if over > 0 => ['…'].into_iter().chain(path.chars().skip(over)).collect(),
        _ => path.to_owned(),
    }
}

/// The path with all symlinks resolved except in its last name.
fn located(path: &Utf8Path) -> Result<Utf8PathBuf> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(path.to_owned()) };
    let parent =
        parent.canonicalize_utf8().map_err(|source| Error::Read { path: parent.to_owned(), source })?;
    Ok(parent.join(name))
}

#[cfg(test)]
mod tests;
