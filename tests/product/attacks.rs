//! Ways around the gate that were tried and once worked.

use crate::answer::told;
use crate::context::{TestContext, binary};
use serde_json::json;
use std::fs;
use std::process::Stdio;

/// Enrolled, with an unreviewed commit.
fn unreviewed() -> TestContext {
    let context = TestContext::enrolled();
    context.change();
    context.commit("unreviewed");
    context
}

#[test]
fn a_repository_that_was_moved_or_copied_stays_enrolled_until_a_person_settles_it() {
    for way in [
        "mv ../project ../elsewhere && cd ../elsewhere",
        "cp -r ../project ../elsewhere && cd ../elsewhere",
        "git init -q --separate-git-dir=../elsewhere.git",
        "rm -r ../home/.local/share/plimsoll/enrolled",
    ] {
        let context = unreviewed();
        let commit = context.head();
        let push = context.bash(&format!("{way} && git push"));
        let said = told(&push);
        assert!(!push.status.success() && !context.remote_has(&commit), "{way}: {said}");
        assert!(said.contains("was enrolled") && said.contains("`plimsoll enrol`"), "{way}: {said}");
        let place = if way.contains("cd ") { "../elsewhere" } else { "." };
        let plimsoll = binary("plimsoll");
        let fix = format!("{0} enrol --yes && {0} review run --loop 1 && git push", plimsoll.display());
        fs::create_dir_all(context.project()).unwrap();
        let fixed = context.bash(&format!("cd {place} && {fix}"));
        assert!(fixed.status.success() && context.remote_has(&commit), "{way}: {}", told(&fixed));
    }
}

#[test]
fn a_hook_that_several_repositories_share_decides_for_each() {
    let context = TestContext::new();
    let hooks = context.beside("hooks");
    fs::create_dir(&hooks).unwrap();
    context.git(&["config", "core.hooksPath", hooks.as_str()]);
    let context = context.enrolled_for_loop_1();
    context.new_repository("free");
    let free = context.beside("free");
    context.git_in(&free, &["config", "core.hooksPath", hooks.as_str()]);
    context.git_in(&free, &["commit", "-q", "--allow-empty", "-m", "nobody's business"]);
    context.git_in(&free, &["push", "-q", "origin", "HEAD:refs/heads/free"]);
    context.change();
    let commit = context.commit("unreviewed");
    context.push(&[]).assert_refused(&["No review state found"]);
    let moved = context.bash("mv ../project ../elsewhere && cd ../elsewhere && git push");
    assert!(told(&moved).contains("was enrolled") && !context.remote_has(&commit), "{}", told(&moved));
}

#[test]
fn a_remote_that_is_called_like_the_url_of_the_push_vouches_for_nothing() {
    let context = unreviewed();
    let url = format!("file://{}", context.beside("remote.git"));
    context.git(&["remote", "set-url", "origin", &url]);
    context.git(&["config", &format!("remote.{url}.url"), context.project().as_str()]);
    context
        .push(&["origin", "HEAD:refs/heads/new"])
        .assert_refused(&["has the URL of this push as its name"]);
    assert!(!context.remote_has(&context.head()));
}

#[test]
fn options_of_the_shell_in_the_environment_do_not_silence_the_hook() {
    let context = unreviewed();
    let hook = context.path(".git/hooks/pre-push");
    let first = fs::read_to_string(&hook).unwrap().lines().next().unwrap().to_owned();
    let flags: Vec<&str> = first.split(' ').skip(1).collect();
    for option in ["noexec", "onecmd"] {
        let lines = format!("refs/heads/main {} refs/heads/main {}\n", context.head(), "0".repeat(40));
        let input = context.beside("lines");
        fs::write(&input, lines).unwrap();
        // Where `sh` is bash, it reads this variable.
        let mut command = context.command("bash");
        command.arg("--posix").args(&flags).arg(&hook).args(["origin", "../remote.git"]);
        command.env("SHELLOPTS", option).stdin(Stdio::from(fs::File::open(&input).unwrap()));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{option}: {}", told(&output));
    }
}

#[test]
fn what_leads_git_to_other_hooks_is_not_the_agents_to_write() {
    let context = unreviewed();
    let free = TestContext::new();
    for (relative, home) in [
        (".git/commondir", false),
        (".git/worktrees/linked/config.worktree", false),
        (".gitconfig", true),
        (".config/git/config", true),
    ] {
        // Without a gate a person may still be asked.
        for (place, denied) in [(&context, true), (&free, false)] {
            let path = if home { place.home().join(relative) } else { place.path(relative) };
            let written = place.before("Write", json!({"file_path": path, "content": "x"}));
            assert_eq!(written.decision() == Some("deny"), denied, "{relative}: {}", written.json);
            let answer = place.before_bash(&format!("echo x >> {path}"));
            assert_eq!(answer.decision() == Some("deny"), denied, "{relative}: {}", answer.json);
        }
    }
}

#[test]
fn a_hook_in_a_folder_that_the_configuration_names_is_guarded_too() {
    let context = TestContext::new();
    context.write(".husky/_/.gitignore", "*\n");
    context.git(&["config", "core.hooksPath", ".husky/_"]);
    let context = context.enrolled_for_loop_1();
    for command in ["echo x > .husky/_/pre-push", "rm -rf .husky", "chmod -x .husky/_/pre-push"] {
        let answer = context.before_bash(command);
        assert_eq!(answer.decision(), Some("deny"), "{command}: {}", answer.json);
    }
    assert!(context.before_bash("echo x > .husky/pre-commit").is_silent());
}

#[test]
fn a_session_begun_elsewhere_finds_no_way_around_an_enrolled_repository() {
    let context = unreviewed();
    let root = context.beside("");
    let before = |tool: &str, cwd: &str, input: serde_json::Value| {
        let fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t", "cwd": cwd});
        let mut command = context.hook_command("pre-tool-use");
        command.env("CLAUDE_PROJECT_DIR", &root);
        context.feed(command, context.event("PreToolUse", fields).to_string().as_bytes())
    };
    for (cwd, command) in [
        (root.as_str(), "cd project && git push --no-verify"),
        (root.as_str(), "git -C project push --no-verify"),
        (root.as_str(), "rm project/.git/hooks/pre-push"),
        (context.project().as_str(), "git config core.hooksPath x"),
    ] {
        let answer = before("Bash", cwd, json!({"command": command}));
        assert_eq!(answer.decision(), Some("deny"), "{command}: {}", answer.json);
    }
    let path = context.path(".git/hooks/pre-push");
    let answer = before("Write", root.as_str(), json!({"file_path": path, "content": "x"}));
    assert_eq!(answer.decision(), Some("deny"), "{}", answer.json);
}

#[test]
fn a_changed_file_that_is_left_out_cannot_help_the_checks_to_pass() {
    let context = TestContext::enrolled();
    context.user_config("blocking: {required_loops: [1]}\nloop1: {checks: {test: [sh, check.sh]}}\n");
    context.write("check.sh", "exit 1\n");
    context.commit("a check that fails");
    context.write("check.sh", "exit 0\n");
    context.write("stray.txt", "x\n");
    for arguments in
        [&["--leave-out", "check.sh"][..], &["--leave-out", "check.sh", "--leave-out", "stray.txt"]]
    {
        let output = context.plimsoll(&[&["review", "run", "--loop", "1"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert!(told(&output).contains("changes in check.sh"), "{}", told(&output));
    }
    context.git(&["checkout", "-q", "check.sh"]);
    let output = context.plimsoll(&["review", "run", "--loop", "1", "--leave-out", "stray.txt"]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
}

#[test]
fn a_session_is_told_that_another_tool_replaced_the_hook() {
    let context = TestContext::enrolled();
    let notice = || {
        let answer = context.hook("session-start", "SessionStart", json!({"source": "startup"}));
        answer.notice().to_owned()
    };
    assert!(notice().starts_with("Plimsoll is on: "), "{}", notice());
    context.script(".git/hooks/pre-push", "exit 0");
    assert!(notice().contains("`plimsoll enrol` puts it back"), "{}", notice());
    context.enrol();
    assert!(notice().starts_with("Plimsoll is on: "), "{}", notice());
}

#[test]
fn without_any_of_its_programs_a_project_does_not_ship_by_its_secret_scan() {
    let context = TestContext::enrolled();
    context.user_config("blocking: {required_loops: [1]}\nloop1: {checks: {test: [no-such-program]}}\n");
    context.change();
    let output = context.plimsoll(&["review", "run", "--loop", "1"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    context.commit("unchecked");
    context.push(&[]).assert_refused(&["Loop 1 was skipped", "no-such-program is not installed"]);
}
