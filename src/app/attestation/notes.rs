//! The notes of several machines become one, without losing a line.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::repo::{
    Content, Git, NOTES, NoteContent, NoteTree, note_tree, notes_tip, objects, update_refs, write_notes,
};
use crate::edge::state::{self, Lock};
use crate::pure::attestation::{NOTE_LIMIT, is_kept, lines, union};
use crate::pure::review::ObjectId;
use crate::pure::text::digest;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Holds what a push sends, so that the notes of this machine are not touched before the remote has accepted it.
const OUTGOING: &str = "refs/plimsoll/outgoing-notes";

type Texts = BTreeMap<ObjectId, Vec<u8>>;
type Added = (ObjectId, String);

/// An attestation that this machine made. Nothing else leaves it: the notes could hold anything.
#[derive(Serialize, Deserialize)]
struct Own {
    commit: ObjectId,
    digest: String,
}

/// Adds attestations that were made here.
pub(super) fn add(workspace: &Workspace, git: &Git, added: &[Added]) -> Result<(), Failure> {
    let own: Vec<Own> = added
        .iter()
        .map(|(commit, line)| Own { commit: commit.clone(), digest: digest(line.as_bytes()) })
        .collect();
    state::append_json(&record(workspace), &own)?;
    let _lock = Lock::acquire(&lock(workspace))?;
    let tips: Vec<ObjectId> = notes_tip(git, NOTES)?.into_iter().collect();
    merge(git, NOTES, &tips, added)?;
    Ok(())
}

/// Takes over all notes that the commit has.
pub(crate) fn adopt(workspace: &Workspace, git: &Git, theirs: &ObjectId) -> Result<(), Failure> {
    let _lock = Lock::acquire(&lock(workspace))?;
    let tips = [notes_tip(git, NOTES)?, Some(theirs.clone())];
    let tips: Vec<ObjectId> = tips.into_iter().flatten().collect();
    merge(git, NOTES, &tips, &[])?;
    Ok(())
}

/// The notes to send to a remote that has `theirs`: all of those, and what was attested here. Nothing where it has all of that.
pub(crate) fn outgoing(
    workspace: &Workspace,
    git: &Git,
    theirs: Option<&ObjectId>,
) -> Result<Option<ObjectId>, Failure> {
    let own = own(workspace)?;
    let Some(ours) = notes_tip(git, NOTES)?.filter(|_| !own.is_empty()) else { return Ok(None) };
    let _lock = Lock::acquire(&lock(workspace))?;
    let tree = note_tree(git, &ours)?;
    let mut digests: BTreeMap<&ObjectId, BTreeSet<&str>> = BTreeMap::new();
    own.iter().for_each(|own| {
        digests.entry(&own.commit).or_default().insert(&own.digest);
    });
    let blobs: Vec<ObjectId> = digests.keys().filter_map(|commit| tree.notes.get(*commit).cloned()).collect();
    let texts = texts(git, &blobs)?;
    let mut added: Vec<Added> = Vec::new();
    for (commit, digests) in digests {
        let text = tree.notes.get(commit).and_then(|blob| texts.get(blob));
        let made_here = lines(text.map(Vec::as_slice).unwrap_or_default())
            .filter(|line| digests.contains(digest(line).as_str()));
        added.extend(made_here.map(|line| (commit.clone(), String::from_utf8_lossy(line).into_owned())));
    }
    update_refs(
        git,
        &[],
        &notes_tip(git, OUTGOING)?.map(|_| OUTGOING.to_owned()).into_iter().collect::<Vec<_>>(),
    )?;
    let theirs: Vec<ObjectId> = theirs.cloned().into_iter().collect();
    merge(git, OUTGOING, &theirs, &added)
}

/// Whether all that the old notes say is in the new ones.
pub(crate) fn holds_all(git: &Git, old: &ObjectId, new: &ObjectId) -> Result<bool, Failure> {
    let (old, new) = (note_tree(git, old)?, note_tree(git, new)?);
    let mut changed = Vec::new();
    for (commit, blob) in &old.notes {
        match new.notes.get(commit) {
            None => return Ok(false),
            Some(other) if other == blob => {}
            Some(other) => changed.push((blob.clone(), other.clone())),
        }
    }
    let blobs: Vec<ObjectId> = changed.iter().flat_map(|(one, other)| [one.clone(), other.clone()]).collect();
    let texts = texts(git, &blobs)?;
    let text = |blob| texts.get(blob);
    Ok(changed.iter().all(|(old, new)| match (text(old), text(new)) {
        (Some(old), Some(new)) => is_kept(old, new),
        (Some(_) | None, _) => false,
    }))
}

/// Brings the ref to the union of all tips and lines. Returns its commit, or nothing if the first tip has all of that.
fn merge(git: &Git, name: &str, tips: &[ObjectId], added: &[Added]) -> Result<Option<ObjectId>, Failure> {
    let trees: Vec<NoteTree> = tips.iter().map(|tip| note_tree(git, tip)).collect::<Result<_, _>>()?;
    let mut blobs: BTreeMap<&ObjectId, BTreeSet<&ObjectId>> = BTreeMap::new();
    for (commit, blob) in trees.iter().flat_map(|tree| &tree.notes) {
        blobs.entry(commit).or_default().insert(blob);
    }
    let mut new: BTreeMap<&ObjectId, Vec<&str>> = BTreeMap::new();
    added.iter().for_each(|(commit, line)| new.entry(commit).or_default().push(line));
    let read: Vec<ObjectId> = blobs
        .iter()
        .filter(|(commit, blobs)| blobs.len() > 1 || new.contains_key(**commit))
        .flat_map(|(_, blobs)| blobs.iter().map(|blob| (*blob).clone()))
        .collect();
    let texts = texts(git, &read)?;
    let mut notes: BTreeMap<ObjectId, NoteContent> = BTreeMap::new();
    let commits: BTreeSet<&ObjectId> = blobs.keys().copied().chain(new.keys().copied()).collect();
    let first = trees.first().cloned().unwrap_or_default();
    let mut changed = trees.is_empty();
    for commit in commits {
        let before = blobs.get(commit).into_iter().flatten().copied();
        let lines = new.get(commit).map(Vec::as_slice).unwrap_or_default();
        let here = first.notes.get(commit);
        let mut before = before.peekable();
        let content = match (before.peek().copied(), blobs.get(commit).map_or(0, BTreeSet::len), lines) {
            (Some(only), 1, []) => NoteContent::Blob(only.clone()),
            _ => {
                // A note that is too large to be read is left out, unless it is here already.
                let whole = before.filter_map(|blob| texts.get(blob)).map(Vec::as_slice);
                let whole = union(whole.chain(lines.iter().map(|line| line.as_bytes())));
                match here {
                    Some(blob) if texts.get(blob).is_none_or(|text| *text == whole) => {
                        NoteContent::Blob(blob.clone())
                    }
                    Some(_) | None => NoteContent::Bytes(whole),
                }
            }
        };
        changed =
            changed || !matches!((&content, here), (NoteContent::Blob(blob), Some(here)) if blob == here);
        notes.insert(commit.clone(), content);
    }
    if !changed || notes.is_empty() {
        return Ok(None);
    }
    let seconds = clock::now().unix_timestamp();
    Ok(Some(write_notes(git, name, tips, &first, &notes, seconds)?))
}

/// The content of each blob that is small enough.
fn texts(git: &Git, blobs: &[ObjectId]) -> Result<Texts, Failure> {
    let mut texts = Texts::new();
    for read in objects(git, blobs, NOTE_LIMIT)? {
        if let (id, Content::Bytes(bytes)) = read? {
            texts.insert(id, bytes);
        }
    }
    Ok(texts)
}

/// The lines that this machine attested. A line that cannot be read counts as absent.
fn own(workspace: &Workspace) -> Result<Vec<Own>, Failure> {
    let bytes = state::read_bounded(&record(workspace))?.unwrap_or_default();
    Ok(lines(&bytes).filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

fn record(workspace: &Workspace) -> camino::Utf8PathBuf {
    workspace.layout.root().join("attested.jsonl")
}

fn lock(workspace: &Workspace) -> camino::Utf8PathBuf {
    workspace.layout.root().join("notes.lock")
}
