//! Looking changes nothing and runs nothing of the user's.

use crate::edge::repo::fixture::Fixture;
use crate::edge::repo::{
    base, changed_files, changes::pairs, commit, dirty_submodules, staged_tree, worktree_tree,
};
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::SystemTime;

fn look_at_everything(fixture: &Fixture) {
    let git = fixture.open();
    worktree_tree(&git, &[]).unwrap();
    staged_tree(&git).unwrap();
    changed_files(&git).unwrap();
    dirty_submodules(&git).unwrap();
    base(&git, None).unwrap();
    git.hazards().unwrap();
    let head = commit(&git, "HEAD").unwrap();
    pairs(&git, None, &head.tree).unwrap();
}

/// Without the times of object files, which every git renews when it meets an object again.
fn state(fixture: &Fixture) -> BTreeMap<Utf8PathBuf, (Vec<u8>, Option<SystemTime>)> {
    let objects = fixture.path(".git/objects");
    let entry = |(path, (bytes, time)): (Utf8PathBuf, (Vec<u8>, SystemTime))| {
        let object = path.starts_with(&objects) && path.is_file();
        (path, (bytes, (!object).then_some(time)))
    };
    fixture.git_dir_state().into_iter().map(entry).collect()
}

#[test]
fn nothing_under_the_git_directory_changes() {
    let fixture = Fixture::with_submodule();
    fixture.write("a.txt", "edited\n");
    fixture.write("new.txt", "new\n");
    fixture.git(&["update-index", "--assume-unchanged", ".gitmodules"]);
    let before = state(&fixture);
    look_at_everything(&fixture);
    assert!(state(&fixture) == before);
}

#[test]
fn hooks_and_file_monitors_do_not_run() {
    let fixture = Fixture::with_commit();
    let script = format!("#!/bin/sh\ntouch {}\n", fixture.beside("ran"));
    fs::create_dir_all(fixture.path(".git/hooks")).unwrap();
    for name in ["hooks/post-index-change", "hooks/reference-transaction", "monitor"] {
        fixture.write(&format!(".git/{name}"), &script);
        fs::set_permissions(fixture.path(&format!(".git/{name}")), PermissionsExt::from_mode(0o755)).unwrap();
    }
    fixture.git(&["config", "core.fsmonitor", fixture.path(".git/monitor").as_str()]);
    fixture.write("a.txt", "edited\n");
    fixture.git(&["status"]);
    assert!(fixture.beside("ran").exists(), "the trap must work for the user's own git");
    fs::remove_file(fixture.beside("ran")).unwrap();
    look_at_everything(&fixture);
    assert!(!fixture.beside("ran").exists());
}

#[test]
fn a_preview_runs_no_filter() {
    let fixture = Fixture::with_commit();
    let program = format!("touch {} && cat", fixture.beside("ran"));
    fixture.git(&["config", "filter.odd=name.clean", &program]);
    fixture.git(&["config", "filter.odd=name.required", "true"]);
    fixture.write(".gitattributes", "*.txt filter=odd=name\n");
    fixture.write("a.txt", "two\n");
    changed_files(&fixture.open()).unwrap();
    assert!(!fixture.beside("ran").exists());
    worktree_tree(&fixture.open(), &[]).unwrap();
    assert!(fixture.beside("ran").exists(), "the filter must be one that git would run");
}
