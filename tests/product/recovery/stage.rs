//! A stop as a hook makes it, in a process of its own: this very test program, started anew.

use crate::answer::told;
use crate::context::TestContext;
use crate::terminal::at_a_terminal;
use camino::Utf8PathBuf;
use plimsoll::app::monitor::incidents::{Pages, StopRequest, stop};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::clock;
use plimsoll::edge::state::{Locked, ProjectLock};
use std::process::{Command, Output};

const SUMMARY: &str = "STAGE_SUMMARY";

#[test]
#[ignore = "the other side of `stop_command`"]
fn a_stop_in_a_process_of_its_own() {
    let Ok(summary) = std::env::var(SUMMARY) else { return };
    let workspace = Workspace::here().unwrap();
    let id = format!("{}-{}", clock::milliseconds(), std::process::id());
    let pages = Pages {
        json: format!("{{\"id\":\"{id}\"}}\n"),
        markdown: format!("# Incident {id}\n{summary}\n"),
        html: format!("<!doctype html><title>{id}</title><p>{summary}\n"),
    };
    let why = StopRequest { id: &id, session: "session-1", summary: &summary, began: 1, checkpoint: None };
    match stop(&workspace, &why, || pages) {
        Ok(stopped) => println!("incident={} problems={:?}", stopped.incident, stopped.problems),
        Err(failure) => println!("not locked: {failure}"),
    }
}

/// The test program as a program of the product: beside a `bin` folder with the command in it.
pub(crate) fn installed_stage(context: &TestContext) -> Utf8PathBuf {
    let place = |name: &str| context.beside("installed").join(name);
    for (from, to) in [
        (std::env::current_exe().unwrap(), place("hooks/stage")),
        (crate::context::binary("plimsoll"), place("bin/plimsoll")),
    ] {
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        if !to.exists() && std::fs::hard_link(&from, &to).is_err() {
            std::fs::copy(&from, &to).unwrap();
        }
    }
    place("hooks/stage")
}

pub(crate) fn stop_command(context: &TestContext, program: &str, summary: &str) -> Command {
    let mut command = context.command(program);
    command.env(SUMMARY, summary);
    command.args(["--ignored", "--exact", "--nocapture", "recovery::stage::a_stop_in_a_process_of_its_own"]);
    command
}

/// Stops the project; returns the incident's id.
pub(crate) fn stopped(context: &TestContext, summary: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let output = stop_command(context, program.to_str().unwrap(), summary).output().unwrap();
    incident(&output)
}

pub(crate) fn incident(output: &Output) -> String {
    let said = told(output);
    let (_, rest) = said.split_once("incident=").unwrap_or_else(|| panic!("{said}"));
    rest.split_whitespace().next().unwrap().to_owned()
}

pub(crate) fn recover(context: &TestContext, arguments: &[&str]) -> Output {
    let mut command = context.command(crate::context::binary("plimsoll"));
    command.arg("recover").args(arguments);
    at_a_terminal(command)
}

pub(crate) fn lock(context: &TestContext) -> Locked {
    ProjectLock::read(&context.homes(), &context.layout())
}

pub(crate) fn held(context: &TestContext) -> ProjectLock {
    match lock(context) {
        Locked::Held(lock) => lock,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn is_free(context: &TestContext) -> bool {
    matches!(lock(context), Locked::Free)
}
