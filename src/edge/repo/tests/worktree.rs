//! The tree of the worktree is what `git add -A && git commit` would record, whatever the repository is set to.

use crate::edge::repo::fixture::Fixture;
use crate::edge::repo::{Error, Snapshot, commit, dirty_submodules, staged_tree, worktree_tree};
use crate::pure::review::{GitPath, Pair};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

fn snapshot(fixture: &Fixture) -> Snapshot {
    worktree_tree(&fixture.open(), &[]).unwrap()
}

fn changed(fixture: &Fixture, snapshot: &Snapshot) -> Vec<String> {
    let head = commit(&fixture.open(), "HEAD").unwrap();
    snapshot.pairs(Some(&head.tree)).unwrap().iter().map(|pair| pair.path.to_string()).collect()
}

/// Takes the tree, then lets the user's own git commit everything, and compares.
fn agrees_with_a_commit(fixture: &Fixture) -> String {
    let tree = snapshot(fixture).tree.to_string();
    fixture.commit("everything");
    assert_eq!(tree, fixture.git(&["rev-parse", "HEAD^{tree}"]));
    tree
}

#[test]
fn edits_deletions_and_untracked_files_are_all_in_the_tree() {
    let fixture = Fixture::with_commit();
    fixture.write("gone.txt", "x");
    fixture.write("staged.txt", "x");
    fixture.commit("more");
    fixture.write("a.txt", "edited\n");
    fixture.write("staged.txt", "staged");
    fixture.git(&["add", "staged.txt"]);
    fixture.write("staged.txt", "staged, then edited");
    fs::remove_file(fixture.path("gone.txt")).unwrap();
    fixture.write("dir/new.txt", "new");
    assert_eq!(changed(&fixture, &snapshot(&fixture)), ["a.txt", "dir/new.txt", "gone.txt", "staged.txt"]);
    agrees_with_a_commit(&fixture);
}

#[test]
fn an_unborn_branch_has_a_tree() {
    let fixture = Fixture::new();
    assert_eq!(snapshot(&fixture).pairs(None).unwrap(), []);
    fixture.write("a.txt", "one\n");
    assert_eq!(snapshot(&fixture).pairs(None).unwrap().len(), 1);
    agrees_with_a_commit(&fixture);
}

#[test]
fn odd_names_links_modes_and_swaps_are_recorded_as_git_records_them() {
    let fixture = Fixture::with_commit();
    fixture.write("swap", "file");
    fixture.write("directory/inner", "file");
    fixture.write("mode.sh", "#!/bin/sh\n");
    fixture.commit("before");
    fs::remove_file(fixture.path("swap")).unwrap();
    fixture.write("swap/inner", "now a directory");
    fs::remove_dir_all(fixture.path("directory")).unwrap();
    fixture.write("directory", "now a file");
    fs::set_permissions(fixture.path("mode.sh"), PermissionsExt::from_mode(0o755)).unwrap();
    symlink("nowhere", fixture.path("dangling")).unwrap();
    for name in [&b"new\nline"[..], b"\xff\xfe", b"-dash", b"quo\"te's", b"  spaces ", b":(top)magic", b"*"] {
        fs::write(fixture.path("").as_std_path().join(std::ffi::OsStr::from_bytes(name)), "x").unwrap();
    }
    let snapshot = snapshot(&fixture);
    let head = commit(&fixture.open(), "HEAD").unwrap();
    let pairs = snapshot.pairs(Some(&head.tree)).unwrap();
    assert_eq!(pairs.len(), 13, "{pairs:?}");
    assert!(pairs.iter().any(|pair| pair.path.0 == b"\xff\xfe"));
    let mode = |path: &str| {
        let pair: &Pair = pairs.iter().find(|pair| pair.path == GitPath::new(path)).unwrap();
        (pair.old.as_ref().map(|side| side.mode), pair.new.as_ref().map(|side| side.mode))
    };
    assert_eq!(mode("mode.sh"), (Some(0o100_644), Some(0o100_755)));
    assert_eq!(mode("dangling"), (None, Some(0o120_000)));
    agrees_with_a_commit(&fixture);
}

#[test]
fn filters_encodings_and_line_ends_are_applied() {
    let fixture = Fixture::with_commit();
    fixture.git(&["config", "filter.shout.clean", "tr a-z A-Z"]);
    fixture.write(
        ".gitattributes",
        "*.up filter=shout\n*.u16 working-tree-encoding=UTF-16LE\n*.crlf text eol=crlf\n",
    );
    fixture.write("x.up", "quiet\n");
    fixture.write("x.u16", "h\0i\0\n\0");
    fixture.write("x.crlf", "a\r\nb\r\n");
    let taken = snapshot(&fixture);
    let pairs = taken.pairs(None).unwrap();
    let content = |path: &str| {
        let pair = pairs.iter().find(|pair| pair.path == GitPath::new(path)).unwrap();
        let (_, content) =
            taken.blobs(&[pair.new.clone().unwrap().id], 100).unwrap().next().unwrap().unwrap();
        content
    };
    for (path, expected) in [("x.up", "QUIET\n"), ("x.u16", "hi\n"), ("x.crlf", "a\nb\n")] {
        assert_eq!(content(path), crate::edge::repo::Content::Bytes(expected.into()), "{path}");
    }
    agrees_with_a_commit(&fixture);
}

#[test]
fn automatic_line_ends_respect_what_is_in_the_index() {
    let fixture = Fixture::with_commit();
    fixture.write("crlf.txt", "a\r\n");
    fixture.commit("with carriage returns");
    fixture.git(&["config", "core.autocrlf", "true"]);
    fixture.write("crlf.txt", "a\r\nb\r\n");
    fixture.write("new.txt", "a\r\n");
    agrees_with_a_commit(&fixture);
}

#[test]
fn edits_hidden_by_index_flags_are_seen() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let fixture = Fixture::with_commit();
        fixture.git(&["update-index", flag, "a.txt"]);
        fixture.write("a.txt", "hidden edit\n");
        assert_eq!(fixture.git(&["status", "--porcelain"]), "");
        assert_eq!(changed(&fixture, &snapshot(&fixture)), ["a.txt"], "{flag}");
        fixture.git(&["config", "sparse.expectFilesOutsideOfPatterns", "true"]);
        assert_eq!(changed(&fixture, &snapshot(&fixture)), ["a.txt"], "{flag}");
    }
}

#[test]
fn a_same_size_edit_right_after_a_commit_is_seen() {
    let fixture = Fixture::with_commit();
    fixture.write("a.txt", "two\n");
    assert_eq!(changed(&fixture, &snapshot(&fixture)), ["a.txt"]);
}

#[test]
fn files_outside_a_sparse_checkout_stay_and_edits_there_are_seen() {
    for index in ["--no-sparse-index", "--sparse-index"] {
        let fixture = Fixture::with_commit();
        fixture.write("in/x.txt", "x");
        fixture.write("out/y.txt", "y");
        fixture.commit("two directories");
        fixture.git(&["sparse-checkout", "set", "--cone", index, "in"]);
        assert!(!fixture.path("out/y.txt").exists());
        assert_eq!(changed(&fixture, &snapshot(&fixture)), [""; 0], "{index}");
        fixture.write("out/y.txt", "edited outside the cone");
        fixture.write("in/x.txt", "edited inside");
        assert_eq!(changed(&fixture, &snapshot(&fixture)), ["in/x.txt", "out/y.txt"], "{index}");
    }
}

#[test]
fn split_index_linked_worktree_sha256_and_reftable_are_understood() {
    let split = Fixture::with_commit();
    split.git(&["update-index", "--split-index"]);
    split.write("a.txt", "edited\n");
    split.git(&["add", "a.txt"]);
    split.write("b.txt", "new\n");
    agrees_with_a_commit(&split);

    let linked = Fixture::with_commit();
    linked.git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    fs::write(linked.beside("side/b.txt"), "new").unwrap();
    let repo = crate::edge::repo::Repo::discover(&linked.beside("side")).unwrap().unwrap();
    let git = Fixture::hermetic(crate::edge::repo::Git::with_environment(repo, linked.environment()));
    let tree = worktree_tree(&git, &[]).unwrap().tree.to_string();
    linked.git(&["-C", "../side", "add", "-A"]);
    assert_eq!(tree, linked.git(&["-C", "../side", "write-tree"]));

    for option in ["--object-format=sha256", "--ref-format=reftable"] {
        let fixture = Fixture::init(&[option]);
        fixture.write("a.txt", "one\n");
        assert_eq!(snapshot(&fixture).pairs(None).unwrap().len(), 1, "{option}");
        agrees_with_a_commit(&fixture);
        fixture.write("a.txt", "two\n");
        let left_out = worktree_tree(&fixture.open(), &[GitPath::new("a.txt")]).unwrap();
        assert_eq!(left_out.tree, commit(&fixture.open(), "HEAD").unwrap().tree, "{option}");
    }
}

#[test]
fn ignored_files_count_only_if_they_are_tracked() {
    let fixture = Fixture::with_commit();
    fixture.write("kept.log", "1");
    fixture.commit("tracked first");
    fixture.write(".gitignore", "*.log\n");
    fixture.write("kept.log", "2");
    fixture.write("other.log", "never");
    assert_eq!(changed(&fixture, &snapshot(&fixture)), [".gitignore", "kept.log"]);
    agrees_with_a_commit(&fixture);
}

#[test]
fn intent_to_add_is_in_the_worktree_but_not_staged() {
    let fixture = Fixture::with_commit();
    fixture.write("later.txt", "x");
    fixture.git(&["add", "-N", "later.txt"]);
    assert_eq!(changed(&fixture, &snapshot(&fixture)), ["later.txt"]);
    assert_eq!(changed(&fixture, &staged_tree(&fixture.open()).unwrap()), [""; 0]);
}

#[test]
fn the_staged_tree_is_the_index_and_nothing_else() {
    let fixture = Fixture::with_commit();
    fixture.write("a.txt", "staged\n");
    fixture.git(&["add", "a.txt"]);
    fixture.write("a.txt", "not staged\n");
    fixture.write("b.txt", "untracked\n");
    let tree = staged_tree(&fixture.open()).unwrap().tree.to_string();
    fixture.git(&["commit", "-q", "-m", "staged"]);
    assert_eq!(tree, fixture.git(&["rev-parse", "HEAD^{tree}"]));
}

#[test]
fn a_conflict_is_named_when_the_index_is_asked_and_shown_in_the_worktree() {
    let fixture = Fixture::with_commit();
    fixture.conflict();
    let error = staged_tree(&fixture.open()).unwrap_err();
    assert!(matches!(&error, Error::Unmerged { paths } if *paths == [GitPath::new("a.txt")]), "{error}");
    assert_eq!(changed(&fixture, &snapshot(&fixture)), ["a.txt"]);
}

#[test]
fn what_is_left_out_stays_as_head_has_it() {
    let fixture = Fixture::with_commit();
    fixture.write("dir/kept.txt", "before");
    fixture.commit("before");
    fixture.write("a.txt", "edited\n");
    fixture.write("dir/kept.txt", "edited");
    fixture.write("dir/new.txt", "new");
    fixture.write("new*.txt", "staged");
    fixture.write("newer.txt", "untracked");
    fixture.git(&["add", "new*.txt", "dir/new.txt"]);
    let git = fixture.open();
    let left_out = |paths: &[&str]| {
        let paths: Vec<_> = paths.iter().map(|path| GitPath::new(path)).collect();
        changed(&fixture, &worktree_tree(&git, &paths).unwrap())
    };
    assert_eq!(left_out(&["a.txt", "dir/"]), ["new*.txt", "newer.txt"]);
    assert_eq!(left_out(&["new*.txt"]), ["a.txt", "dir/kept.txt", "dir/new.txt", "newer.txt"]);
    let error = worktree_tree(&git, &[GitPath::new("typo.txt")]).unwrap_err();
    assert!(
        matches!(&error, Error::NothingToLeaveOut { path } if *path == GitPath::new("typo.txt")),
        "{error}"
    );
}

#[test]
fn an_untracked_nested_repository_is_named_and_can_be_left_out() {
    let fixture = Fixture::with_commit();
    fixture.git(&["init", "-q", "nested/empty"]);
    fixture.git(&["init", "-q", "nested/full"]);
    fixture.git(&["-C", "nested/full", "commit", "-q", "--allow-empty", "-m", "x"]);
    let error = worktree_tree(&fixture.open(), &[]).unwrap_err();
    assert!(error.to_string().starts_with("nested/empty, nested/full holds a repository"), "{error}");
    let taken = worktree_tree(&fixture.open(), &[GitPath::new("nested")]).unwrap();
    assert_eq!(changed(&fixture, &taken), [""; 0]);
}

#[test]
fn a_submodule_bump_is_a_pair_even_if_set_to_be_ignored() {
    let fixture = Fixture::with_submodule();
    fixture.git(&["config", "submodule.sub.ignore", "all"]);
    fixture.git(&["config", "diff.ignoreSubmodules", "all"]);
    fixture.git(&["-C", "sub", "commit", "-q", "--allow-empty", "-m", "bump"]);
    let taken = snapshot(&fixture);
    let head = commit(&fixture.open(), "HEAD").unwrap();
    let pairs = taken.pairs(Some(&head.tree)).unwrap();
    assert_eq!(pairs.len(), 1);
    let new = pairs[0].new.as_ref().unwrap();
    assert!(new.is_submodule());
    assert_eq!(new.id.to_string(), fixture.git(&["-C", "sub", "rev-parse", "HEAD"]));
    assert_eq!(dirty_submodules(&fixture.open()).unwrap(), []);
}

#[test]
fn uncommitted_content_inside_a_submodule_is_reported() {
    let fixture = Fixture::with_submodule();
    assert_eq!(dirty_submodules(&fixture.open()).unwrap(), []);
    fixture.git(&["config", "submodule.sub.ignore", "all"]);
    fixture.git(&["config", "status.showUntrackedFiles", "no"]);
    fixture.git(&["update-index", "--assume-unchanged", "sub"]);
    fixture.write("sub/new.txt", "not committed there");
    assert_eq!(dirty_submodules(&fixture.open()).unwrap(), [GitPath::new("sub")]);
}

#[test]
fn an_unreadable_index_is_an_error() {
    let fixture = Fixture::with_commit();
    fixture.write(".git/index", "rubbish");
    assert!(matches!(
        worktree_tree(&fixture.open(), &[]),
        Err(Error::Git(crate::edge::git::Error::Failed { .. }))
    ));
    assert!(matches!(staged_tree(&fixture.open()), Err(Error::Git(crate::edge::git::Error::Failed { .. }))));
}
