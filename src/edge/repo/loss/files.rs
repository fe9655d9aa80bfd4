//! Files and directories: in a commit, made again by a build, or gone for good.

use super::super::discover::Repo;
use super::super::error::{Error, Result};
use super::super::git::Git;
use super::copies::{Copies, Gathered};
use super::status::{ChangedFiles, FOLDED, RepoStatus, StatusEntry, StatusKind};
use super::{located, loss_of};
use crate::pure::step::{Addressed, IgnoredFiles, Loss, is_precious, is_usually_generated};
use camino::{Utf8Path, Utf8PathBuf};
use globset::{GlobBuilder, GlobMatcher};
use std::fs::{self, Metadata};

/// The most directory entries that are examined.
const ENTRIES: usize = 20_000;
const EACH: [&str; 2] = ["--untracked-files=all", "--ignored=matching"];

pub(crate) struct LossFiles<'a> {
    pub project: &'a Utf8Path,
    pub copies: Copies,
    pub changed: &'a ChangedFiles,
    pub open: &'a dyn Fn(Repo) -> Git,
}

impl LossFiles<'_> {
    pub fn path(&self, path: &Utf8Path, recursive: bool) -> Result<Loss> {
        let Ok(found) = fs::symlink_metadata(path) else { return Ok(absent(path)) };
        if found.is_dir() && !recursive {
            return Ok(Loss::Nothing);
        }
        let path = located(path)?;
        if found.is_symlink() {
            return self.alone(&path, &found);
        }
        if path.components().any(|name| name.as_str() == ".git") {
            return Ok(Loss::Matters(path.to_string()));
        }
        let around = path.parent().map(Repo::discover).transpose()?.flatten();
        if !found.is_dir() {
            return self.file(&path, &found, around);
        }
        if fs::symlink_metadata(path.join(".git")).is_ok_and(|own| own.is_dir())
            && !around.as_ref().is_some_and(|repo| is_made_again(&path, &repo.worktree))
        {
            return Ok(Loss::Matters(format!("the repository {path} with its history")));
        }
        match Repo::discover(&path)? {
            Some(repo) => self.tree(&(self.open)(repo), &path),
            None => self.without_git(&path, is_usually_generated(path.file_name().unwrap_or_default())),
        }
    }

    fn file(&self, path: &Utf8Path, found: &Metadata, around: Option<Repo>) -> Result<Loss> {
        let name = path.file_name().unwrap_or_default();
        let minds = is_precious(name) || !(path.starts_with(self.project) || is_usually_generated(name));
        let untracked = || if minds { loss_of(vec![name.to_owned()], "") } else { Loss::Nothing };
        let Some(repo) = around else {
            return if minds { Ok(untracked()) } else { self.alone(path, found) };
        };
        let git = (self.open)(repo);
        if self.changed.contains(&git, path)? {
            return Ok(loss_of(vec![name.to_owned()], "uncommitted changes in "));
        }
        if !minds {
            return self.alone(path, found);
        }
        let Some(status) = RepoStatus::read(&git, &[path.to_owned()], &FOLDED)? else {
            return Ok(untracked());
        };
        Ok(match status.entries.first().map(|entry| entry.kind) {
            Some(StatusKind::Untracked | StatusKind::Ignored) => untracked(),
            Some(StatusKind::Changed | StatusKind::Staged | StatusKind::Deleted) | None => Loss::Nothing,
        })
    }

    /// A single file of the project: no reason to ask, so long as a copy is taken first.
    fn alone(&self, path: &Utf8Path, found: &Metadata) -> Result<Loss> {
        let mut gathered = Gathered::new(self.copies);
        self.one(path, found, &mut gathered)?;
        Ok(gathered.loss())
    }

    pub fn inside(&self, directory: &Utf8Path) -> Result<Loss> {
        if !directory.is_dir() {
            return Ok(absent(directory));
        }
        match Repo::discover(directory)? {
            Some(repo) => {
                let real = directory.canonicalize_utf8();
                let real = real.map_err(|source| Error::Read { path: directory.to_owned(), source })?;
                self.tree(&(self.open)(repo), &real)
            }
            None => {
                self.without_git(directory, is_usually_generated(directory.file_name().unwrap_or_default()))
            }
        }
    }

    /// Everything at and below a directory.
    fn tree(&self, git: &Git, directory: &Utf8Path) -> Result<Loss> {
        let Some(status) = RepoStatus::read(git, &[directory.to_owned()], &FOLDED)? else {
            return Ok(Loss::Nothing);
        };
        let (mut names, mut budget) = (Vec::new(), ENTRIES);
        let mut gathered = Gathered::new(self.copies);
        for entry in &status.entries {
            let counts = match entry.kind {
                StatusKind::Changed => true,
                StatusKind::Untracked => !named_made_again(&entry.path),
                StatusKind::Ignored => self.keeps(git, entry, directory, &mut budget, &mut gathered)?,
                StatusKind::Staged | StatusKind::Deleted => false,
            };
            if counts {
                names.push(entry.path.clone());
            }
        }
        Ok(if names.is_empty() { gathered.loss() } else { loss_of(names, "") })
    }

    fn without_git(&self, directory: &Utf8Path, again: bool) -> Result<Loss> {
        if again || is_made_again(directory, self.project) {
            return Ok(Loss::Nothing);
        }
        let names =
            entries(directory)?.into_iter().map(|path| path.file_name().unwrap_or_default().to_owned());
        let names = names.filter(|name| !is_usually_generated(name)).collect();
        Ok(loss_of(names, "files outside of any repository: "))
    }

    pub fn matching(&self, pattern: &str, recursive: bool) -> Result<Loss> {
        let Some(search) = GlobSearch::new(pattern, recursive) else {
            return Ok(Loss::Unknown(format!("what {pattern} matches is not known")));
        };
        if !search.front.is_dir() {
            return Ok(Loss::Nothing);
        }
        let repo = Repo::discover(&search.front)?;
        match repo {
            Some(repo) => self.matching_in(&(self.open)(repo), &search),
            None => {
                let mut budget = ENTRIES;
                let Some(found) = search.walk(&search.front, &mut budget)? else { return Ok(too_many()) };
                let kept = found.into_iter().filter(|path| !named_made_again(path)).collect();
                Ok(loss_of(kept, "files outside of any repository: "))
            }
        }
    }

    fn matching_in(&self, git: &Git, search: &GlobSearch) -> Result<Loss> {
        let Some(status) = RepoStatus::read(git, std::slice::from_ref(&search.front), &EACH)? else {
            return Ok(Loss::Nothing);
        };
        let (mut names, mut budget) = (Vec::new(), ENTRIES);
        let mut gathered = Gathered::new(self.copies);
        for entry in &status.entries {
            let path = git.repo().worktree.join(&entry.path);
            let hit = search.hits(&path);
            let counts = match entry.kind {
                StatusKind::Changed => hit,
                StatusKind::Untracked => hit && !named_made_again(&entry.path),
                StatusKind::Ignored if named_made_again(&entry.path) => false,
                StatusKind::Ignored if hit => self.keeps(git, entry, &path, &mut budget, &mut gathered)?,
                // git names the folder around what was asked for, if all of it is ignored.
                StatusKind::Ignored if path.is_dir() && (search.deep || search.front.starts_with(&path)) => {
                    let around = if search.front.starts_with(&path) { &search.front } else { &path };
                    let Some(found) = search.walk(around, &mut budget)? else { return Ok(too_many()) };
                    for found in &found {
                        self.ignored(&search.front.join(found), &mut gathered)?;
                    }
                    found.iter().any(|path| is_precious(path.rsplit('/').next().unwrap_or(path)))
                }
                StatusKind::Ignored | StatusKind::Staged | StatusKind::Deleted => false,
            };
            if counts {
                names.push(entry.path.clone());
            }
        }
        Ok(if names.is_empty() { gathered.loss() } else { loss_of(names, "") })
    }

    pub fn untracked(
        &self,
        git: &Git,
        paths: &[Utf8PathBuf],
        ignored: IgnoredFiles,
        except: &[String],
    ) -> Result<Loss> {
        let options = match ignored {
            IgnoredFiles::Spared => ["--untracked-files=normal", "--ignored=no"],
            IgnoredFiles::Too | IgnoredFiles::Only => FOLDED,
        };
        let Some(status) = RepoStatus::read(git, paths, &options)? else { return Ok(Loss::Nothing) };
        let (mut names, mut budget) = (Vec::new(), ENTRIES);
        let mut gathered = Gathered::new(self.copies);
        let spared: Vec<GlobMatcher> = except.iter().filter_map(|pattern| ignore_pattern(pattern)).collect();
        for entry in &status.entries {
            let counts = match entry.kind {
                _ if spared.iter().any(|pattern| pattern.is_match(&entry.path)) => false,
                StatusKind::Untracked => ignored != IgnoredFiles::Only && !named_made_again(&entry.path),
                StatusKind::Ignored => {
                    self.keeps(git, entry, &git.repo().worktree, &mut budget, &mut gathered)?
                }
                StatusKind::Changed | StatusKind::Staged | StatusKind::Deleted => false,
            };
            if counts {
                names.push(entry.path.clone());
            }
        }
        Ok(if names.is_empty() { gathered.loss() } else { loss_of(names, "untracked ") })
    }

    /// Whether an ignored file or directory holds something that nobody could make again. What else lies there is gathered.
    fn keeps(
        &self,
        git: &Git,
        entry: &StatusEntry,
        below: &Utf8Path,
        budget: &mut usize,
        gathered: &mut Gathered,
    ) -> Result<bool> {
        if named_made_again(&entry.path) {
            return Ok(false);
        }
        let path = git.repo().worktree.join(&entry.path);
        // git names the directory around what was asked for, if all of it is ignored.
        let path = if below.starts_with(&path) { below.to_owned() } else { path };
        if is_precious(path.file_name().unwrap_or_default()) || holds_precious(&path, budget)? {
            return Ok(true);
        }
        self.ignored(&path, gathered)?;
        Ok(false)
    }

    /// A linked worktree of the same repository: its commits stay, what is not committed goes.
    pub fn worktree(&self, repository: &Addressed, path: &Utf8Path) -> Result<Loss> {
        let foreign = || Loss::Unknown(format!("{path} is no worktree of this repository"));
        let Addressed::Directory(main) = repository else { return Ok(foreign()) };
        if fs::symlink_metadata(path).is_err() {
            return Ok(Loss::Unknown(format!("there is no {path} yet")));
        }
        let (Some(ours), Ok(Some(theirs))) = (Repo::discover(main)?, Repo::discover(path)) else {
            return Ok(foreign());
        };
        if theirs.common_dir != ours.common_dir || theirs.git_dir == theirs.common_dir {
            return Ok(foreign());
        }
        self.path(path, true)
    }
}

/// Whether something precious lies in a directory. More than anybody could look through counts as such.
fn holds_precious(directory: &Utf8Path, budget: &mut usize) -> Result<bool> {
    let mut left = vec![directory.to_owned()];
    while let Some(path) = left.pop() {
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            continue;
        }
        for entry in entries(&path)? {
            let name = entry.file_name().unwrap_or_default();
            let Some(rest) = budget.checked_sub(1) else { return Ok(true) };
            *budget = rest;
            if is_precious(name) {
                return Ok(true);
            }
            if !is_usually_generated(name) {
                left.push(entry);
            }
        }
    }
    Ok(false)
}

/// A shell pattern below the directory that it is fixed to.
pub(crate) struct GlobSearch {
    pub front: Utf8PathBuf,
    matcher: GlobMatcher,
    recursive: bool,
    /// It reaches below the directory that it names.
    deep: bool,
}

impl GlobSearch {
    pub fn new(pattern: &str, recursive: bool) -> Option<Self> {
        let names: Vec<&str> = pattern.split('/').collect();
        let fixed = names.iter().take_while(|name| !name.contains(['*', '?', '[', '{', '('])).count();
        let front = names.get(..fixed)?.join("/");
        let rest = names.get(fixed..)?.join("/");
        let front = Utf8PathBuf::from(if front.is_empty() { "/" } else { &front });
        let front = front.canonicalize_utf8().unwrap_or(front);
        let matcher = GlobBuilder::new(&rest).literal_separator(true).build().ok()?.compile_matcher();
        Some(Self { front, matcher, recursive, deep: rest.contains('/') })
    }

    /// Whether the pattern matches the path, or for a recursive removal a directory around it.
    fn hits(&self, path: &Utf8Path) -> bool {
        let Ok(rest) = path.strip_prefix(&self.front) else { return false };
        let mut all = rest.ancestors().filter(|path| !path.as_str().is_empty());
        match self.recursive {
            true => all.any(|path| self.matcher.is_match(path)),
            false => self.matcher.is_match(rest),
        }
    }

    /// The matches at and below a directory; `None` if there are too many entries to look at.
    pub fn walk(&self, directory: &Utf8Path, budget: &mut usize) -> Result<Option<Vec<String>>> {
        let (mut left, mut found) = (vec![directory.to_owned()], Vec::new());
        while let Some(path) = left.pop() {
            for entry in entries(&path)? {
                let Some(rest) = budget.checked_sub(1) else { return Ok(None) };
                *budget = rest;
                let is_directory = fs::symlink_metadata(&entry).is_ok_and(|found| found.is_dir());
                let meant = self.hits(&entry) && (self.recursive || !is_directory);
                if meant {
                    found.push(entry.strip_prefix(&self.front).unwrap_or(&entry).to_string());
                } else if is_directory
                    && self.deep
                    && !is_usually_generated(entry.file_name().unwrap_or_default())
                {
                    left.push(entry);
                }
            }
        }
        Ok(Some(found))
    }
}

pub(crate) fn entries(directory: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let failed = |source| Error::Read { path: directory.to_owned(), source };
    let read = directory.read_dir_utf8().map_err(failed)?;
    // A name that is no text cannot be one of ours; the directory is not empty for that.
    Ok(read.map(|entry| entry.map_or_else(|_| directory.join("?"), |entry| entry.into_path())).collect())
}

fn absent(path: &Utf8Path) -> Loss {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            Loss::Unknown(format!("{path} cannot be read"))
        }
        _ => Loss::Nothing,
    }
}

pub(crate) fn too_many() -> Loss {
    Loss::Unknown("there are too many files to look at".into())
}

/// A pattern as in an ignore file: a name counts at every depth.
fn ignore_pattern(pattern: &str) -> Option<GlobMatcher> {
    let plain = pattern.trim_end_matches('/');
    let anchored = match plain.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if plain.contains('/') => plain.to_owned(),
        None => format!("**/{plain}"),
    };
    Some(GlobBuilder::new(&anchored).literal_separator(true).build().ok()?.compile_matcher())
}

fn named_made_again(path: &str) -> bool {
    path.split('/').any(is_usually_generated)
}

/// Whether a path below `root` lies in, or is, what a build makes.
pub(crate) fn is_made_again(path: &Utf8Path, root: &Utf8Path) -> bool {
    path.strip_prefix(root).is_ok_and(|rest| named_made_again(rest.as_str()))
}
