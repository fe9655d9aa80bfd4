//! The next loop starts only where the loops before it passed on exactly this content, were skipped by permission, or failed in
//! nothing that blocks.

use super::change::Change;
use super::loop2::verdict::{blocks, since};
use crate::edge::clock;
use crate::pure::gate::tolerated;
use crate::pure::policy::{LoopNumber, evidence_hash};
use crate::pure::review::{Evidence, LoopVerdict, RATE_LIMIT_EXCEEDED};

/// Why a loop may not start yet.
pub(crate) fn refusal(
    loops: &[LoopNumber],
    next: LoopNumber,
    change: &Change,
    evidence: &Evidence,
) -> Option<String> {
    let earlier = loops.iter().filter(|number| **number < next);
    earlier.filter_map(|number| unsettled(*number, change, evidence)).next()
}

fn unsettled(number: LoopNumber, change: &Change, evidence: &Evidence) -> Option<String> {
    let policy = evidence_hash(&change.settings);
    let run = evidence.run(number, &change.snapshot.tree).filter(|(receipt, _)| receipt.policy == policy);
    match run.map(|(_, outcome)| &outcome.verdict) {
        Some(LoopVerdict::Pass) => None,
        Some(LoopVerdict::Skip { reason }) if may_be_skipped(number, change, reason) => None,
        Some(LoopVerdict::Skip { reason }) => {
            Some(format!("loop {number} was skipped ({reason}), and it is required"))
        }
        Some(LoopVerdict::Fail)
            if run.is_some_and(|(_, outcome)| tolerated(&change.settings.blocking, number, outcome)) =>
        {
            None
        }
        _ if number.has_reviewer() && is_read(number, change, evidence, &policy) => None,
        Some(LoopVerdict::Fail) => {
            Some(format!("loop {number} failed on this content; fix what it found first"))
        }
        Some(LoopVerdict::Stale { .. }) => {
            Some(format!("the content changed while loop {number} ran; run it again first"))
        }
        None => Some(format!("loop {number} has not run on exactly this content; run it first")),
    }
}

fn may_be_skipped(number: LoopNumber, change: &Change, reason: &str) -> bool {
    let settings = &change.settings;
    !settings.blocking.required_loops.contains(&number)
        || (number == LoopNumber::Three
            && settings.loop3.skip_on_rate_limit
            && reason.starts_with(RATE_LIMIT_EXCEEDED))
}

/// A reviewer need not read again what it has read.
fn is_read(number: LoopNumber, change: &Change, evidence: &Evidence, policy: &str) -> bool {
    let since = since(&change.settings, clock::milliseconds());
    let standing =
        || change.pairs.iter().filter_map(|pair| evidence.open_findings(number, pair, policy)).flatten();
    !change.pairs.is_empty()
        && evidence.unreviewed(number, &change.pairs, policy, Some(&since)).is_empty()
        && !standing().any(|finding| blocks(&change.settings.blocking, finding.severity))
}
