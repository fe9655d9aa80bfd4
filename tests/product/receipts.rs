//! What readers and checkers would have recorded, written through the library: the same receipts, without a model, a
//! network or an outside tool.

use crate::context::TestContext;
use plimsoll::config::Environment;
use plimsoll::flow::change::Change;
use plimsoll::flow::recording::{Ended, record};
use plimsoll::flow::scene::Scene;
use plimsoll::repo::Repo;
use plimsoll::review::{Finding, GitPath, LoopOutcome, Scope, Severity, Verdict};

pub(crate) fn scene(context: &TestContext) -> Scene {
    let home = context.home();
    let environment =
        Environment::from_lookup(|name| (name == "HOME").then(|| home.clone().into_os_string())).unwrap();
    Scene {
        environment,
        project: context.project(),
        repo: Repo::discover(&context.project()).unwrap(),
        layout: context.layout(),
        homes: context.homes(),
    }
}

pub(crate) fn finding(severity: Severity, file: &str, quote: &str) -> Finding {
    Finding {
        severity,
        category: "security".into(),
        file: Some(file.into()),
        line: Some(1),
        quote: Some(quote.into()),
        message: format!("{quote} is dangerous"),
        fix: Some("take it out".into()),
    }
}

/// A loop ends on the content as it is, and reads all of it.
pub(crate) fn ends(context: &TestContext, number: u8, verdict: Verdict, findings: Vec<Finding>) -> String {
    let scene = scene(context);
    let change = Change::of(&scene, Scope::default(), None).unwrap();
    let read: Vec<GitPath> = change.pairs.iter().map(|pair| pair.path.clone()).collect();
    let outcome = LoopOutcome {
        findings,
        read: matches!(number, 2 | 3).then_some(read),
        ..LoopOutcome::ended(verdict, 1200)
    };
    let reviewer = (number == 2).then(|| "claude-reviewer (opus)".to_owned());
    let started = plimsoll::flow::clock::now();
    record(&scene, &change, Ended { number, outcome, started, reviewer }).unwrap()
}

pub(crate) fn passes(context: &TestContext, number: u8) {
    ends(context, number, Verdict::Pass, Vec::new());
}

/// The Claude reviewer holds this against `one.md`.
pub(crate) fn claude_finds(context: &TestContext, severity: Severity) -> Finding {
    let found = finding(severity, "one.md", "one");
    let verdict = if severity == Severity::Critical { Verdict::Fail } else { Verdict::Pass };
    ends(context, 2, verdict, vec![found.clone()]);
    found
}
