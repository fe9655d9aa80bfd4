//! A bare repository with the hook refuses what is not attested, although the machine that pushes has no Plimsoll at all.

use crate::answer::told;
use crate::attestation::{attest, note, reviewed_commit, ssh_key, team};
use crate::context::TestContext;
use camino::Utf8PathBuf;
use std::fs;

/// A team, and a server that protects `main`.
fn guarded() -> TestContext {
    let context = team();
    install(&context, &["--protect", "main", "--protect", "release/*"]);
    context
}

fn server(context: &TestContext) -> Utf8PathBuf {
    context.beside("remote.git")
}

fn install(context: &TestContext, options: &[&str]) {
    let server = server(context);
    let output = context.plimsoll(&[&["server-hook", "install", server.as_str()], options].concat());
    assert!(output.status.success(), "{}", told(&output));
    fs::write(server.join("plimsoll/review-config.yaml"), "blocking: {required_loops: [1]}\n").unwrap();
}

/// Pushes from a clone without hooks, enrolment or Plimsoll. Returns whether it was accepted, and what was said.
fn push(context: &TestContext, arguments: &[&str]) -> (bool, String) {
    let output = context
        .command("git")
        .args(["-c", "core.hooksPath=/dev/null", "push", "origin"])
        .args(arguments)
        .output()
        .unwrap();
    (output.status.success(), told(&output))
}

fn refused(context: &TestContext, arguments: &[&str], word: &str) {
    let before = context.git_in(&server(context), &["for-each-ref"]);
    let (accepted, said) = push(context, arguments);
    assert!(!accepted && said.contains(word), "{arguments:?}: {said}");
    assert_eq!(context.git_in(&server(context), &["for-each-ref"]), before, "{said}");
}

fn accepted(context: &TestContext, arguments: &[&str]) {
    let (accepted, said) = push(context, arguments);
    assert!(accepted, "{arguments:?}: {said}");
}

const BOTH: [&str; 3] = ["--atomic", "main", "refs/notes/plimsoll"];

#[test]
fn a_reviewed_commit_passes_and_an_unreviewed_one_does_not() {
    let context = guarded();
    context.write("bad.md", "unreviewed\n");
    context.commit("unreviewed");
    refused(&context, &["main"], "`plimsoll push`");
    refused(&context, &["main:refs/heads/release/1"], "has no attestation");
    accepted(&context, &["main:refs/heads/feature"]);
    context.git(&["reset", "-q", "--hard", "origin/main"]);
    let commit = reviewed_commit(&context, "one.md");
    let output = context.plimsoll(&["push"]);
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(context.git_in(&server(&context), &["rev-parse", "main"]), commit);
}

#[test]
fn an_amended_a_replayed_and_a_foreign_commit_are_refused() {
    let context = guarded();
    let first = reviewed_commit(&context, "one.md");
    assert!(attest(&context, &[]).status.success());
    let line = note(&context, &context.project(), &first);

    context.write("one.md", "fixed after the review\n");
    context.git(&["commit", "-q", "-a", "--amend", "-m", "amended"]);
    refused(&context, &BOTH, "has no attestation");

    context.git(&["notes", "--ref=plimsoll", "add", "-f", "-m", &line, "HEAD"]);
    refused(&context, &BOTH, "another commit or tree");

    context.git(&["reset", "-q", "--hard", &first]);
    let (eve, _) = ssh_key(&context, "eve");
    context.git(&["update-ref", "-d", "refs/notes/plimsoll"]);
    assert!(attest(&context, &["--key", eve.as_str()]).status.success());
    refused(&context, &BOTH, "not in the list of allowed signers");

    // Several envelopes on one commit: one good one is enough.
    assert!(attest(&context, &[]).status.success());
    accepted(&context, &BOTH);
}

#[test]
fn an_unreviewed_commit_below_or_above_a_reviewed_one_is_not_carried_along() {
    let context = guarded();
    reviewed_commit(&context, "one.md");
    assert!(attest(&context, &[]).status.success());
    context.write("late.md", "late\n");
    context.commit("above");
    refused(&context, &BOTH, "has no attestation");
    // Reviewed against an unreviewed commit that only an unprotected branch has.
    context.git(&["push", "-q", "--no-verify", "origin", "main:refs/heads/side"]);
    let side = context.head();
    context.git(&["update-ref", "refs/remotes/origin/side", &side]);
    reviewed_commit(&context, "two.md");
    let output = attest(&context, &["--base", &side]);
    assert!(!output.status.success() || !push(&context, &BOTH).0, "{}", told(&output));
}

#[test]
fn notes_count_before_and_with_the_commits_and_not_after_them() {
    for order in
        [&[&["refs/notes/plimsoll"][..], &["main"]][..], &[&BOTH], &[&["main", "refs/notes/plimsoll"]]]
    {
        let context = guarded();
        reviewed_commit(&context, "one.md");
        assert!(attest(&context, &[]).status.success());
        order.iter().for_each(|arguments| accepted(&context, arguments));
    }
    let context = guarded();
    reviewed_commit(&context, "one.md");
    assert!(attest(&context, &[]).status.success());
    refused(&context, &["main"], "has no attestation");
    accepted(&context, &["refs/notes/plimsoll"]);
    accepted(&context, &["main"]);
}

#[test]
fn tampered_and_huge_notes_are_refused_and_no_attestation_can_be_removed() {
    let context = guarded();
    let first = reviewed_commit(&context, "one.md");
    assert!(attest(&context, &[]).status.success());
    let line = note(&context, &context.project(), &first);
    let good = context.git(&["rev-parse", "refs/notes/plimsoll"]);
    let envelope: serde_json::Value = serde_json::from_str(&line).unwrap();
    let payload = envelope["payload"].as_str().unwrap();
    let flipped = line.replace(payload, &payload.chars().rev().collect::<String>());
    let no_signature = line.replace(envelope["signatures"][0]["sig"].as_str().unwrap(), "AAAA");
    for (text, word) in [
        (flipped, "has an attestation that"),
        (no_signature, "without a valid signature"),
        ("rubbish".into(), "not an envelope"),
    ] {
        context.git(&["notes", "--ref=plimsoll", "add", "-f", "-m", &text, &first]);
        refused(&context, &["--force", "main", "refs/notes/plimsoll"], word);
    }
    context.write("huge", "x".repeat(2 << 20));
    context.git(&["notes", "--ref=plimsoll", "add", "-f", "-F", "huge", &first]);
    refused(&context, &["--force", "main", "refs/notes/plimsoll"], "too large");
    fs::remove_file(context.path("huge")).unwrap();
    let junk = context.git(&["commit-tree", "-m", "junk", "HEAD^{tree}"]);
    context.git(&["update-ref", "refs/notes/plimsoll", &junk]);
    refused(&context, &["--force", "main", "refs/notes/plimsoll"], "pre-receive");

    context.git(&["update-ref", "refs/notes/plimsoll", &good]);
    accepted(&context, &BOTH);
    refused(&context, &[":refs/notes/plimsoll"], "would get lost");
    context.git(&["notes", "--ref=plimsoll", "remove", &first]);
    refused(&context, &["refs/notes/plimsoll"], "would get lost");
    context.git(&["notes", "--ref=plimsoll", "add", "-f", "-m", "other", &first]);
    refused(&context, &["--force", "refs/notes/plimsoll"], "would get lost");
}

#[test]
fn deletions_and_force_pushes_of_a_protected_branch_are_refused_and_tags_are_free() {
    let context = guarded();
    context.git_in(&server(&context), &["config", "receive.denyDeleteCurrent", "ignore"]);
    refused(&context, &[":main"], "cannot be deleted");
    context.git(&["tag", "-a", "-m", "one", "v1"]);
    accepted(&context, &["v1"]);
    reviewed_commit(&context, "one.md");
    assert!(context.plimsoll(&["push"]).status.success());
    context.git(&["reset", "-q", "--hard", "HEAD~1"]);
    refused(&context, &["--force", "main"], "force push");
    context.git(&["checkout", "-q", "--orphan", "fresh"]);
    context.commit("no history");
    refused(&context, &["--force", "fresh:main"], "force push");
    // A tag object or a blob is no commit of a branch.
    let blob = context.git(&["hash-object", "-w", "readme.md"]);
    let (taken, said) = push(&context, &["--force", &format!("{blob}:refs/heads/release/2")]);
    assert!(!taken, "{said}");
}

#[test]
fn a_protected_tag_needs_an_attested_commit() {
    let context = guarded();
    install(&context, &["--protect", "main", "--protect", "refs/tags/v*"]);
    context.git(&["tag", "v1"]);
    accepted(&context, &["v1"]);
    context.write("bad.md", "unreviewed\n");
    context.commit("unreviewed");
    context.git(&["tag", "-a", "-m", "two", "v2"]);
    refused(&context, &["v2"], "has no attestation");
    accepted(&context, &["v2:refs/tags/w2"]);
}

#[test]
fn the_first_push_needs_a_list_of_the_server() {
    let context = TestContext::with_empty_remote();
    let (key, line) = ssh_key(&context, "ada");
    crate::attestation::team_settings(&context, &key);
    install(&context, &[]);
    fs::write(context.path("one.md"), "one\n").unwrap();
    context.review();
    context.commit("one");
    let zeros = "0".repeat(40);
    let output = attest(&context, &["--base", &zeros]);
    assert!(output.status.success(), "{}", told(&output));
    refused(&context, &BOTH, "names nobody who may sign");
    fs::write(context.beside("signers"), line).unwrap();
    install(&context, &["--allowed-signers", context.beside("signers").as_str()]);
    accepted(&context, &BOTH);
}

#[test]
fn a_server_that_cannot_judge_accepts_nothing() {
    let context = guarded();
    reviewed_commit(&context, "one.md");
    assert!(attest(&context, &[]).status.success());
    let folder = server(&context).join("plimsoll");
    for (file, text) in [
        ("protected-branches", ""),
        ("protected-branches", "re[lease"),
        ("review-config.yaml", "blocking: 3\n"),
    ] {
        let before = fs::read_to_string(folder.join(file)).unwrap();
        fs::write(folder.join(file), text).unwrap();
        refused(&context, &BOTH, "pre-receive hook declined");
        fs::write(folder.join(file), before).unwrap();
    }
    let hidden = folder.with_file_name("hidden");
    fs::rename(folder.join("protected-branches"), &hidden).unwrap();
    refused(&context, &BOTH, "protected-branches");
    fs::rename(&hidden, folder.join("protected-branches")).unwrap();
    accepted(&context, &BOTH);
}

#[test]
fn a_hook_of_somebody_else_is_not_overwritten() {
    let context = team();
    let hook = server(&context).join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\nexit 0\n").unwrap();
    let output = context.plimsoll(&["server-hook", "install", server(&context).as_str()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("server-hook run"), "{}", told(&output));
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/bin/sh\nexit 0\n");
    let output = context.plimsoll(&["server-hook", "install", "."]);
    assert!(told(&output).contains("not a bare repository"), "{}", told(&output));
}

/// One attestation covers a range; thousands of commits cost no more processes than one.
#[test]
fn thousands_of_commits_in_one_push_are_judged_at_once() {
    let context = guarded();
    let mut stream = String::new();
    let from = context.head();
    for number in 0..3000 {
        let data = format!("commit {number}");
        stream += &format!(
            "commit refs/heads/main\ncommitter Ada <ada@example.invalid> {} +0000\ndata {}\n{data}\n",
            1_700_000_000 + number,
            data.len()
        );
        if number == 0 {
            stream += &format!("from {from}\n");
        }
        stream += &format!("M 100644 inline many/{}.md\ndata {}\n{data}\n", number % 50, data.len());
    }
    fs::write(context.beside("stream"), stream).unwrap();
    let import = format!("git fast-import --quiet < {}", context.beside("stream"));
    assert!(context.bash(&import).status.success());
    context.git(&["reset", "-q", "--hard", "main"]);
    refused(&context, &["main"], "has no attestation");
    context.review();
    let output = attest(&context, &[]);
    assert!(output.status.success(), "{}", told(&output));
    accepted(&context, &BOTH);
}
