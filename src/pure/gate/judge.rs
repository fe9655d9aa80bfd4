//! The gate decision: one function for `/ship`, the agent's pushes and git's `pre-push` hook.

use super::facts::{GateFacts, Tip};
use super::reason::GateReason;
use crate::pure::policy::{Blocking, LoopNumber, Settings};
use crate::pure::review::{
    Finding, FindingSeverity, LoopOutcome, LoopVerdict, RATE_LIMIT_EXCEEDED, Receipt, changed_paths,
};

/// Open, or closed for at least one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateDecision {
    Open,
    Closed(Vec<GateReason>),
}

impl GateDecision {
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open)
    }

    /// The most important first.
    pub fn reasons(&self) -> &[GateReason] {
        match self {
            Self::Open => &[],
            Self::Closed(reasons) => reasons,
        }
    }

    /// The next action. `review` and `ship`: the installed names of the commands.
    pub fn next_step(&self, review: &str, ship: &str) -> Option<String> {
        GateReason::next_step(self.reasons(), review, ship)
    }
}

/// Open only if valid evidence covers every tip under the current policy.
pub(crate) fn judge(facts: &GateFacts) -> GateDecision {
    let mut reasons: Vec<GateReason> = Vec::new();
    reasons.extend(facts.could_not_check.iter().map(|what| GateReason::CouldNotCheck { what: what.clone() }));
    reasons.extend(facts.problems.iter().map(|problem| GateReason::Unreliable { problem: problem.clone() }));
    for tip in &facts.tips {
        reasons.extend(judge_tip(facts, tip));
    }
    reasons.dedup();
    if reasons.is_empty() { GateDecision::Open } else { GateDecision::Closed(reasons) }
}

fn judge_tip(facts: &GateFacts, tip: &Tip) -> Vec<GateReason> {
    let blocking = &facts.settings.blocking;
    let mut reasons = Vec::new();
    if blocking.secrets_block_ship && !tip.leaks.is_empty() {
        reasons.push(GateReason::Leaks { leaks: tip.leaks.clone() });
    }
    let unpublished = tip.submodules.iter().filter(|submodule| submodule.published != Some(true));
    reasons.extend(unpublished.cloned().map(GateReason::Submodule));
    if tip.already_pushed {
        return reasons;
    }
    if facts.evidence.newest().is_none() {
        // One reason is enough: without any review, every loop is missing.
        if facts.problems.is_empty() && !blocking.required_loops.is_empty() {
            reasons.push(GateReason::NoState);
        }
        return reasons;
    }
    for number in LoopNumber::ALL {
        let reason = match (blocking.required_loops.contains(&number), number.has_reviewer()) {
            (true, false) => judge_run(facts, tip, number),
            (true, true) => judge_pairs(facts, tip, number),
            (false, _) => judge_unrequired(facts, tip, number),
        };
        reasons.extend(reason);
    }
    if !tip.drafts.is_empty() {
        reasons.push(GateReason::History { drafts: tip.drafts.clone() });
    }
    reasons
}

/// The loops whose word counts for the versions of files between the base and the tip: the required reviewers, or where no
/// reviewer is required, the required runs.
pub(crate) fn witnesses(blocking: &Blocking) -> Vec<LoopNumber> {
    let required = || blocking.required_loops.iter().copied();
    let reviewers: Vec<LoopNumber> = required().filter(|number| number.has_reviewer()).collect();
    if reviewers.is_empty() { required().collect() } else { reviewers }
}

/// A loop that is not required blocks only by its findings in exactly this content.
fn judge_unrequired(facts: &GateFacts, tip: &Tip, number: LoopNumber) -> Option<GateReason> {
    if number.has_reviewer() {
        return judge_findings(facts, tip, number);
    }
    let (_, outcome) = facts.evidence.run(number, &tip.tree)?;
    (outcome.verdict == LoopVerdict::Fail).then(|| judge_outcome(&facts.settings, number, outcome))?
}

/// Loops 1 and 4 review the whole tree.
fn judge_run(facts: &GateFacts, tip: &Tip, number: LoopNumber) -> Option<GateReason> {
    match facts.evidence.run(number, &tip.tree) {
        Some((receipt, _)) if receipt.policy != facts.policy => Some(GateReason::PolicyChanged { number }),
        Some((_, outcome)) => judge_outcome(&facts.settings, number, outcome),
        None => Some(match facts.evidence.last_run(number) {
            Some((receipt, _)) => stale(facts, tip, number, receipt),
            None => GateReason::NotRun { number },
        }),
    }
}

/// Loops 2 and 3 review each pair.
fn judge_pairs(facts: &GateFacts, tip: &Tip, number: LoopNumber) -> Option<GateReason> {
    let Some((newest, outcome)) = facts.evidence.last_run(number) else {
        return Some(GateReason::NotRun { number });
    };
    let unread = facts.evidence.unreviewed(number, &tip.pairs, &facts.policy, None);
    if unread.is_empty() {
        return judge_findings(facts, tip, number);
    }
    if newest.tree == tip.tree
        && newest.policy == facts.policy
        && let LoopVerdict::Skip { .. } | LoopVerdict::Stale { .. } = outcome.verdict
    {
        return judge_outcome(&facts.settings, number, outcome);
    }
    Some(GateReason::Unread { number, files: unread.into_iter().map(|pair| pair.path.clone()).collect() })
}

/// The open findings of a reviewer in the pairs that would leave.
fn judge_findings(facts: &GateFacts, tip: &Tip, number: LoopNumber) -> Option<GateReason> {
    let mut readings =
        tip.pairs.iter().filter_map(|pair| facts.evidence.pair_review(number, pair, &facts.policy));
    if readings.any(|review| review.failed_without_finding()) {
        return Some(GateReason::Failed {
            number,
            blockers: vec!["the reviewer failed it without a finding".into()],
        });
    }
    let standing =
        tip.pairs.iter().filter_map(|pair| facts.evidence.open_findings(number, pair, &facts.policy));
    let mut blockers: Vec<&Finding> =
        standing.flatten().filter(|finding| blocks(&facts.settings, number, finding)).collect();
    blockers.dedup();
    (!blockers.is_empty()).then(|| failed(number, &blockers))
}

fn judge_outcome(settings: &Settings, number: LoopNumber, outcome: &LoopOutcome) -> Option<GateReason> {
    match &outcome.verdict {
        LoopVerdict::Pass => None,
        LoopVerdict::Fail if tolerated(&settings.blocking, number, outcome) => None,
        LoopVerdict::Fail => Some(failed(number, &outcome.findings.iter().collect::<Vec<_>>())),
        LoopVerdict::Skip { reason }
            if number == LoopNumber::Three
                && reason.starts_with(RATE_LIMIT_EXCEEDED)
                && settings.loop3.skip_on_rate_limit =>
        {
            None
        }
        LoopVerdict::Skip { reason } => Some(GateReason::Skipped { number, why: reason.clone() }),
        LoopVerdict::Stale { changed } => {
            Some(GateReason::Skipped { number, why: format!("the content changed while it ran ({changed})") })
        }
    }
}

/// Whether a finding blocks. The outside reviewer only warns, unless its loop is required or the settings say so.
fn blocks(settings: &Settings, number: LoopNumber, finding: &Finding) -> bool {
    let blocking = &settings.blocking;
    let severe = match finding.severity {
        FindingSeverity::Critical => blocking.critical_blocks_ship,
        FindingSeverity::Major => blocking.major_blocks_ship,
        FindingSeverity::Minor => blocking.minor_blocks_ship,
    };
    match number {
        LoopNumber::Three => {
            settings.loop3.block_on_new_issues
                || (severe && blocking.required_loops.contains(&LoopNumber::Three))
        }
        LoopNumber::One | LoopNumber::Two | LoopNumber::Four => severe,
    }
}

/// Whether a failure closes the gate, by the settings.
pub(crate) type BlocksShip = fn(&Blocking) -> bool;

/// Checks whose failure a setting lets ship, and whether it blocks.
pub(crate) const FAILURES: [(&str, BlocksShip); 5] = [
    ("build", |blocking| blocking.build_failure_blocks_ship),
    ("test", |blocking| blocking.test_failure_blocks_ship),
    ("integration", |blocking| blocking.test_failure_blocks_ship),
    ("e2e", |blocking| blocking.test_failure_blocks_ship),
    ("secrets", |blocking| blocking.secrets_block_ship),
];

/// Whether the policy lets a failed run ship: no failed check blocks.
pub(crate) fn tolerated(blocking: &Blocking, number: LoopNumber, outcome: &LoopOutcome) -> bool {
    let lets_ship = |name: &str| {
        let check = name.split(" (").next().unwrap_or(name);
        FAILURES.iter().any(|(known, blocks)| *known == check && !blocks(blocking))
    };
    let failed: Vec<_> = outcome
        .tiers
        .values()
        .flatten()
        .filter(|check| check.verdict == LoopVerdict::Fail)
        .map(|check| &check.name)
        .collect();
    !number.has_reviewer() && !failed.is_empty() && failed.iter().all(|name| lets_ship(name))
}

fn failed(number: LoopNumber, findings: &[&Finding]) -> GateReason {
    let blocker = |finding: &&Finding| {
        let message = finding.message.lines().next().unwrap_or_default().trim_end_matches(':');
        match finding.place().filter(|_| number.has_reviewer()) {
            Some(place) => format!("{place}: {message} [{}]", finding.id()),
            None => message.to_string(),
        }
    };
    GateReason::Failed { number, blockers: findings.iter().take(5).map(blocker).collect() }
}

fn stale(facts: &GateFacts, tip: &Tip, number: LoopNumber, receipt: &Receipt) -> GateReason {
    let files = changed_paths(&receipt.pairs, &tip.pairs);
    let leaving = |path| tip.pairs.iter().any(|pair| pair.path == path);
    let missing = files.iter().filter(|path| !leaving((*path).clone())).cloned().collect();
    let stray = files.iter().filter(|path| tip.untracked.contains(path)).cloned().collect();
    GateReason::Stale {
        number,
        tip: tip.name.clone(),
        reviewed: receipt.head.clone(),
        current: facts.head.clone(),
        files,
        missing,
        stray,
    }
}
