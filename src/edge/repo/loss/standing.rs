//! Files with changes that no commit holds: what they are now, and what the last commit has of them.

use super::super::discover::Repo;
use super::super::error::Result;
use super::super::git::Git;
use super::super::objects::{Content, check, objects};
use super::located;
use super::status::{RepoStatus, StatusKind};
use crate::edge::file;
use crate::pure::step::sessions::{FileState, Tracking};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;

/// A longer file is not compared line by line.
const LONGEST: u64 = 1024 * 1024;
/// More files than this are asked about in one call for the whole worktree.
const MOST: usize = 256;
const EACH: [&str; 2] = ["--untracked-files=all", "--ignored=matching"];

/// The top of the worktree around a folder; `None` outside of any repository.
pub(crate) fn worktree_of(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    Some(Repo::discover(folder).ok()??.worktree)
}

/// Those of these files that have something which no commit holds. One call of git for each worktree.
pub(crate) fn standing(paths: &[Utf8PathBuf]) -> Result<BTreeMap<Utf8PathBuf, FileState>> {
    let mut found = BTreeMap::new();
    let mut by_worktree: BTreeMap<Utf8PathBuf, (Repo, Vec<Utf8PathBuf>)> = BTreeMap::new();
    for path in paths.iter().filter(|path| path.symlink_metadata().is_ok_and(|found| !found.is_dir())) {
        match path.parent().map(Repo::discover).transpose()?.flatten() {
            Some(repo) => {
                by_worktree.entry(repo.worktree.clone()).or_insert((repo, Vec::new())).1.push(path.clone())
            }
            None => drop(found.insert(path.clone(), state(path, Tracking::Untracked, Vec::new()))),
        }
    }
    for (worktree, (repo, paths)) in by_worktree {
        let git = Git::open(repo);
        // Too many names for one call: all of the worktree is looked at.
        let asked = if paths.len() > MOST { &[][..] } else { &paths };
        let Some(status) = RepoStatus::read(&git, asked, &EACH)? else { continue };
        let mut changed = Vec::new();
        for path in &paths {
            let place = located(path).unwrap_or_else(|_| path.clone());
            let Ok(relative) = place.strip_prefix(&worktree) else { continue };
            // git names the folder around files that it ignores.
            let entry = status.entries.iter().find(|entry| relative.starts_with(&entry.path));
            let tracking = match entry.map(|entry| entry.kind) {
                Some(StatusKind::Changed | StatusKind::Staged | StatusKind::Deleted) => Tracking::Tracked,
                Some(StatusKind::Untracked) => Tracking::Untracked,
                Some(StatusKind::Ignored) => Tracking::Ignored,
                None => continue,
            };
            changed.push((path, relative.to_owned(), tracking));
        }
        let names = changed.iter().map(|(_, relative, _)| format!("HEAD:{relative}")).collect::<Vec<_>>();
        // A name with a line break would be two to git.
        let blobs = match names.iter().any(|name| name.contains('\n')) {
            true => vec![None; names.len()],
            false => check(&git, names.iter().map(String::as_str))?,
        };
        for ((path, _, tracking), blob) in changed.into_iter().zip(blobs) {
            let held = match blob.filter(|(_, kind, _)| kind == "blob") {
                Some((id, _, _)) => match objects(&git, &[id], LONGEST)?.next().transpose()? {
                    Some((_, Content::Bytes(bytes))) => bytes,
                    Some((_, Content::TooLarge(_))) | None => Vec::new(),
                },
                None => Vec::new(),
            };
            found.insert(path.clone(), state(path, tracking, held));
        }
    }
    Ok(found)
}

fn state(path: &Utf8Path, tracking: Tracking, held: Vec<u8>) -> FileState {
    FileState { tracking, now: file::read(path, LONGEST).ok(), held }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::Fixture;
    use super::*;

    #[test]
    fn only_files_with_something_that_no_commit_holds_are_found() {
        let fixture = Fixture::new();
        fixture.write(".gitignore", "kept/\n");
        for name in ["clean.txt", "changed.txt", "staged.txt", "gone.txt"] {
            fixture.write(name, "old\n");
        }
        fixture.commit("first");
        for name in ["changed.txt", "staged.txt", "new.txt", "kept/a.txt"] {
            fixture.write(name, "new\n");
        }
        fixture.git(&["add", "staged.txt"]);
        fixture.git(&["rm", "-q", "gone.txt"]);
        let names =
            ["clean.txt", "changed.txt", "staged.txt", "gone.txt", "new.txt", "kept/a.txt", "none.txt"];
        let paths: Vec<_> = names.iter().map(|name| fixture.path(name)).collect();
        let found = standing(&paths).unwrap();
        let shown: Vec<_> = found
            .iter()
            .map(|(path, state)| {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                (
                    path.file_name().unwrap(),
                    state.tracking,
                    text(state.now.as_deref().unwrap()),
                    text(&state.held),
                )
            })
            .collect();
        let expected = [
            ("changed.txt", Tracking::Tracked, "new\n".to_owned(), "old\n".to_owned()),
            ("a.txt", Tracking::Ignored, "new\n".into(), String::new()),
            ("new.txt", Tracking::Untracked, "new\n".into(), String::new()),
            ("staged.txt", Tracking::Tracked, "new\n".into(), "old\n".into()),
        ];
        assert_eq!(shown, expected);
        assert_eq!(worktree_of(&fixture.path("kept")), Some(fixture.path("").canonicalize_utf8().unwrap()));
    }
}
