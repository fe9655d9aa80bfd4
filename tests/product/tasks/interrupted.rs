//! A process that dies at any write leaves a task that goes on.
//!
//! Every file is written whole or not at all, so that a death leaves some of a step's files new and the others old. Each
//! combination is laid out on disk and worked on.

use super::{REVIEWING, Reviewer, Tasking, begun, result};
use crate::context::TestContext;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

type Files = BTreeMap<Utf8PathBuf, Vec<u8>>;

/// Where the product writes.
fn places(context: &TestContext) -> [Utf8PathBuf; 2] {
    [context.layout().root().to_owned(), context.path(".claude")]
}

fn files(folder: &Utf8Path, found: &mut Files) {
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => files(entry.path(), found),
            false => drop(found.insert(entry.path().to_owned(), fs::read(entry.path()).unwrap())),
        }
    }
}

fn snapshot(context: &TestContext) -> Files {
    let mut found = Files::new();
    places(context).iter().for_each(|place| files(place, &mut found));
    found
}

fn lay_out(context: &TestContext, wanted: &Files) {
    for place in places(context) {
        let _ = fs::remove_dir_all(place);
    }
    for (path, bytes) in wanted {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// A context is of no use in parts, and locks and logs carry nothing: what is left are the writes that matter.
fn unit(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let is_context = |part: &Utf8Path| part.file_name().is_some_and(|name| name.starts_with("review-"));
    let noise = ["lock", "bin", "jsonl"].contains(&path.extension().unwrap_or_default());
    (!noise).then(|| path.ancestors().find(|part| is_context(part)).unwrap_or(path).to_owned())
}

/// Every mixture of the files before and after a step.
fn mixtures(before: &Files, after: &Files) -> Vec<Files> {
    let paths: BTreeSet<&Utf8PathBuf> = before.keys().chain(after.keys()).collect();
    let changed: BTreeSet<Utf8PathBuf> = paths
        .iter()
        .filter(|path| before.get(**path) != after.get(**path))
        .filter_map(|path| unit(path))
        .collect();
    let changed: Vec<Utf8PathBuf> = changed.into_iter().collect();
    assert!((1..=6).contains(&changed.len()), "{changed:?}");
    (0..1_u32 << changed.len())
        .map(|chosen| {
            let is_new = |path: &Utf8Path| {
                let at = unit(path).and_then(|unit| changed.iter().position(|changed| *changed == unit));
                at.is_none_or(|at| chosen & (1 << at) != 0)
            };
            paths
                .iter()
                .filter_map(|path| {
                    let side = if is_new(path) { after } else { before };
                    Some(((*path).clone(), side.get(*path)?.clone()))
                })
                .collect()
        })
        .collect()
}

/// From wherever it stands to the end, by what a worker and our agents can do.
fn finish(context: &TestContext) {
    if context.status() == "PENDING" {
        context.start_as("worker", "T-1");
    }
    // Words that are gone cost a review, and the next one ends it.
    for _ in 0..2 {
        if context.status() == "COMPLETE" {
            break;
        }
        if context.show()["active_review"]["given"] == true {
            context.typed(REVIEWING, "/review-task T-1");
        } else {
            let reviewer = context.reviewer();
            context.ended(REVIEWING, "task-reviewer", &format!("Fine.\n{}", reviewer.signed()));
        }
        if let Some(nonce) = context.try_parser() {
            context.parsed(&nonce, result("APPROVED", json!([])));
        }
    }
    assert_eq!(context.status(), "COMPLETE", "{}", context.show());
}

/// Does a step, then tries every way of having died in it.
fn die_in(context: &TestContext, step: impl FnOnce()) {
    let before = snapshot(context);
    let was = context.status();
    step();
    let after = snapshot(context);
    let is = context.status();
    for mixture in mixtures(&before, &after) {
        lay_out(context, &mixture);
        // What a death in the middle of a write leaves beside it.
        fs::write(context.layout().tasks().join(".tmpAb12Cd"), "{\"version\":1,\"ta").unwrap();
        let list = context.task(&["list"]);
        assert_eq!(list["problems"], json!([]), "{list}");
        let status = context.status();
        assert!(status == was || status == is, "{status} is neither {was} nor {is}");
        finish(context);
    }
    lay_out(context, &after);
}

#[test]
fn death_at_any_write_from_the_first_command_to_the_result_leaves_a_task_that_goes_on() {
    let context = begun();
    context.task(&["release", "T-1"]);
    // The folder for contexts is ignored by git before anything lies in it.
    context.task(&["context", "T-1"]);
    die_in(&context, || context.start_as("worker", "T-1"));
    die_in(&context, || drop(context.task(&["done", "T-1"])));
    die_in(&context, || drop(context.typed(REVIEWING, "/review-task T-1")));
    let reviewer = std::cell::OnceCell::new();
    die_in(&context, || {
        let started = Reviewer::of(&context.call_agent(REVIEWING, "task-reviewer"));
        let _ = reviewer.set(format!("Fine.\n{}", started.signed()));
    });
    let words = reviewer.into_inner().unwrap();
    die_in(&context, || drop(context.ended(REVIEWING, "task-reviewer", &words)));
    let parser = std::cell::OnceCell::new();
    die_in(&context, || drop(parser.set(context.parser())));
    let nonce = parser.into_inner().unwrap();
    die_in(&context, || drop(context.parsed(&nonce, result("APPROVED", json!([])))));
    assert_eq!(context.status(), "COMPLETE");
}
