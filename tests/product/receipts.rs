//! What reviewers and checkers would have recorded, written through the library: the same receipts, without a model, a
//! network or an outside tool.

use crate::context::TestContext;
use plimsoll::app::review::change::Change;
use plimsoll::app::review::receipt::{FinishedLoop, record};
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::Environment;
use plimsoll::edge::repo::Repo;
use plimsoll::pure::policy::LoopNumber;
use plimsoll::pure::report::CheckLines;
use plimsoll::pure::review::{Finding, FindingSeverity, GitPath, LoopOutcome, LoopVerdict, ReviewScope};

pub(crate) fn workspace(context: &TestContext) -> Workspace {
    let home = context.home();
    let environment =
        Environment::from_lookup(|name| (name == "HOME").then(|| home.clone().into_os_string())).unwrap();
    Workspace {
        environment,
        project: context.project(),
        repo: Repo::discover(&context.project()).unwrap(),
        layout: context.layout(),
        homes: context.homes(),
    }
}

pub(crate) fn finding(severity: FindingSeverity, file: &str, quote: &str) -> Finding {
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
pub(crate) fn ends(
    context: &TestContext,
    number: LoopNumber,
    verdict: LoopVerdict,
    findings: Vec<Finding>,
) -> String {
    let workspace = workspace(context);
    let change = Change::of(&workspace, ReviewScope::default(), None).unwrap();
    let read: Vec<GitPath> = change.pairs.iter().map(|pair| pair.path.clone()).collect();
    let outcome = LoopOutcome {
        findings,
        read: matches!(number, LoopNumber::Two | LoopNumber::Three).then_some(read),
        ..LoopOutcome::ended(verdict, 1200)
    };
    let reviewer = (number == LoopNumber::Two).then(|| "claude-reviewer (opus)".to_owned());
    let started = plimsoll::edge::clock::now();
    record(&workspace, &change, FinishedLoop { number, outcome, started, reviewer }, CheckLines::Joined)
        .unwrap()
}

pub(crate) fn passes(context: &TestContext, number: LoopNumber) {
    ends(context, number, LoopVerdict::Pass, Vec::new());
}

/// The Claude reviewer holds this against `one.md`.
pub(crate) fn claude_finds(context: &TestContext, severity: FindingSeverity) -> Finding {
    let found = finding(severity, "one.md", "one");
    let verdict = if severity == FindingSeverity::Critical { LoopVerdict::Fail } else { LoopVerdict::Pass };
    ends(context, LoopNumber::Two, verdict, vec![found.clone()]);
    found
}
