//! One loop as it stands for the content of the report: what ran on exactly this, what was read earlier, what is missing.

use super::Sources;
use crate::pure::gate::GateReason;
use crate::pure::policy::LoopNumber;
use crate::pure::review::{Finding, GitPath, LoopOutcome, LoopVerdict};
use std::collections::BTreeMap;

/// How a loop stands for this content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoopStanding {
    Passed,
    Failed,
    Skipped(String),
    /// It ran, but not on all of this, or not under these settings.
    Stale(String),
    NotRun,
}

impl LoopStanding {
    fn of(verdict: &LoopVerdict) -> Self {
        match verdict {
            LoopVerdict::Pass => Self::Passed,
            LoopVerdict::Fail => Self::Failed,
            LoopVerdict::Skip { reason } => Self::Skipped(reason.clone()),
            LoopVerdict::Stale { changed } => Self::Stale(format!("changed meanwhile: {changed}")),
        }
    }

    pub fn passed(&self) -> bool {
        *self == Self::Passed
    }

    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed => "pass",
            Self::Failed => "fail",
            Self::Skipped(_) => "skip",
            Self::Stale(_) => "stale",
            Self::NotRun => "not run",
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Skipped(reason) | Self::Stale(reason) => Some(reason),
            Self::Passed | Self::Failed | Self::NotRun => None,
        }
    }
}

/// Changes whose reading was not repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reused {
    pub files: usize,
    /// When they were read.
    pub time: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopReport {
    pub number: LoopNumber,
    pub required: bool,
    pub standing: LoopStanding,
    /// The run on exactly this content.
    pub outcome: Option<LoopOutcome>,
    /// When it ran last on any of this.
    pub time: Option<String>,
    pub reviewer: Option<String>,
    /// The findings that hold against this content now.
    pub findings: Vec<Finding>,
    pub reused: Vec<Reused>,
}

impl LoopReport {
    pub(crate) fn of(sources: &Sources<'_>, policy: &str, number: LoopNumber) -> Self {
        let run = sources.evidence.run(number, sources.tree);
        let outcome = run.map(|(_, outcome)| outcome.clone());
        let reads = number.has_reviewer();
        let (mut time, mut reviewer) = (run.map(|(receipt, _)| receipt.time.clone()), None);
        reviewer = run.and_then(|(receipt, _)| receipt.reviewer.clone()).or(reviewer);
        let mut reused = Vec::new();
        let mut findings = outcome.as_ref().map(|outcome| outcome.findings.clone()).unwrap_or_default();
        if reads && !sources.pairs.is_empty() {
            let mut earlier: BTreeMap<&str, usize> = BTreeMap::new();
            findings.clear();
            for pair in sources.pairs {
                let Some(looked) = sources.evidence.pair_review(number, pair, policy) else { continue };
                if looked.receipt.tree != *sources.tree {
                    *earlier.entry(&looked.receipt.time).or_default() += 1;
                    time = time.or_else(|| Some(looked.receipt.time.clone()));
                    reviewer = reviewer.or_else(|| looked.receipt.reviewer.clone());
                }
                let standing = sources.evidence.open_findings(number, pair, policy).unwrap_or_default();
                for finding in standing {
                    if !findings.contains(finding) {
                        findings.push(finding.clone());
                    }
                }
            }
            reused =
                earlier.into_iter().map(|(time, files)| Reused { files, time: time.to_owned() }).collect();
        }
        let standing = match reads {
            true => reviewer_standing(sources, policy, number, outcome.as_ref()),
            false => runner(sources, policy, number),
        };
        let required = sources.settings.blocking.required_loops.contains(&number);
        Self { number, required, standing, outcome, time, reviewer, findings, reused }
    }

    pub fn elapsed_ms(&self) -> u64 {
        self.outcome.as_ref().map_or(0, |outcome| outcome.elapsed_ms)
    }

    pub fn name(&self) -> &'static str {
        match self.number {
            LoopNumber::One => "the project's checks",
            LoopNumber::Two => "the Claude reviewer",
            LoopNumber::Three => "the outside reviewer",
            LoopNumber::Four => "integration and pull request",
        }
    }
}

/// Runs belong to the whole tree.
fn runner(sources: &Sources<'_>, policy: &str, number: LoopNumber) -> LoopStanding {
    match sources.evidence.run(number, sources.tree) {
        Some((receipt, _)) if receipt.policy != policy => {
            LoopStanding::Stale("it ran under other settings".into())
        }
        Some((_, outcome)) => LoopStanding::of(&outcome.verdict),
        None if sources.evidence.last_run(number).is_some() => {
            LoopStanding::Stale("it ran on other content".into())
        }
        None => LoopStanding::NotRun,
    }
}

/// Reviews belong to single changes, whatever tree contained them.
fn reviewer_standing(
    sources: &Sources<'_>,
    policy: &str,
    number: LoopNumber,
    outcome: Option<&LoopOutcome>,
) -> LoopStanding {
    if sources.evidence.last_run(number).is_none() {
        return LoopStanding::NotRun;
    }
    let unread = sources.evidence.unreviewed(number, sources.pairs, policy, None);
    let refused = |reason: &GateReason| matches!(reason, GateReason::Failed { number: failed, .. } if *failed == number);
    match (unread.is_empty(), outcome.map(|outcome| &outcome.verdict)) {
        (true, Some(verdict)) if sources.pairs.is_empty() => LoopStanding::of(verdict),
        (true, _) if sources.reasons.iter().any(refused) => LoopStanding::Failed,
        (true, _) => LoopStanding::Passed,
        (false, Some(verdict)) if !verdict.passed() => LoopStanding::of(verdict),
        (false, _) => {
            let paths: Vec<GitPath> = unread.into_iter().map(|pair| pair.path.clone()).collect();
            LoopStanding::Stale(GateReason::Unread { number, files: paths }.to_string())
        }
    }
}
