//! The files of a worktree, as they are now, in the store.

use super::error::{Error, Result};
use super::folder::{EntryKind, FolderEntry, ListedFolder, joined};
use super::import::{ImportedFile, StoreImport, import};
use super::pace::{CaptureProgress, Next, Pace};
use super::seen::Seen;
use super::stat::Stat;
use super::store::Store;
use super::walk::{Put, Walk, WalkedTree};
use crate::edge::git;
use crate::pure::restore::{LeftOut, LeftOutReason, Modes, StoreLimits};
use crate::pure::review::{GitPath, ObjectId, TreeId};
use camino::Utf8Path;
use std::collections::{BTreeSet, HashMap};

/// The most names of files left out or ignored that are noted one by one.
const MOST_NAMES: usize = 20_000;
/// Files of this size come last.
const LARGE: u64 = 256 * 1024;

/// The content to capture, and the way to do it.
pub(crate) struct CaptureRequest<'a> {
    pub worktree: &'a Utf8Path,
    /// Names the worktree in the store.
    pub key: &'a str,
    /// Milliseconds since 1970.
    pub now: u64,
    /// Looked at even if ignored.
    pub named: &'a BTreeSet<Vec<u8>>,
    /// Not looked at.
    pub skipped: &'a [Vec<u8>],
    pub limits: &'a StoreLimits,
    /// The file that records the state of the worktree at this capture.
    pub seen: &'a Utf8Path,
}

/// A complete capture: what the store holds now.
pub(crate) struct Captured {
    pub tree: TreeId,
    pub commit: ObjectId,
    pub files: Modes,
    pub folders: Modes,
    pub empty_folders: Vec<GitPath>,
    /// Every folder that is no ignored one.
    pub all_folders: BTreeSet<GitPath>,
    pub nested: Vec<GitPath>,
    pub left_out: Vec<LeftOut>,
    pub ignored: Vec<GitPath>,
    /// Of these two there are more than were noted.
    pub cut: bool,
    pub count: usize,
    /// Left behind by a restore that was killed.
    pub abandoned: Vec<GitPath>,
    /// Where in `seen` each folder is.
    places: HashMap<Vec<u8>, usize>,
    seen: Seen,
}

impl Captured {
    /// By what the file system knew the file when its content was saved.
    pub fn stat(&self, path: &GitPath) -> Option<&Stat> {
        let slash = path.0.iter().rposition(|byte| *byte == b'/');
        let (folder, name) = match slash {
            Some(slash) => (path.0.get(..slash)?, path.0.get(slash + 1..)?),
            None => (&[][..], path.0.as_slice()),
        };
        let folder = self.seen.folders.get(*self.places.get(folder)?)?;
        folder.entry(name).filter(|entry| entry.is_content()).map(|entry| &entry.stat)
    }
}

/// The result of a capture.
pub(crate) enum Capture {
    /// Everything is in the store.
    Whole(Box<Captured>),
    /// The time ran out. The store keeps this part, and the next capture continues from it.
    Part(CaptureProgress),
}

/// Reads what changed since the last look and leaves the rest, one portion after the other. Each portion is whole in the
/// store, and written down as seen, before the next one begins.
pub(crate) fn capture(store: &Store, wanted: &CaptureRequest<'_>, pace: &Pace<'_>) -> Result<Capture> {
    let seen = Seen::read(wanted.seen).filter(|seen| store.holds(wanted.key, &seen.commit));
    let captured = match attempt(store, wanted, seen.as_ref(), pace) {
        // The cache names an object that does not exist; everything is read again, once.
        Err(Error::Git(git::Error::Failed { .. })) if seen.is_some() => attempt(store, wanted, None, pace),
        captured => captured,
    };
    match captured {
        Err(Error::OutOfTime | Error::Git(git::Error::Deadline { .. })) if pace.is_limited() => {
            Ok(Capture::Part(CaptureProgress::default()))
        }
        captured => captured,
    }
}

fn attempt(
    store: &Store,
    wanted: &CaptureRequest<'_>,
    seen: Option<&Seen>,
    pace: &Pace<'_>,
) -> Result<Capture> {
    let project = wanted.worktree.as_std_path();
    let walk = Walk {
        project,
        store: store.path().as_std_path(),
        seen,
        named: wanted.named,
        skipped: wanted.skipped,
        limits: wanted.limits,
        pace,
    };
    let (mut looked, roots) = walk.look()?;
    postpone(&mut looked, wanted.limits, pace);
    let mut gone = removed_paths(seen, &looked);
    let mut now = Seen {
        tree: seen.map_or_else(String::new, |seen| seen.tree.clone()),
        commit: seen.map_or_else(String::new, |seen| seen.commit.clone()),
        taken: wanted.now,
        roots: roots.into_iter().map(|root| root.seen).collect(),
        folders: std::mem::take(&mut looked.folders),
    };
    let mut left = std::mem::take(&mut looked.put);
    // Large files last: what people write is safe first.
    left.sort_by_key(|put| if put.size < LARGE { 0 } else { put.size });
    let reference = Store::next(wanted.key);
    let bytes_left = left.iter().map(|put| put.size).sum();
    let files = looked.files.saturating_sub(left.len());
    let mut progress = CaptureProgress { files, of: looked.files, bytes: 0, bytes_left };
    // Others need not wait to hear that this will take long.
    if pace.is_long(left.len(), bytes_left) && pace.rest(&progress, &now.commit) == Next::Stop {
        return Ok(Capture::Part(progress));
    }
    let mut written = false;
    while (seen.is_none() && !written) || !gone.is_empty() || !left.is_empty() {
        let change = StoreImport {
            reference: &reference,
            base: Some(now.tree.as_str()).filter(|tree| !tree.is_empty()),
            gone: &gone,
            put: &left,
            limit: wanted.limits.file_bytes,
            pace,
        };
        let imported = import(store, project, &change)?;
        let rest = left.split_off(imported.came.len().min(left.len()));
        settle(&mut now.folders, &mut looked, std::mem::replace(&mut left, rest), imported.came);
        (now.tree, now.commit) = (imported.tree, imported.commit);
        now.write(wanted.seen)?;
        store.advance(wanted.key)?;
        written = true;
        gone.clear();
        progress.files = looked.files.saturating_sub(left.len());
        progress.bytes += imported.bytes;
        progress.bytes_left = left.iter().map(|put| put.size).sum();
        if !left.is_empty() && pace.rest(&progress, &now.commit) == Next::Stop {
            return Ok(Capture::Part(progress));
        }
    }
    let changed = seen.is_none_or(|seen| seen.roots != now.roots || seen.folders != now.folders);
    if changed && !written {
        now.write(wanted.seen)?;
    }
    captured(looked, now).map(|captured| Capture::Whole(Box::new(captured)))
}

/// Takes the largest files out of a look that would take in too much: for a hook, or for a store that has to have room for
/// what changes later.
fn postpone(looked: &mut WalkedTree, limits: &StoreLimits, pace: &Pace<'_>) {
    let new: u64 = looked.put.iter().map(|put| put.size).sum();
    let most = if pace.is_limited() { limits.checkpoint_bytes } else { u64::MAX };
    let mut excess = new.saturating_sub(most).max(looked.bytes.saturating_sub(limits.store_bytes / 2));
    if excess == 0 {
        return;
    }
    looked.put.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.path.cmp(&b.path)));
    let mut late = 0;
    for put in &looked.put {
        if excess == 0 {
            break;
        }
        excess = excess.saturating_sub(put.size);
        late += 1;
    }
    let taken = looked.put.split_off(late);
    for put in std::mem::replace(&mut looked.put, taken) {
        forget(&mut looked.folders, &put);
        looked.files = looked.files.saturating_sub(1);
        let why = LeftOutReason::NextTime(put.size);
        looked.left_out.push(LeftOut { path: GitPath(put.path), why });
    }
}

fn place_of(folder: &ListedFolder, put: &Put) -> Option<usize> {
    folder.entries.binary_search_by(|entry| entry.name.cmp(&put.name)).ok()
}

fn forget(folders: &mut [ListedFolder], put: &Put) {
    if let Some(folder) = folders.get_mut(put.folder)
        && let Some(at) = place_of(folder, put)
    {
        folder.entries.remove(at);
    }
}

/// Paths that are in the last tree and no longer in the worktree.
fn removed_paths(seen: Option<&Seen>, looked: &WalkedTree) -> Vec<Vec<u8>> {
    let now: HashMap<&[u8], &ListedFolder> =
        looked.folders.iter().map(|folder| (folder.path.as_slice(), folder)).collect();
    let before = seen.iter().flat_map(|seen| &seen.folders);
    let gone = before.flat_map(|folder| {
        let now = now.get(folder.path.as_slice()).copied();
        let stays = move |entry: &FolderEntry| {
            now.and_then(|now| now.entry(&entry.name)).is_some_and(FolderEntry::is_content)
        };
        let content = folder.entries.iter().filter(|entry| entry.is_content());
        content.filter(move |entry| !stays(entry)).map(|entry| joined(&folder.path, &entry.name))
    });
    gone.collect()
}

/// Notes what was really read.
fn settle(folders: &mut [ListedFolder], looked: &mut WalkedTree, put: Vec<Put>, came: Vec<ImportedFile>) {
    for (put, came) in put.into_iter().zip(came) {
        match came {
            ImportedFile::Saved(stat) => {
                let folder = folders.get_mut(put.folder);
                let entry = folder.and_then(|folder| {
                    let at = place_of(folder, &put)?;
                    folder.entries.get_mut(at)
                });
                if let Some(entry) = entry {
                    entry.stat = stat;
                }
            }
            ImportedFile::Gone => forget(folders, &put),
            ImportedFile::LeftOut(why) => {
                forget(folders, &put);
                looked.left_out.push(LeftOut { path: GitPath(put.path), why });
            }
        }
    }
}

fn captured(mut looked: WalkedTree, seen: Seen) -> Result<Captured> {
    let unexpected = || Error::unexpected("fast-import");
    let tree = ObjectId::parse(&seen.tree).ok_or_else(unexpected)?;
    let commit = ObjectId::parse(&seen.commit).ok_or_else(unexpected)?;
    let (mut empty, mut ignored) = (Vec::new(), Vec::new());
    for folder in &seen.folders {
        if folder.kept && folder.empty && !folder.path.is_empty() {
            empty.push(GitPath(folder.path.clone()));
        }
        let ignored_here = folder.entries.iter().filter(|entry| entry.what == EntryKind::Ignored);
        ignored.extend(ignored_here.map(|entry| GitPath(joined(&folder.path, &entry.name))));
    }
    let own = seen.folders.iter().filter(|folder| folder.kept && !folder.path.is_empty());
    let folders = Modes::gather(own.clone().map(|folder| (folder, folder.stat.permissions())), |folder| {
        GitPath(folder.path.clone())
    });
    let all_folders = own.map(|folder| GitPath(folder.path.clone())).collect();
    let every =
        seen.folders.iter().flat_map(|folder| folder.entries.iter().map(move |entry| (folder, entry)));
    let every_file = every.clone().filter(|(_, entry)| entry.what == EntryKind::File);
    let files = Modes::gather(
        every_file.map(|(folder, entry)| ((folder, entry), entry.stat.permissions())),
        |(folder, entry)| GitPath(joined(&folder.path, &entry.name)),
    );
    let count = every.filter(|(_, entry)| entry.is_content()).count();
    let places = seen.folders.iter().enumerate().map(|(at, folder)| (folder.path.clone(), at)).collect();
    empty.sort();
    looked.left_out.sort();
    ignored.sort();
    let cut = looked.left_out.len().max(ignored.len()) > MOST_NAMES;
    looked.left_out.truncate(MOST_NAMES);
    ignored.truncate(MOST_NAMES);
    let mut nested: Vec<_> = looked.nested.into_iter().map(GitPath).collect();
    nested.sort();
    Ok(Captured {
        tree: TreeId(tree),
        commit,
        all_folders,
        files,
        folders,
        empty_folders: empty,
        nested,
        left_out: looked.left_out,
        ignored,
        cut,
        count,
        abandoned: looked.abandoned.into_iter().map(GitPath).collect(),
        places,
        seen,
    })
}

#[cfg(test)]
mod tests;
