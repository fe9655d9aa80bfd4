//! The tree that the worktree, or the index, would become: computed by git itself on private copies.
//!
//! Edits hidden by `assume-unchanged` or `skip-worktree` are seen. Clean filters run, as they do in `git add`.
//! Ignored files and uncommitted content inside submodules are not part of the tree; see `dirty_submodules`.

use super::changes::pairs;
use super::error::{Error, Result};
use super::git::Git;
use super::hazard::unmerged;
use super::installed::{Without, add_changed, remove_installed, without_installed};
use super::scratch::Scratch;
use super::snapshot::Snapshot;
use crate::pure::review::{GitPath, ObjectId, Side, TreeId};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// HEAD, staged, unstaged and untracked content as one tree. Paths in `leave_out` (files or directories) stay as
/// HEAD has them.
pub(crate) fn worktree_tree(git: &Git, leave_out: &[GitPath]) -> Result<Snapshot> {
    let (scratch, private) = Scratch::new(git)?;
    tree_of_files(git, scratch, private, leave_out)
}

/// The content of a commit.
pub(crate) fn committed_tree(git: &Git, revision: &str) -> Result<Snapshot> {
    let tree = super::revision::commit(git, revision)?.tree;
    let (scratch, git) = Scratch::new(git)?;
    let Without { tree, unchanged } = without_installed(&git, tree)?;
    Ok(Snapshot::new(tree.clone(), git, scratch).with_installed(tree, unchanged))
}

/// `original` sees the index that `git` has a copy of.
pub(super) fn tree_of_files(
    original: &Git,
    scratch: Scratch,
    git: Git,
    leave_out: &[GitPath],
) -> Result<Snapshot> {
    let scope = pathspecs(leave_out);
    let arguments = ["add", "--all", "--sparse", "--"].map(OsString::from);
    let mut add = git.call(arguments.iter().chain(&scope));
    if hides_edits(&git)? {
        refresh(&git)?;
        // Without this setting git skips the files that a sparse checkout hides; with it, every call takes twice as long.
        add = add.setting("core.sparseCheckout", "true");
    }
    let added = add.bytes();
    if added.is_err() {
        refuse_nested_repositories(&git, &scope)?;
    }
    added?;
    let tree = write_tree(&git)?;
    refuse_new_gitlinks(original, &git, &tree)?;
    if !leave_out.is_empty() {
        reset(&git, leave_out)?;
    }
    let unchanged = remove_installed(&git)?;
    let tree = if leave_out.is_empty() && unchanged.is_empty() { tree } else { write_tree(&git)? };
    let content = match add_changed(&git, leave_out)? {
        true => write_tree(&git)?,
        false => tree.clone(),
    };
    Ok(Snapshot::new(tree, git, scratch).with_installed(content, unchanged))
}

/// The tree that `git commit` would record now, before any hook touches it.
pub(crate) fn staged_tree(git: &Git) -> Result<Snapshot> {
    let (scratch, git) = Scratch::new(git)?;
    let conflicts = unmerged(&git)?;
    if !conflicts.is_empty() {
        return Err(Error::Unmerged { paths: conflicts });
    }
    let unchanged = remove_installed(&git)?;
    let tree = write_tree(&git)?;
    Ok(Snapshot::new(tree.clone(), git, scratch).with_installed(tree, unchanged))
}

/// Submodules with changes that no commit of theirs holds, so that no tree of ours covers them.
pub(crate) fn dirty_submodules(git: &Git) -> Result<Vec<GitPath>> {
    let (_scratch, git) = Scratch::new(git)?;
    let submodules = gitlinks(&git)?;
    if submodules.is_empty() {
        return Ok(Vec::new());
    }
    let listed: Vec<u8> = submodules.into_iter().flat_map(|path| path.into_iter().chain([0])).collect();
    // A refresh leaves the flag on a submodule whose commit is unchanged, and status would then not look inside.
    git.call(["update-index", "-z", "--no-assume-unchanged", "--stdin"]).input(listed).bytes()?;
    let arguments = ["status", "--porcelain=v2", "-z", "--no-renames", "--ignore-submodules=none"];
    let call = git.call(arguments.into_iter().chain(["--untracked-files=normal"]));
    let printed = call.setting("core.sparseCheckout", "true").bytes()?;
    let dirty = printed.split(|byte| *byte == 0).filter_map(|entry| {
        // `1 XY S<commit><modified><untracked> mH mI mW hH hI path`
        let mut words = entry.splitn(9, |byte| *byte == b' ');
        let changed = words.next() == Some(b"1")
            && words
                .nth(1)
                .is_some_and(|sub| sub.starts_with(b"S") && (sub.contains(&b'M') || sub.contains(&b'U')));
        words.nth(5).filter(|_| changed).map(|path| GitPath(path.to_vec()))
    });
    Ok(dirty.collect())
}

/// Whether the index tells git not to look at some file: `assume-unchanged` is a small letter, `skip-worktree` an S.
fn hides_edits(git: &Git) -> Result<bool> {
    let listed = git.call(["ls-files", "-v", "-z"]).bytes()?;
    let hides = |entry: &[u8]| entry.first().is_some_and(|tag| tag.is_ascii_lowercase() || *tag == b'S');
    Ok(listed.split(|byte| *byte == 0).any(hides))
}

/// Paths that an index has as commits of another repository.
fn gitlinks(git: &Git) -> Result<BTreeSet<Vec<u8>>> {
    let listed = git.call(["ls-files", "--stage", "-z"]).bytes()?;
    let entries = listed.split(|byte| *byte == 0).filter(|entry| entry.starts_with(b"160000 "));
    Ok(entries
        .filter_map(|entry| entry.splitn(2, |byte| *byte == b'\t').nth(1))
        .map(<[u8]>::to_vec)
        .collect())
}

/// `git add` records a nested repository as a bare commit id that nobody else can fetch.
fn refuse_new_gitlinks(original: &Git, git: &Git, tree: &TreeId) -> Result<()> {
    let head = super::revision::find_commit(git, "HEAD")?.map(|head| head.tree);
    let is_gitlink = |side: &Option<Side>| side.as_ref().is_some_and(Side::is_submodule);
    let mut new: Vec<GitPath> = pairs(git, head.as_ref(), tree)?
        .into_iter()
        .filter(|pair| is_gitlink(&pair.new) && !is_gitlink(&pair.old))
        .map(|pair| pair.path)
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    let staged = gitlinks(original)?;
    new.retain(|path| !staged.contains(&path.0));
    if new.is_empty() { Ok(()) } else { Err(Error::NestedRepository { paths: new }) }
}

fn refresh(git: &Git) -> Result<()> {
    let arguments = ["update-index", "-q", "--unmerged", "--really-refresh"];
    Ok(git.call(arguments).setting("core.sparseCheckout", "true").bytes().map(drop)?)
}

/// Everything but `leave_out`; names are taken literally, whatever characters they have.
fn pathspecs(leave_out: &[GitPath]) -> Vec<OsString> {
    let excluded = leave_out.iter().map(|path| {
        let mut pathspec = b":(top,exclude,literal)".to_vec();
        pathspec.extend_from_slice(trimmed(path));
        OsString::from_vec(pathspec)
    });
    std::iter::once(OsString::from(".")).chain(excluded).collect()
}

fn trimmed(path: &GitPath) -> &[u8] {
    path.0.strip_suffix(b"/").unwrap_or(&path.0)
}

/// `git add` fails on a nested repository that has no commit yet.
fn refuse_nested_repositories(git: &Git, scope: &[OsString]) -> Result<()> {
    let arguments = ["ls-files", "--others", "--exclude-standard", "-z", "--"].map(OsString::from);
    let listed = git.call(arguments.iter().chain(scope)).bytes()?;
    let nested = listed.split(|byte| *byte == 0).filter_map(|path| path.strip_suffix(b"/"));
    let paths: Vec<_> = nested.map(|path| GitPath(path.to_vec())).collect();
    if paths.is_empty() { Ok(()) } else { Err(Error::NestedRepository { paths }) }
}

fn reset(git: &Git, leave_out: &[GitPath]) -> Result<()> {
    let head = super::revision::find_commit(git, "HEAD")?;
    let (mut removed, mut restored) = (Vec::new(), Vec::new());
    for path in leave_out {
        let name = OsStr::from_bytes(trimmed(path));
        let staged = literal(git, &["ls-files", "-z", "--"], name)?;
        let committed = match &head {
            Some(head) => {
                literal(git, &["ls-tree", "-r", "-z", "--full-tree", head.id.as_str(), "--"], name)?
            }
            None => Vec::new(),
        };
        let on_disk = std::fs::symlink_metadata(git.repo().worktree.as_std_path().join(name)).is_ok();
        if staged.is_empty() && committed.is_empty() && !on_disk {
            return Err(Error::NothingToLeaveOut { path: path.clone() });
        }
        removed.extend_from_slice(&staged);
        restored.extend_from_slice(&committed);
    }
    git.call(["update-index", "-z", "--force-remove", "--stdin"]).input(removed).bytes()?;
    Ok(git.call(["update-index", "-z", "--index-info"]).input(restored).bytes().map(drop)?)
}

fn literal(git: &Git, arguments: &[&str], name: &OsStr) -> Result<Vec<u8>> {
    let git = git.clone().with_variables([("GIT_LITERAL_PATHSPECS", "1".into())]);
    Ok(git.call(arguments.iter().map(OsStr::new).chain([name])).bytes()?)
}

pub(super) fn write_tree(git: &Git) -> Result<TreeId> {
    let printed = git.call(["write-tree"]).line()?;
    ObjectId::parse(&printed).map(TreeId).ok_or_else(|| Error::unexpected("write-tree"))
}
