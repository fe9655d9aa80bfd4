//! The gate itself: one pure function that every door asks.

use super::facts::{Facts, Tip};
use super::reason::Reason;
use crate::policy::{Blocking, Settings};
use crate::review::{
    Finding, LoopOutcome, RATE_LIMIT_EXCEEDED, Receipt, Severity, Verdict as LoopVerdict, differing,
};

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
    for number in 1..=4 {
        let reason = match (number, blocking.required_loops.contains(&number)) {
            (1 | 4, true) => judge_run(facts, tip, number),
            (_, true) => judge_reading(facts, tip, number),
            (_, false) => judge_unrequired(facts, tip, number),
        };
        reasons.extend(reason);
    }
    reasons
}

/// Nobody demands this loop; but what it found in exactly this content counts.
fn judge_unrequired(facts: &Facts, tip: &Tip, number: u8) -> Option<Reason> {
    if matches!(number, 2 | 3) {
        return judge_findings(facts, tip, number);
    }
    let (_, outcome) = facts.evidence.run(number, &tip.tree)?;
    (outcome.verdict == LoopVerdict::Fail).then(|| judge_outcome(&facts.settings, number, outcome))?
}

/// Runs belong to the whole tree.
fn judge_run(facts: &Facts, tip: &Tip, number: u8) -> Option<Reason> {
    match facts.evidence.run(number, &tip.tree) {
        Some((receipt, _)) if receipt.policy != facts.policy => Some(Reason::PolicyChanged { number }),
        Some((_, outcome)) => judge_outcome(&facts.settings, number, outcome),
        None => Some(match facts.evidence.last_run(number) {
            Some((receipt, _)) => stale(facts, tip, number, receipt),
            None => Reason::NotRun { number },
        }),
    }
}

/// Readers belong to single changes, wherever these stand now.
fn judge_reading(facts: &Facts, tip: &Tip, number: u8) -> Option<Reason> {
    let Some((newest, outcome)) = facts.evidence.last_run(number) else {
        return Some(Reason::NotRun { number });
    };
    let unread = facts.evidence.unread(number, &tip.pairs, &facts.policy, None);
    if unread.is_empty() {
        return judge_findings(facts, tip, number);
    }
    if newest.tree == tip.tree
        && newest.policy == facts.policy
        && let LoopVerdict::Skip { .. } | LoopVerdict::Stale { .. } = outcome.verdict
    {
        return judge_outcome(&facts.settings, number, outcome);
    }
    Some(Reason::Unread { number, files: unread.into_iter().map(|pair| pair.path.clone()).collect() })
}

/// What a reader holds against the changes that would leave, as far as it has read them.
fn judge_findings(facts: &Facts, tip: &Tip, number: u8) -> Option<Reason> {
    let mut readings =
        tip.pairs.iter().filter_map(|pair| facts.evidence.reading(number, pair, &facts.policy));
    if readings.any(|looked| looked.failed_without_words()) {
        return Some(Reason::Failed {
            number,
            blockers: vec!["the reader failed it without a finding".into()],
        });
    }
    let standing = tip.pairs.iter().filter_map(|pair| facts.evidence.standing(number, pair, &facts.policy));
    let mut blockers: Vec<&Finding> =
        standing.flatten().filter(|finding| blocks(&facts.settings, number, finding)).collect();
    blockers.dedup();
    (!blockers.is_empty()).then(|| failed(number, &blockers))
}

fn judge_outcome(settings: &Settings, number: u8, outcome: &LoopOutcome) -> Option<Reason> {
    match &outcome.verdict {
        LoopVerdict::Pass => None,
        LoopVerdict::Fail if tolerated(&settings.blocking, number, outcome) => None,
        LoopVerdict::Fail => Some(failed(number, &outcome.findings.iter().collect::<Vec<_>>())),
        LoopVerdict::Skip { reason }
            if number == 3
                && reason.starts_with(RATE_LIMIT_EXCEEDED)
                && settings.loop3.skip_on_rate_limit =>
        {
            None
        }
        LoopVerdict::Skip { reason } => Some(Reason::Skipped { number, why: reason.clone() }),
        LoopVerdict::Stale { changed } => {
            Some(Reason::Skipped { number, why: format!("the content changed while it ran ({changed})") })
        }
    }
}

/// Whether a finding of a reader keeps the content in. An outside reviewer only warns, unless it is demanded or the
/// settings let its issues block.
fn blocks(settings: &Settings, number: u8, finding: &Finding) -> bool {
    let blocking = &settings.blocking;
    let severe = match finding.severity {
        Severity::Critical => blocking.critical_blocks_ship,
        Severity::Major => blocking.major_blocks_ship,
        Severity::Minor => blocking.minor_blocks_ship,
    };
    match number {
        3 => settings.loop3.block_on_new_issues || (severe && blocking.required_loops.contains(&3)),
        _ => severe,
    }
}

/// A failed run that the policy lets ship: every failed check is a build or a test whose failure does not block.
fn tolerated(blocking: &Blocking, number: u8, outcome: &LoopOutcome) -> bool {
    let lets_ship = |name: &str| match name.split(" (").next().unwrap_or(name) {
        "build" => !blocking.build_failure_blocks_ship,
        "test" | "integration" | "e2e" => !blocking.test_failure_blocks_ship,
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
    matches!(number, 1 | 4) && !failed.is_empty() && failed.iter().all(|name| lets_ship(name))
}

fn failed(number: u8, findings: &[&Finding]) -> Reason {
    let blocker = |finding: &&Finding| {
        let message = finding.message.lines().next().unwrap_or_default().trim_end_matches(':');
        match finding.place().filter(|_| matches!(number, 2 | 3)) {
            Some(place) => format!("{place}: {message} [{}]", finding.id()),
            None => message.to_string(),
        }
    };
    Reason::Failed { number, blockers: findings.iter().take(5).map(blocker).collect() }
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
