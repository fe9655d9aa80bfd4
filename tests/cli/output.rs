//! What every command prints, and to whom: pipes that close, full disks, colours, exit codes.

#![expect(clippy::unwrap_used, reason = "a command that cannot be started has to fail its test")]

use crate::place::Place;
use crate::programs::program;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};

fn command(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(program("plimsoll"));
    command.args(arguments).current_dir(place.path("here")).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", place.path("home"));
    command
}

#[test]
fn a_reader_that_goes_away_ends_the_output_and_leaves_nothing_behind() {
    let place = Place::new();
    let temporary = place.path("temporary");
    fs::create_dir_all(&temporary).unwrap();
    let mut child = command(&place, &["demo"])
        .env("TMPDIR", &temporary)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!((child.wait().unwrap().code(), told.as_str()), (Some(0), ""));
    assert_eq!(fs::read_dir(temporary).unwrap().count(), 0);
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let place = Place::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(&place, &["rules", "list"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"), "{output:?}");
}

#[test]
fn a_home_directory_that_is_missing_is_an_error_and_not_created() {
    let place = Place::new();
    let missing = place.path("nobody");
    place.git(&["init", "-q"]);
    for arguments in [&["enrol", "--yes"][..], &["config", "init", "--user"], &["checkpoint", "create"]] {
        let output = command(&place, arguments).env("HOME", &missing).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("does not exist"), "{output:?}");
    }
    assert!(!missing.exists());
}

#[test]
fn an_unknown_id_is_an_error_everywhere_and_a_refusal_is_a_one() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    for (arguments, code) in [
        (&["checkpoint", "show", "nothing"][..], 2),
        (&["incident", "show", "nothing"], 2),
        (&["task", "show", "T-9"], 2),
        (&["stats", "--session", "nobody"], 2),
        (&["recover", "nonsense"], 2),
        (&["allow", "0000"], 1),
        (&["pause"], 1),
        (&["checkpoint", "prune"], 1),
    ] {
        let answer = place.plimsoll(arguments);
        assert_eq!(answer.code, code, "{arguments:?}: {}", answer.told());
    }
}

#[test]
fn colours_are_for_terminals_unless_they_are_wanted() {
    let place = Place::new();
    let coloured = |arguments: &[&str], no_color: bool| {
        let mut command = command(&place, arguments);
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().contains('\u{1b}')
    };
    let explain = ["explain", "git status"];
    assert!(!coloured(&explain, false));
    assert!(coloured(&["--color", "always", "explain", "git status"], true));
    assert!(!coloured(&["--color", "never", "explain", "git status"], false));
}

/// Only the one door knows what to do when nobody reads.
#[test]
fn the_command_prints_through_one_door() {
    let mut waiting =
        vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/bin/plimsoll"))];
    while let Some(path) = waiting.pop() {
        if fs::metadata(&path).unwrap().mode() & 0o170_000 == 0o040_000 {
            waiting.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let macros = ["print!(", "println!(", "eprint!(", "eprintln!("];
        let found: Vec<_> = macros.iter().filter(|name| text.contains(**name)).collect();
        assert!(found.is_empty(), "{}: {found:?}; use out!, outln!, err! or errln!", path.display());
    }
}
