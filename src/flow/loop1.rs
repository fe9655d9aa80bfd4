//! Loop 1: the project's own checks in two tiers, and the secret scan of what changed.

use super::checks::{self, Round};
use super::watch::Watch;
use crate::project::CheckKind;
use crate::review::loop1::{SecretMatch, SecretScan, Tally};
use crate::review::{GitPath, LoopOutcome};
use crate::secret;
use std::time::Instant;

/// What to check, and with what.
pub struct Request {
    pub project: checks::Request,
    /// Content of the changed files, for the secret scan.
    pub changed: Vec<(GitPath, Vec<u8>)>,
    /// Changed files whose content could not be had.
    pub unscanned: Vec<GitPath>,
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
    let secrets = round.unless(tally.stop(settings), SecretScan::NAME, || scan(request).judge());
    tally.record(2, secrets);
    for planned in planned(&CheckKind::TIER2) {
        let judged = round.unless(tally.stop(settings), &planned.name, || round.judge(&planned));
        tally.record(2, judged);
    }
    tally.outcome(started.elapsed())
}

fn scan(request: &Request) -> SecretScan {
    let started = Instant::now();
    let matches = request.changed.iter().flat_map(|(path, content)| {
        secret::scan(&path.to_string(), content).into_iter().map(|found| SecretMatch {
            path: path.clone(),
            line: found.line,
            rule: found.rule.into(),
            severity: match found.severity {
                secret::Severity::Critical => "critical",
                secret::Severity::High => "high",
            },
            redacted: found.redacted,
        })
    });
    SecretScan {
        patterns: secret::PATTERNS,
        scanned: request.changed.len(),
        matches: matches.collect(),
        unscanned: request.unscanned.clone(),
        elapsed: started.elapsed(),
    }
}

#[cfg(test)]
mod reuse;
#[cfg(test)]
mod sample_project;
#[cfg(test)]
mod tests;
