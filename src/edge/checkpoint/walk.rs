//! One look at a worktree: what is there, what changed since the last look, and what is left out.

use super::error::{Error, Result};
use super::folder::{EntryKind, FolderEntry, ListedFolder, joined};
use super::listed::Ahead;
use super::pace::Pace;
use super::root::{Root, folders_above, waits};
use super::seen::Seen;
use super::stat::Stat;
use crate::pure::restore::{LeftOut, LeftOutReason, StoreLimits};
use crate::pure::review::GitPath;
use crate::pure::step::{is_always_generated, is_precious, is_usually_generated};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::thread;

/// Prefix of our temporary files in a worktree.
pub(crate) const TEMPORARY: &str = ".plimsoll-restoring-";

const IGNORE_FILE: &[u8] = b".gitignore";

/// How a folder is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Everything that git does not ignore; `ask` again even about what was known.
    Plain { ask: bool },
    /// As `Plain`, where asking git could block forever: an unknown file counts as not ignored.
    Unasked,
    /// All of it is ignored: only what nobody could make again, and what is named.
    Ignored,
    /// Made by tools: only what is named.
    Named,
}

impl Look {
    /// Whether what lies there is part of the checkpoint.
    fn keeps(self) -> bool {
        match self {
            Self::Plain { .. } | Self::Unasked => true,
            Self::Ignored | Self::Named => false,
        }
    }
}

struct Task {
    path: Vec<u8>,
    root: usize,
    look: Look,
}

/// A file or link whose content has to be read.
pub(super) struct Put {
    pub(super) path: Vec<u8>,
    pub(super) folder: usize,
    pub(super) name: Vec<u8>,
    pub(super) what: EntryKind,
    pub(super) size: u64,
}

#[derive(Default)]
pub(super) struct WalkedTree {
    pub(super) folders: Vec<ListedFolder>,
    pub(super) put: Vec<Put>,
    pub(super) left_out: Vec<LeftOut>,
    /// Repositories inside the project.
    pub(super) nested: Vec<Vec<u8>>,
    /// Left by a restore that was killed.
    pub(super) abandoned: Vec<Vec<u8>>,
    pub(super) files: usize,
    /// The size of all files.
    pub(super) bytes: u64,
}

pub(super) struct Walk<'a> {
    pub(super) project: &'a Path,
    pub(super) store: &'a Path,
    pub(super) seen: Option<&'a Seen>,
    /// Paths that are looked at even if they are ignored.
    pub(super) named: &'a BTreeSet<Vec<u8>>,
    /// Paths that are not looked at.
    pub(super) skipped: &'a [Vec<u8>],
    pub(super) limits: &'a StoreLimits,
    pub(super) pace: &'a Pace<'a>,
}

/// The state of a walk.
struct State<'a> {
    ahead: &'a Ahead<'a>,
    known: HashMap<&'a [u8], &'a ListedFolder>,
    roots: Vec<Root>,
    named_folders: HashSet<Vec<u8>>,
    budget: usize,
    tasks: Vec<Task>,
    looked: WalkedTree,
}

impl Walk<'_> {
    pub(super) fn look(&self) -> Result<(WalkedTree, Vec<Root>)> {
        let ahead = Ahead::of(self.project, self.seen);
        thread::scope(|scope| {
            ahead.start(scope);
            let looked = self.look_through(&ahead);
            ahead.end();
            looked
        })
    }

    fn look_through(&self, ahead: &Ahead<'_>) -> Result<(WalkedTree, Vec<Root>)> {
        let known = self.seen.iter().flat_map(|seen| &seen.folders);
        let mut state = State {
            ahead,
            known: known.map(|folder| (folder.path.as_slice(), folder)).collect(),
            roots: Vec::new(),
            named_folders: folders_above(self.named.iter().map(Vec::as_slice)),
            budget: self.limits.ignored_entries,
            tasks: Vec::new(),
            looked: WalkedTree::default(),
        };
        let first = self.root(&mut state, b"");
        let look = first_look(&state, first);
        state.tasks.push(Task { path: Vec::new(), root: first, look });
        while let Some(task) = state.tasks.pop() {
            self.folder(&mut state, task)?;
            if state.looked.files > self.limits.files {
                return Err(Error::TooManyFiles { limit: self.limits.files });
            }
        }
        Ok((state.looked, state.roots))
    }

    fn root(&self, state: &mut State<'_>, path: &[u8]) -> usize {
        let known = self.seen.and_then(|seen| seen.roots.iter().find(|root| root.path == path));
        state.roots.push(Root::open(self.project, path, self.store, known, self.pace));
        state.roots.len() - 1
    }

    fn folder(&self, state: &mut State<'_>, mut task: Task) -> Result<()> {
        let place = self.project.join(OsStr::from_bytes(&task.path));
        let (stat, found) = match state.ahead.list(&task.path, self.pace)? {
            Ok(listed) => listed,
            // Gone meanwhile, or no folder any more.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return if task.path.is_empty() { Err(Error::read(&place)(error)) } else { Ok(()) };
            }
            Err(error) if task.path.is_empty() => return Err(Error::read(&place)(error)),
            Err(error) => {
                leave_out(state, task.path, LeftOutReason::Unreadable(error.kind().to_string()));
                return Ok(());
            }
        };
        let has_git = found.iter().any(|(name, _)| name == b".git");
        if let (true, true, false) = (task.look.keeps(), has_git, task.path.is_empty())
            && super::place::git_dir(&place).is_some()
        {
            state.looked.nested.push(task.path.clone());
            task.root = self.root(state, &task.path);
            task.look = first_look(state, task.root);
        }
        if task.look.keeps() && found.iter().any(|(name, found)| name == IGNORE_FILE && waits(found)) {
            task.look = Look::Unasked;
            if let Some(root) = state.roots.get_mut(task.root) {
                root.note_stuck(&task.path);
            }
        }
        if task.look == Look::Ignored {
            match state.budget.checked_sub(found.len()) {
                Some(rest) => state.budget = rest,
                None => {
                    leave_out(state, task.path.clone(), LeftOutReason::NotLookedThrough);
                    task.look = Look::Named;
                }
            }
        }
        let known = state.known.get(task.path.as_slice()).copied();
        if let Look::Plain { ask: false } = task.look
            && self.rules_changed(known, &found)
        {
            task.look = Look::Plain { ask: true };
            if let Some(root) = state.roots.get_mut(task.root) {
                root.look_up_tracked(self.pace);
            }
        }
        let ignored = self.ignored(state, &task, known, &found)?;
        let at = state.looked.folders.len();
        let kept = task.look.keeps();
        let mut folder = ListedFolder {
            path: task.path.clone(),
            stat,
            empty: found.is_empty(),
            kept,
            entries: Vec::new(),
        };
        let skipped: Vec<&[u8]> = self.skipped.iter().filter_map(|path| name_in(path, &task.path)).collect();
        for (name, found) in found {
            if name == b".git" || skipped.contains(&name.as_slice()) {
                continue;
            }
            if name.starts_with(TEMPORARY.as_bytes()) {
                state.looked.abandoned.push(joined(&task.path, &name));
                continue;
            }
            let ignored = ignored.contains(name.as_slice());
            if kept && !ignored && !found.is_dir() {
                self.content(state, at, &mut folder, name, &found);
            } else {
                self.entry(state, &task, at, &mut folder, One { name, found, ignored });
            }
        }
        state.looked.folders.push(folder);
        Ok(())
    }

    /// Whether the ignore file of this folder is not what it was.
    fn rules_changed(&self, known: Option<&ListedFolder>, found: &[(Vec<u8>, Metadata)]) -> bool {
        let name = IGNORE_FILE;
        let now = found.iter().find(|(other, _)| other == name).map(|(_, found)| Stat::of(found));
        match (known.and_then(|known| known.entry(name)), now) {
            (Some(before), Some(now)) => !self.unchanged(before, &now),
            (None, Some(_)) | (Some(_), None) => true,
            (None, None) => false,
        }
    }

    fn unchanged(&self, known: &FolderEntry, now: &Stat) -> bool {
        known.stat == *now && now.is_settled(self.seen.map_or(0, |seen| seen.taken))
    }

    /// The names in a folder that are ignored; git is asked about those that are new.
    fn ignored(
        &self,
        state: &mut State<'_>,
        task: &Task,
        known: Option<&ListedFolder>,
        found: &[(Vec<u8>, Metadata)],
    ) -> Result<HashSet<Vec<u8>>> {
        let ask = match task.look {
            Look::Plain { ask } => ask,
            Look::Unasked => false,
            Look::Ignored | Look::Named => return Ok(HashSet::new()),
        };
        let mut ignored = HashSet::new();
        let mut unknown = Vec::new();
        for (name, found) in found.iter().filter(|(name, _)| name != b".git") {
            let before = known.and_then(|known| known.entry(name));
            match before.filter(|_| !ask) {
                Some(entry) if entry.what == EntryKind::Ignored => drop(ignored.insert(name.clone())),
                // A rule may be about folders only.
                Some(entry) if (entry.what == EntryKind::Folder) == found.is_dir() => {}
                Some(_) | None => unknown.push(name.clone()),
            }
        }
        if unknown.is_empty() || task.look == Look::Unasked {
            return Ok(ignored);
        }
        let paths: Vec<_> = unknown.iter().map(|name| joined(&task.path, name)).collect();
        let Some(root) = state.roots.get_mut(task.root) else { return Ok(ignored) };
        let answers = root.ignored(&paths, self.pace).map_err(Error::lost("check-ignore"))?;
        let yes = unknown.into_iter().zip(answers).filter(|(_, ignored)| *ignored);
        ignored.extend(yes.map(|(name, _)| name));
        Ok(ignored)
    }

    fn entry(&self, state: &mut State<'_>, task: &Task, at: usize, folder: &mut ListedFolder, one: One) {
        let One { name, found, ignored } = one;
        let path = joined(&task.path, &name);
        let root = state.roots.get(task.root);
        let tracked = root.is_some_and(|root| root.tracks(&path));
        let git = root.is_some_and(Root::has_git);
        let text = String::from_utf8_lossy(&name).into_owned();
        if found.is_dir() {
            let leads =
                root.is_some_and(|root| root.tracks_below(&path)) || state.named_folders.contains(&path);
            let look = match task.look {
                Look::Plain { .. } | Look::Unasked if !ignored || tracked => {
                    let told = git && task.look != Look::Unasked;
                    if !told && is_always_generated(&text) && !leads {
                        leave_out(state, path, LeftOutReason::MadeAgain);
                        return;
                    }
                    folder.entries.push(FolderEntry { name, what: EntryKind::Folder, stat: Stat::default() });
                    Some(task.look)
                }
                Look::Plain { .. } | Look::Unasked => {
                    folder.entries.push(FolderEntry {
                        name,
                        what: EntryKind::Ignored,
                        stat: Stat::default(),
                    });
                    below_ignored(&text, leads)
                }
                Look::Ignored => below_ignored(&text, leads),
                Look::Named => leads.then_some(Look::Named),
            };
            if let Some(look) = look {
                state.tasks.push(Task { path, root: task.root, look });
            }
            return;
        }
        let named = tracked || self.named.contains(&path);
        let wanted = match task.look {
            Look::Plain { .. } | Look::Unasked => !ignored || named || is_precious(&text),
            Look::Ignored => named || is_precious(&text),
            Look::Named => named,
        };
        if !wanted {
            if task.look.keeps() {
                folder.entries.push(FolderEntry { name, what: EntryKind::Ignored, stat: Stat::default() });
            }
            return;
        }
        self.content(state, at, folder, name, &found);
    }

    fn content(
        &self,
        state: &mut State<'_>,
        at: usize,
        folder: &mut ListedFolder,
        name: Vec<u8>,
        found: &Metadata,
    ) {
        let stat = Stat::of(found);
        let what = if found.is_symlink() { EntryKind::Link } else { EntryKind::File };
        if !found.is_symlink() && !found.is_file() {
            return leave_out(state, joined(&folder.path, &name), LeftOutReason::NoFile);
        }
        if stat.size > self.limits.file_bytes {
            return leave_out(state, joined(&folder.path, &name), LeftOutReason::TooLarge(stat.size));
        }
        state.looked.files += 1;
        state.looked.bytes += stat.size;
        let known = state.known.get(folder.path.as_slice()).and_then(|known| known.entry(&name));
        if known.is_some_and(|known| known.what == what && self.unchanged(known, &stat)) {
            return folder.entries.push(FolderEntry { name, what, stat });
        }
        let path = joined(&folder.path, &name);
        state.looked.put.push(Put { path, folder: at, name: name.clone(), what, size: stat.size });
        // Known by nothing until its content is in the store.
        folder.entries.push(FolderEntry { name, what, stat: Stat::default() });
    }
}

struct One {
    name: Vec<u8>,
    found: Metadata,
    ignored: bool,
}

/// The last name of a path that lies directly in this folder.
fn name_in<'a>(path: &'a [u8], folder: &[u8]) -> Option<&'a [u8]> {
    let rest = path.strip_prefix(folder)?;
    let name = if folder.is_empty() { rest } else { rest.strip_prefix(b"/")? };
    (!name.contains(&b'/')).then_some(name)
}

/// How the top of a repository is looked at.
fn first_look(state: &State<'_>, root: usize) -> Look {
    match state.roots.get(root) {
        Some(root) if root.is_silent() => Look::Unasked,
        root => Look::Plain { ask: root.is_some_and(|root| root.rules_changed) },
    }
}

/// How a folder in ignored surroundings is looked at.
fn below_ignored(name: &str, leads: bool) -> Option<Look> {
    match (is_usually_generated(name), leads) {
        (false, _) => Some(Look::Ignored),
        (true, true) => Some(Look::Named),
        (true, false) => None,
    }
}

fn leave_out(state: &mut State<'_>, path: Vec<u8>, why: LeftOutReason) {
    state.looked.left_out.push(LeftOut { path: GitPath(path), why });
}
