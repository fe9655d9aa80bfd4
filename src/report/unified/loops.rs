//! One loop as it stands for the content of the report: what ran on exactly this, what was read earlier, what is missing.

use super::Sources;
use crate::gate::Reason;
use crate::review::{Finding, GitPath, LoopOutcome, Verdict};
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
    fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Passed,
            Verdict::Fail => Self::Failed,
            Verdict::Skip { reason } => Self::Skipped(reason.clone()),
            Verdict::Stale { changed } => Self::Stale(format!("changed meanwhile: {changed}")),
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
    pub number: u8,
    pub required: bool,
    pub standing: LoopStanding,
    /// The run on exactly this content.
    pub outcome: Option<LoopOutcome>,
    /// When it ran last on any of this.
    pub time: Option<String>,
    pub reviewer: Option<String>,
    /// What it holds against this content now.
    pub findings: Vec<Finding>,
    pub reused: Vec<Reused>,
}

impl LoopReport {
    pub(super) fn of(sources: &Sources<'_>, policy: &str, number: u8) -> Self {
        let run = sources.evidence.run(number, sources.tree);
        let outcome = run.map(|(_, outcome)| outcome.clone());
        let reads = matches!(number, 2 | 3);
        let (mut time, mut reviewer) = (run.map(|(receipt, _)| receipt.time.clone()), None);
        reviewer = run.and_then(|(receipt, _)| receipt.reviewer.clone()).or(reviewer);
        let mut reused = Vec::new();
        let mut findings = outcome.as_ref().map(|outcome| outcome.findings.clone()).unwrap_or_default();
        if reads && !sources.pairs.is_empty() {
            let mut earlier: BTreeMap<&str, usize> = BTreeMap::new();
            findings.clear();
            for pair in sources.pairs {
                let Some(looked) = sources.evidence.reading(number, pair, policy) else { continue };
                if looked.receipt.tree != *sources.tree {
                    *earlier.entry(&looked.receipt.time).or_default() += 1;
                    time = time.or_else(|| Some(looked.receipt.time.clone()));
                    reviewer = reviewer.or_else(|| looked.receipt.reviewer.clone());
                }
                let standing = sources.evidence.standing(number, pair, policy).unwrap_or_default();
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
            true => reader(sources, policy, number, outcome.as_ref()),
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
            1 => "the project's checks",
            2 => "the Claude reviewer",
            3 => "the outside reviewer",
            _ => "integration and pull request",
        }
    }
}

/// Runs belong to the whole tree.
fn runner(sources: &Sources<'_>, policy: &str, number: u8) -> LoopStanding {
    match sources.evidence.run(number, sources.tree) {
        Some((receipt, _)) if receipt.policy != policy => {
            LoopStanding::Stale("it ran under other settings than the ones that hold now".into())
        }
        Some((_, outcome)) => LoopStanding::of(&outcome.verdict),
        None if sources.evidence.last_run(number).is_some() => {
            LoopStanding::Stale("it ran on other content than this".into())
        }
        None => LoopStanding::NotRun,
    }
}

/// Readers belong to single changes, wherever they read them.
fn reader(sources: &Sources<'_>, policy: &str, number: u8, outcome: Option<&LoopOutcome>) -> LoopStanding {
    if sources.evidence.last_run(number).is_none() {
        return LoopStanding::NotRun;
    }
    let unread = sources.evidence.unread(number, sources.pairs, policy, None);
    let refused =
        |reason: &Reason| matches!(reason, Reason::Failed { number: failed, .. } if *failed == number);
    match (unread.is_empty(), outcome.map(|outcome| &outcome.verdict)) {
        (true, Some(verdict)) if sources.pairs.is_empty() => LoopStanding::of(verdict),
        (true, _) if sources.reasons.iter().any(refused) => LoopStanding::Failed,
        (true, _) => LoopStanding::Passed,
        (false, Some(verdict)) if !verdict.passed() => LoopStanding::of(verdict),
        (false, _) => {
            let paths: Vec<GitPath> = unread.into_iter().map(|pair| pair.path.clone()).collect();
            LoopStanding::Stale(Reason::Unread { number, files: paths }.to_string())
        }
    }
}
