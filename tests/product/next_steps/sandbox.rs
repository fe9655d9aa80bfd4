//! Steps that sandboxed mode, the log and the report page name.

use super::{Walk, ends, named, run, said};
use crate::answer::told;
use crate::context::{SESSION, TestContext};
use crate::sandbox::{sandbox, sandboxed};
use serde_json::json;
use std::fs;

pub(super) const WALKS: [Walk; 8] = [
    ("plimsoll push", push),
    ("plimsoll push -u origin BRANCH", push_new_branch),
    ("plimsoll fetch", fetch),
    ("plimsoll sandbox on", on),
    ("plimsoll sandbox off", off),
    ("plimsoll log --refused", log),
    ("plimsoll allow {}", allow),
    ("plimsoll checkpoint restore {}</code>", restore),
];

fn session_start(context: &TestContext) -> crate::answer::Answer {
    context.hook("session-start", "SessionStart", json!({"source": "startup", "session_id": SESSION}))
}

fn push() {
    let context = sandboxed(TestContext::reviewed());
    let ship = context.prompt("user-prompt-ship", "/ship", "ship").context().to_owned();
    let head = context.commit("reviewed");
    ends(&run(&context, &named(&ship, "plimsoll push")), 0);
    assert!(context.remote_has(&head));
}

fn push_new_branch() {
    let context = TestContext::reviewed();
    let head = context.commit("reviewed");
    context.git(&["switch", "-q", "-c", "feature"]);
    let refused = ends(&run(&context, "plimsoll push"), 2);
    let command = named(&refused, "plimsoll push -u origin BRANCH").replace("BRANCH", "feature");
    ends(&run(&context, &command), 0);
    assert!(context.remote_has(&head));
}

fn fetch() {
    let context = sandboxed(TestContext::reviewed());
    let started = session_start(&context);
    context.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    ends(&run(&context, &named(&started.json.to_string(), "plimsoll fetch")), 0);
    context.git(&["rev-parse", "refs/remotes/origin/main"]);
}

fn on() {
    let context = TestContext::enrolled();
    let doctor = said(&context, &["doctor", "-v"]);
    ends(&run(&context, &named(&doctor, "plimsoll sandbox on")), 0);
    assert!(said(&context, &["sandbox", "status"]).starts_with("sandboxed"));
}

fn off() {
    let context = TestContext::enrolled();
    let switched = told(&sandbox(&context, "on"));
    ends(&run(&context, &named(&switched, "plimsoll sandbox off")), 0);
    assert!(said(&context, &["sandbox", "status"]).starts_with("not sandboxed"));
}

fn log() {
    let context = TestContext::enrolled();
    context.user_config("step_reviewer: {mode: observe}\n");
    context.before_bash("git push --force");
    let status = said(&context, &["status"]);
    let listed = ends(&run(&context, &named(&status, "plimsoll log --refused")), 0);
    assert!(listed.contains("git push --force"), "{listed}");
}

fn allow() {
    let context = TestContext::new();
    context.write("readme.md", "changed\n");
    assert_eq!(context.before_bash("git reset --hard").decision(), Some("deny"));
    let explained = said(&context, &["explain", "--last"]);
    ends(&run(&context, &named(&explained, "plimsoll allow {}")), 0);
    assert_eq!(context.before_bash("git reset --hard").decision(), Some("ask"));
}

fn restore() {
    let context = TestContext::new();
    ends(&run(&context, "plimsoll checkpoint create -m before"), 0);
    context.write("readme.md", "changed\n");
    let page = context.beside("page.html");
    ends(&run(&context, &format!("plimsoll report --output '{page}'")), 0);
    let html = fs::read_to_string(&page).unwrap();
    let command = named(&html, "plimsoll checkpoint restore {}</code>").replace("</code>", "");
    ends(&run(&context, &format!("{command} --yes")), 0);
    assert_eq!(context.read("readme.md").as_deref(), Some("A project.\n"));
}
