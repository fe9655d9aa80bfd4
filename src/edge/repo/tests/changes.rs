//! Pairs between trees, and the names shown in a preview.

use crate::edge::repo::fixture::Fixture;
use crate::edge::repo::{Error, WorktreeChanges, changed_files, changes::pairs, commit};
use crate::pure::review::{GitPath, ObjectId, TreeId};

fn paths(names: &[&str]) -> Vec<GitPath> {
    names.iter().map(|name| GitPath::new(name)).collect()
}

#[test]
fn a_preview_tells_staged_unstaged_and_untracked_apart() {
    let fixture = Fixture::with_commit();
    fixture.write("both.txt", "1");
    fixture.write("moved.txt", "content that could be taken for a rename\n");
    fixture.commit("more");
    fixture.write("both.txt", "2");
    fixture.git(&["add", "both.txt"]);
    fixture.write("both.txt", "3");
    fixture.git(&["mv", "moved.txt", "to here.txt"]);
    fixture.write("a.txt", "edited\n");
    fixture.write("dir/new\nline", "x");
    let changed = changed_files(&fixture.open()).unwrap();
    let expected = WorktreeChanges {
        staged: paths(&["both.txt", "moved.txt", "to here.txt"]),
        unstaged: paths(&["a.txt", "both.txt"]),
        untracked: paths(&["dir/new\nline"]),
    };
    assert_eq!(changed, expected);
}

#[test]
fn a_conflict_is_shown_as_unstaged() {
    let fixture = Fixture::with_commit();
    fixture.conflict();
    assert_eq!(changed_files(&fixture.open()).unwrap().unstaged, paths(&["a.txt"]));
}

#[test]
fn a_rename_is_a_removal_and_an_addition() {
    let fixture = Fixture::with_commit();
    fixture.git(&["config", "diff.renames", "copies"]);
    let git = fixture.open();
    let before = commit(&git, "HEAD").unwrap();
    fixture.git(&["mv", "a.txt", "b.txt"]);
    fixture.commit("rename");
    let found = pairs(&git, Some(&before.tree), &commit(&git, "HEAD").unwrap().tree).unwrap();
    let sides: Vec<_> = found.iter().map(|pair| (pair.old.is_some(), pair.new.is_some())).collect();
    assert_eq!(sides, [(true, false), (false, true)]);
    assert_eq!(found[0].old, found[1].new);
}

#[test]
fn a_missing_tree_is_an_error() {
    let fixture = Fixture::with_commit();
    let nowhere = TreeId(ObjectId::parse(&"1".repeat(40)).unwrap());
    assert!(matches!(
        pairs(&fixture.open(), None, &nowhere),
        Err(Error::Git(crate::edge::git::Error::Failed { .. }))
    ));
}
