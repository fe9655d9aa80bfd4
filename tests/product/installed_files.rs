//! Files that the installer put into a project: no part of any change while they are as installed, and shown once they are not.

use crate::answer::told;
use crate::context::{LOOP_1_SUFFICES, TestContext, binary};
use crate::terminal::at_a_terminal;
use camino::Utf8Path;
use serde_json::{Value, json};
use std::fs;

const AGENT: &str = ".claude/agents/git-agent.md";

/// `install.sh` with the programs under test.
pub(crate) fn install(context: &TestContext, arguments: &[&str]) -> String {
    let script = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh");
    let program = binary("plimsoll");
    let mut command = context.command("sh");
    command.arg(script).arg("--no-build").args(arguments);
    // At a terminal, an installation asks whether to link the command.
    if !arguments.iter().any(|argument| ["--uninstall", "--upgrade"].contains(argument)) {
        command.arg("--no-link");
    }
    command.env("PLIMSOLL_BUILD_DIR", program.parent().unwrap().parent().unwrap());
    let output = at_a_terminal(command);
    assert!(output.status.success(), "{}", told(&output));
    told(&output)
}

fn installed(arguments: &[&str]) -> TestContext {
    let context = TestContext::new();
    context.user_config(LOOP_1_SUFFICES);
    install(&context, arguments);
    context
}

fn report(context: &TestContext) -> Value {
    let output = context.plimsoll(&["review", "report", "--format", "json"]);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", told(&output)))
}

fn preview(context: &TestContext, prompt: &str) -> (Value, Value) {
    let body = context.prompt("user-prompt-review", &format!("/review {prompt}"), prompt).body();
    (body["files"].clone(), body["untracked"].clone())
}

#[test]
fn no_review_no_gate_and_no_report_knows_a_file_that_is_as_installed() {
    for arguments in [&[][..], &["--shared"]] {
        let context = installed(arguments);
        context.write("readme.md", "One line changed.\n");
        assert_eq!(preview(&context, "--free"), (json!(["readme.md"]), json!([])), "{arguments:?}");
        context.review();
        let shown = report(&context).to_string();
        assert!(!shown.contains(".claude/") && !shown.contains(".gitignore"), "{arguments:?}: {shown}");
        assert!(context.gate(&[]).open);
        let answer = context.prompt("user-prompt-ship", "/ship", "ship");
        assert!(answer.context().starts_with("Ship gate: APPROVED"), "{}", answer.context());
        context.git(&["commit", "-q", "-am", "the line"]);
        context.push(&[]).assert_accepted();
    }
}

#[test]
fn shared_files_may_be_committed_before_with_or_after_the_change_that_was_reviewed() {
    for order in ["before", "with", "after", "staged"] {
        let context = installed(&["--shared"]);
        if order == "before" {
            context.commit("Plimsoll");
        }
        context.write("readme.md", "One line changed.\n");
        context.review();
        match order {
            "after" => {
                context.git(&["commit", "-q", "-am", "the line"]);
                context.push(&[]).assert_accepted();
            }
            "staged" => {
                context.git(&["add", ".claude"]);
                assert_eq!(preview(&context, "--free --staged").0, json!([]));
            }
            _ => {}
        }
        context.commit("the rest");
        context.push(&[]).assert_accepted();
        let listed = context.git(&["ls-tree", "-r", "--name-only", "origin/main"]);
        assert!(listed.contains(AGENT), "{order}: {listed}");
    }
}

#[test]
fn a_changed_file_of_ours_is_part_of_review_report_and_gate() {
    for arguments in [&[][..], &["--shared"]] {
        let context = installed(arguments);
        context.write("readme.md", "One line changed.\n");
        context.review();
        assert!(context.gate(&[]).open);
        context.write(AGENT, "Push everything.\n");
        let (files, untracked) = preview(&context, "--free");
        assert_eq!((files, untracked.as_array().unwrap().len()), (json!(["readme.md"]), 1), "{untracked}");
        assert!(untracked.to_string().contains(AGENT), "{untracked}");
        context.user_config("");
        let output = context.plimsoll(&["review", "run", "--loop", "1"]);
        assert!(told(&output).contains(AGENT), "{arguments:?}: {}", told(&output));
        let report = report(&context).to_string();
        assert!(report.contains(AGENT), "{report}");
        install(&context, &[&["--force"], arguments].concat());
        fs::remove_file(context.path(&format!("{AGENT}.plimsoll-backup"))).unwrap();
        assert!(!preview(&context, "--loops 1").1.to_string().contains(AGENT));
    }
}

#[test]
fn a_changed_file_of_ours_that_leaves_is_refused_until_it_is_reviewed() {
    let context = installed(&["--shared"]);
    context.commit("Plimsoll");
    context.review();
    context.push(&[]).assert_accepted();
    context.write(AGENT, "Push everything.\n");
    context.commit("weaker");
    context.push(&[]).assert_refused(&[AGENT]);
    let why = context.plimsoll(&["gate", "why"]);
    assert!(!why.status.success() && told(&why).contains(AGENT), "{}", told(&why));
    context.review();
    context.push(&[]).assert_accepted();
}

#[test]
fn a_settings_file_that_the_user_had_before_is_the_users() {
    let context = TestContext::new();
    context.user_config(LOOP_1_SUFFICES);
    context.write(".claude/settings.json", "{}\n");
    context.commit("settings");
    context.git(&["push", "-q"]);
    install(&context, &["--shared"]);
    assert_eq!(preview(&context, "--free").0, json!([".claude/settings.json"]));
}

#[test]
fn a_damaged_record_of_what_was_installed_closes_the_gate_and_is_named() {
    let context = installed(&[]);
    context.write("readme.md", "One line changed.\n");
    context.review();
    let folder = context.homes().install_records(&context.path(".git"));
    for entry in fs::read_dir(&folder).unwrap() {
        fs::write(entry.unwrap().path(), "{").unwrap();
    }
    let gate = context.gate(&[]);
    assert!(!gate.open && gate.said.contains("installed-files"), "{}", gate.said);
}
