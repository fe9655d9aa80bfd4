//! `plimsoll review run`: content → loop → receipt → state files and report.

use super::candidate::Candidate;
use super::change::Change;
use super::recording::{Ended, record};
use super::serve::Failure;
use super::watch::Watch;
use super::{checks, clock, loop1, loop3, loop4};
use crate::config::{Environment, Invocation};
use crate::flow::scene::Scene;
use crate::policy::Settings;
use crate::review::{LoopOutcome, Scope, Verdict};
use crate::state;

pub struct Order {
    pub number: u8,
    pub scope: Scope,
    pub base: Option<String>,
    /// What a reader is to read, if not everything.
    pub paths: Vec<String>,
}

/// What came of it.
pub struct Reviewed {
    pub verdict: Verdict,
    pub report: String,
}

pub fn run(
    scene: &Scene,
    order: Order,
    watch: impl FnOnce(&Settings) -> Box<dyn Watch>,
) -> Result<Reviewed, Failure> {
    let started = clock::now();
    let change = Change::of(scene, order.scope, order.base)?;
    let watch = watch(&change.settings);
    let (outcome, reviewer) = match order.number {
        1 => (check(scene, &change, watch.as_ref(), Reuse::Allowed)?, None),
        3 => consult(scene, &change, watch.as_ref())?,
        4 => (integrate(scene, &change, watch.as_ref())?, None),
        2 => {
            return Err("loop 2 is an agent of the client, not a command: type /review --claude there".into());
        }
        number => return Err(format!("there is no loop {number}").into()),
    };
    let verdict = outcome.verdict.clone();
    let ended = Ended { number: order.number, outcome, started, reviewer };
    Ok(Reviewed { verdict, report: record(scene, &change, ended)? })
}

/// Whether a check may be answered by what it said of the same content before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reuse {
    Allowed,
    Refused,
}

/// Loop 1 on the change as it is.
pub(super) fn check(
    scene: &Scene,
    change: &Change,
    watch: &dyn Watch,
    reuse: Reuse,
) -> Result<LoopOutcome, Failure> {
    let candidate = Candidate::of(change)?;
    let secrets = loop1::scan_pairs(&change.snapshot, &change.pairs, change.base.commit.as_ref())?;
    let mut project = candidate.checks(scene, environment(scene)?)?;
    if reuse == Reuse::Refused {
        project.cache = None;
    }
    let request = loop1::Request { project, secrets };
    let outcome = loop1::run(&request, watch);
    Ok(unless_moved(outcome, kept(&candidate, &request.project)?))
}

fn consult(
    scene: &Scene,
    change: &Change,
    watch: &dyn Watch,
) -> Result<(LoopOutcome, Option<String>), Failure> {
    let request = loop3::Request { scene, change, environment: environment(scene)? };
    let (outcome, reviewer) = loop3::run(&request, watch)?;
    Ok((unless_moved(outcome, change.moved_on()?), reviewer))
}

fn integrate(scene: &Scene, change: &Change, watch: &dyn Watch) -> Result<LoopOutcome, Failure> {
    let candidate = Candidate::of(change)?;
    let project = candidate.checks(scene, environment(scene)?)?;
    let outcome = loop4::run(&loop4::Request { scene, change, project: &project }, watch);
    Ok(unless_moved(outcome, kept(&candidate, &project)?))
}

fn unless_moved(outcome: LoopOutcome, moved_on: Option<String>) -> LoopOutcome {
    match moved_on {
        Some(changed) => LoopOutcome { verdict: Verdict::Stale { changed }, ..outcome },
        None => outcome,
    }
}

/// Which files the checks or somebody else changed meanwhile; if none, what was learned is kept.
fn kept(candidate: &Candidate<'_>, project: &checks::Request) -> Result<Option<String>, Failure> {
    let moved_on = candidate.moved_on()?;
    if moved_on.is_none() {
        checks::remember(project);
    }
    Ok(moved_on)
}

/// Under an agent, the environment that the client itself had: a command could have put anything on PATH since.
pub(super) fn environment(scene: &Scene) -> Result<Vec<(String, String)>, Failure> {
    let invocation = Invocation::read();
    if !invocation.under_agent {
        return Ok(Environment::variables());
    }
    let session = invocation.session_id.as_deref().unwrap_or_default();
    let recorded = state::read(&scene.layout, session)?.environment;
    if recorded.is_empty() {
        return Err("this session started before Plimsoll was installed, so its tools cannot be trusted; start a new session".into());
    }
    Ok(recorded)
}
