//! Differences: between two trees as pairs, in the worktree as lists of names.

use super::error::{Error, Result};
use super::git::Git;
use crate::edge::git::GitCommand;
use crate::pure::review::{GitPath, ObjectId, Pair, Side, TreeId};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// Raw output with whole ids, and none of what configuration could leave out: a submodule may be set to be ignored.
pub(super) const RAW: [&str; 8] = [
    "-r",
    "-z",
    "--raw",
    "--no-renames",
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=none",
];

const PREVIEW: usize = 8 * 1024 * 1024;

/// Changes of the worktree against HEAD, for a preview. They are not evidence: git honours hidden index flags here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WorktreeChanges {
    pub staged: Vec<GitPath>,
    pub unstaged: Vec<GitPath>,
    pub untracked: Vec<GitPath>,
}

/// Every path that differs between `base` (or nothing) and `tree`, sorted.
pub(crate) fn pairs(git: &Git, base: Option<&TreeId>, tree: &TreeId) -> Result<Vec<Pair>> {
    let base = base.map_or_else(|| empty_tree(tree), TreeId::to_string);
    let arguments = ["diff-tree"].into_iter().chain(RAW).chain([base.as_str(), tree.0.as_str()]);
    let printed = git.call(arguments).bytes()?;
    let mut tokens = printed.split(|byte| *byte == 0);
    let mut pairs = Vec::new();
    while let Some(entry) = tokens.next().filter(|entry| !entry.is_empty()) {
        let pair = tokens.next().and_then(|path| parse(entry, path));
        pairs.push(pair.ok_or_else(|| Error::unexpected("diff-tree"))?);
    }
    pairs.sort();
    Ok(pairs)
}

/// The tree without entries, in the hash that `like` is written in.
pub(super) fn empty_tree(like: &TreeId) -> String {
    const SHA1: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    const SHA256: &str = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
    if like.0.as_str().len() == SHA1.len() { SHA1.into() } else { SHA256.into() }
}

/// `:<old mode> <new mode> <old id> <new id> <letter>` and the path that follows it.
pub(super) fn parse(entry: &[u8], path: &[u8]) -> Option<Pair> {
    let text = std::str::from_utf8(entry).ok()?.strip_prefix(':')?;
    let mut words = text.split(' ');
    let mut mode = || u32::from_str_radix(words.next()?, 8).ok();
    let (old_mode, new_mode) = (mode()?, mode()?);
    let side = |mode: u32, id: &str| Some((mode != 0).then_some(Side { mode, id: ObjectId::parse(id)? }));
    let old = side(old_mode, words.next()?)?;
    let new = side(new_mode, words.next()?)?;
    Some(Pair { path: GitPath(path.to_vec()), old, new })
}

/// Names of changed files, without running filters or looking into submodules.
pub(crate) fn changed_files(git: &Git) -> Result<WorktreeChanges> {
    let arguments = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];
    let call = git.call(arguments.into_iter().chain(["--ignore-submodules=dirty"])).limit(PREVIEW);
    let call = without_filters(git, call)?;
    let mut changed = WorktreeChanges::default();
    for entry in call.bytes()?.split(|byte| *byte == 0) {
        sort_in(entry, &mut changed);
    }
    Ok(changed)
}

/// Files under `folder` that git tracks or would offer to add, from the top of the worktree.
pub(crate) fn unignored_files(git: &Git, folder: &str) -> Result<Vec<GitPath>> {
    let scope = format!(":(top,literal){folder}");
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--full-name", "--"];
    let names = git.call(arguments.into_iter().chain([scope.as_str()])).names()?;
    Ok(names.into_iter().map(GitPath).collect())
}

/// The call, with the user's filters switched off.
pub(super) fn without_filters(git: &Git, mut call: GitCommand) -> Result<GitCommand> {
    for driver in filter_drivers(git)? {
        for key in ["clean", "process"] {
            call = call.setting(filter_key(&driver, key), "");
        }
        call = call.setting(filter_key(&driver, "required"), "false");
    }
    Ok(call)
}

fn sort_in(entry: &[u8], changed: &mut WorktreeChanges) {
    let words = |count| entry.splitn(count, |byte| *byte == b' ').last().map(|path| GitPath(path.to_vec()));
    match entry.first() {
        Some(b'1') => {
            let Some(path) = words(9) else { return };
            if entry.get(2).is_some_and(|letter| *letter != b'.') {
                changed.staged.push(path.clone());
            }
            if entry.get(3).is_some_and(|letter| *letter != b'.') {
                changed.unstaged.push(path);
            }
        }
        Some(b'u') => changed.unstaged.extend(words(11)),
        Some(b'?') => changed.untracked.extend(words(2)),
        Some(_) | None => {}
    }
}

fn filter_drivers(git: &Git) -> Result<Vec<Vec<u8>>> {
    let call = git.call(["config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|process)$"]);
    let listed = call.answer()?.unwrap_or_default();
    let drivers = listed.split(|byte| *byte == 0).filter_map(|name| {
        let end = name.iter().rposition(|byte| *byte == b'.')?;
        name.get(..end)?.strip_prefix(b"filter.").map(<[u8]>::to_vec)
    });
    Ok(drivers.collect())
}

fn filter_key(driver: &[u8], key: &str) -> OsString {
    OsString::from_vec([b"filter.", driver, b".", key.as_bytes()].concat())
}
