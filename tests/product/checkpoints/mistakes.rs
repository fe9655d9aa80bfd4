//! Mistakes that lost people's work elsewhere, each as it happened.

use super::disk::{files, git};
use crate::answer::told;
use crate::context::TestContext;
use plimsoll::app::checkpoints::{self, CheckpointReason, RestoreOptions};
use plimsoll::edge::state::{Journal, JournalRecord, Outcome, RecordKind};
use plimsoll::pure::restore::{Conflict, LeftOutReason};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Mistake 1: a capture that failed counted as one, and the old tree was restored over two days of work.
#[test]
fn a_capture_that_failed_is_an_error_and_no_checkpoint() {
    let context = TestContext::new();
    let first = context.checkpoint();
    context.write("work.txt", "two days of work\n");
    let store = store_of(&context);
    let objects = store.join("objects");
    fs::rename(&objects, store.join("away")).unwrap();
    fs::write(&objects, "no folder\n").unwrap();
    let output = context.plimsoll(&["checkpoint", "create", "-m", "cannot"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let restore = context.plimsoll(&["checkpoint", "restore", &first, "--yes"]);
    assert_eq!(restore.status.code(), Some(2), "{}", told(&restore));
    assert_eq!(context.read("work.txt").as_deref(), Some("two days of work\n"));
    fs::remove_file(&objects).unwrap();
    fs::rename(store.join("away"), &objects).unwrap();
    let listed = checkpoints::list(&context.workspace()).unwrap();
    assert_eq!(listed.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), [first.as_str()]);
    context.restore(&first, &[], 0);
    assert_eq!(context.read("work.txt"), None);
    context.undo();
    assert_eq!(context.read("work.txt").as_deref(), Some("two days of work\n"));
}

/// Mistake 1: a repository inside, with and without a commit, made the capture fail.
#[test]
fn repositories_inside_are_captured_with_and_without_a_commit() {
    let context = TestContext::new();
    for name in ["unborn", "grown"] {
        fs::create_dir_all(context.path(name)).unwrap();
        context.git_in(&context.path(name), &["init", "-q"]);
        context.write(&format!("{name}/file.txt"), "inside\n");
    }
    let grown = context.path("grown");
    context.git_in(
        &grown,
        &[
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.invalid",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "x",
        ],
    );
    let before = git(context.project().as_std_path());
    let id = context.checkpoint();
    let (_, around) = checkpoints::surroundings(&context.workspace(), &id).unwrap();
    assert_eq!(around.nested.iter().map(|one| one.path.to_string()).collect::<Vec<_>>(), ["grown", "unborn"]);
    assert!(
        around.nested[0].head.as_ref().unwrap().contains(&context.git_in(&grown, &["rev-parse", "HEAD"]))
    );
    for name in ["unborn", "grown"] {
        context.write(&format!("{name}/file.txt"), "ruined\n");
    }
    context.restore(&id, &[], 0);
    for name in ["unborn", "grown"] {
        assert_eq!(context.read(&format!("{name}/file.txt")).as_deref(), Some("inside\n"));
    }
    assert!(git(context.project().as_std_path()) == before);
}

/// Mistake 1: without a name and address in git's configuration the checkpoint was empty.
#[test]
fn no_identity_in_git_is_needed() {
    let context = TestContext::new();
    context.git(&["config", "--unset", "user.name"]);
    context.git(&["config", "--unset", "user.email"]);
    context.git(&["config", "user.useConfigOnly", "true"]);
    context.write("a.txt", "a\n");
    let id = context.checkpoint();
    context.write("a.txt", "b\n");
    context.restore(&id, &[], 0);
    assert_eq!(context.read("a.txt").as_deref(), Some("a\n"));
}

/// Mistake 2: an ignore file was put back, and then everything it did not ignore any more was cleaned away.
#[test]
fn a_restored_ignore_file_does_not_cost_the_files_it_no_longer_names() {
    let context = TestContext::new();
    context.write(".gitignore", "data/\nnotes.txt\n");
    context.write("data/big.csv", "years of measurements\n");
    context.write("notes.txt", "mine\n");
    let ignoring = context.checkpoint();
    context.write(".gitignore", "");
    let open = context.checkpoint();
    context.write("data/new.csv", "since\n");
    // Back to where they were ignored: the checkpoint knows nothing about them, so they stay.
    context.restore(&ignoring, &[], 0);
    for (name, text) in
        [("data/big.csv", "years of measurements\n"), ("notes.txt", "mine\n"), ("data/new.csv", "since\n")]
    {
        assert_eq!(context.read(name).as_deref(), Some(text), "{name}");
    }
    // Forward to where they were not: what was saved is put back, and what came since is saved first.
    fs::remove_dir_all(context.path("data")).unwrap();
    context.restore(&open, &[], 0);
    assert_eq!(context.read("data/big.csv").as_deref(), Some("years of measurements\n"));
}

/// Mistake 2: a restore deleted nearly all files, because they had never been captured.
#[test]
fn what_was_left_out_is_told_and_never_removed_or_replaced() {
    let context = TestContext::new();
    context.write("small.txt", "small\n");
    fs::write(context.path("large.bin"), vec![7; 6 * 1024 * 1024]).unwrap();
    let output = context.plimsoll(&["checkpoint", "create", "-m", "x"]);
    assert!(told(&output).contains("Left out: 1 path;"), "{}", told(&output));
    let all = checkpoints::list(&context.workspace()).unwrap();
    let (_, around) = checkpoints::surroundings(&context.workspace(), &all[0].id).unwrap();
    assert!(matches!(around.left_out[0].why, LeftOutReason::TooLarge(6_291_456)), "{:?}", around.left_out);
    fs::write(context.path("large.bin"), "small now\n").unwrap();
    context.restore(&all[0].id, &[], 0);
    assert_eq!(context.read("large.bin").as_deref(), Some("small now\n"));
    // The other way round: what cannot be saved now is not replaced, not even by a person's force.
    let small = context.checkpoint();
    fs::write(context.path("large.bin"), vec![8; 6 * 1024 * 1024]).unwrap();
    let how = RestoreOptions { force: true, paths: Vec::new() };
    let restored = checkpoints::restore(&context.workspace(), None, &small, how).unwrap();
    assert_eq!(restored.kept[0].conflict, Some(Conflict::NotSaved));
    assert_eq!(fs::metadata(context.path("large.bin")).unwrap().len(), 6 * 1024 * 1024);
}

/// Mistake 3: restoring moved the user's branch, index or stash.
#[test]
fn head_index_stash_and_refs_stay_byte_for_byte() {
    let context = TestContext::new();
    context.write("readme.md", "stashed\n");
    context.git(&["stash", "-q"]);
    context.write("staged.txt", "staged\n");
    context.git(&["add", "staged.txt"]);
    context.write("staged.txt", "and edited\n");
    let before = git(context.project().as_std_path());
    let id = context.checkpoint();
    context.write("staged.txt", "ruined\n");
    fs::remove_file(context.path("readme.md")).unwrap();
    context.restore(&id, &[], 0);
    context.undo();
    context.undo();
    assert_eq!(context.read("staged.txt").as_deref(), Some("and edited\n"));
    assert!(git(context.project().as_std_path()) == before);
    assert_eq!(
        context.git(&["for-each-ref", "--format=%(refname)"]),
        "refs/heads/main\nrefs/remotes/origin/main\nrefs/stash"
    );
}

/// Mistake 4: undoing in one folder put back weeks-old files of another.
#[test]
fn a_restore_from_a_folder_touches_only_that_folder() {
    let context = TestContext::new();
    context.write("front/app.js", "old\n");
    context.write("back/main.rs", "old\n");
    let id = context.checkpoint();
    context.write("front/app.js", "ruined\n");
    context.write("back/main.rs", "weeks of work\n");
    let mut command = context.command(crate::context::binary("plimsoll"));
    let output = command
        .current_dir(context.path("front"))
        .args(["checkpoint", "restore", &id, "--yes"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    assert!(told(&output).contains("1 more differences are outside"), "{}", told(&output));
    assert_eq!(context.read("front/app.js").as_deref(), Some("old\n"));
    assert_eq!(context.read("back/main.rs").as_deref(), Some("weeks of work\n"));
}

/// Mistake 4: going back in session B destroyed the work of session A.
#[test]
fn a_restore_in_one_session_keeps_the_work_of_another() {
    let context = TestContext::new();
    for name in ["ours.txt", "theirs.txt", "by-their-shell.txt", "shared.txt"] {
        context.write(name, "old\n");
    }
    let workspace = context.workspace();
    let id = checkpoints::take(&workspace, "B", CheckpointReason::FirstChange).unwrap().id;
    checkpoints::keep_file(&workspace, "B", &context.path("ours.txt")).unwrap();
    context.write("ours.txt", "by B\n");
    checkpoints::keep_file(&workspace, "A", &context.path("theirs.txt")).unwrap();
    context.write("theirs.txt", "by A\n");
    checkpoints::take(&workspace, "A", CheckpointReason::BeforeStep("sed".into())).unwrap();
    context.write("by-their-shell.txt", "by A\n");
    checkpoints::take(&workspace, "B", CheckpointReason::BeforeStep("sed".into())).unwrap();
    context.write("shared.txt", "by B\n");
    let restored = checkpoints::restore(&workspace, Some("B"), &id, RestoreOptions::default()).unwrap();
    let kept: Vec<_> = restored.kept.iter().map(|item| (item.path.to_string(), item.conflict)).collect();
    let another = Some(Conflict::AnotherSession);
    assert_eq!(kept, [("by-their-shell.txt".into(), another), ("theirs.txt".into(), another)]);
    assert_eq!(context.read("theirs.txt").as_deref(), Some("by A\n"));
    assert_eq!(context.read("by-their-shell.txt").as_deref(), Some("by A\n"));
    assert_eq!(context.read("ours.txt").as_deref(), Some("old\n"));
    assert_eq!(context.read("shared.txt").as_deref(), Some("old\n"));
}

/// Mistake 4: another worktree of the same repository lies inside the project.
#[test]
fn another_worktree_inside_the_project_is_left_alone() {
    let context = TestContext::new();
    context.git(&["worktree", "add", "-q", "trees/other"]);
    let id = context.checkpoint();
    context.write("readme.md", "ruined\n");
    context.write("trees/other/readme.md", "somebody's work\n");
    context.restore(&id, &[], 0);
    assert_eq!(context.read("readme.md").as_deref(), Some("A project.\n"));
    assert_eq!(context.read("trees/other/readme.md").as_deref(), Some("somebody's work\n"));
    context.restore(&id, &["trees/other"], 0);
    assert_eq!(context.read("trees/other/readme.md").as_deref(), Some("A project.\n"));
}

/// Mistake 5: `.git` was renamed for a while, and a crash left it so.
#[test]
fn no_git_directory_is_renamed_or_written_at_any_time() {
    let context = TestContext::new();
    fs::create_dir_all(context.path("inner")).unwrap();
    context.git_in(&context.path("inner"), &["init", "-q"]);
    context.write("inner/x", "x\n");
    let before = git(context.project().as_std_path());
    // Folders that nobody may write to cannot be renamed in either.
    let closed = |mode: u32| {
        for folder in [".git", "inner/.git"] {
            fs::set_permissions(context.path(folder), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    closed(0o555);
    let id = context.checkpoint();
    context.write("inner/x", "y\n");
    context.restore(&id, &[], 0);
    closed(0o755);
    let after = git(context.project().as_std_path());
    assert!(before == after);
}

/// Mistake 6: the store grew without bound, and its references showed in the user's repository.
#[test]
fn the_store_is_bounded_and_shows_nowhere_in_the_users_repository() {
    let context = TestContext::new();
    let workspace = context.workspace();
    for number in 0..130 {
        context.write("file.txt", format!("{number}\n"));
        checkpoints::take(&workspace, "s", CheckpointReason::FirstChange).unwrap();
    }
    let listed = checkpoints::list(&workspace).unwrap();
    assert_eq!(listed.len(), 50);
    let pruned = checkpoints::prune(&workspace).unwrap();
    assert_eq!((pruned.left, packs(&context)), (50, 1));
    assert!(pruned.bytes < pruned.bytes_before, "{pruned:?}");
    let visible = context.git(&["log", "--all", "--format=%s"]);
    assert_eq!(visible, "first");
    let oldest = listed.last().unwrap();
    checkpoints::restore(&workspace, None, &oldest.id, RestoreOptions::default()).unwrap();
    assert_eq!(context.read("file.txt").as_deref(), Some("80\n"));
}

/// The hole: what a shell changed was in no checkpoint, because only edits by tools were followed.
#[test]
fn what_a_shell_changed_is_restored_too() {
    let context = TestContext::new();
    context.write("src/a.txt", "a\n");
    context.write("src/b.txt", "b\n");
    context.write("untracked/c.txt", "c\n");
    let before = files(context.project().as_std_path());
    let id = context.checkpoint();
    let script = "sed -i s/a/ruined/ src/a.txt; mv src/b.txt src/moved.txt; rm -r untracked; echo x > new; chmod +x readme.md";
    assert!(context.bash(script).status.success());
    context.restore(&id, &[], 0);
    assert!(files(context.project().as_std_path()) == before);
}

pub(super) fn store_of(context: &TestContext) -> camino::Utf8PathBuf {
    let folder = context.home().join(".local/share/plimsoll/checkpoints");
    let mut entries = folder.read_dir_utf8().unwrap().map(Result::unwrap);
    entries.find(|entry| entry.file_name().ends_with(".git")).unwrap().into_path()
}

fn packs(context: &TestContext) -> usize {
    let entries = store_of(context).join("objects/pack").read_dir_utf8().unwrap().map(Result::unwrap);
    entries.filter(|entry| entry.path().extension() == Some("pack")).count()
}

/// What changed after the agent was last at work is a person's.
#[test]
fn what_a_person_edited_after_the_agent_stopped_is_kept_unless_forced() {
    const HOUR: u64 = 60 * 60 * 1_000;
    let context = TestContext::new();
    context.write("person.txt", "old\n");
    context.write("deleted.txt", "old\n");
    let workspace = context.workspace();
    let id = checkpoints::take(&workspace, "s", CheckpointReason::FirstChange).unwrap().id;
    // Two hours ago the checkpoint, one hour ago the agent's last call, now the edit.
    let manifest = format!("{}/checkpoints/{id}.json", store_of(&context).as_str().trim_end_matches(".git"));
    let mut checkpoint = checkpoints::list(&workspace).unwrap().remove(0);
    checkpoint.time -= 2 * HOUR;
    fs::write(manifest, serde_json::to_vec(&checkpoint).unwrap()).unwrap();
    let journal = Journal::open(&workspace.layout.journal("s")).unwrap();
    journal.append(&JournalRecord::new(RecordKind::After, Outcome::Success, checkpoint.time + HOUR)).unwrap();
    context.write("person.txt", "by a person\n");
    fs::remove_file(context.path("deleted.txt")).unwrap();
    let restored = checkpoints::restore(&workspace, Some("s"), &id, RestoreOptions::default()).unwrap();
    assert_eq!(restored.kept[0].conflict, Some(Conflict::ChangedSince));
    assert_eq!(context.read("person.txt").as_deref(), Some("by a person\n"));
    assert_eq!(context.read("deleted.txt").as_deref(), Some("old\n"));
    checkpoints::restore(&workspace, Some("s"), &id, RestoreOptions { force: true, paths: Vec::new() })
        .unwrap();
    assert_eq!(context.read("person.txt").as_deref(), Some("old\n"));
    checkpoints::undo(&workspace).unwrap();
    assert_eq!(context.read("person.txt").as_deref(), Some("by a person\n"));
}
