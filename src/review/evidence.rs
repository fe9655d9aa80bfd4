//! All receipts of a repository, turned into what they prove: runs for trees, readings for pairs.

use super::object::{GitPath, Pair, TreeId};
use super::outcome::{LoopOutcome, Severity};
use super::receipt::Receipt;
use std::collections::BTreeSet;

/// What a repository's receipts prove. The newest word on anything counts.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Oldest first.
    receipts: Vec<Receipt>,
}

impl Evidence {
    pub fn new(receipts: Vec<Receipt>) -> Self {
        Self { receipts }
    }

    pub fn newest(&self) -> Option<&Receipt> {
        self.receipts.last()
    }

    /// The newest run of a loop on exactly this tree.
    pub fn run(&self, number: u8, tree: &TreeId) -> Option<(&Receipt, &LoopOutcome)> {
        self.receipts
            .iter()
            .rev()
            .filter(|receipt| receipt.tree == *tree)
            .find_map(|receipt| receipt.loops.get(&number).map(|outcome| (receipt, outcome)))
    }

    /// The newest run of a loop on any tree.
    pub fn last_run(&self, number: u8) -> Option<(&Receipt, &LoopOutcome)> {
        self.receipts
            .iter()
            .rev()
            .find_map(|receipt| receipt.loops.get(&number).map(|outcome| (receipt, outcome)))
    }

    /// The newest reading of exactly this change by a loop.
    pub fn reading(&self, number: u8, pair: &Pair, policy: &str) -> Option<&LoopOutcome> {
        self.receipts
            .iter()
            .rev()
            .filter(|receipt| receipt.policy == policy && receipt.pairs.contains(pair))
            .find_map(|receipt| receipt.loops.get(&number))
    }
}

impl LoopOutcome {
    /// Whether a finding of at least this severity stands.
    pub fn has(&self, severity: Severity) -> bool {
        self.findings.iter().any(|finding| finding.severity <= severity)
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
