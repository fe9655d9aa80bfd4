//! Git notes as a map from commits to blobs, read by one listing and written by one process.

use super::error::{Error, Result};
use super::git::Git;
use crate::pure::review::ObjectId;
use std::collections::BTreeMap;

/// Where attestations are kept, here and on every remote.
pub(crate) const NOTES: &str = "refs/notes/plimsoll";
const AUTHOR: &str = "Plimsoll <plimsoll@localhost>";

/// The notes of one commit of a notes ref.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NoteTree {
    pub notes: BTreeMap<ObjectId, ObjectId>,
    /// Whether every note lies where `write_notes` puts it.
    regular: bool,
}

/// The change to make to a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoteContent {
    Blob(ObjectId),
    Bytes(Vec<u8>),
}

/// The commit that a ref of notes is at.
pub(crate) fn notes_tip(git: &Git, name: &str) -> Result<Option<ObjectId>> {
    super::revision::peel(git, name, "commit")
}

/// All notes, whatever folders git has put them into.
pub(crate) fn note_tree(git: &Git, tip: &ObjectId) -> Result<NoteTree> {
    let listed = git.call(["ls-tree", "-r", "-z", "--full-tree", tip.as_str()]).names()?;
    let mut tree = NoteTree { notes: BTreeMap::new(), regular: true };
    for entry in &listed {
        let text = String::from_utf8_lossy(entry);
        let parsed = text.split_once('\t').and_then(|(head, path)| {
            let mut words = head.split(' ');
            let (_mode, kind, blob) = (words.next()?, words.next()?, ObjectId::parse(words.next()?)?);
            let commit = ObjectId::parse(&path.replace('/', ""))?;
            (kind == "blob").then(|| (path.to_owned(), commit, blob))
        });
        // A file that is no note is nothing of ours, but it must not get lost by a rewrite.
        let Some((path, commit, blob)) = parsed else { return Err(Error::unexpected("ls-tree")) };
        tree.regular &= path == place(&commit);
        tree.notes.insert(commit, blob);
    }
    Ok(tree)
}

/// Commits the notes to a ref, and returns the new commit. `before` are the notes of the first parent. The ref must not have
/// moved to anything else than one of the parents.
pub(crate) fn write_notes(
    git: &Git,
    name: &str,
    parents: &[ObjectId],
    before: &NoteTree,
    notes: &BTreeMap<ObjectId, NoteContent>,
    seconds: i64,
) -> Result<ObjectId> {
    let message = "Attestations\n";
    let mut stream =
        format!("commit {name}\ncommitter {AUTHOR} {seconds} +0000\ndata {}\n{message}\n", message.len())
            .into_bytes();
    for (position, parent) in parents.iter().enumerate() {
        let word = if position == 0 { "from" } else { "merge" };
        stream.extend(format!("{word} {parent}\n").into_bytes());
    }
    if !before.regular {
        stream.extend(b"deleteall\n");
    }
    for (commit, content) in notes {
        let known = before.notes.get(commit).filter(|_| before.regular);
        match content {
            NoteContent::Blob(blob) if known == Some(blob) => {}
            NoteContent::Blob(blob) => {
                stream.extend(format!("M 100644 {blob} {}\n", place(commit)).into_bytes());
            }
            NoteContent::Bytes(bytes) => {
                stream.extend(
                    format!("M 100644 inline {}\ndata {}\n", place(commit), bytes.len()).into_bytes(),
                );
                stream.extend(bytes);
                stream.push(b'\n');
            }
        }
    }
    stream.extend(b"done\n");
    git.call(["fast-import", "--quiet", "--done", "--date-format=raw"]).input(stream).bytes()?;
    notes_tip(git, name)?.ok_or_else(|| Error::UnknownRevision { revision: name.into() })
}

/// One folder for each of the first two digits, so that a new note rewrites little.
fn place(commit: &ObjectId) -> String {
    let (folder, rest) = commit.as_str().split_at(2);
    format!("{folder}/{rest}")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Fixture;
    use super::super::{Content, objects};
    use super::*;

    fn id(number: u32) -> ObjectId {
        ObjectId::parse(&format!("{number:040x}")).unwrap()
    }

    fn bytes(text: &str) -> NoteContent {
        NoteContent::Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn notes_are_read_by_git_and_by_us() {
        let fixture = Fixture::with_commit();
        let git = fixture.open();
        let head = ObjectId::parse(&fixture.git(&["rev-parse", "HEAD"])).unwrap();
        let first: BTreeMap<_, _> = [(head.clone(), bytes("one\n")), (id(7), bytes("two\n"))].into();
        let tip =
            write_notes(&git, NOTES, &[], &NoteTree { regular: true, ..NoteTree::default() }, &first, 0)
                .unwrap();
        assert_eq!(fixture.git(&["notes", "--ref=plimsoll", "show", "HEAD"]), "one");
        let tree = note_tree(&git, &tip).unwrap();
        assert_eq!(tree.notes.keys().collect::<Vec<_>>(), [&id(7), &head]);
        assert!(tree.regular);

        let mut next: BTreeMap<_, _> = tree
            .notes
            .iter()
            .map(|(commit, blob)| (commit.clone(), NoteContent::Blob(blob.clone())))
            .collect();
        next.insert(id(7), bytes("more\n"));
        let tip = write_notes(&git, NOTES, &[tip], &tree, &next, 1).unwrap();
        let tree = note_tree(&git, &tip).unwrap();
        assert_eq!(tree.notes.len(), 2);
        let read: Vec<_> =
            objects(&git, &[tree.notes[&id(7)].clone()], 100).unwrap().map(|read| read.unwrap().1).collect();
        assert_eq!(read, [Content::Bytes(b"more\n".to_vec())]);
    }

    #[test]
    fn notes_that_git_wrote_are_kept_and_moved_to_their_place() {
        let fixture = Fixture::with_commit();
        fixture.git(&["notes", "--ref=plimsoll", "add", "-m", "by git", "HEAD"]);
        let git = fixture.open();
        let tip = notes_tip(&git, NOTES).unwrap().unwrap();
        let tree = note_tree(&git, &tip).unwrap();
        assert!(!tree.regular);
        let mut notes: BTreeMap<_, _> = tree
            .notes
            .iter()
            .map(|(commit, blob)| (commit.clone(), NoteContent::Blob(blob.clone())))
            .collect();
        notes.insert(id(9), bytes("x\n"));
        let tip = write_notes(&git, NOTES, &[tip], &tree, &notes, 0).unwrap();
        assert!(note_tree(&git, &tip).unwrap().regular);
        assert_eq!(fixture.git(&["notes", "--ref=plimsoll", "show", "HEAD"]), "by git");
    }

    #[test]
    fn a_ref_that_moved_meanwhile_is_not_overwritten() {
        let fixture = Fixture::with_commit();
        let git = fixture.open();
        let empty = NoteTree { regular: true, ..NoteTree::default() };
        let notes: BTreeMap<_, _> = [(id(1), bytes("one\n"))].into();
        write_notes(&git, NOTES, &[], &empty, &notes, 0).unwrap();
        let again: BTreeMap<_, _> = [(id(2), bytes("two\n"))].into();
        assert!(write_notes(&git, NOTES, &[], &empty, &again, 0).is_err());
    }
}
