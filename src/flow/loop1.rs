//! Loop 1: the project's own checks in two tiers, and the secret scan of what changed.

mod secrets;

pub use secrets::scan_pairs;

use super::checks::{self, Round};
use super::watch::Watch;
use crate::project::CheckKind;
use crate::review::LoopOutcome;
use crate::review::loop1::{SecretScan, Tally};
use std::time::Instant;

/// What to check, and with what.
pub struct Request {
    pub project: checks::Request,
    /// What the secret scan of the changed files came to.
    pub secrets: SecretScan,
}

pub fn run(request: &Request, watch: &dyn Watch) -> LoopOutcome {
    let started = Instant::now();
    let settings = &request.project.settings.loop1;
    let planned = |kinds: &[CheckKind]| request.project.checks.of(kinds);
    let mut tally = Tally::default();

    let round = Round::start(&request.project, watch, settings.tier1_timeout);
    for judged in round.all(&planned(&CheckKind::TIER1), settings.parallel_tier1) {
        tally.record(1, judged);
    }

    let round = Round::start(&request.project, watch, settings.tier2_timeout);
    let secrets = round.unless(tally.stop(settings), SecretScan::NAME, || request.secrets.judge());
    tally.record(2, secrets);
    for planned in planned(&CheckKind::TIER2) {
        let judged = round.unless(tally.stop(settings), &planned.name, || round.judge(&planned));
        tally.record(2, judged);
    }
    tally.outcome(started.elapsed())
}

#[cfg(test)]
mod reuse;
#[cfg(test)]
mod sample_project;
#[cfg(test)]
mod tests;
