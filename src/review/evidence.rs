//! All receipts of a repository, turned into what they prove: runs for trees, readings for pairs.

use super::finding::{Finding, FindingId};
use super::object::{GitPath, Pair, TreeId};
use super::outcome::{LoopOutcome, Verdict};
use super::receipt::Receipt;
use std::collections::BTreeSet;

/// What a repository's receipts prove. The newest word on anything counts.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Oldest first.
    receipts: Vec<Receipt>,
}

/// One look of a reader at one change.
#[derive(Debug, Clone, Copy)]
pub struct Looked<'a> {
    pub receipt: &'a Receipt,
    pub outcome: &'a LoopOutcome,
}

impl Looked<'_> {
    /// A failure that names nothing can be neither mended nor dismissed, so it stands.
    pub fn failed_without_words(&self) -> bool {
        self.outcome.verdict == Verdict::Fail && self.outcome.findings.is_empty()
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
    pub fn run(&self, number: u8, tree: &TreeId) -> Option<(&Receipt, &LoopOutcome)> {
        self.runs(number).find(|(receipt, _)| receipt.tree == *tree)
    }

    /// The newest run of a loop on any tree.
    pub fn last_run(&self, number: u8) -> Option<(&Receipt, &LoopOutcome)> {
        self.runs(number).next()
    }

    /// Newest first.
    fn runs(&self, number: u8) -> impl Iterator<Item = (&Receipt, &LoopOutcome)> {
        let run = move |receipt: &'_ Receipt| receipt.loops.contains_key(&number);
        let receipts = self.receipts.iter().rev().filter(move |receipt| run(receipt));
        receipts.filter_map(move |receipt| Some((receipt, receipt.loops.get(&number)?)))
    }

    /// The newest reading of exactly this change by a loop.
    pub fn reading(&self, number: u8, pair: &Pair, policy: &str) -> Option<Looked<'_>> {
        self.runs(number)
            .find(|(receipt, outcome)| {
                receipt.policy == policy && receipt.pairs.contains(pair) && outcome.has_read(&pair.path)
            })
            .map(|(receipt, outcome)| Looked { receipt, outcome })
    }

    /// Changes that a loop has not read since `since` (a receipt's time; none: ever).
    pub fn unread<'a>(
        &self,
        number: u8,
        pairs: &'a [Pair],
        policy: &str,
        since: Option<&str>,
    ) -> Vec<&'a Pair> {
        let read = |pair: &Pair| {
            self.reading(number, pair, policy)
                .is_some_and(|looked| since.is_none_or(|since| looked.receipt.time.as_str() >= since))
        };
        pairs.iter().filter(|pair| !read(pair)).collect()
    }

    /// What the newest reading of this change holds against it and nobody has settled since. `None`: it is unread.
    pub fn standing(&self, number: u8, pair: &Pair, policy: &str) -> Option<Vec<&Finding>> {
        let looked = self.reading(number, pair, policy)?;
        let path = pair.path.to_string();
        // A finding about no file, or about one that is not part of the change, is held against all that was read.
        let elsewhere = |file: &str| !looked.receipt.pairs.iter().any(|pair| pair.path.to_string() == file);
        let concerned =
            |finding: &&Finding| finding.file.as_deref().is_none_or(|file| file == path || elsewhere(file));
        let findings = looked.outcome.findings.iter().filter(concerned);
        Some(findings.filter(|finding| !self.settled(number, &finding.id(), looked.receipt)).collect())
    }

    /// By a reader who saw it settled after that receipt, or by a person at any time.
    fn settled(&self, number: u8, id: &FindingId, after: &Receipt) -> bool {
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
pub fn differing(reviewed: &[Pair], leaving: &[Pair]) -> Vec<GitPath> {
    let after = |pairs: &[Pair]| {
        pairs.iter().map(|pair| (pair.path.clone(), pair.new.clone())).collect::<BTreeSet<_>>()
    };
    let (reviewed, leaving) = (after(reviewed), after(leaving));
    let mut paths: Vec<GitPath> =
        reviewed.symmetric_difference(&leaving).map(|(path, _)| path.clone()).collect();
    paths.dedup();
    paths
}
