//! Every command that the product names as a next step is walked: printed, run, and seen to be a step forward.
//!
//! The commands come from the source: each one that a text of the product names has to be in a table here.

mod gate;
mod installation;
mod mentions;
mod projects;
mod sandbox;
mod stops;
mod tasks;

use crate::answer::told;
use crate::context::{TestContext, binary};
use crate::terminal::{at_a_terminal, typing};
use std::collections::BTreeSet;
use std::process::Output;

/// A command as the source spells it, and a walk that prints it, runs it and looks at what came of it.
type Walk = (&'static str, fn());

/// Commands that nobody is asked to run as they stand, each with the reason.
const NO_STEPS: [(&str, &str); 13] = [
    ("plimsoll explain COMMAND", "the name of the command in its own help"),
    ("plimsoll {}", "repeats the command that was refused"),
    ("git {}", "names the command of git that failed"),
    ("gitdir: <path>", "what a file of git holds"),
    ("/rewind", "a command of the client"),
    ("git diff", "for the model, which reads the files again after a rollback"),
    ("git worktree repair", "git's own repair of a link that git broke"),
    ("git fsck", "git's own list of missing objects"),
    ("plimsoll task", "a permission for the client, not a text"),
    (
        "plimsoll attest",
        "needs a server and a key; tests/product/server_hook.rs runs it after a refused push",
    ),
    ("plimsoll server-hook run", "for a script of the server; tests/product/server_hook.rs runs it"),
    ("plimsoll statusline", "for a script of the user; tests/install/status_line.rs runs it"),
    ("plimsoll review run --loop {}{}", "the agents' own command; tests/product/review_flow.rs runs it"),
];

fn walks() -> Vec<Walk> {
    [&gate::WALKS[..], &installation::WALKS, &projects::WALKS, &sandbox::WALKS, &stops::WALKS, &tasks::WALKS]
        .concat()
}

#[test]
fn every_command_that_a_text_names_has_a_walk() {
    let named = mentions::in_source();
    let known: BTreeSet<String> = walks()
        .iter()
        .map(|(name, _)| *name)
        .chain(NO_STEPS.map(|(name, _)| name))
        .map(String::from)
        .collect();
    let missing: Vec<_> = named.iter().filter(|(name, _)| !known.contains(*name)).collect();
    assert!(missing.is_empty(), "commands that no walk runs, with the files that name them: {missing:#?}");
    let no_steps = NO_STEPS.map(|(name, _)| name);
    let unnamed: Vec<_> = known
        .iter()
        .filter(|name| !named.contains_key(*name) && !no_steps.contains(&name.as_str()))
        .collect();
    assert!(unnamed.is_empty(), "no text names these any more: {unnamed:#?}");
}

macro_rules! walk_all {
    ($($name:ident: $group:ident,)*) => {
        $(
            #[test]
            fn $name() {
                let fails = |(command, walk): &Walk| {
                    println!("walks `{command}`");
                    std::panic::catch_unwind(walk).is_err()
                };
                let dead_ends: Vec<_> = $group::WALKS.iter().filter(|one| fails(one)).map(|(command, _)| command).collect();
                assert!(dead_ends.is_empty(), "dead ends: {dead_ends:#?}");
            }
        )*
    };
}

walk_all! {
    each_command_that_the_gate_and_reports_name_is_a_step_forward: gate,
    each_command_that_errors_and_the_doctor_name_is_a_step_forward: projects,
    each_command_that_the_installer_names_is_a_step_forward: installation,
    each_command_that_sandboxed_mode_names_is_a_step_forward: sandbox,
    each_command_that_stops_and_checkpoints_name_is_a_step_forward: stops,
    each_command_that_tasks_name_is_a_step_forward: tasks,
}

/// The command of this form in a text, with its placeholders filled in.
pub(super) fn named(text: &str, template: &str) -> String {
    let missing = || panic!("no `{template}` in: {text}");
    let mut pieces = template.split("{}");
    let first = pieces.next().unwrap_or_default();
    let mut rest = text.split_once(first).map_or_else(missing, |(_, rest)| rest);
    let mut command = first.to_owned();
    for piece in pieces {
        let end = match piece {
            "" => rest.find(['`', '\n', ' ', ')']).unwrap_or(rest.len()),
            piece => rest.find(piece).unwrap_or_else(|| panic!("no `{template}` in: {text}")),
        };
        let (filled, after) = rest.split_at(end);
        command += filled;
        command += piece;
        rest = after.strip_prefix(piece).unwrap_or(after);
    }
    command
}

/// Runs the command as a person at a terminal does.
pub(super) fn run(context: &TestContext, command: &str) -> Output {
    at_a_terminal(shell(context, command))
}

/// The same by somebody who answers yes.
pub(super) fn run_and_confirm(context: &TestContext, command: &str) -> Output {
    typing(shell(context, command), "y\n")
}

/// The same without a terminal, where a question would wait for an answer.
pub(super) fn run_in_script(context: &TestContext, command: &str) -> Output {
    shell(context, command).output().unwrap()
}

fn shell(context: &TestContext, command: &str) -> std::process::Command {
    let programs = binary("plimsoll");
    let path = format!("{}:{}", programs.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = context.command("sh");
    shell.args(["-c", command]).env("PATH", path);
    shell
}

/// What the command printed; it has to end with this code.
pub(super) fn ends(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", told(output));
    told(output)
}

/// What the product prints for these arguments.
pub(super) fn said(context: &TestContext, arguments: &[&str]) -> String {
    told(&context.plimsoll(arguments))
}
