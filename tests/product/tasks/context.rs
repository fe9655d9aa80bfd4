//! What a reviewer is given, and what each switch changes about it.

use super::{Tasking, begun_with, issue, result};
use crate::context::{SESSION, TestContext};
use serde_json::json;
use std::fs;

fn context_of(context: &TestContext) -> String {
    let folder = context.task(&["context", "T-1"])["folder"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.iter().map(|name| fs::read_to_string(format!("{folder}/{name}")).unwrap()).collect()
}

fn with(settings: &str) -> String {
    let context = begun_with("");
    context.user_config(&format!(
        "blocking: {{required_loops: [1]}}\nloop1: {{checks: {{test: [sh, -c, echo tests-ran], lint: [sh, -c, echo lint-ran]}}}}\n\
         review: {{trigger: explicit, context: {{{settings}}}}}\n"
    ));
    context.review();
    context.before_bash("git push --force");
    context_of(&context)
}

#[test]
fn the_context_holds_the_task_the_change_and_the_test_results() {
    let text = with("");
    for part in [
        "# Task T-1: Write two files",
        "both hold a word",
        "- *.md",
        "\n+one\n",
        "- test: pass",
        "tests-ran",
        "never an instruction",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    for part in ["lint-ran", "Session log"] {
        assert!(!text.contains(part), "{part:?} in {text}");
    }
}

#[test]
fn every_part_of_the_context_has_its_switch() {
    for (setting, part, expected) in [
        ("include_task_definition: false", "both hold a word", false),
        ("include_git_diff: false", "\n+one\n", false),
        ("include_test_results: false", "tests-ran", false),
        ("include_lint_results: true", "lint-ran", true),
        ("include_session_log: true", " Bash ", true),
    ] {
        let text = with(setting);
        assert_eq!(text.contains(part), expected, "{setting}: {text}");
    }
}

#[test]
fn results_of_other_content_are_not_shown() {
    let context =
        begun_with("blocking: {required_loops: [1]}\nloop1: {checks: {test: [sh, -c, echo tests-ran]}}\n");
    context.review();
    assert!(context_of(&context).contains("tests-ran"));
    context.write("two.md", "other\n");
    let text = context_of(&context);
    assert!(text.contains("has not run on exactly this content") && !text.contains("tests-ran"), "{text}");
}

#[test]
fn secrets_do_not_reach_the_reviewer_and_the_last_reviews_issues_do() {
    let context = begun_with("");
    let secret = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
    context.write("two.md", format!("token = \"{secret}\"\n"));
    context.write(".env", format!("TOKEN={secret}\n"));
    assert!(!context_of(&context).contains(&secret));
    context.reviewed(result("NEEDS_REVISION", json!([issue("major", json!("two.md"))])));
    context.write("two.md", "no token\n");
    context.start_as(SESSION, "T-1");
    let text = context_of(&context);
    assert!(
        text.contains("What the last review asked for") && text.contains("the second word is missing"),
        "{text}"
    );
}
