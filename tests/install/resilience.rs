//! Runs that are interrupted, run at the same time, or meet something unexpected.

use crate::world::{World, told};
use std::{
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
};

/// Ends a run after each of its lines, finishes it with the next run, and expects that uninstalling leaves no trace.
#[test]
fn a_run_that_is_killed_after_any_action_is_finished_by_the_next() {
    for lines in [1, 3, 8, 11, 12, 15, 20, 26, 27, 28, 29] {
        let world = World::new();
        world.write("README.md", "hello");
        world.write(".gitignore", "target");
        let before = world.snapshot(world.project().as_path());
        let mut command = world.command(env!("CARGO_BIN_EXE_plimsoll"));
        command.args(["install", "--verbose", "--from"]).arg(world.path("built")).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let seen = BufReader::new(child.stdout.take().unwrap()).lines().take(lines).count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(seen, lines);
        fs::write(world.project().join(".gitignore.plimsoll-new"), "half").unwrap();
        world.installed(&[]);
        world.installed(&["--uninstall"]);
        fs::remove_file(world.project().join(".gitignore.plimsoll-new")).unwrap_or_default();
        assert_eq!(world.snapshot(world.project().as_path()), before, "after {lines} lines");
    }
}

#[test]
fn a_file_that_was_being_written_when_the_run_ended_is_still_known_as_ours() {
    let world = World::new();
    world.installed(&[]);
    let current = world.read(".claude/commands/ship.md");
    for record in fs::read_dir(world.share().join("installed")).unwrap().map(Result::unwrap) {
        if record.path().is_dir() {
            fs::create_dir_all(record.path().join("next/commands")).unwrap();
            fs::write(record.path().join("next/commands/ship.md"), "of another version").unwrap();
        }
    }
    world.write(".claude/commands/ship.md", "of another version");
    world.installed(&[]);
    assert_eq!(world.read(".claude/commands/ship.md"), current);
}

#[test]
fn installations_at_the_same_time_do_not_disturb_each_other() {
    let world = World::new();
    let before = world.snapshot(world.project().as_path());
    let start = |arguments: &[&str]| {
        let mut command = world.command(env!("CARGO_BIN_EXE_plimsoll"));
        command.arg("install").args(arguments).arg("--from").arg(world.path("built"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let running = [start(&[]), start(&["--user"]), start(&["--shared"]), start(&[])];
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", told(&output));
    }
    world.installed(&["--uninstall"]);
    assert_eq!(world.snapshot(world.project().as_path()), before);
    world.installed(&["--uninstall", "--user", "--purge"]);
    assert!(!world.share().exists() && !world.home().join(".claude").exists());
}

#[test]
fn something_else_in_the_place_of_a_folder_is_named_and_the_run_can_be_repeated() {
    for path in [".claude", ".claude/commands"] {
        let world = World::new();
        world.write(path, "a file");
        let output = world.install(&[]);
        assert_eq!(output.status.code(), Some(2), "{path}");
        assert!(told(&output).contains(path) && told(&output).contains("error:"), "{}", told(&output));
        assert_eq!(world.read(path), "a file");
        fs::remove_file(world.project().join(path)).unwrap();
        world.installed(&[]);
    }
}
