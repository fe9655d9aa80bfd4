//! The gate itself: one pure function that every door asks.

use super::facts::{Facts, Tip};
use super::reason::Reason;
use crate::policy::Blocking;
use crate::review::{LoopOutcome, Pair, Receipt, Severity, Verdict as LoopVerdict, differing};

/// Open, or shut for at least one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Open,
    Shut(Vec<Reason>),
}

impl Verdict {
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open)
    }

    /// Most telling first.
    pub fn reasons(&self) -> &[Reason] {
        match self {
            Self::Open => &[],
            Self::Shut(reasons) => reasons,
        }
    }
}

/// Open only if every tip is covered by evidence that holds, under the policy that holds now.
pub fn judge(facts: &Facts) -> Verdict {
    let mut reasons: Vec<Reason> = Vec::new();
    reasons.extend(facts.could_not_check.iter().map(|what| Reason::CouldNotCheck { what: what.clone() }));
    reasons.extend(facts.problems.iter().map(|problem| Reason::Unreliable { problem: problem.clone() }));
    for tip in &facts.tips {
        reasons.extend(judge_tip(facts, tip));
    }
    reasons.dedup();
    if reasons.is_empty() { Verdict::Open } else { Verdict::Shut(reasons) }
}

fn judge_tip(facts: &Facts, tip: &Tip) -> Vec<Reason> {
    let blocking = &facts.settings.blocking;
    let mut reasons = Vec::new();
    if blocking.secrets_block_ship && !tip.leaks.is_empty() {
        reasons.push(Reason::Leaks { leaks: tip.leaks.clone() });
    }
    let unpublished = tip.submodules.iter().filter(|submodule| submodule.published != Some(true));
    reasons.extend(unpublished.cloned().map(Reason::Submodule));
    if tip.already_there {
        return reasons;
    }
    if facts.evidence.newest().is_none() {
        // Said once: that nothing is reviewed explains every missing loop.
        if facts.problems.is_empty() && !blocking.required_loops.is_empty() {
            reasons.push(Reason::NoState);
        }
        return reasons;
    }
    for &number in &blocking.required_loops {
        let reason = match number {
            1 | 4 => judge_run(facts, tip, number),
            _ => judge_reading(facts, tip, number),
        };
        reasons.extend(reason);
    }
    reasons
}

/// Runs belong to the whole tree.
fn judge_run(facts: &Facts, tip: &Tip, number: u8) -> Option<Reason> {
    match facts.evidence.run(number, &tip.tree) {
        Some((receipt, _)) if receipt.policy != facts.policy => Some(Reason::PolicyChanged { number }),
        Some((_, outcome)) => judge_outcome(&facts.settings.blocking, number, outcome),
        None => Some(match facts.evidence.last_run(number) {
            Some((receipt, _)) => stale(facts, tip, number, receipt),
            None => Reason::NotRun { number },
        }),
    }
}

/// Readers belong to single changes, wherever these stand now.
fn judge_reading(facts: &Facts, tip: &Tip, number: u8) -> Option<Reason> {
    if facts.evidence.last_run(number).is_none() {
        return Some(Reason::NotRun { number });
    }
    let reading = |pair: &Pair| facts.evidence.reading(number, pair, &facts.policy);
    let unread: Vec<_> =
        tip.pairs.iter().filter(|pair| reading(pair).is_none()).map(|pair| pair.path.clone()).collect();
    if !unread.is_empty() {
        return Some(Reason::Unread { number, files: unread });
    }
    tip.pairs
        .iter()
        .filter_map(reading)
        .find_map(|outcome| judge_outcome(&facts.settings.blocking, number, outcome))
}

fn judge_outcome(blocking: &Blocking, number: u8, outcome: &LoopOutcome) -> Option<Reason> {
    match &outcome.verdict {
        LoopVerdict::Pass if blocks(blocking, number, outcome) => Some(failed(number, outcome)),
        LoopVerdict::Pass => None,
        LoopVerdict::Fail if tolerated(blocking, number, outcome) => None,
        LoopVerdict::Fail => Some(failed(number, outcome)),
        LoopVerdict::Skip { reason } => Some(Reason::Skipped { number, why: reason.clone() }),
        LoopVerdict::Stale { changed } => {
            Some(Reason::Skipped { number, why: format!("the content changed while it ran ({changed})") })
        }
    }
}

/// Findings can shut the gate even if the loop as such passed.
fn blocks(blocking: &Blocking, number: u8, outcome: &LoopOutcome) -> bool {
    let reader = matches!(number, 2 | 3);
    reader
        && ((blocking.critical_blocks_ship && outcome.has(Severity::Critical))
            || (blocking.major_blocks_ship && outcome.has(Severity::Major))
            || (blocking.minor_blocks_ship && outcome.has(Severity::Minor)))
}

/// A failed run that the policy lets ship: every failed check is a build or a test whose failure does not block.
fn tolerated(blocking: &Blocking, number: u8, outcome: &LoopOutcome) -> bool {
    let lets_ship = |name: &str| match name {
        "build" => !blocking.build_failure_blocks_ship,
        "test" => !blocking.test_failure_blocks_ship,
        "secrets" => !blocking.secrets_block_ship,
        _ => false,
    };
    let failed: Vec<_> = outcome
        .tiers
        .values()
        .flatten()
        .filter(|check| check.verdict == LoopVerdict::Fail)
        .map(|check| &check.name)
        .collect();
    number == 1 && !failed.is_empty() && failed.iter().all(|name| lets_ship(name))
}

fn failed(number: u8, outcome: &LoopOutcome) -> Reason {
    let blockers =
        outcome.findings.iter().take(5).map(|finding| {
            finding.message.lines().next().unwrap_or_default().trim_end_matches(':').to_string()
        });
    Reason::Failed { number, blockers: blockers.collect() }
}

fn stale(facts: &Facts, tip: &Tip, number: u8, receipt: &Receipt) -> Reason {
    let files = differing(&receipt.pairs, &tip.pairs);
    let leaving = |path| tip.pairs.iter().any(|pair| pair.path == path);
    let missing = files.iter().filter(|path| !leaving((*path).clone())).cloned().collect();
    let stray = files.iter().filter(|path| tip.untracked.contains(path)).cloned().collect();
    let name = |id: &Option<crate::review::ObjectId>| {
        id.as_ref().map_or("(none)".into(), |id| id.short().to_string())
    };
    Reason::Stale {
        number,
        tip: tip.name.clone(),
        reviewed: name(&receipt.head),
        current: name(&facts.head),
        files,
        missing,
        stray,
    }
}
