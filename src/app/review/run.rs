//! `plimsoll review run`: content → loop → receipt → state files and report.

use super::candidate::Candidate;
use super::change::Change;
use super::progress::ProgressListener;
use super::receipt::{FinishedLoop, record};
use super::{checks, loop1, loop3, loop4};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::config::{Environment, HookInvocation};
use crate::edge::state;
use crate::pure::policy::{LoopNumber, Settings};
use crate::pure::report::CheckLines;
use crate::pure::review::{LoopOutcome, LoopVerdict, ReviewScope};

pub struct RunRequest {
    pub number: LoopNumber,
    pub scope: ReviewScope,
    pub base: Option<String>,
    /// The files that a reviewer reads, if not all.
    pub paths: Vec<String>,
    /// How the report lists checks.
    pub lines: CheckLines,
}

/// The result.
pub struct ReviewResult {
    pub verdict: LoopVerdict,
    pub report: String,
}

pub fn run(
    workspace: &Workspace,
    order: RunRequest,
    watch: impl FnOnce(&Settings) -> Box<dyn ProgressListener>,
) -> Result<ReviewResult, Failure> {
    let started = clock::now();
    let change = Change::of(workspace, order.scope, order.base)?;
    let watch = watch(&change.settings);
    let (outcome, reviewer) = match order.number {
        LoopNumber::One => (check(workspace, &change, watch.as_ref(), Reuse::Allowed)?, None),
        LoopNumber::Three => {
            let request =
                loop3::Loop3Request { workspace, change: &change, environment: environment(workspace)? };
            let (outcome, reviewer) = loop3::run(&request, watch.as_ref())?;
            (unless_moved(outcome, change.moved_on()?), reviewer)
        }
        LoopNumber::Four => {
            let candidate = Candidate::of(&change)?;
            let project = candidate.checks(workspace, environment(workspace)?)?;
            let outcome = loop4::run(workspace, &change, &project, watch.as_ref());
            (unless_moved(outcome, changed_meanwhile(&candidate, &project)?), None)
        }
        LoopNumber::Two => {
            return Err("loop 2 is an agent of the client, not a command: type /review --claude there".into());
        }
    };
    let verdict = outcome.verdict.clone();
    let ended = FinishedLoop { number: order.number, outcome, started, reviewer };
    Ok(ReviewResult { verdict, report: record(workspace, &change, ended, order.lines)? })
}

/// Whether a check may be answered by what it said of the same content before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reuse {
    Allowed,
    Refused,
}

/// Loop 1 on the change as it is.
pub(crate) fn check(
    workspace: &Workspace,
    change: &Change,
    watch: &dyn ProgressListener,
    reuse: Reuse,
) -> Result<LoopOutcome, Failure> {
    let candidate = Candidate::of(change)?;
    let secrets = loop1::scan_pairs(&change.snapshot, &change.pairs, change.base.commit.as_ref())?;
    let mut project = candidate.checks(workspace, environment(workspace)?)?;
    if reuse == Reuse::Refused {
        project.cache = None;
    }
    let request = loop1::Loop1Request { project, secrets };
    let outcome = loop1::run(&request, watch);
    Ok(unless_moved(outcome, changed_meanwhile(&candidate, &request.project)?))
}

fn unless_moved(outcome: LoopOutcome, moved_on: Option<String>) -> LoopOutcome {
    match moved_on {
        Some(changed) => LoopOutcome { verdict: LoopVerdict::Stale { changed }, ..outcome },
        None => outcome,
    }
}

/// Which files the checks or somebody else changed meanwhile; if none, what was learned is kept.
fn changed_meanwhile(
    candidate: &Candidate<'_>,
    project: &checks::CheckRequest,
) -> Result<Option<String>, Failure> {
    let moved_on = candidate.moved_on()?;
    if moved_on.is_none() {
        checks::remember(project);
    }
    Ok(moved_on)
}

/// Under an agent, the environment that the client itself had: a command could have put anything on PATH since.
pub(crate) fn environment(workspace: &Workspace) -> Result<Vec<(String, String)>, Failure> {
    let invocation = HookInvocation::read();
    if !invocation.under_agent {
        return Ok(Environment::variables());
    }
    let session = invocation.session_id.as_deref().unwrap_or_default();
    let recorded = state::read(&workspace.layout, session)?.environment;
    if recorded.is_empty() {
        return Err("this session started before Plimsoll was installed, so its tools cannot be trusted; start a new session".into());
    }
    Ok(recorded)
}
