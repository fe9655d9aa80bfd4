//! The evidence of a repository's receipts: loops 1 and 4 for a tree, loops 2 and 3 for each pair.

use super::finding::{Finding, FindingId};
use super::object::{GitPath, ObjectId, Pair, TreeId};
use super::outcome::{LoopOutcome, LoopVerdict};
use super::receipt::Receipt;
use crate::pure::policy::LoopNumber;
use std::collections::BTreeSet;

/// All receipts of a repository. Of several receipts for the same content, the newest counts.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Oldest first.
    receipts: Vec<Receipt>,
}

/// The review of one pair by one loop.
#[derive(Debug, Clone, Copy)]
pub struct PairReview<'a> {
    pub receipt: &'a Receipt,
    pub outcome: &'a LoopOutcome,
}

impl PairReview<'_> {
    /// Nobody can fix or dismiss a failure that names no finding, so the failure stays.
    pub fn failed_without_finding(&self) -> bool {
        self.outcome.verdict == LoopVerdict::Fail && self.outcome.findings.is_empty()
    }
}

impl Evidence {
    pub fn new(receipts: Vec<Receipt>) -> Self {
        Self { receipts }
    }

    /// Oldest first.
    pub fn receipts(&self) -> &[Receipt] {
        &self.receipts
    }

    pub fn newest(&self) -> Option<&Receipt> {
        self.receipts.last()
    }

    /// The newest run of a loop on exactly this tree.
    pub fn run(&self, number: LoopNumber, tree: &TreeId) -> Option<(&Receipt, &LoopOutcome)> {
        self.runs(number).find(|(receipt, _)| receipt.tree == *tree)
    }

    /// The newest run of a loop on any tree.
    pub fn last_run(&self, number: LoopNumber) -> Option<(&Receipt, &LoopOutcome)> {
        self.runs(number).next()
    }

    /// Newest first.
    fn runs(&self, number: LoopNumber) -> impl Iterator<Item = (&Receipt, &LoopOutcome)> {
        self.receipts.iter().rev().filter_map(move |receipt| Some((receipt, receipt.loops.get(&number)?)))
    }

    /// The newest review of exactly this pair by a loop.
    pub fn pair_review(&self, number: LoopNumber, pair: &Pair, policy: &str) -> Option<PairReview<'_>> {
        self.runs(number)
            .find(|(receipt, outcome)| {
                receipt.policy == policy && receipt.pairs.contains(pair) && outcome.has_read(&pair.path)
            })
            .map(|(receipt, outcome)| PairReview { receipt, outcome })
    }

    /// Whether a loop has seen this blob on one side of a change.
    pub fn has_seen(&self, number: LoopNumber, blob: &ObjectId) -> bool {
        let is_it = |pair: &Pair| [&pair.old, &pair.new].into_iter().flatten().any(|side| side.id == *blob);
        self.runs(number).any(|(receipt, outcome)| {
            receipt.pairs.iter().any(|pair| is_it(pair) && outcome.has_read(&pair.path))
        })
    }

    /// The histories that a loop was given, each from its base to the commit at which it began, the newest first. A loop that only
    /// took over earlier readings was given none.
    pub fn histories(&self, number: LoopNumber) -> Vec<(Option<&ObjectId>, &ObjectId)> {
        let given = |outcome: &LoopOutcome| {
            matches!(outcome.verdict, LoopVerdict::Pass | LoopVerdict::Fail)
                && outcome.read.as_ref().is_none_or(|read| !read.is_empty())
        };
        let mut histories: Vec<_> = self
            .runs(number)
            .filter(|(_, outcome)| given(outcome))
            .filter_map(|(receipt, _)| Some((receipt.base.as_ref(), receipt.head.as_ref()?)))
            .collect();
        histories.dedup();
        histories
    }

    /// Pairs that a loop has not reviewed since `since` (the time of a receipt; `None`: ever).
    pub fn unreviewed<'a>(
        &self,
        number: LoopNumber,
        pairs: &'a [Pair],
        policy: &str,
        since: Option<&str>,
    ) -> Vec<&'a Pair> {
        let read = |pair: &Pair| {
            self.pair_review(number, pair, policy)
                .is_some_and(|review| since.is_none_or(|since| review.receipt.time.as_str() >= since))
        };
        pairs.iter().filter(|pair| !read(pair)).collect()
    }

    /// The findings of the newest review of this pair that are not settled. `None`: the pair is not reviewed.
    pub fn open_findings(&self, number: LoopNumber, pair: &Pair, policy: &str) -> Option<Vec<&Finding>> {
        let review = self.pair_review(number, pair, policy)?;
        let path = pair.path.to_string();
        // A finding without a file, or in a file outside the change, counts for every reviewed file.
        let elsewhere = |file: &str| !review.receipt.pairs.iter().any(|pair| pair.path.to_string() == file);
        let concerned =
            |finding: &&Finding| finding.file.as_deref().is_none_or(|file| file == path || elsewhere(file));
        let findings = review.outcome.findings.iter().filter(concerned);
        Some(findings.filter(|finding| !self.settled(number, &finding.id(), review.receipt)).collect())
    }

    /// Whether a later round settled the finding, or a person dismissed it.
    fn settled(&self, number: LoopNumber, id: &FindingId, after: &Receipt) -> bool {
        self.dismissal(id).is_some()
            || self
                .receipts
                .iter()
                .filter(|receipt| receipt.sequence > after.sequence)
                .any(|receipt| receipt.loops.get(&number).is_some_and(|outcome| outcome.settled.contains(id)))
    }

    /// The reason for which a person dismissed a finding.
    pub fn dismissal(&self, id: &FindingId) -> Option<&str> {
        let mut rulings = self.receipts.iter().rev().flat_map(|receipt| &receipt.dismissed);
        rulings.find(|ruling| ruling.finding == *id).map(|ruling| ruling.reason.as_str())
    }
}

/// Paths whose content after the change differs between two lists of changes, or that only one of them has.
pub(crate) fn changed_paths(reviewed: &[Pair], leaving: &[Pair]) -> Vec<GitPath> {
    let after = |pairs: &[Pair]| {
        pairs.iter().map(|pair| (pair.path.clone(), pair.new.clone())).collect::<BTreeSet<_>>()
    };
    let (reviewed, leaving) = (after(reviewed), after(leaving));
    let mut paths: Vec<GitPath> =
        reviewed.symmetric_difference(&leaving).map(|(path, _)| path.clone()).collect();
    paths.dedup();
    paths
}
