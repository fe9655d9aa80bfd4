//! The plan of a restore, from the checkpoint, the known changes since, and the files now.

use super::place::{CheckpointPlace, LockedStore};
use super::records::{all, find, of};
use super::snapshot::{capture_all, surroundings};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::{Before, Captured, Ground, Note, Store, listing};
use crate::edge::file::metadata::modified_at;
use crate::edge::state::Journal;
use crate::pure::restore::{
    Attribution, Checkpoint, Difference, FileKind, FilePlan, Folders, Modes, RestoreScope, Surroundings,
    Unseen, Version, Written, differences,
};
use crate::pure::review::{GitPath, TreeId};
use std::collections::{BTreeMap, BTreeSet};

/// The most changes of session since a checkpoint that are compared, the newest first.
const MOST_TURNS: usize = 20;

pub(crate) type PlannedFiles = BTreeMap<GitPath, Version>;

/// A plan with what it was made from, which is also what is saved before it is carried out.
pub(crate) struct Prepared {
    pub(crate) captured: Captured,
    pub(crate) plan: FilePlan,
    /// Folders that the checkpoint has.
    pub(crate) folders: BTreeSet<GitPath>,
}

/// The paths that differ from a checkpoint.
pub(crate) fn changed_since(workspace: &Workspace, checkpoint: &str) -> Result<Vec<String>, Failure> {
    let opened = LockedStore::existing(workspace)?;
    let plan = prepare(&opened, None, checkpoint, &[])?.plan;
    Ok(plan.items.iter().map(|item| item.path.to_string()).collect())
}

/// The plan of a restore. Nothing is changed but the store.
pub(crate) fn prepare(
    opened: &LockedStore<'_>,
    session: Option<&str>,
    checkpoint: &str,
    paths: &[GitPath],
) -> Result<Prepared, Failure> {
    let LockedStore { place, store, .. } = opened;
    let checkpoint = find(place, checkpoint)?;
    let around = of(place, &checkpoint)?;
    let notes = place.singles().notes();
    let mut then = files(store, &checkpoint.tree, &around.files)?;
    let unseen = around.unseen();
    let absent = add_single_files(opened, &checkpoint, &unseen, &notes, &mut then)?;
    let captured = capture_all(opened, then.keys().map(|path| path.0.clone()).collect())?;
    let now = files(store, &captured.tree, &captured.files)?;
    // A file that was ignored or left out may have existed; a restore removes only files that certainly did not exist.
    let certain =
        |one: &Difference| one.then.is_some() || absent.contains(&one.path) || !unseen.holds(&one.path);
    let different: Vec<Difference> = differences(&then, &now).into_iter().filter(certain).collect();
    let session = session.map(str::to_owned).or_else(|| checkpoint.session.clone());
    let known = attribution(opened, session.as_deref(), &checkpoint, &notes, &captured)?;
    let scope = RestoreScope::new(paths.to_vec(), &surroundings(opened, &captured).nested);
    let guarded = guard(opened);
    let changed = |path: &GitPath| captured.stat(path).map(|stat| stat.changed_at());
    let not_saved = not_saved(place, &captured, then.keys().filter(|path| !now.contains_key(*path)));
    let mut plan =
        FilePlan::new(&checkpoint.id, different, &scope, &known, guarded, changed).sparing(&not_saved);
    let folders = folders_of(&then, &around.empty_folders);
    plan.folders = folder_changes(&around, &folders, &captured, &scope, &unseen_folder(&around));
    Ok(Prepared { captured, plan, folders })
}

pub(crate) fn files(store: &Store, tree: &TreeId, modes: &Modes) -> Result<PlannedFiles, Failure> {
    let listed = listing(store, tree)?.into_iter();
    Ok(listed
        .map(|(path, mode, id)| {
            let version = Version::of_entry(&path, mode, id, modes);
            (path, version)
        })
        .collect())
}

/// Paths whose present content is in no checkpoint: left out, or, among the `missing`, there but not looked at.
pub(crate) fn not_saved<'a>(
    place: &CheckpointPlace,
    captured: &Captured,
    missing: impl Iterator<Item = &'a GitPath>,
) -> BTreeSet<GitPath> {
    let ground = Ground::new(&place.worktree);
    let mut paths: BTreeSet<GitPath> = captured.left_out.iter().map(|one| one.path.clone()).collect();
    paths.extend(missing.filter(|path| ground.has_file(path)).cloned());
    paths
}

/// Files that the checkpoint could not see but that were copied before a tool first wrote them since. Returns those that
/// were not there.
fn add_single_files(
    opened: &LockedStore<'_>,
    checkpoint: &Checkpoint,
    unseen: &Unseen<'_>,
    notes: &[Note],
    then: &mut PlannedFiles,
) -> Result<BTreeSet<GitPath>, Failure> {
    let mut first: BTreeMap<&GitPath, &Before> = BTreeMap::new();
    let since = notes.iter().filter(|note| note.time >= checkpoint.time && note.is_inside());
    // A file that the checkpoint would have seen was not there; its copy shows a later moment.
    for note in since.filter(|note| !then.contains_key(&note.path) && unseen.holds(&note.path)) {
        first.entry(&note.path).or_insert(&note.before);
    }
    let is_of_then = |changed: &Option<u64>| changed.is_none_or(|changed| checkpoint.is_after(changed));
    let mut absent = BTreeSet::new();
    let (mut wanted, mut digests) = (Vec::new(), Vec::new());
    for (path, before) in first {
        match before {
            Before::Absent => drop(absent.insert(path.clone())),
            Before::File { digest, permissions, changed } if is_of_then(changed) => {
                wanted.push((path, FileKind::File, *permissions));
                digests.push(digest.as_str());
            }
            Before::Link { digest, changed } if is_of_then(changed) => {
                wanted.push((path, FileKind::Link, 0));
                digests.push(digest.as_str());
            }
            // The copied file had changed since the checkpoint, so its content at that time is unknown.
            Before::File { .. } | Before::Link { .. } | Before::LeftOut => {}
        }
    }
    let contents = opened.place.singles().put_into_store(&opened.store, &digests)?;
    for ((path, kind, permissions), content) in wanted.into_iter().zip(contents) {
        then.insert(path.clone(), Version { kind, content, permissions });
    }
    Ok(absent)
}

fn attribution(
    opened: &LockedStore<'_>,
    session: Option<&str>,
    checkpoint: &Checkpoint,
    notes: &[Note],
    captured: &Captured,
) -> Result<Attribution, Failure> {
    let written: Vec<Written> = notes
        .iter()
        .map(|note| Written { path: note.path.clone(), session: note.session.clone(), time: note.time })
        .collect();
    let last_active = match session {
        Some(session) => last_record(opened.workspace, session)?,
        None => newest_journal(opened.workspace),
    };
    let known = Attribution::new(session, checkpoint.time, &written, last_active);
    Ok(known.with_changes_beside(beside(opened, session, checkpoint, captured)?))
}

/// The changes between a checkpoint of another session and the next checkpoint of any session.
fn beside(
    opened: &LockedStore<'_>,
    session: Option<&str>,
    checkpoint: &Checkpoint,
    captured: &Captured,
) -> Result<Vec<GitPath>, Failure> {
    let Some(session) = session else { return Ok(Vec::new()) };
    // Newest first, so each is followed by the one before it in the list.
    let since: Vec<Checkpoint> =
        all(&opened.place)?.0.into_iter().filter(|one| one.time >= checkpoint.time).collect();
    let next = std::iter::once(&captured.tree).chain(since.iter().map(|one| &one.tree));
    let theirs = |one: &&Checkpoint| one.session.as_deref().is_some_and(|other| other != session);
    let turns = since.iter().zip(next).filter(|(one, next)| theirs(one) && one.tree != **next);
    let mut paths = Vec::new();
    for (from, to) in turns.take(MOST_TURNS) {
        let files = |tree| files(&opened.store, tree, &Modes::default());
        paths.extend(differences(&files(&from.tree)?, &files(to)?).into_iter().map(|one| one.path));
    }
    Ok(paths)
}

fn last_record(workspace: &Workspace, session: &str) -> Result<Option<u64>, Failure> {
    let path = workspace.layout.journal(session);
    if !path.exists() {
        return Ok(None);
    }
    Ok(Journal::open(&path)?.tail()?.records.iter().map(|record| record.time).max())
}

/// When any session of the project was last at work.
fn newest_journal(workspace: &Workspace) -> Option<u64> {
    let journals = workspace.layout.sessions().into_iter().map(|folder| folder.join("journal.bin"));
    journals.filter_map(|path| modified_at(&path)).max()
}

/// Whether a path is part of what guards the project.
pub(crate) fn guard(opened: &LockedStore<'_>) -> impl Fn(&GitPath) -> bool + use<> {
    let LockedStore { workspace, place, .. } = opened;
    let protected = workspace.place(place.worktree.as_str()).protected;
    let bound = !matches!(workspace.enrolment(), Ok(None));
    let worktree = place.worktree.clone();
    move |path| match std::str::from_utf8(&path.0) {
        Ok(text) => protected.touched_by_write(&worktree.join(text), bound).is_some(),
        Err(_) => false,
    }
}

/// Every folder that holds something of these files, and the empty ones.
pub(crate) fn folders_of(files: &PlannedFiles, empty: &[GitPath]) -> BTreeSet<GitPath> {
    let mut folders: BTreeSet<GitPath> = empty.iter().cloned().collect();
    for path in files.keys().chain(empty) {
        let mut rest = path.0.as_slice();
        while let Some(slash) = rest.iter().rposition(|byte| *byte == b'/') {
            rest = rest.get(..slash).unwrap_or_default();
            if !folders.insert(GitPath(rest.to_vec())) {
                break;
            }
        }
    }
    folders
}

fn unseen_folder(around: &Surroundings) -> impl Fn(&GitPath) -> bool {
    let unseen = around.unseen();
    move |path| unseen.holds(path)
}

pub(crate) fn folder_changes(
    then: &Surroundings,
    had: &BTreeSet<GitPath>,
    now: &Captured,
    scope: &RestoreScope,
    unseen: &dyn Fn(&GitPath) -> bool,
) -> Folders {
    let missing = then.empty_folders.iter().filter(|path| !now.all_folders.contains(*path));
    let new = now.empty_folders.iter().filter(|path| !had.contains(*path) && !unseen(path));
    let differ = had.iter().filter_map(|path| {
        let mode = then.folders.of(path, true);
        let same = now.all_folders.contains(path) && now.folders.of(path, true) == mode;
        (!same).then(|| (path.clone(), mode))
    });
    let wanted = |path: &GitPath| scope.holds(path);
    Folders {
        create: missing
            .filter(|path| wanted(path))
            .map(|path| (path.clone(), then.folders.of(path, true)))
            .collect(),
        remove: new.filter(|path| wanted(path)).cloned().collect(),
        permissions: differ.filter(|(path, _)| wanted(path)).collect(),
    }
}
