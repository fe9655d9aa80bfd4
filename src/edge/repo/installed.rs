//! Content without the files that Plimsoll installed. While they are as they were installed, no tree and no change has
//! them; once somebody changes one, it is shown, even where git ignores it.

use super::error::{Error, Result};
use super::git::Git;
use super::scratch::Scratch;
use super::tree::write_tree;
use crate::pure::review::{GitPath, ObjectId, Side, TreeId};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

const FILE: u32 = 0o100_644;
const PROGRAM: u32 = 0o100_755;

/// A tree without the files of ours that are as they were installed, and their paths.
pub(super) struct Without {
    pub tree: TreeId,
    pub unchanged: BTreeSet<GitPath>,
}

/// The id of the tree without our files. Nobody can read a tree that is not in the repository.
pub(super) fn id_without_installed(git: &Git, tree: TreeId) -> Result<Without> {
    if git.installed().is_empty() {
        return Ok(Without { tree, unchanged: BTreeSet::new() });
    }
    let (_scratch, private) = Scratch::new(git)?;
    without_installed(&private, tree)
}

/// The tree without our files, in the private index and object store that `git` works in.
pub(super) fn without_installed(git: &Git, tree: TreeId) -> Result<Without> {
    if git.installed().is_empty() {
        return Ok(Without { tree, unchanged: BTreeSet::new() });
    }
    let listed = literal(git, &["ls-tree", "-r", "-z", "--full-tree", tree.0.as_str(), "--"])?;
    // `<mode> <type> <id>\t<path>`
    let unchanged = unchanged(git, entries(&listed, 2)?);
    if unchanged.is_empty() {
        return Ok(Without { tree, unchanged });
    }
    git.call(["read-tree", tree.0.as_str()]).bytes()?;
    remove(git, &unchanged)?;
    Ok(Without { tree: write_tree(git)?, unchanged })
}

/// Takes the files of ours that are as they were installed out of the index that `git` works in.
pub(super) fn remove_installed(git: &Git) -> Result<BTreeSet<GitPath>> {
    if git.installed().is_empty() {
        return Ok(BTreeSet::new());
    }
    let listed = literal(git, &["ls-files", "--stage", "-z", "--"])?;
    // `<mode> <id> <stage>\t<path>`
    let unchanged = unchanged(git, entries(&listed, 1)?);
    remove(git, &unchanged)?;
    Ok(unchanged)
}

/// Adds the files of ours that git ignores and somebody changed to the index that `git` works in. Whether there are any.
pub(super) fn add_changed(git: &Git, leave_out: &[GitPath]) -> Result<bool> {
    if git.installed().is_empty() {
        return Ok(false);
    }
    let known: BTreeSet<GitPath> = literal(git, &["ls-files", "-z", "--"])?
        .split(|byte| *byte == 0)
        .map(|path| GitPath(path.to_vec()))
        .collect();
    let left_out = |path: &GitPath| {
        leave_out.iter().any(|out| {
            let out = out.0.strip_suffix(b"/").unwrap_or(&out.0);
            path.0.strip_prefix(out).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        })
    };
    let hidden: Vec<GitPath> =
        git.installed().paths().filter(|path| !known.contains(path) && !left_out(path)).cloned().collect();
    let changed: Vec<GitPath> = sides(git, hidden)?
        .into_iter()
        .filter(|(path, side)| !git.installed().contains(path, side))
        .map(|(path, _)| path)
        .collect();
    if changed.is_empty() {
        return Ok(false);
    }
    let names = changed.iter().map(|path| OsStr::from_bytes(&path.0).to_owned());
    let arguments = ["add", "--force", "--"].map(OsString::from).into_iter().chain(names);
    literal_git(git).call(arguments).bytes()?;
    Ok(true)
}

/// The content that git would record for these files, as far as they exist. Anything but regular files is skipped.
pub(crate) fn sides(git: &Git, paths: Vec<GitPath>) -> Result<Vec<(GitPath, Side)>> {
    let mode = |path: &GitPath| {
        let file = git.repo().worktree.as_std_path().join(OsStr::from_bytes(&path.0));
        let found = fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file)?;
        Some(if found.permissions().mode() & 0o100 == 0 { FILE } else { PROGRAM })
    };
    let files: Vec<(GitPath, u32)> =
        paths.into_iter().filter_map(|path| mode(&path).map(|mode| (path, mode))).collect();
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let input: Vec<u8> = files.iter().flat_map(|(path, _)| path.0.iter().copied().chain([b'\n'])).collect();
    let printed = git.call(["hash-object", "--stdin-paths"]).input(input).line()?;
    let ids: Vec<ObjectId> = printed.lines().filter_map(ObjectId::parse).collect();
    if ids.len() != files.len() {
        return Err(Error::unexpected("hash-object"));
    }
    Ok(files.into_iter().zip(ids).map(|((path, mode), id)| (path, Side { mode, id })).collect())
}

fn unchanged(git: &Git, entries: BTreeMap<GitPath, Side>) -> BTreeSet<GitPath> {
    let ours = entries.into_iter().filter(|(path, side)| git.installed().contains(path, side));
    ours.map(|(path, _)| path).collect()
}

fn remove(git: &Git, paths: &BTreeSet<GitPath>) -> Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    let input = paths.iter().flat_map(|path| path.0.iter().copied().chain([0])).collect();
    Ok(git.call(["update-index", "-z", "--force-remove", "--stdin"]).input(input).bytes().map(drop)?)
}

/// Asks about exactly the paths that were installed.
fn literal(git: &Git, arguments: &[&str]) -> Result<Vec<u8>> {
    let paths = git.installed().paths().map(|path| OsStr::from_bytes(&path.0));
    Ok(literal_git(git).call(arguments.iter().map(OsStr::new).chain(paths)).bytes()?)
}

fn literal_git(git: &Git) -> Git {
    git.clone().with_variables([("GIT_LITERAL_PATHSPECS", "1".into())])
}

/// Entries of a listing whose words before the path are the mode and, at `id`, the object.
fn entries(listed: &[u8], id: usize) -> Result<BTreeMap<GitPath, Side>> {
    let entry = |bytes: &[u8]| {
        let tab = bytes.iter().position(|byte| *byte == b'\t')?;
        let (head, path) = bytes.split_at_checked(tab)?;
        let words: Vec<&str> = std::str::from_utf8(head).ok()?.split(' ').collect();
        let mode = u32::from_str_radix(words.first()?, 8).ok()?;
        Some((GitPath(path.get(1..)?.to_vec()), Side { mode, id: ObjectId::parse(words.get(id)?)? }))
    };
    let lines = listed.split(|byte| *byte == 0).filter(|line| !line.is_empty());
    lines.map(|line| entry(line).ok_or_else(|| Error::unexpected("ls-files"))).collect()
}
