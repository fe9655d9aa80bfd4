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
use crate::repo::{Content, Snapshot};
use crate::review::{GitPath, Pair, Scope, Verdict};
use crate::state;

/// Files larger than this are no source text; they are named as unscanned.
const SCAN_LIMIT: u64 = 16 * 1024 * 1024;

pub struct Order {
    pub number: u8,
    pub scope: Scope,
    pub base: Option<String>,
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
    let environment = environment(scene)?;
    let (mut outcome, reviewer, moved_on) = match order.number {
        1 => {
            let candidate = Candidate::of(&change)?;
            let (changed, unscanned) = contents(&change.snapshot, &change.pairs)?;
            let project = candidate.checks(scene, environment)?;
            let request = loop1::Request { project, changed, unscanned };
            let outcome = loop1::run(&request, watch.as_ref());
            (outcome, None, kept(&candidate, &request.project)?)
        }
        3 => {
            let request = loop3::Request { scene, change: &change, environment };
            let (outcome, reviewer) = loop3::run(&request, watch.as_ref())?;
            (outcome, reviewer, change.moved_on()?)
        }
        4 => {
            let candidate = Candidate::of(&change)?;
            let project = candidate.checks(scene, environment)?;
            let request = loop4::Request { scene, change: &change, project: &project };
            let outcome = loop4::run(&request, watch.as_ref());
            (outcome, None, kept(&candidate, &project)?)
        }
        number => return Err(format!("loop {number} is not run from here").into()),
    };
    if let Some(changed) = moved_on {
        outcome.verdict = Verdict::Stale { changed };
    }
    let verdict = outcome.verdict.clone();
    let ended = Ended { number: order.number, outcome, started, reviewer };
    Ok(Reviewed { verdict, report: record(scene, &change, ended)? })
}

/// Which files the checks or somebody else changed meanwhile; if none, what was learned is kept.
fn kept(candidate: &Candidate<'_>, project: &checks::Request) -> Result<Option<String>, Failure> {
    let moved_on = candidate.moved_on()?;
    if moved_on.is_none() {
        checks::remember(project);
    }
    Ok(moved_on)
}

type Contents = (Vec<(GitPath, Vec<u8>)>, Vec<GitPath>);

fn contents(snapshot: &Snapshot, pairs: &[Pair]) -> Result<Contents, Failure> {
    let new: Vec<_> = pairs
        .iter()
        .filter_map(|pair| {
            Some((pair.path.clone(), pair.new.clone().filter(|side| !side.is_submodule())?.id))
        })
        .collect();
    let ids: Vec<_> = new.iter().map(|(_, id)| id.clone()).collect();
    let (mut changed, mut unscanned) = (Vec::new(), Vec::new());
    for ((path, _), object) in new.into_iter().zip(snapshot.blobs(&ids, SCAN_LIMIT)?) {
        match object?.1 {
            Content::Bytes(bytes) => changed.push((path, bytes)),
            Content::TooLarge(_) => unscanned.push(path),
        }
    }
    Ok((changed, unscanned))
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
