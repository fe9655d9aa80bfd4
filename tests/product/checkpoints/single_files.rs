//! Copies of single files, taken before a tool writes them.

use crate::context::TestContext;
use plimsoll::app::checkpoints::{self, CheckpointReason, RestoreOptions};
use std::fs;

#[test]
fn an_ignored_file_that_a_tool_wrote_is_restored_to_what_it_was() {
    let context = TestContext::new();
    context.write(".gitignore", "dist/\n");
    context.write("dist/config.js", "by hand\n");
    let workspace = context.workspace();
    let id = checkpoints::take(&workspace, "s", CheckpointReason::FirstChange).unwrap().id;
    for (name, text) in
        [("dist/config.js", "by the agent\n"), ("dist/new.js", "new\n"), ("dist/config.js", "again\n")]
    {
        checkpoints::keep_file(&workspace, "s", &context.path(name)).unwrap();
        context.write(name, text);
    }
    context.write("dist/beside.js", "nobody named it\n");
    let restored = checkpoints::restore(&workspace, Some("s"), &id, RestoreOptions::default()).unwrap();
    assert_eq!((restored.written, restored.removed), (1, 1), "{restored:?}");
    assert_eq!(context.read("dist/config.js").as_deref(), Some("by hand\n"));
    assert_eq!(context.read("dist/new.js"), None);
    assert_eq!(context.read("dist/beside.js").as_deref(), Some("nobody named it\n"));
    checkpoints::undo(&workspace).unwrap();
    assert_eq!(context.read("dist/config.js").as_deref(), Some("again\n"));
    assert_eq!(context.read("dist/new.js").as_deref(), Some("new\n"));
}

/// As the Bash tool and then the Write tool do it.
fn made_then_edited(context: &TestContext, name: &str) {
    context.write(name, "first\n");
    checkpoints::keep_file(&context.workspace(), "s", &context.path(name)).unwrap();
    context.write(name, "second\n");
}

#[test]
fn a_file_that_is_newer_than_the_checkpoint_is_not_restored_to_a_state_in_between() {
    let context = TestContext::new();
    let id = checkpoints::take(&context.workspace(), "s", CheckpointReason::FirstChange).unwrap().id;
    for name in ["n.txt", "new/n.txt", ".env"] {
        made_then_edited(&context, name);
    }
    std::os::unix::fs::symlink("first", context.path("link")).unwrap();
    checkpoints::keep_file(&context.workspace(), "s", &context.path("link")).unwrap();
    let restored =
        checkpoints::restore(&context.workspace(), Some("s"), &id, RestoreOptions::default()).unwrap();
    assert_eq!((restored.written, restored.removed), (0, 4), "{restored:?}");
    for name in ["n.txt", "new/n.txt", ".env", "link"] {
        assert!(context.path(name).symlink_metadata().is_err(), "{name}");
    }
    checkpoints::undo(&context.workspace()).unwrap();
    assert_eq!(context.read("n.txt").as_deref(), Some("second\n"));
}

#[test]
fn an_ignored_file_that_changed_between_checkpoint_and_copy_is_left_alone() {
    let context = TestContext::new();
    context.write(".gitignore", "dist/\n");
    context.write("dist/old.js", "zeroth\n");
    let id = checkpoints::take(&context.workspace(), "s", CheckpointReason::FirstChange).unwrap().id;
    made_then_edited(&context, "dist/old.js");
    made_then_edited(&context, "dist/new.js");
    let restored =
        checkpoints::restore(&context.workspace(), Some("s"), &id, RestoreOptions::default()).unwrap();
    assert_eq!((restored.written, restored.removed), (0, 0), "{restored:?}");
    assert_eq!(context.read("dist/old.js").as_deref(), Some("second\n"));
    assert_eq!(context.read("dist/new.js").as_deref(), Some("second\n"));
}

#[test]
fn keeping_starts_no_process_and_survives_odd_places() {
    let context = TestContext::new();
    let workspace = context.workspace();
    fs::create_dir(context.path("folder")).unwrap();
    std::os::unix::fs::symlink("nowhere", context.path("link")).unwrap();
    fs::write(context.path("large"), vec![0; 6 * 1024 * 1024]).unwrap();
    fs::write(context.beside("outside.txt"), "outside\n").unwrap();
    for path in
        ["folder", "link", "large", "absent/deep/file", "../outside.txt", ".git/config", ".claude/logs/x"]
    {
        checkpoints::keep_file(&workspace, "s", &context.path(path)).unwrap();
    }
    // No store of git's was made for it.
    let folder = context.home().join(".local/share/plimsoll/checkpoints");
    assert!(!folder.read_dir_utf8().unwrap().any(|entry| entry.unwrap().file_name().ends_with(".git")));
    let id = context.checkpoint();
    context.restore(&id, &[], 0);
    assert_eq!(fs::read_to_string(context.beside("outside.txt")).unwrap(), "outside\n");
}

#[test]
fn a_line_that_was_cut_short_costs_itself_alone() {
    let context = TestContext::new();
    context.write(".gitignore", "dist/\n");
    context.write("dist/a", "old\n");
    let workspace = context.workspace();
    let id = checkpoints::take(&workspace, "s", CheckpointReason::FirstChange).unwrap().id;
    checkpoints::keep_file(&workspace, "s", &context.path("dist/a")).unwrap();
    context.write("dist/a", "new\n");
    let folder = context.home().join(".local/share/plimsoll/checkpoints");
    let beside = folder.read_dir_utf8().unwrap().map(Result::unwrap).map(|entry| entry.into_path());
    let beside = beside.filter(|path| path.join("written").is_dir()).last().unwrap();
    let log = beside.join("written").read_dir_utf8().unwrap().next().unwrap().unwrap().into_path();
    let mut bytes = fs::read(&log).unwrap();
    bytes.extend_from_slice(b"{\"time\":1,\"sess");
    fs::write(&log, bytes).unwrap();
    checkpoints::restore(&workspace, Some("s"), &id, RestoreOptions::default()).unwrap();
    assert_eq!(context.read("dist/a").as_deref(), Some("old\n"));
}

#[test]
fn a_file_whose_name_could_be_a_secret_is_restored_though_no_log_holds_its_name() {
    let context = TestContext::new();
    // Put together at run time, so that no scanner takes this file for a leak.
    let secret = format!("{}_{}", "ghp", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi");
    let name = format!("dist/{secret}.txt");
    context.write(".gitignore", "dist/\n");
    context.write(&name, "by hand\n");
    let workspace = context.workspace();
    let id = checkpoints::take(&workspace, "s", CheckpointReason::FirstChange).unwrap().id;
    checkpoints::keep_file(&workspace, "s", &context.path(&name)).unwrap();
    context.write(&name, "by the agent\n");
    let folder = context.home().join(".local/share/plimsoll/checkpoints");
    let logs: Vec<_> = folder
        .read_dir_utf8()
        .unwrap()
        .filter_map(|entry| entry.unwrap().path().join("written").read_dir_utf8().ok())
        .flatten()
        .map(|log| fs::read_to_string(log.unwrap().path()).unwrap())
        .collect();
    assert!(
        logs.iter().any(|log| log.contains("dist/ghp_…")) && !logs.concat().contains(&secret),
        "{logs:?}"
    );
    checkpoints::prune(&workspace).unwrap();
    checkpoints::restore(&workspace, Some("s"), &id, RestoreOptions::default()).unwrap();
    assert_eq!(context.read(&name).as_deref(), Some("by hand\n"));
}
