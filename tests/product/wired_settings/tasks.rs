//! Keys of the review of tasks.

use super::{Row, Settings, lasting, row};
use crate::answer::told;
use crate::context::{SESSION, TestContext};
use crate::tasks::{Tasking, issue, result};
use serde_json::json;
use std::fs;

pub(super) fn rows() -> Vec<Row> {
    let explicit = |row: Row| row.around("review.trigger", json!("explicit"));
    let context = |key, value| {
        explicit(row(key, json!(value), context_files))
            .around("loop1.checks.test", json!(["sh", "-c", "echo tests-ran"]))
            .around("loop1.checks.lint", json!(["sh", "-c", "echo lint-ran"]))
    };
    vec![
        explicit(row("review.enabled", json!(false), handed_in)),
        row("review.trigger", json!("explicit"), handed_in)
            .around("review.runner", json!(["no-such-program"])),
        row("review.runner", json!(["sh", "-c", "echo told > ../told"]), handed_in),
        explicit(row("review.command", json!("/look-at"), typed)),
        explicit(row("review.model", json!("haiku"), reviewer)),
        explicit(row("review.max_revisions", json!(1), after_one_failed_review)),
        context("review.context.include_task_definition", false),
        context("review.context.include_git_diff", false),
        context("review.context.include_test_results", false),
        context("review.context.include_lint_results", true),
        context("review.context.include_session_log", true),
    ]
}

fn begun(context: &TestContext) {
    context.change();
    context.task(&["add", "Write two files", "--scope", "*.md", "--accept", "both hold a word"]);
    context.start_as(SESSION, "T-1");
}

fn handed_in(context: &mut TestContext, _: &Settings) -> String {
    begun(context);
    let output = context.plimsoll(&["task", "done", "T-1"]);
    let said = told(&output);
    let last = said.lines().last().unwrap_or_default();
    lasting(&format!(
        "{:?} {} {last} {}",
        output.status.code(),
        context.status(),
        context.beside("told").exists()
    ))
}

fn typed(context: &mut TestContext, _: &Settings) -> String {
    begun(context);
    format!("{:?}", context.typed("session-2", "/look-at T-1").context().lines().next())
}

fn reviewer(context: &mut TestContext, _: &Settings) -> String {
    begun(context);
    context.typed("session-2", "/review-task T-1");
    let answer = context.call_agent("session-2", "task-reviewer");
    answer.updated_input().map_or_else(|| answer.reason().to_owned(), |input| input["model"].to_string())
}

fn after_one_failed_review(context: &mut TestContext, _: &Settings) -> String {
    begun(context);
    context.reviewed(result("NEEDS_REVISION", json!([issue("major", json!("two.md"))])));
    context.status()
}

/// The headings and what stands for each part.
fn context_files(context: &mut TestContext, _: &Settings) -> String {
    begun(context);
    context.review();
    context.before_bash("git push --force");
    let folder = context.task(&["context", "T-1"])["folder"].as_str().unwrap().to_owned();
    let entries =
        fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let text: String = entries.collect();
    let parts = ["both hold a word", "\n+one\n", "tests-ran", "lint-ran", " Bash "];
    format!("{:?}", parts.map(|part| text.contains(part)))
}
