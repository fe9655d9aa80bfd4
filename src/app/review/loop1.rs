//! Loop 1: the project's own checks in two tiers, and the secret scan of what changed.

mod secrets;

pub(crate) use secrets::scan_pairs;

use super::checks::{self, CheckRound};
use super::progress::ProgressListener;
use crate::edge::clock;
use crate::pure::project::CheckKind;
use crate::pure::review::LoopOutcome;
use crate::pure::review::loop1::{CheckTally, SecretScan};

/// The content to check, and the means.
pub(crate) struct Loop1Request {
    pub project: checks::CheckRequest,
    /// The result of the secret scan of the changed files.
    pub secrets: SecretScan,
}

pub(crate) fn run(request: &Loop1Request, watch: &dyn ProgressListener) -> LoopOutcome {
    let started = clock::begin();
    let settings = &request.project.settings.loop1;
    let planned = |kinds: &[CheckKind]| request.project.checks.of(kinds);
    let mut tally = CheckTally::default();

    let round = CheckRound::start(&request.project, watch, settings.tier1_timeout);
    for judged in round.all(&planned(&CheckKind::TIER1), settings.parallel_tier1) {
        tally.record(1, judged);
    }

    let round = CheckRound::start(&request.project, watch, settings.tier2_timeout);
    let secrets = round.unless(tally.stop(settings), SecretScan::NAME, || request.secrets.judge());
    tally.record(2, secrets);
    for planned in planned(&CheckKind::TIER2) {
        let judged = round.unless(tally.stop(settings), &planned.name, || round.judge(&planned));
        tally.record(2, judged);
    }
    tally.outcome(started.elapsed())
}

#[cfg(test)]
mod tests;
