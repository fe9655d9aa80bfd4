//! The project's own checks in loop 1, with real tools: what runs, where, and what is taken from before.

use crate::answer::told;
use crate::context::TestContext;
use std::fs;
use std::process::Output;

fn review(context: &TestContext, options: &[&str]) -> Output {
    context.plimsoll(&[&["review", "run", "--loop", "1"], options].concat())
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Whether `a.txt` is good, by make.
fn with_makefile() -> TestContext {
    let context = TestContext::enrolled();
    context.write("Makefile", "lint:\n\t@grep -n good a.txt\n");
    context.write("a.txt", "bad\n");
    context.commit("checked by make");
    context
}

#[test]
fn what_is_staged_is_checked_and_nothing_else_and_the_user_keeps_what_he_has() {
    let context = with_makefile();
    context.write("a.txt", "good\n");
    context.git(&["add", "a.txt"]);
    context.write("a.txt", "bad again\n");
    context.write("untracked.txt", "u\n");
    let status = context.git(&["status", "--porcelain"]);
    let output = review(&context, &["--staged"]);
    assert_eq!(code(&output), 0, "{}", told(&output));
    assert!(told(&output).contains("pass lint"), "{}", told(&output));
    assert_eq!(context.git(&["status", "--porcelain"]), status);
    assert_eq!(fs::read_to_string(context.path("a.txt")).unwrap(), "bad again\n");
    assert_eq!(code(&review(&context, &[])), 1);
    context.git(&["commit", "-q", "-m", "what was staged"]);
    assert!(context.push(&["origin", "main"]).accepted);
}

#[test]
fn a_commit_is_checked_as_it_is_whatever_lies_in_the_worktree() {
    let context = with_makefile();
    context.write("a.txt", "good\n");
    let output = review(&context, &["--ref", "HEAD"]);
    assert_eq!(code(&output), 1, "{}", told(&output));
    context.commit("good");
    context.write("a.txt", "bad\n");
    assert_eq!(code(&review(&context, &["--ref", "HEAD"])), 0);
    assert_eq!(code(&review(&context, &["--ref", "HEAD~"])), 1);
    let unknown = review(&context, &["--ref", "nowhere"]);
    assert_eq!(code(&unknown), 2);
    assert!(told(&unknown).contains("there is no commit called `nowhere`"), "{}", told(&unknown));
}

#[test]
fn no_copy_is_left_behind_whether_the_checks_pass_or_fail() {
    let context = with_makefile();
    let temporary = context.beside("temporary");
    fs::create_dir(&temporary).unwrap();
    let context = context.with_variable("TMPDIR", temporary.as_str());
    context.write("a.txt", "good\n");
    for (reference, expected) in [("HEAD", 1), ("nowhere", 2)] {
        assert_eq!(code(&review(&context, &["--ref", reference])), expected);
        assert_eq!(temporary.read_dir().unwrap().count(), 0, "{reference}");
    }
}

#[test]
fn a_check_that_changes_its_copy_makes_the_review_stale_and_leaves_the_user_alone() {
    let context = with_makefile();
    context.write("Makefile", "lint:\n\t@echo changed > a.txt\n");
    context.commit("a linter that rewrites");
    context.write("a.txt", "mine\n");
    let output = review(&context, &["--ref", "HEAD"]);
    assert_eq!(code(&output), 1);
    assert!(told(&output).contains("STALE") && told(&output).contains("a.txt"), "{}", told(&output));
    assert_eq!(fs::read_to_string(context.path("a.txt")).unwrap(), "mine\n");
}

#[test]
fn in_a_copy_a_tool_that_git_ignores_is_missing_and_that_is_no_pass() {
    let context = TestContext::enrolled();
    context.write(".gitignore", "node_modules\n");
    context.write("package.json", "{}");
    context.write("eslint.config.js", "");
    context.script("node_modules/.bin/eslint", "exit 0");
    context.commit("linted by a local tool");
    assert_eq!(code(&review(&context, &[])), 0);
    context.write("dirty.txt", "x\n");
    let output = review(&context, &["--ref", "HEAD"]);
    assert_eq!(code(&output), 2, "{}", told(&output));
    let said = "node_modules/.bin/eslint is not part of the content";
    assert!(told(&output).contains(said), "{}", told(&output));
}

#[test]
fn a_second_review_of_the_same_content_says_what_it_took_from_the_first() {
    let context = with_makefile();
    context.write("a.txt", "good\n");
    let first = review(&context, &[]);
    assert!(!told(&first).contains("cached"), "{}", told(&first));
    let second = review(&context, &[]);
    assert_eq!(code(&second), 0);
    let stdout = String::from_utf8(second.stdout.clone()).unwrap();
    let stderr = String::from_utf8(second.stderr.clone()).unwrap();
    assert!(stdout.contains("pass lint") && stdout.contains("cached") && stdout.contains(" ago"), "{stdout}");
    assert!(stderr.contains("pass lint (cached ") && stderr.contains(" ago)"), "{stderr}");
    let state = fs::read_to_string(context.path(".claude/state/loop-state.json")).unwrap();
    assert!(state.contains("\"cached_at\""), "{state}");
    context.write("a.txt", "bad\n");
    assert_eq!(code(&review(&context, &[])), 1, "other content is never taken from before");
}

#[test]
fn a_result_that_somebody_edited_is_not_believed() {
    let context = with_makefile();
    assert_eq!(code(&review(&context, &[])), 1);
    let folder = context.layout().check_cache();
    let mut edited = 0;
    for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
        let text = fs::read_to_string(entry.path()).unwrap();
        assert!(text.contains("\"status\":\"fail\""), "{text}");
        fs::write(entry.path(), text.replace("\"status\":\"fail\"", "\"status\":\"pass\"")).unwrap();
        edited += 1;
    }
    assert_eq!(edited, 1);
    let again = review(&context, &[]);
    assert_eq!(code(&again), 1);
    assert!(!told(&again).contains("cached"), "{}", told(&again));
}

#[test]
fn after_a_fix_in_one_folder_the_checks_of_the_other_are_not_run_again() {
    let context = TestContext::enrolled();
    for folder in ["web", "backend"] {
        context.write(&format!("{folder}/go.mod"), "module x\n");
        context.write(
            &format!("{folder}/Makefile"),
            "lint:\n\t@echo ran >> $(LOG); test -e fixed\ntest format build:\n\t@true\n",
        );
        context.write(&format!("{folder}/fixed"), "");
    }
    fs::remove_file(context.path("web/fixed")).unwrap();
    let log = context.beside("log");
    let context = context.with_variable("LOG", log.as_str());
    assert_eq!(code(&review(&context, &[])), 1);
    context.write("web/fixed", "");
    let second = review(&context, &[]);
    assert_eq!(code(&second), 0, "{}", told(&second));
    let lines = told(&second);
    let lint = |folder: &str| {
        lines.lines().find(|line| line.contains(&format!("pass lint ({folder})"))).unwrap().to_owned()
    };
    assert!(lint("backend").contains("cached") && !lint("web").contains("cached"), "{lines}");
    assert_eq!(fs::read_to_string(log).unwrap(), "ran\n".repeat(3));
}

#[test]
fn a_manifest_that_git_ignores_does_not_say_how_the_project_is_checked() {
    let context = with_makefile();
    context.write(".gitignore", "justfile\n");
    context.write("justfile", "lint:\n    true\n");
    let output = review(&context, &[]);
    assert_eq!(code(&output), 1);
    assert!(told(&output).contains("make lint"), "{}", told(&output));
}

#[test]
fn a_real_npm_package_in_a_folder_is_linted_tested_and_measured() {
    let context = TestContext::enrolled();
    let scripts = r#"{"lint": "node --check a.js", "test": "node --test --experimental-test-coverage"}"#;
    context.write("web/package.json", format!(r#"{{"name": "web", "scripts": {scripts}}}"#));
    context.write("web/a.js", "exports.next = (n) => n + ;\n");
    let test = "const {next} = require('./a.js');\nrequire('node:test')('next', () => { if (next(1) !== 2) throw Error('no'); });\n";
    context.write("web/a.test.js", test);
    let broken = review(&context, &[]);
    assert_eq!(code(&broken), 1);
    let said = told(&broken);
    assert!(
        said.contains("fail lint (web)") && said.contains("skip test (web): not run: lint (web) failed"),
        "{said}"
    );
    context.write("web/a.js", "exports.next = (n) => n + 1;\n");
    let fixed = review(&context, &[]);
    assert_eq!(code(&fixed), 0, "{}", told(&fixed));
    let state = fs::read_to_string(context.path(".claude/state/loop-state.json")).unwrap();
    assert!(state.contains("\"coverage\"") && state.contains("\"directory\": \"web\""), "{state}");
}

#[test]
fn a_result_that_saw_a_file_which_was_left_out_is_not_kept() {
    let context = TestContext::enrolled();
    context.write("Makefile", "lint:\n\t@test -e helper.txt\n");
    context.write("helper.txt", "not part of the review\n");
    let output = review(&context, &["--leave-out", "helper.txt"]);
    assert_eq!(code(&output), 0, "{}", told(&output));
    fs::remove_file(context.path("helper.txt")).unwrap();
    assert_eq!(code(&review(&context, &[])), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_that_a_check_starts_ends_with_the_check() {
    let context = TestContext::enrolled();
    let (told_by, pids) = (context.beside("told"), context.beside("pids"));
    let daemon = |start: &str| {
        format!(
            "{start} /bin/sh -c 'echo $$$$ >> {pids}; echo > {told_by}; exec >/dev/null 2>&1; exec /bin/sleep 600' & read x < {told_by}"
        )
    };
    let script: String = ["setsid", "(setsid", "env -i /usr/bin/setsid"]
        .map(|start| format!("\t@{}{}\n", daemon(start), if start.starts_with('(') { "; )" } else { "" }))
        .concat();
    context.write("Makefile", format!("lint:\n\t@mkfifo {told_by}\n{script}"));
    context.commit("a check with daemons");
    let output = review(&context, &[]);
    let started = fs::read_to_string(&pids).unwrap();
    assert_eq!(started.lines().count(), 3, "{}", told(&output));
    for pid in started.lines() {
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}
