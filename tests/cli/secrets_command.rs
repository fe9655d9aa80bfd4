//! `plimsoll secrets scan`, as a person uses it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Put together at run time, so that no scanner takes this file for a leak.
fn token(number: usize) -> String {
    format!("ghp_{number}{}", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUiRo0v")
}

fn guess() -> String {
    format!("service_token = \"{}\"\n", "kQ7xZ2mV9rT4wB8n")
}

fn scan(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["secrets", "scan"])
        .args(arguments)
        .env_clear()
        .env("HOME", directory)
        .env("PATH", std::env::var_os("PATH").unwrap())
        .current_dir(directory)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(directory: &Path, arguments: &[&str]) -> (i32, Value) {
    let (code, stdout, stderr) = scan(directory, &[arguments, &["--format", "json"]].concat());
    assert!(stdout.starts_with('{'), "{stdout}{stderr}");
    (code, serde_json::from_str(&stdout).unwrap())
}

fn places(report: &Value) -> Vec<(String, u64)> {
    let matches = report["matches"].as_array().unwrap().iter();
    matches.map(|one| (one["file"].as_str().unwrap().into(), one["line"].as_u64().unwrap())).collect()
}

fn git(directory: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(directory)
        .env("HOME", directory)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(status.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&status.stderr));
}

fn repository() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    git(directory.path(), &["init", "-q", "-b", "main"]);
    fs::write(directory.path().join("a.txt"), "one\n").unwrap();
    git(directory.path(), &["add", "-A"]);
    git(directory.path(), &["commit", "-q", "-m", "first"]);
    directory
}

#[test]
fn many_files_are_scanned_and_each_match_has_its_place() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir_all(at("src/deep")).unwrap();
    fs::create_dir_all(at("node_modules")).unwrap();
    for number in 0..100 {
        fs::write(at(&format!("src/clean{number}.rs")), "fn main() {}\n").unwrap();
    }
    fs::write(at("src/deep/a.rs"), format!("\n\nlet t = \"{}\";\n", token(1))).unwrap();
    fs::write(at("src/b.rs"), format!("// {}\n\n// {}\n", token(2), token(3))).unwrap();
    fs::write(at("src/.env.example"), token(4)).unwrap();
    fs::write(at("node_modules/c.js"), token(5)).unwrap();
    fs::write(at("d.bin"), format!("\0{}", token(6))).unwrap();
    let (code, report) = json(directory.path(), &[]);
    let expected = [("src/b.rs", 1), ("src/b.rs", 3), ("src/deep/a.rs", 3)];
    assert_eq!(places(&report), expected.map(|(file, line)| (file.to_owned(), line)));
    assert_eq!((code, &report["files"]), (1, &Value::from(104)));
    assert!(report["patterns_checked"].as_u64().unwrap() >= 200);
    let fields: Vec<&String> = report["matches"][0].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["file", "line", "rule", "severity", "verdict", "redacted", "reason"]);
    assert_eq!(report["matches"][0]["redacted"], "ghp_…");
}

#[test]
fn a_guess_is_shown_and_does_not_fail() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.py"), guess()).unwrap();
    let (code, stdout, _) = scan(directory.path(), &["a.py"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("a.py:1: ask generic-secret (high, kQ7x…): "), "{stdout}");
    assert!(!stdout.contains("kQ7xZ"), "{stdout}");
}

#[test]
fn what_git_ignores_is_left_out_of_a_folder_and_scanned_if_named() {
    let directory = repository();
    fs::write(directory.path().join(".gitignore"), "local.txt\n").unwrap();
    fs::write(directory.path().join("local.txt"), token(1)).unwrap();
    fs::create_dir(directory.path().join("sub")).unwrap();
    fs::write(directory.path().join("sub/b.txt"), token(2)).unwrap();
    assert_eq!(places(&json(directory.path(), &[]).1), [("sub/b.txt".to_owned(), 1)]);
    assert_eq!(places(&json(directory.path(), &["sub"]).1), [("sub/b.txt".to_owned(), 1)]);
    assert_eq!(places(&json(directory.path(), &["local.txt"]).1), [("local.txt".to_owned(), 1)]);
}

#[test]
fn only_what_a_change_adds_counts() {
    let directory = repository();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("old.txt"), format!("{}\n", token(1))).unwrap();
    git(directory.path(), &["add", "-A"]);
    git(directory.path(), &["commit", "-q", "-m", "old"]);
    fs::write(at("old.txt"), format!("# more\n{}\n{}\n", token(1), token(2))).unwrap();
    fs::write(at("staged.txt"), token(3)).unwrap();
    git(directory.path(), &["add", "staged.txt"]);
    fs::write(at("untracked.txt"), token(4)).unwrap();
    fs::write(at(".netrc"), "machine a\n").unwrap();
    let (code, staged) = json(directory.path(), &["--staged"]);
    assert_eq!((code, places(&staged)), (1, vec![("staged.txt".to_owned(), 1)]));
    let (_, changed) = json(directory.path(), &["--changed"]);
    let expected = [(".netrc", 1), ("old.txt", 3), ("staged.txt", 1), ("untracked.txt", 1)];
    assert_eq!(places(&changed), expected.map(|(file, line)| (file.to_owned(), line)));
}

#[test]
fn a_range_shows_what_a_later_commit_took_away_and_what_a_message_says() {
    let directory = repository();
    fs::write(directory.path().join("b.txt"), token(1)).unwrap();
    git(directory.path(), &["add", "-A"]);
    git(directory.path(), &["commit", "-q", "-m", "add"]);
    git(directory.path(), &["rm", "-q", "b.txt"]);
    git(directory.path(), &["commit", "-q", "-m", &format!("take away\n\n{}", token(2))]);
    let (code, report) = json(directory.path(), &["--range", "HEAD~2..HEAD"]);
    let found = places(&report);
    assert_eq!((code, found.len(), found[0].clone()), (1, 2, ("b.txt".to_owned(), 1)));
    assert!(found[1].0.starts_with("message of "), "{found:?}");
    let (code, report) = json(directory.path(), &["--range", "HEAD..HEAD"]);
    assert_eq!((code, places(&report)), (0, Vec::new()));
}

#[test]
fn a_comment_of_the_same_change_hides_no_token_and_an_older_one_does() {
    let directory = repository();
    let text = format!("{} # gitleaks:allow\n", token(1));
    fs::write(directory.path().join("b.txt"), &text).unwrap();
    let (code, report) = json(directory.path(), &["--changed"]);
    assert_eq!(code, 1);
    assert!(report["matches"][0]["reason"].as_str().unwrap().contains("comment"), "{report}");
    assert_eq!(scan(directory.path(), &["b.txt"]).0, 0);
}

#[test]
fn a_list_of_known_findings_counts_once_it_is_committed() {
    let directory = repository();
    fs::write(directory.path().join(".gitleaksignore"), "b.txt:github-pat:1\n").unwrap();
    fs::write(directory.path().join("b.txt"), token(1)).unwrap();
    assert_eq!(scan(directory.path(), &["--changed"]).0, 1);
    git(directory.path(), &["add", ".gitleaksignore"]);
    git(directory.path(), &["commit", "-q", "-m", "known"]);
    assert_eq!(scan(directory.path(), &["--changed"]).0, 0);
}

#[test]
fn what_could_not_be_scanned_is_never_clean() {
    let directory = tempfile::tempdir().unwrap();
    let (code, _, stderr) = scan(directory.path(), &["missing.txt"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("missing.txt"), "{stderr}");
    let (code, _, stderr) = scan(directory.path(), &["--staged"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("no git repository"), "{stderr}");
    assert_eq!(scan(repository().path(), &["--range", "nothing..HEAD"]).0, 2);
    assert_eq!(scan(directory.path(), &["--range", "HEAD"]).0, 2);
}

#[test]
fn sarif_is_one_run_with_a_result_for_each_match() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.txt"), token(1)).unwrap();
    let (code, stdout, _) = scan(directory.path(), &["--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &sarif["version"]), (1, &Value::from("2.1.0")));
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 1);
    assert!(!stdout.contains(&token(1)));
}
