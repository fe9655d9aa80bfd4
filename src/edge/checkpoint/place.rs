//! Where a folder's own repository lies, found by reading files.

use crate::edge::file;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const LONGEST: u64 = 16 * 1024;

/// The git directory of the repository whose worktree this folder is, if it is one.
pub(super) fn git_dir(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    let found = fs::metadata(&dot_git).ok()?;
    if found.is_dir() {
        return is_git_dir(&dot_git).then_some(dot_git);
    }
    let link = line(&dot_git)?;
    let named = link.strip_prefix(b"gitdir:")?;
    let target = folder.join(OsStr::from_bytes(named.trim_ascii_start()));
    is_git_dir(&target).then_some(target)
}

/// Where a repository keeps what all its worktrees share.
pub(super) fn common_dir(git_dir: &Path) -> PathBuf {
    match line(&git_dir.join("commondir")) {
        Some(text) => git_dir.join(OsStr::from_bytes(&text)),
        None => git_dir.to_owned(),
    }
}

fn is_git_dir(path: &Path) -> bool {
    path.join("HEAD").is_file()
        && (path.join("commondir").is_file() || (path.join("objects").is_dir() && path.join("refs").is_dir()))
}

fn line(path: &Path) -> Option<Vec<u8>> {
    let found = fs::metadata(path).ok()?;
    if !found.is_file() || found.len() > LONGEST {
        return None;
    }
    let mut bytes = file::read(path, LONGEST).ok()?;
    bytes.truncate(bytes.trim_ascii_end().len());
    Some(bytes)
}
