//! Killed at any moment: what was on disk or in a checkpoint is still there, and the next call goes on by itself.

use super::disk::{Disk, Thing, difference, files, git};
use crate::answer::told;
use crate::context::{TestContext, binary};
use crate::extent::cases;
use plimsoll::app::checkpoints::{self, RestoreOptions};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A `git` that kills whoever started it, at the call whose number is written beside it.
fn deadly_git(context: &TestContext) -> String {
    let real = context.bash("command -v git");
    let real = String::from_utf8(real.stdout).unwrap();
    let folder = context.beside("deadly");
    let body = format!(
        "n=$(cat {folder}/count); echo $((n + 1)) > {folder}/count\n\
         if [ \"$n\" = \"$(cat {folder}/at)\" ]; then kill -9 $PPID; exit 1; fi\n\
         exec {} \"$@\"",
        real.trim()
    );
    context.script("../deadly/git", &body);
    format!("{folder}:{}", std::env::var("PATH").unwrap())
}

fn tree(context: &TestContext, version: &str) {
    for number in 0..40 {
        context.write(&format!("dir{}/f{number}.txt", number % 5), format!("{version} {number}\n"));
    }
    let _ = fs::remove_file(context.path("link"));
    std::os::unix::fs::symlink(version, context.path("link")).unwrap();
    context.write(&format!("only-{version}.txt"), version);
}

/// Each file is what it was before or what it was to become.
fn assert_old_or_new(now: &Disk, old: &Disk, new: &Disk, what: &str) {
    let ours =
        |path: &[u8]| path.split(|byte| *byte == b'/').any(|name| name.starts_with(b".plimsoll-restoring-"));
    for (path, thing) in now.iter().filter(|(path, _)| !ours(path)) {
        let known = old.get(path) == Some(thing) || new.get(path) == Some(thing);
        assert!(
            known || matches!(thing, Thing::Folder { .. }),
            "{what}: {:?}",
            String::from_utf8_lossy(path)
        );
    }
    for (path, thing) in old.iter().filter(|(path, _)| !now.contains_key(*path)) {
        assert!(!new.contains_key(path), "{what}: {:?} {thing:?} is gone", String::from_utf8_lossy(path));
    }
}

/// After a kill: everything is usable, and going back and forth gives exactly the two states.
fn assert_usable(context: &TestContext, old: &Disk, new: &Disk, target: &str, what: &str) {
    let workspace = context.workspace();
    assert!(checkpoints::unreadable(&workspace).unwrap().is_empty(), "{what}");
    context.restore(target, &[], 0);
    let differ = difference(&files(context.project().as_std_path()), new);
    assert!(differ.is_empty(), "{what}: {differ:?}");
    // What was there when it was killed is in a checkpoint from before, whole.
    let mut before = checkpoints::list(&workspace).unwrap().into_iter().filter(|one| one.id != target);
    let complete = before.any(|one| {
        context.restore(&one.id, &[], 0);
        difference(&files(context.project().as_std_path()), old).is_empty()
    });
    assert!(complete, "{what}: nowhere is the old state whole");
}

#[test]
fn killed_at_each_call_of_git() {
    for at in 0..9 {
        let context = TestContext::new();
        let path = deadly_git(&context);
        tree(&context, "new");
        let new = files(context.project().as_std_path());
        let target = context.checkpoint();
        fs::remove_file(context.path("only-new.txt")).unwrap();
        tree(&context, "old");
        let old = files(context.project().as_std_path());
        let kept = git(context.project().as_std_path());
        for arguments in
            [&["checkpoint", "create", "-m", "x"][..], &["checkpoint", "restore", &target, "--yes"]]
        {
            fs::write(context.beside("deadly/count"), "0").unwrap();
            fs::write(context.beside("deadly/at"), at.to_string()).unwrap();
            let output =
                context.command(binary("plimsoll")).env("PATH", &path).args(arguments).output().unwrap();
            let now = files(context.project().as_std_path());
            assert_old_or_new(&now, &old, &new, &format!("{at} {arguments:?} {}", told(&output)));
        }
        assert!(git(context.project().as_std_path()) == kept);
        if files(context.project().as_std_path()) == old {
            context.checkpoint();
        }
        assert_usable(&context, &old, &new, &target, &format!("{at}"));
    }
}

#[test]
fn killed_at_any_moment_of_a_restore() {
    let context = TestContext::new();
    tree(&context, "new");
    let new = files(context.project().as_std_path());
    let target = context.checkpoint();
    fs::remove_file(context.path("only-new.txt")).unwrap();
    tree(&context, "old");
    let old = files(context.project().as_std_path());
    let source = context.checkpoint();
    let kept = git(context.project().as_std_path());
    let begin = Instant::now();
    context.restore(&target, &[], 0);
    let whole = begin.elapsed().max(Duration::from_millis(20));
    let (mut cut, mut early, mut late) = (0, 0, 0);
    let rounds = cases(8, 40_u32);
    for round in 0..rounds {
        context.restore(&source, &[], 0);
        let mut child = context
            .command(binary("plimsoll"))
            .args(["checkpoint", "restore", &target, "--yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let end = Instant::now() + whole * round / rounds;
        while Instant::now() < end && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        let now = files(context.project().as_std_path());
        match () {
            () if now == old => early += 1,
            () if now == new => late += 1,
            () => cut += 1,
        }
        assert_old_or_new(&now, &old, &new, &format!("round {round}"));
    }
    eprintln!("killed before {early}, in the middle {cut}, after {late}");
    context.restore(&source, &[], 0);
    assert!(files(context.project().as_std_path()) == old);
    assert_usable(&context, &old, &new, &target, "at the end");
    assert!(git(context.project().as_std_path()) == kept);
}

#[test]
fn an_undo_takes_back_a_restore_that_was_cut_short() {
    let context = TestContext::new();
    tree(&context, "new");
    let target = context.checkpoint();
    fs::remove_file(context.path("only-new.txt")).unwrap();
    tree(&context, "old");
    let old = files(context.project().as_std_path());
    context.restore(&target, &[], 0);
    // As if it had been killed half way: some files are not restored yet, and one is only half renamed.
    for number in 20..40 {
        context.write(&format!("dir{}/f{number}.txt", number % 5), format!("old {number}\n"));
    }
    context.write("dir0/.plimsoll-restoring-x", "half\n");
    context.undo();
    let differ = difference(&files(context.project().as_std_path()), &old);
    assert!(differ.is_empty(), "{differ:?}");
}

/// The record of the newest restore, as a kill before its end leaves it.
fn interrupt_last_restore(context: &TestContext, before: &str) {
    let folder = context.home().join(".local/share/plimsoll/checkpoints");
    let beside = folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let mut records = beside.map(|path| path.join("restores").join(format!("{before}.json")));
    let record = records.find(|path| path.exists()).unwrap();
    let text = fs::read_to_string(&record).unwrap();
    assert!(text.contains("\"finished\": true"), "{text}");
    fs::write(&record, text.replace("\"finished\": true", "\"finished\": false")).unwrap();
}

#[test]
fn an_undo_after_an_interrupted_and_repeated_restore_gives_the_state_before_both() {
    let context = TestContext::new();
    tree(&context, "new");
    let new = files(context.project().as_std_path());
    let target = context.checkpoint();
    fs::remove_file(context.path("only-new.txt")).unwrap();
    tree(&context, "old");
    let old = files(context.project().as_std_path());
    for _ in 0..2 {
        let restored =
            checkpoints::restore(&context.workspace(), None, &target, RestoreOptions::default()).unwrap();
        for number in 20..40 {
            context.write(&format!("dir{}/f{number}.txt", number % 5), format!("old {number}\n"));
        }
        interrupt_last_restore(&context, &restored.before.unwrap());
    }
    context.restore(&target, &[], 0);
    let now = |expected: &Disk, what: &str| {
        let differ = difference(&files(context.project().as_std_path()), expected);
        assert!(differ.is_empty(), "{what}: {differ:?}");
    };
    now(&new, "restored at last");
    context.undo();
    now(&old, "undone");
    context.undo();
    now(&new, "restored once more");
    context.undo();
    now(&old, "undone once more");
}
