//! The lock on a project: set by an emergency stop, lifted by a person. It lies outside the repository, and whatever cannot be
//! read counts as a stop.

use super::error::Error;
use super::layout::{Homes, StateLayout};
use super::lock::Lock;
use super::store::{create_folder_of, read_json_in_place, remove, write_json};
use crate::pure::monitor::interventions::SessionLimits;
use crate::pure::review::as_places;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;

const VERSION: u64 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectLock {
    pub version: u64,
    pub mode: LockMode,
    /// The incidents behind it, the oldest first.
    #[serde(default)]
    pub incidents: Vec<String>,
    /// The event, in one sentence.
    #[serde(default)]
    pub summary: String,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub since: u64,
    /// When the trouble began that led to the stop.
    #[serde(default)]
    pub began: u64,
    /// The session that was stopped.
    #[serde(default)]
    pub session: String,
    /// The last safe checkpoint, as far as it was known then.
    #[serde(default)]
    pub checkpoint: Option<String>,
    /// The remaining limits, after a recovery with limits.
    #[serde(default)]
    pub limits: Option<SessionLimits>,
    /// Every root that the project's state has, or would have without its repository: the lock lies under each of them.
    #[serde(default, serialize_with = "as_places")]
    pub roots: Vec<Utf8PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LockMode {
    /// Nothing runs until a person decides.
    Stopped,
    /// Work goes on with strict limits.
    Limited,
    /// A person approves every step that changes something.
    Manual,
    /// A person ended the work; nothing runs.
    Aborted,
}

/// The lock of a project, as it was read.
#[derive(Debug)]
pub enum Locked {
    Free,
    Held(ProjectLock),
    /// There is a lock, but nobody knows what it says: as good as a stop.
    Unreadable(Error),
}

impl ProjectLock {
    pub fn stopped(summary: &str, since: u64) -> Self {
        Self {
            version: VERSION,
            mode: LockMode::Stopped,
            incidents: Vec::new(),
            summary: summary.into(),
            since,
            began: since,
            session: String::new(),
            checkpoint: None,
            limits: None,
            roots: Vec::new(),
        }
    }

    /// One open, which nearly always finds nothing.
    pub fn read(homes: &Homes, layout: &StateLayout) -> Locked {
        match read_json_in_place(&homes.project_lock(layout.root()), VERSION) {
            Ok(None) => Locked::Free,
            Ok(Some(lock)) => Locked::Held(lock),
            Err(error) => Locked::Unreadable(error),
        }
    }

    /// Keeps other processes from changing the lock until it is dropped.
    pub fn guard(homes: &Homes, layout: &StateLayout) -> Result<Lock, Error> {
        Lock::acquire(&homes.project_lock(layout.root()).with_extension("lock"))
    }

    /// Under each of its roots. An empty file comes first and locks as well: a full disk or a kill in between leaves that.
    pub fn write(&self, homes: &Homes, layout: &StateLayout) -> Result<(), Error> {
        let places = self.places(homes, layout);
        let written: Vec<_> = places.iter().map(|path| self.write_at(path)).collect();
        written.into_iter().collect()
    }

    fn write_at(&self, path: &Utf8Path) -> Result<(), Error> {
        // The file exists already, or the write reports the problem.
        let _ = put_empty(path);
        write_json(path, self)
    }

    /// The place that is read goes last, so that half a removal is none.
    pub fn remove(&self, homes: &Homes, layout: &StateLayout) -> Result<(), Error> {
        self.places(homes, layout).iter().rev().try_for_each(|path| remove(path))
    }

    /// The place that is read comes first.
    fn places(&self, homes: &Homes, layout: &StateLayout) -> Vec<Utf8PathBuf> {
        let mut places = vec![homes.project_lock(layout.root())];
        for root in &self.roots {
            let place = homes.project_lock(root);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }
}

fn put_empty(path: &Utf8Path) -> Result<(), Error> {
    create_folder_of(path)?;
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    file.map(drop).map_err(Error::write(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn place() -> (tempfile::TempDir, Homes, StateLayout, StateLayout) {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap();
        let homes = Homes::new(&root.join("data"));
        let with_git = StateLayout::in_repository(&root.join("project/.git"));
        let without = StateLayout::without_git(&root.join("state"), &root.join("project"));
        (directory, homes, with_git, without)
    }

    fn lock(with_git: &StateLayout, without: &StateLayout) -> ProjectLock {
        let roots = vec![with_git.root().to_owned(), without.root().to_owned()];
        ProjectLock { roots, incidents: vec!["i-1".into()], ..ProjectLock::stopped("it looped", 7) }
    }

    #[test]
    fn a_lock_holds_with_and_without_the_repository_until_it_is_removed() {
        let (_directory, homes, with_git, without) = place();
        assert!(matches!(ProjectLock::read(&homes, &with_git), Locked::Free));
        let lock = lock(&with_git, &without);
        lock.write(&homes, &with_git).unwrap();
        for layout in [&with_git, &without] {
            assert!(matches!(ProjectLock::read(&homes, layout), Locked::Held(held) if held == lock));
        }
        lock.remove(&homes, &without).unwrap();
        for layout in [&with_git, &without] {
            assert!(matches!(ProjectLock::read(&homes, layout), Locked::Free));
        }
    }

    #[test]
    fn whatever_cannot_be_read_is_locked_and_stays_where_it_is() {
        let (_directory, homes, layout, _) = place();
        let path = homes.project_lock(layout.root());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        for content in ["", "{", "{\"version\":9}", "{\"version\":1,\"mode\":\"asleep\"}", "null"] {
            fs::write(&path, content).unwrap();
            for _ in 0..2 {
                assert!(
                    matches!(ProjectLock::read(&homes, &layout), Locked::Unreadable(_)),
                    "{content:?} opens the project"
                );
            }
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(matches!(ProjectLock::read(&homes, &layout), Locked::Unreadable(_)), "a directory");
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path.parent().unwrap(), "a file instead of the folder").unwrap();
        assert!(matches!(ProjectLock::read(&homes, &layout), Locked::Unreadable(_)), "a file as its folder");
    }
}
