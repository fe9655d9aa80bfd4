//! Changes files of the worktree: each whole or not at all, and only if it is still what was saved.

use super::stat::Stat;
use super::walk::TEMPORARY;
use crate::pure::restore::FileKind;
use crate::pure::review::GitPath;
use camino::Utf8Path;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The worktree that is restored.
pub(crate) struct Ground {
    worktree: PathBuf,
}

/// Why one file was left as it is.
#[derive(Debug, thiserror::Error)]
pub enum PutRefusal {
    #[error("it changed while files were restored")]
    Changed,
    #[error("something that was not saved is in its place")]
    InTheWay,
    #[error("{0}")]
    Failed(#[from] io::Error),
}

type Done = Result<(), PutRefusal>;

impl Ground {
    pub fn new(worktree: &Utf8Path) -> Self {
        Self { worktree: worktree.as_std_path().to_owned() }
    }

    /// `expected`: by what the file that is replaced was known when it was saved; `None`: there was nothing.
    pub fn write(
        &self,
        path: &GitPath,
        kind: FileKind,
        bytes: &[u8],
        permissions: u32,
        expected: Option<&Stat>,
    ) -> Done {
        let (place, parent) = self.place(path)?;
        self.make_parents(path)?;
        verify(&place, expected)?;
        writable(&parent, || {
            let mut temporary = tempfile::Builder::new();
            temporary.prefix(TEMPORARY);
            match kind {
                FileKind::File => {
                    let mut file = temporary.tempfile_in(&parent)?;
                    file.write_all(bytes)?;
                    file.as_file().set_permissions(Permissions::from_mode(permissions))?;
                    file.persist(&place).map_err(|error| error.error).map(drop)
                }
                FileKind::Link => {
                    let target = OsStr::from_bytes(bytes);
                    let link = temporary.make_in(&parent, |path| std::os::unix::fs::symlink(target, path))?;
                    link.persist(&place).map_err(|error| error.error).map(drop)
                }
            }
        })
    }

    pub fn remove(&self, path: &GitPath, expected: &Stat) -> Done {
        let (place, parent) = self.place(path)?;
        verify(&place, Some(expected))?;
        writable(&parent, || fs::remove_file(&place))
    }

    pub fn permit(&self, path: &GitPath, permissions: u32, expected: &Stat) -> Done {
        let (place, _) = self.place(path)?;
        verify(&place, Some(expected))?;
        Ok(fs::set_permissions(&place, Permissions::from_mode(permissions))?)
    }

    pub fn make_folder(&self, path: &GitPath) -> Done {
        self.make_parents(path)?;
        let (place, parent) = self.place(path)?;
        if fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) {
            return Ok(());
        }
        writable(&parent, || fs::create_dir(&place))
    }

    pub fn permit_folder(&self, path: &GitPath, permissions: u32) -> Done {
        let (place, _) = self.place(path)?;
        match fs::symlink_metadata(&place) {
            Ok(found) if found.is_dir() && found.permissions().mode() & 0o7777 != permissions => {
                Ok(fs::set_permissions(&place, Permissions::from_mode(permissions))?)
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Nothing happens to a folder in which something is left.
    pub fn remove_folder(&self, path: &GitPath) {
        if let Ok((place, parent)) = self.place(path)
            && fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir())
        {
            let _ = writable(&parent, || fs::remove_dir(&place));
        }
    }

    /// Whether something other than a folder is there; what a link around it leads to is elsewhere.
    pub fn has_file(&self, path: &GitPath) -> bool {
        let mut place = self.worktree.clone();
        let mut names = path.0.split(|byte| *byte == b'/').peekable();
        while let Some(name) = names.next() {
            place.push(OsStr::from_bytes(name));
            match fs::symlink_metadata(&place) {
                Ok(found) if found.is_dir() && names.peek().is_some() => {}
                Ok(found) => return !found.is_dir() && names.peek().is_none(),
                Err(_) => return false,
            }
        }
        false
    }

    /// Removes the temporary files of a restore that was killed.
    pub fn remove_abandoned(&self, paths: &[GitPath]) {
        for path in paths {
            if let Ok((place, _)) = self.place(path) {
                let _ = fs::remove_file(place);
            }
        }
    }

    fn place(&self, path: &GitPath) -> Result<(PathBuf, PathBuf), PutRefusal> {
        let names = path.0.split(|byte| *byte == b'/');
        let odd = |name: &[u8]| matches!(name, b"" | b"." | b".." | b".git");
        if names.clone().any(odd) {
            return Err(PutRefusal::InTheWay);
        }
        let place = self.worktree.join(OsStr::from_bytes(&path.0));
        let parent = place.parent().unwrap_or(&self.worktree).to_owned();
        Ok((place, parent))
    }

    /// Never through a link: what it leads to is somebody else's.
    fn make_parents(&self, path: &GitPath) -> Done {
        let mut place = self.worktree.clone();
        let mut names: Vec<&[u8]> = path.0.split(|byte| *byte == b'/').collect();
        names.pop();
        for name in names {
            let parent = place.clone();
            place.push(OsStr::from_bytes(name));
            match fs::symlink_metadata(&place) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => return Err(PutRefusal::InTheWay),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    writable(&parent, || fs::create_dir(&place))?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Whether what is there is what was saved.
fn verify(place: &Path, expected: Option<&Stat>) -> Done {
    match (fs::symlink_metadata(place), expected) {
        (Ok(found), Some(expected)) if Stat::of(&found) == *expected => Ok(()),
        // Folders are emptied before something takes their place.
        (Ok(found), None) if found.is_dir() => fs::remove_dir(place).map_err(|_| PutRefusal::InTheWay),
        (Ok(_), Some(_) | None) => Err(PutRefusal::Changed),
        (Err(error), None) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        (Err(error), Some(_)) if error.kind() == io::ErrorKind::NotFound => Err(PutRefusal::Changed),
        (Err(error), _) => Err(error.into()),
    }
}

/// In a folder that its owner made read-only, it is writable for as long as this takes.
fn writable(folder: &Path, mut act: impl FnMut() -> io::Result<()>) -> Done {
    match act() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let before = fs::symlink_metadata(folder)?.permissions();
            fs::set_permissions(folder, Permissions::from_mode(before.mode() | 0o700))?;
            let outcome = act();
            fs::set_permissions(folder, before)?;
            Ok(outcome?)
        }
        outcome => Ok(outcome?),
    }
}
