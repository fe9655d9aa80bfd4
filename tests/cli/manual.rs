//! Completions and manual pages, which are generated from the definition of the commands.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::process::{Command, Output};

fn plimsoll(arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_plimsoll")).args(arguments).env("HOME", home.path()).output().unwrap()
}

#[test]
fn completions_know_every_command_and_no_hidden_one() {
    for shell in ["bash", "zsh", "fish"] {
        let output = plimsoll(&["completions", shell]);
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() && script.contains("checkpoint") && script.contains("uninstall"),
            "{shell}"
        );
    }
    assert_eq!(plimsoll(&["completions", "tcl"]).status.code(), Some(2));
}

#[test]
fn bash_reads_its_completions() {
    let script = plimsoll(&["completions", "bash"]).stdout;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plimsoll");
    fs::write(&file, script).unwrap();
    let check = "source \"$1\"; COMP_WORDS=(plimsoll checkp); COMP_CWORD=1; _plimsoll plimsoll checkp plimsoll; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-c", check, "bash"]).arg(&file).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "checkpoint", "{output:?}");
}

#[test]
fn there_is_a_page_for_every_visible_command() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man/man1");
    let output = plimsoll(&["man", pages.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    for name in ["plimsoll", "plimsoll-install", "plimsoll-checkpoint-restore"] {
        let page = fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    assert!(!pages.join("plimsoll-background.1").exists());
    let file = folder.path().join("a file");
    fs::write(&file, "").unwrap();
    assert_eq!(plimsoll(&["man", file.to_str().unwrap()]).status.code(), Some(2));
}
