//! Remembers which files of a project Plimsoll installed, and keeps them out of the user's commits.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::file;
use crate::edge::repo::{Git, sides};
use crate::edge::state::{self, InstallRecord, InstalledFile};
use crate::pure::review::GitPath;
use crate::pure::text::{quoted_where_needed, with_block, without_block};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// No list of ignored files comes near this.
const LIST_LIMIT: u64 = 64 * 1024 * 1024;
/// Files that Plimsoll writes later, below `.claude`.
const LATER: [&str; 3] = ["state/", "logs/", "**/*.plimsoll-backup"];

/// Who gets the installed files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Nobody else: git ignores them.
    Private,
    /// Everybody who has the repository: they are committed.
    Committed,
}

/// An installation into one project.
pub struct Installation {
    /// The folder `.claude`.
    pub claude: Utf8PathBuf,
    /// Files that are ours as a whole, with absolute paths.
    pub files: Vec<Utf8PathBuf>,
    /// Files of the user that hold lines of ours, if they have to be committed.
    pub merged: Vec<Utf8PathBuf>,
    pub sharing: Sharing,
}

/// Remembers an installation. Returns one line about what the person has to do. Repeating it changes nothing.
pub fn remember(workspace: &Workspace, installation: &Installation) -> Result<String, Failure> {
    let repo = workspace.repo.clone().ok_or("there is no git repository here")?;
    let git = Git::open(repo);
    let (worktree, common_dir) = (git.repo().worktree.clone(), git.repo().common_dir.clone());
    let project = project_of(&installation.claude)?;
    let mut paths = Vec::new();
    for file in &installation.files {
        paths.push(GitPath::new(below(&worktree, file)?));
    }
    let mut files: Vec<InstalledFile> = sides(&git, paths.clone())?
        .into_iter()
        .map(|(path, side)| InstalledFile { path, sides: vec![side] })
        .collect();
    // Files of an earlier version count as installed too: they may be committed already. A damaged record is replaced.
    let known = InstallRecord::of(&workspace.homes, &common_dir, project).ok().flatten();
    for old in known.map_or_else(Vec::new, |known| known.files) {
        match files.iter_mut().find(|file| file.path == old.path) {
            Some(file) => {
                file.sides.extend(old.sides);
                file.sides.sort();
                file.sides.dedup();
            }
            None => files.push(old),
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    InstallRecord::new(project, files).write(&workspace.homes, &common_dir)?;
    let prefix = below(&worktree, &installation.claude)?;
    match installation.sharing {
        Sharing::Private => {
            let later = LATER.map(|name| pattern(&format!("{prefix}/"), name));
            let ours = paths.iter().map(|path| pattern(&path.to_string(), ""));
            let mut lines: Vec<String> = later.into_iter().chain(ours).collect();
            // Other folders and worktrees of this repository share its list.
            for other in InstallRecord::all(&workspace.homes, &common_dir)? {
                for file in other.files.iter().filter(|_| other.project != project) {
                    lines.push(pattern(&file.path.to_string(), ""));
                }
            }
            let mut seen = BTreeSet::new();
            lines.retain(|line| seen.insert(line.clone()));
            write_exclude(&common_dir, Some(&lines))?;
            Ok(match installation.merged.is_empty() {
                true => "nothing to commit: git ignores what was installed (.git/info/exclude)".into(),
                false => "git ignores the new files (.git/info/exclude)".into(),
            })
        }
        Sharing::Committed => {
            write_exclude(&common_dir, None)?;
            let from_project = |path: &Utf8PathBuf| below(project, path).map(Utf8PathBuf::from);
            let mut shown = BTreeSet::new();
            for file in &installation.files {
                shown.insert(short(&from_project(file)?));
            }
            for file in &installation.merged {
                shown.insert(from_project(file)?);
            }
            let names: Vec<String> = shown.iter().map(|path| quoted_where_needed(path.as_str())).collect();
            Ok(format!("to commit: git add {}", names.join(" ")))
        }
    }
}

/// The opposite: the files are the user's again, and git's list is as it was.
pub fn forget(workspace: &Workspace, claude: &Utf8Path) -> Result<(), Failure> {
    let repo = workspace.repo.as_ref().ok_or("there is no git repository here")?;
    InstallRecord::remove(&workspace.homes, &repo.common_dir, project_of(claude)?)?;
    match InstallRecord::all(&workspace.homes, &repo.common_dir)?.is_empty() {
        true => write_exclude(&repo.common_dir, None),
        // Another worktree or folder of this repository still has its files there.
        false => Ok(()),
    }
}

/// Whether it can be told which files are ours.
pub fn readable(workspace: &Workspace) -> Result<(), Failure> {
    workspace.git().map(drop)
}

fn project_of(claude: &Utf8Path) -> Result<&Utf8Path, Failure> {
    claude.parent().ok_or_else(|| format!("{claude} is not in a project").into())
}

fn below<'a>(worktree: &Utf8Path, path: &'a Utf8Path) -> Result<&'a str, Failure> {
    Ok(path.strip_prefix(worktree).map_err(|_| format!("{path} is not in {worktree}"))?.as_str())
}

/// The folder that holds nothing but files of ours, or the file.
fn short(path: &Utf8Path) -> Utf8PathBuf {
    let ours = [".claude/skills/plimsoll", ".claude/plimsoll"];
    ours.iter()
        .find(|folder| path.starts_with(folder))
        .map_or_else(|| path.to_owned(), |folder| folder.into())
}

/// An anchored line of git's list that means exactly this path, and below it `rest`.
fn pattern(path: &str, rest: &str) -> String {
    let mut line = String::from("/");
    for letter in path.chars() {
        if matches!(letter, '*' | '?' | '[' | '\\' | ' ') {
            line.push('\\');
        }
        line.push(letter);
    }
    line + rest
}

/// Lists the lines in the repository's own list of ignored files, or none.
fn write_exclude(common_dir: &Utf8Path, lines: Option<&[String]>) -> Result<(), Failure> {
    write_block(&common_dir.join("info/exclude"), lines)
}

/// Makes the lines our block in a list of ignored files, or removes the block. Without it, the file is as it was.
pub fn write_block(path: &Utf8Path, lines: Option<&[String]>) -> Result<(), Failure> {
    let before = match file::read(path, LIST_LIMIT) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("could not read {path}: {error}").into()),
    };
    let after = match (lines, &before) {
        (Some(lines), _) => Some(with_block(before.as_deref(), lines)),
        (None, Some(bytes)) => without_block(bytes),
        (None, None) => None,
    };
    match after {
        after if after == before => Ok(()),
        Some(bytes) => {
            Ok(file::rewrite(path, &bytes).map_err(|error| format!("could not write {path}: {error}"))?)
        }
        None => Ok(state::remove(path)?),
    }
}
