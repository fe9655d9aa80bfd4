//! Lists folders. A project that was captured before is listed with several threads, because most of the time goes into
//! waiting for the file system.

use super::error::{Error, Result};
use super::pace::Pace;
use super::seen::Seen;
use super::stat::Stat;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope};

/// Beside the one that uses what they find.
const HELPERS: usize = 3;
/// Below that, starting them takes longer than they save.
const MANY: usize = 8_000;

/// The entries of a folder, sorted by name.
pub(super) type ListedCheckpoint = Vec<(Vec<u8>, Metadata)>;
/// The folder itself, and what lies in it.
pub(super) type CheckpointListing = io::Result<(Stat, ListedCheckpoint)>;

enum Slot {
    Open,
    Ready(CheckpointListing),
    Taken,
}

/// Folders of the last look, in its order, listed ahead of the walk.
pub(super) struct Ahead<'a> {
    project: &'a Path,
    folders: Vec<&'a [u8]>,
    places: HashMap<&'a [u8], usize>,
    slots: Vec<Mutex<Slot>>,
    next: AtomicUsize,
    over: AtomicBool,
}

impl<'a> Ahead<'a> {
    pub(super) fn of(project: &'a Path, seen: Option<&'a Seen>) -> Self {
        let folders = seen.map(|seen| seen.folders.as_slice()).unwrap_or_default();
        let many = folders.iter().map(|folder| folder.entries.len() + 1).sum::<usize>() >= MANY;
        let folders: Vec<&[u8]> =
            folders.iter().filter(|_| many).map(|folder| folder.path.as_slice()).collect();
        Self {
            project,
            places: folders.iter().enumerate().map(|(at, path)| (*path, at)).collect(),
            slots: folders.iter().map(|_| Mutex::new(Slot::Open)).collect(),
            folders,
            next: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        }
    }

    pub(super) fn start<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        for _ in 0..if self.folders.is_empty() { 0 } else { HELPERS } {
            // Without helpers it takes longer.
            let _ = thread::Builder::new().spawn_scoped(scope, || self.help());
        }
    }

    fn help(&self) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(path), Some(slot)) = (self.folders.get(at), self.slots.get(at)) else { return };
            // Held while it is listed, so that whoever needs it waits for it instead of doing it again.
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(*slot, Slot::Open) {
                let step = || if self.over.load(Ordering::Relaxed) { Err(Error::OutOfTime) } else { Ok(()) };
                match list(&self.project.join(OsStr::from_bytes(path)), step) {
                    Ok(listed) => *slot = Slot::Ready(listed),
                    Err(_) => return,
                }
            }
        }
    }

    /// The outer error: there is no time for it.
    pub(super) fn list(&self, path: &[u8], pace: &Pace<'_>) -> Result<CheckpointListing> {
        if let Some(slot) = self.places.get(path).and_then(|at| self.slots.get(*at)) {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            if let Slot::Ready(listed) = std::mem::replace(&mut *slot, Slot::Taken) {
                for _ in listed.iter().flat_map(|(_, found)| found) {
                    pace.step()?;
                }
                return Ok(listed);
            }
        }
        list(&self.project.join(OsStr::from_bytes(path)), || pace.step())
    }

    /// The helpers end.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        self.next.store(self.folders.len(), Ordering::Relaxed);
    }
}

fn list(place: &Path, mut step: impl FnMut() -> Result<()>) -> Result<CheckpointListing> {
    let open = || {
        let own = fs::symlink_metadata(place)?;
        if !own.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok((own, fs::read_dir(place)?))
    };
    let (own, entries) = match open() {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        step()?;
        match entry.and_then(|entry| Ok((entry.metadata()?, entry))) {
            Ok((metadata, entry)) => found.push((entry.file_name().into_vec(), metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Ok(Err(error)),
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Ok((Stat::of(&own), found)))
}
