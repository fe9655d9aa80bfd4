//! The files of a worktree, as they are now, in the store.

use super::error::Result;
use super::folder::{Entry, Folder, What, joined};
use super::import::{Came, Change, Imported, import};
use super::root::Root;
use super::seen::Seen;
use super::stat::Stat;
use super::store::Store;
use super::walk::{Looked, Put, Walk};
use crate::restore::{LeftOut, Limits, Modes, Reason};
use crate::review::{GitPath, ObjectId, TreeId};
use camino::Utf8Path;
use std::collections::{BTreeSet, HashMap};

/// So many names of what was left out, or ignored, are noted one by one.
const MOST_NAMES: usize = 20_000;

/// What is looked at, and how.
pub struct Wanted<'a> {
    pub worktree: &'a Utf8Path,
    /// Names the worktree in the store.
    pub key: &'a str,
    /// Milliseconds since 1970.
    pub now: u64,
    /// Looked at even if ignored.
    pub named: &'a BTreeSet<Vec<u8>>,
    /// Not looked at.
    pub skipped: &'a [Vec<u8>],
    pub limits: &'a Limits,
}

/// What is in the store now.
pub struct Captured {
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
    pub seen: Seen,
    /// Whether `seen` says something new.
    pub changed: bool,
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

/// Reads what changed since `seen` and leaves the rest. What git in the store makes of it is whole or an error.
pub fn capture(store: &Store, wanted: &Wanted<'_>, seen: Option<Seen>) -> Result<Captured> {
    let base = seen.filter(|seen| store.has(&seen.commit));
    match attempt(store, wanted, base.as_ref()) {
        Ok(captured) => Ok(captured),
        // What the cache speaks of is not there; everything is read again, once.
        Err(super::Error::Git { .. }) if base.is_some() => attempt(store, wanted, None),
        Err(error) => Err(error),
    }
}

fn attempt(store: &Store, wanted: &Wanted<'_>, seen: Option<&Seen>) -> Result<Captured> {
    let project = wanted.worktree.as_std_path();
    let walk = Walk {
        project,
        store: store.path().as_std_path(),
        seen,
        named: wanted.named,
        skipped: wanted.skipped,
        limits: wanted.limits,
    };
    let (mut looked, roots) = walk.look()?;
    postpone(&mut looked, wanted.limits.checkpoint_bytes);
    let gone = gone(seen, &looked);
    let known = seen.filter(|_| gone.is_empty() && looked.put.is_empty());
    let imported = match known {
        Some(seen) => Imported { tree: seen.tree.clone(), commit: seen.commit.clone(), came: Vec::new() },
        None => {
            let reference = format!("refs/seen/{}", wanted.key);
            let limit = wanted.limits.file_bytes;
            let base = seen.map(|seen| seen.tree.as_str());
            let change = Change { reference: &reference, base, gone: &gone, put: &looked.put, limit };
            import(store.path().as_std_path(), project, &change)?
        }
    };
    settle(&mut looked, &imported.came);
    captured(looked, roots, imported, wanted, seen)
}

/// Takes the largest files out of a checkpoint that would take in too much.
fn postpone(looked: &mut Looked, most: u64) {
    let total: u64 = looked.put.iter().map(|put| put.size).sum();
    let mut excess = total.saturating_sub(most);
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
        let why = Reason::NextTime(put.size);
        looked.left_out.push(LeftOut { path: GitPath(put.path), why });
    }
}

fn forget(folders: &mut [Folder], put: &Put) {
    if let Some(folder) = folders.get_mut(put.folder) {
        folder.entries.retain(|entry| entry.name != put.name);
    }
}

/// What the last tree has and the worktree has not.
fn gone(seen: Option<&Seen>, looked: &Looked) -> Vec<Vec<u8>> {
    let now: HashMap<&[u8], &Folder> =
        looked.folders.iter().map(|folder| (folder.path.as_slice(), folder)).collect();
    let before = seen.iter().flat_map(|seen| &seen.folders);
    let gone = before.flat_map(|folder| {
        let now = now.get(folder.path.as_slice()).copied();
        let stays =
            move |entry: &Entry| now.and_then(|now| now.entry(&entry.name)).is_some_and(Entry::is_content);
        let content = folder.entries.iter().filter(|entry| entry.is_content());
        content.filter(move |entry| !stays(entry)).map(|entry| joined(&folder.path, &entry.name))
    });
    gone.collect()
}

/// Notes what was really read.
fn settle(looked: &mut Looked, came: &[Came]) {
    for (put, came) in std::mem::take(&mut looked.put).into_iter().zip(came) {
        match came {
            Came::Saved(stat) => {
                let entry = looked
                    .folders
                    .get_mut(put.folder)
                    .and_then(|folder| folder.entries.iter_mut().find(|entry| entry.name == put.name));
                if let Some(entry) = entry {
                    entry.stat = *stat;
                }
            }
            Came::Gone => forget(&mut looked.folders, &put),
            Came::LeftOut(why) => {
                forget(&mut looked.folders, &put);
                looked.left_out.push(LeftOut { path: GitPath(put.path), why: why.clone() });
            }
        }
    }
}

fn captured(
    mut looked: Looked,
    roots: Vec<Root>,
    imported: Imported,
    wanted: &Wanted<'_>,
    before: Option<&Seen>,
) -> Result<Captured> {
    let unexpected = || super::Error::Unexpected { command: "fast-import" };
    let tree = ObjectId::parse(&imported.tree).ok_or_else(unexpected)?;
    let commit = ObjectId::parse(&imported.commit).ok_or_else(unexpected)?;
    let (mut empty, mut ignored) = (Vec::new(), Vec::new());
    for folder in &looked.folders {
        if folder.kept && folder.empty && !folder.path.is_empty() {
            empty.push(GitPath(folder.path.clone()));
        }
        let ignored_here = folder.entries.iter().filter(|entry| entry.what == What::Ignored);
        ignored.extend(ignored_here.map(|entry| GitPath(joined(&folder.path, &entry.name))));
    }
    let own = looked.folders.iter().filter(|folder| folder.kept && !folder.path.is_empty());
    let folders = Modes::gather(own.clone().map(|folder| (folder, folder.stat.permissions())), |folder| {
        GitPath(folder.path.clone())
    });
    let all_folders = own.map(|folder| GitPath(folder.path.clone())).collect();
    let every =
        looked.folders.iter().flat_map(|folder| folder.entries.iter().map(move |entry| (folder, entry)));
    let every_file = every.clone().filter(|(_, entry)| entry.what == What::File);
    let files = Modes::gather(
        every_file.map(|(folder, entry)| ((folder, entry), entry.stat.permissions())),
        |(folder, entry)| GitPath(joined(&folder.path, &entry.name)),
    );
    let count = every.filter(|(_, entry)| entry.is_content()).count();
    let places = looked.folders.iter().enumerate().map(|(at, folder)| (folder.path.clone(), at)).collect();
    empty.sort();
    looked.left_out.sort();
    ignored.sort();
    let cut = looked.left_out.len().max(ignored.len()) > MOST_NAMES;
    looked.left_out.truncate(MOST_NAMES);
    ignored.truncate(MOST_NAMES);
    let mut nested: Vec<_> = looked.nested.into_iter().map(GitPath).collect();
    nested.sort();
    let seen = Seen {
        tree: imported.tree,
        commit: imported.commit,
        taken: wanted.now,
        roots: roots.into_iter().map(|root| root.seen).collect(),
        folders: looked.folders,
    };
    let changed = before.is_none_or(|before| before.roots != seen.roots || before.folders != seen.folders);
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
        changed,
    })
}
