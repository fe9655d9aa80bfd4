//! What piles up goes: stores of what is gone, files of killed processes; and nothing that somebody may want.

use super::mistakes::store_of;
use crate::answer::told;
use crate::context::{TestContext, binary};
use camino::{Utf8Path, Utf8PathBuf};
use plimsoll::app::checkpoints::{self, CheckpointReason, TidyMode};
use plimsoll::edge::clock;
use std::fs;
use std::time::{Duration, SystemTime};

const DAY: u64 = 24 * 60 * 60 * 1_000;

fn stores(context: &TestContext) -> usize {
    let folder = context.home().join(".local/share/plimsoll/checkpoints");
    let entries = folder.read_dir_utf8().unwrap().map(Result::unwrap);
    entries.filter(|entry| entry.file_name().ends_with(".git")).count()
}

/// As if it had been found so many days ago that something is gone, and were tidied now.
fn tidy(context: &TestContext, days: u64) -> Vec<String> {
    let now = clock::milliseconds() + days * DAY;
    let tidied = checkpoints::tidy(&context.workspace(), TidyMode::Do, now).unwrap();
    tidied.freed.into_iter().map(|one| one.what).collect()
}

fn other_project(context: &TestContext, name: &str, why: CheckpointReason) -> Utf8PathBuf {
    context.new_repository(name);
    let project = context.beside(name);
    fs::write(project.join(".env"), "TOKEN=of-the-other\n").unwrap();
    let workspace = super::workspace(&context.home(), &project);
    checkpoints::take(&workspace, "s", why).unwrap();
    project
}

#[test]
fn what_was_kept_of_a_deleted_project_goes_after_a_while() {
    let context = TestContext::new();
    let own = context.checkpoint();
    let automatic = other_project(&context, "automatic", CheckpointReason::FirstChange);
    let pinned = other_project(&context, "pinned", CheckpointReason::Person(None));
    other_project(&context, "alive", CheckpointReason::FirstChange);
    assert_eq!(stores(&context), 4);
    for project in [&automatic, &pinned] {
        fs::remove_dir_all(project).unwrap();
    }
    assert!(tidy(&context, 0).is_empty());
    assert!(tidy(&context, 2).is_empty());
    assert_eq!(stores(&context), 4);
    let freed = tidy(&context, 4);
    assert!(freed.iter().any(|what| what.contains(automatic.as_str())), "{freed:?}");
    assert_eq!(stores(&context), 3);
    assert!(tidy(&context, 20).is_empty());
    tidy(&context, 31);
    assert_eq!(stores(&context), 2);
    let kept = context.bash(&format!("grep -rl of-the-other {}", context.home().join(".local/share")));
    assert!(String::from_utf8_lossy(&kept.stdout).lines().count() <= 1, "{}", told(&kept));
    context.restore(&own, &[], 0);
}

#[test]
fn a_project_that_comes_back_begins_its_time_anew() {
    let context = TestContext::new();
    context.checkpoint();
    let other = other_project(&context, "other", CheckpointReason::FirstChange);
    fs::rename(&other, context.beside("away")).unwrap();
    tidy(&context, 0);
    fs::rename(context.beside("away"), &other).unwrap();
    tidy(&context, 2);
    fs::rename(&other, context.beside("away")).unwrap();
    tidy(&context, 4);
    tidy(&context, 6);
    assert_eq!(stores(&context), 2);
    tidy(&context, 8);
    assert_eq!(stores(&context), 1);
}

#[test]
fn a_removed_worktree_goes_from_the_store_it_shares() {
    let context = TestContext::new();
    context.git(&["worktree", "add", "-q", "../linked"]);
    let own = context.checkpoint();
    let linked = context.beside("linked");
    fs::write(linked.join(".env"), "TOKEN=of-the-linked\n").unwrap();
    let workspace = super::workspace(&context.home(), &linked);
    let taken = checkpoints::take(&workspace, "s", CheckpointReason::FirstChange).unwrap();
    checkpoints::keep_file(&workspace, "s", Utf8Path::new(".env")).unwrap();
    let store = store_of(&context);
    let has = |tree: &str| {
        let mut git = context.command("git");
        git.current_dir(&store)
            .args(["cat-file", "-e", &format!("{tree}:.env")])
            .output()
            .unwrap()
            .status
            .success()
    };
    assert!(has(&taken.tree));
    context.git(&["worktree", "remove", "--force", "../linked"]);
    tidy(&context, 0);
    let freed = tidy(&context, 4);
    assert!(freed.iter().any(|what| what.contains(linked.as_str())), "{freed:?}");
    assert!(!has(&taken.tree));
    let seen = store.join("refs/seen").read_dir_utf8().unwrap().count();
    assert_eq!(seen, 1, "only that of the worktree that is left");
    context.write("readme.md", "changed\n");
    context.restore(&own, &[], 0);
    assert_eq!(context.read("readme.md").as_deref(), Some("A project.\n"));
}

#[test]
fn files_of_killed_processes_go_and_young_ones_of_others_stay() {
    let context = TestContext::new();
    context.checkpoint();
    let store = store_of(&context);
    let state = context.path(".git/plimsoll/sessions/x");
    fs::create_dir_all(&state).unwrap();
    let beside = context.beside_store();
    let leaked = [
        store.join("objects/pack/tmp_pack_AbCdEf"),
        store.join("fast_import_crash_77"),
        store.join(".tmpAbCdEf"),
    ];
    let old = [state.join(".tmpAbCdEf"), beside.join("seen/.tmpGhIjKl"), beside.join("singles/.tmpMnOpQr")];
    let young = [state.join(".tmpYoung1"), beside.join("seen/.tmpYoung2")];
    let others = [state.join(".tmp-notes"), state.join(".tmpl")];
    for path in leaked.iter().chain(&old).chain(&young).chain(&others) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "left behind").unwrap();
    }
    let then = SystemTime::now() - Duration::from_secs(3 * 60 * 60);
    for path in old.iter().chain(&others) {
        fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
    }
    let told_before = told(&context.plimsoll(&["tidy", "--dry-run"]));
    assert!(
        told_before.contains("files of killed processes") && told_before.contains("would be freed"),
        "{told_before}"
    );
    assert!(leaked.iter().chain(&old).all(|path| path.exists()));
    let output = context.plimsoll(&["tidy"]);
    assert!(output.status.success(), "{}", told(&output));
    for path in leaked.iter().chain(&old) {
        assert!(!path.exists(), "{path}");
    }
    for path in young.iter().chain(&others) {
        assert!(path.exists(), "{path}");
    }
    let again = context.plimsoll(&["tidy"]);
    assert!(told(&again).contains("Nothing to tidy up"), "{}", told(&again));
}

#[test]
fn the_doctor_says_how_much_is_kept() {
    let context = TestContext::new();
    context.checkpoint();
    let mut doctor = context.command(binary("plimsoll"));
    let output = doctor.args(["doctor", "-v"]).output().unwrap();
    assert!(told(&output).contains("copies of single files"), "{}", told(&output));
}
