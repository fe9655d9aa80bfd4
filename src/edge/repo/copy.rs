//! Exactly one tree as files, in a folder of its own, for checks that must not see anything else.
//!
//! The user's index, HEAD, refs and files stay as they are. In the copy, git sees a repository of its own that borrows the user's
//! objects; what a check does to it is lost with it.

use super::error::{Error, Result};
use super::git::Git;
use super::scratch::{Scratch, alternate};
use super::snapshot::Snapshot;
use super::tree::tree_of_files;
use crate::edge::file;
use crate::pure::review::ObjectId;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

const PREFIX: &str = "plimsoll-copy-";

/// Disappears with everything in it when dropped.
#[derive(Debug)]
pub(crate) struct Copy {
    _directory: TempDir,
    root: Utf8PathBuf,
    git: Git,
}

impl Copy {
    /// `head` is what git in the copy will say that it stands on.
    pub fn of(snapshot: &Snapshot, head: Option<&ObjectId>) -> Result<Self> {
        remove_abandoned(&std::env::temp_dir());
        let prefix = format!("{PREFIX}{}-", std::process::id());
        let mut builder = tempfile::Builder::new();
        let made = builder.prefix(&prefix).permissions(Permissions::from_mode(0o700)).tempdir();
        let directory =
            made.map_err(|source| Error::Copy { path: "the temporary directory".into(), source })?;
        let failed =
            |source| Error::Copy { path: directory.path().to_string_lossy().into_owned().into(), source };
        let real = directory.path().canonicalize().map_err(failed)?;
        let root =
            Utf8PathBuf::from_path_buf(real).map_err(|_| failed(io::ErrorKind::InvalidInput.into()))?;
        own_repository(&root.join(".git"), snapshot, head).map_err(failed)?;
        let index = [("GIT_INDEX_FILE", root.join(".git/index").into_os_string())];
        let git = snapshot.git().clone().with_worktree(&root).with_variables(index);
        let checkout = git.call(["read-tree", "--reset", "-u", snapshot.tree.0.as_str()]);
        checkout.setting("core.sparseCheckout", "false").bytes()?;
        Ok(Self { _directory: directory, root, git })
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The tree of the files as they are now.
    pub fn tree(&self) -> Result<Snapshot> {
        let (scratch, git) = Scratch::from_index(&self.git, &self.root.join(".git/index"))?;
        tree_of_files(&self.git, scratch, git, &[])
    }
}

/// No list of git's comes near this.
const LONGEST: u64 = 64 * 1024 * 1024;

fn own_repository(path: &Utf8Path, snapshot: &Snapshot, head: Option<&ObjectId>) -> io::Result<()> {
    for folder in ["objects/info", "objects/pack", "refs/heads", "info"] {
        fs::create_dir_all(path.join(folder))?;
    }
    fs::write(path.join("objects/info/alternates"), alternate(&snapshot.git().object_directory()))?;
    let head = head.map_or_else(|| "ref: refs/heads/main".into(), ObjectId::to_string);
    fs::write(path.join("HEAD"), format!("{head}\n"))?;
    let sha256 = snapshot.tree.0.as_str().len() == 64;
    let format = if sha256 { "1\n[extensions]\n\tobjectformat = sha256" } else { "0" };
    fs::write(
        path.join("config"),
        format!("[core]\n\tbare = false\n\trepositoryformatversion = {format}\n"),
    )?;
    let common = &snapshot.git().repo().common_dir;
    for name in ["info/attributes", "info/exclude", "shallow"] {
        match file::read(common.join(name), LONGEST) {
            Ok(bytes) => fs::write(path.join(name), bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Copies of processes that were killed before they could clean up. What cannot be removed is somebody else's.
fn remove_abandoned(folder: &std::path::Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process =
            name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|rest| rest.split('-').next());
        let process = process.and_then(|digits| digits.parse().ok()).and_then(rustix::process::Pid::from_raw);
        let gone = |process| rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH);
        if process.is_some_and(gone) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::super::{commit, committed_tree, staged_tree};
    use super::*;
    use std::process::Command;

    /// As a check would call it, with nothing of ours in its environment.
    fn git_in(copy: &Copy, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(copy.root()).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").args(arguments);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn a_copy_of_what_is_staged_holds_exactly_that_and_touches_nothing() {
        let fixture = Fixture::with_commit();
        fixture.write(".gitignore", "node_modules\n");
        fixture.write("run.sh", "echo\n");
        fixture.git(&["add", "."]);
        fixture.git(&["update-index", "--chmod=+x", "run.sh"]);
        fixture.write("a.txt", "not staged\n");
        fixture.write("node_modules/x", "ignored\n");
        fixture.write("untracked.txt", "u\n");
        // Git renews the time of an object that it finds already there, so times are no sign.
        let content = || {
            fixture.git_dir_state().into_iter().map(|(path, (bytes, _))| (path, bytes)).collect::<Vec<_>>()
        };
        let before = content();
        let git = fixture.open();
        let staged = staged_tree(&git).unwrap();
        let head = commit(&git, "HEAD").unwrap().id;
        let copy = Copy::of(&staged, Some(&head)).unwrap();
        let text = |name: &str| fs::read_to_string(copy.root().join(name)).ok();
        assert_eq!(text("a.txt").as_deref(), Some("one\n"));
        assert_eq!((text("untracked.txt"), text("node_modules/x")), (None, None));
        assert!(copy.root().join("run.sh").metadata().unwrap().permissions().mode() & 0o111 != 0);
        assert_eq!(copy.tree().unwrap().tree, staged.tree);
        assert_eq!(git_in(&copy, &["status", "--porcelain"]), "A  .gitignore\nA  run.sh\n");
        assert_eq!(git_in(&copy, &["rev-parse", "HEAD"]).trim(), head.as_str());
        assert!(content() == before);
        assert_eq!(fs::read_to_string(fixture.path("a.txt")).unwrap(), "not staged\n");
    }

    #[test]
    fn a_change_in_the_copy_is_seen_and_the_copy_goes_when_it_is_dropped() {
        let fixture = Fixture::with_commit();
        let first = fixture.git(&["rev-parse", "HEAD"]);
        fixture.write("a.txt", "two\n");
        fixture.commit("second");
        let content = committed_tree(&fixture.open(), &first).unwrap();
        let copy = Copy::of(&content, None).unwrap();
        assert_eq!(fs::read_to_string(copy.root().join("a.txt")).unwrap(), "one\n");
        assert_eq!(copy.tree().unwrap().tree, content.tree);
        fs::write(copy.root().join("new.txt"), "by a check\n").unwrap();
        assert_ne!(copy.tree().unwrap().tree, content.tree);
        let root = copy.root().to_owned();
        drop(copy);
        assert!(!root.exists());
    }

    #[test]
    fn what_a_killed_process_left_behind_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("/bin/sh").args(["-c", "exit"]).spawn().unwrap();
        child.wait().unwrap();
        let gone = folder.path().join(format!("{PREFIX}{}-x", child.id()));
        let ours = folder.path().join(format!("{PREFIX}{}-x", std::process::id()));
        let other = folder.path().join("plimsoll-copy-of-something");
        for path in [&gone, &ours, &other] {
            fs::create_dir(path).unwrap();
        }
        remove_abandoned(folder.path());
        assert_eq!([&gone, &ours, &other].map(|path| path.exists()), [false, true, true]);
    }
}
