//! `plimsoll push` and `plimsoll fetch`: exactly what was judged leaves, whatever the repository's configuration says.

use crate::answer::told;
use crate::context::TestContext;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// One reviewed commit that is not on the remote yet.
fn reviewed() -> TestContext {
    let context = TestContext::reviewed();
    context.commit("reviewed");
    context
}

fn push(context: &TestContext, arguments: &[&str]) -> (Option<i32>, String) {
    let output = context.plimsoll(&[&["push"], arguments].concat());
    (output.status.code(), told(&output))
}

fn on_remote(context: &TestContext) -> String {
    context.git_in(&context.beside("remote.git"), &["rev-parse", "main"])
}

#[test]
fn exactly_the_reviewed_commit_leaves() {
    let context = reviewed();
    let (code, said) = push(&context, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(on_remote(&context), context.head());
    assert_eq!(context.git(&["rev-parse", "refs/remotes/origin/main"]), context.head());
}

#[test]
fn a_new_branch_gets_its_upstream() {
    let context = reviewed();
    context.git(&["switch", "-q", "-c", "feature"]);
    let (code, said) = push(&context, &[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("plimsoll push -u origin BRANCH"), "{said}");
    let (code, said) = push(&context, &["-u", "origin", "feature"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(context.git(&["rev-parse", "feature@{upstream}"]), context.head());
    assert!(context.remote_has(&context.head()));
}

#[test]
fn nothing_in_the_repository_lets_an_unreviewed_commit_leave() {
    for trick in [
        "true",
        "git update-ref refs/remotes/origin/main HEAD",
        "git config core.hooksPath /dev/null",
        "git config alias.push '!true'",
        "git config url./elsewhere.insteadOf /",
        "git config push.default matching",
        "printf '#!/bin/sh\\nexit 0\\n' > .git/hooks/pre-push",
        "git replace HEAD HEAD~1",
    ] {
        let context = reviewed();
        context.write("late.md", "nobody read this\n");
        let unreviewed = context.commit("late");
        assert!(context.bash(trick).status.success(), "{trick}");
        let (code, said) = push(&context, &["origin", "main"]);
        assert_eq!(code, Some(1), "{trick}: {said}");
        assert!(said.contains("Nothing was pushed"), "{trick}: {said}");
        assert!(!context.remote_has(&unreviewed), "{trick}");
    }
}

#[test]
fn the_configuration_of_the_repository_does_not_steer_the_push() {
    let context = reviewed();
    let ran = context.beside("ran");
    for (key, command) in
        [("core.sshCommand", "touch"), ("alias.push", "!touch"), ("remote.origin.receivepack", "touch")]
    {
        context.git(&["config", key, &format!("{command} {ran}")]);
    }
    context.git(&["config", "url./nowhere/.insteadOf", context.beside("").as_str()]);
    let (code, said) = push(&context, &["origin", "main"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(on_remote(&context), context.head());
    assert!(!ran.exists());
}

#[test]
fn a_url_a_force_and_a_deletion_are_refused() {
    let context = reviewed();
    let remote = context.beside("remote.git");
    for arguments in
        [&[remote.as_str(), "main"][..], &["origin", "+main"], &["origin", ":main"], &["nobody", "main"]]
    {
        let (code, said) = push(&context, arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
    }
    let (_, said) = push(&context, &["origin", "nobody"]);
    assert!(said.contains("cannot tell what `nobody` would send"), "{said}");
    assert_ne!(on_remote(&context), context.head());
}

#[test]
fn a_hook_of_somebody_else_still_decides() {
    let context = reviewed();
    let hook = context.path(".git/hooks/pre-push.before-plimsoll");
    let log = context.beside("hook-input");
    fs::write(&hook, format!("#!/bin/sh\ncat > {log}\nexit 1\n")).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let (code, said) = push(&context, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(fs::read_to_string(&log).unwrap().contains(&context.head()));
    assert_ne!(on_remote(&context), context.head());
}

#[test]
fn fetch_brings_what_the_remote_has() {
    let context = TestContext::enrolled();
    context.colleague_pushes("theirs.md", "theirs\n");
    context.git(&["config", "core.sshCommand", "false"]);
    let output = context.plimsoll(&["fetch"]);
    assert!(output.status.success(), "{}", told(&output));
    let tracked = context.git(&["rev-parse", "refs/remotes/origin/main"]);
    assert_eq!(tracked, on_remote(&context));
    assert_eq!(context.git(&["show", "refs/remotes/origin/main:theirs.md"]), "theirs");
    assert!(told(&context.plimsoll(&["fetch"])).contains("up to date"));
}

/// A folder of the project that is named like the address would run the hooks in it.
#[test]
fn a_folder_named_like_the_address_of_the_remote_is_not_the_remote() {
    for url in ["https://127.0.0.1:9/o/r.git", "git@127.0.0.1:o/r.git"] {
        let context = reviewed();
        context.git(&["remote", "set-url", "origin", url]);
        let folder = context.path(&url.replace("://", ":/"));
        fs::create_dir_all(&folder).unwrap();
        context.git_in(&folder, &["init", "-q", "--bare"]);
        context.script(&format!("{}/hooks/pre-receive", url.replace("://", ":/")), "touch \"$HOME/ran\"");
        let (code, said) = push(&context, &["origin", "HEAD:refs/heads/main"]);
        assert_ne!(code, Some(0), "{said}");
        assert!(!context.home().join("ran").exists(), "{url}");
    }
}
