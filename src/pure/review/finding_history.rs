//! The state of each finding across rounds: open, fixed, regressed or dismissed.

use super::evidence::Evidence;
use super::finding::{Finding, FindingId};
use super::object::{GitPath, Pair};
use super::outcome::{LoopOutcome, LoopVerdict};
use super::receipt::Receipt;
use crate::pure::policy::LoopNumber;
use std::collections::BTreeSet;

/// The state of a finding after the last round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FindingState {
    Open,
    /// Fixed in an earlier round, and found again.
    Regressed,
    Fixed,
    Dismissed(String),
}

impl FindingState {
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open | Self::Regressed)
    }

    pub fn word(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Regressed => "regressed",
            Self::Fixed => "fixed",
            Self::Dismissed(_) => "dismissed",
        }
    }
}

/// A finding of a loop with its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedFinding {
    pub number: LoopNumber,
    pub id: FindingId,
    /// In the words of the last round.
    pub finding: Finding,
    pub state: FindingState,
    /// The number of rounds that reported it.
    pub rounds: usize,
}

impl Evidence {
    /// Every finding of loops 2 to 4 on a branch, in the order of the first report.
    pub fn tracked(&self, branch: Option<&str>) -> Vec<TrackedFinding> {
        let mut tracked: Vec<TrackedFinding> = Vec::new();
        for receipt in self.on(branch) {
            for (number, outcome) in receipt.loops.iter().filter(|(number, _)| **number > LoopNumber::One) {
                next_round(&mut tracked, *number, outcome);
            }
        }
        for entry in &mut tracked {
            if let Some(reason) = self.dismissal(&entry.id) {
                entry.state = FindingState::Dismissed(reason.into());
            }
        }
        tracked
    }

    /// The findings of a branch in these changes, without those in files that are no longer changed.
    pub fn concerning(&self, branch: Option<&str>, pairs: &[Pair]) -> Vec<TrackedFinding> {
        let changed: BTreeSet<String> = pairs.iter().map(|pair| pair.path.to_string()).collect();
        let looked = |receipt: &&Receipt| {
            !receipt.dismissed.is_empty()
                || receipt.pairs.is_empty()
                || receipt.pairs.iter().any(|pair| changed.contains(&pair.path.to_string()))
        };
        let rounds: Vec<Receipt> = self.receipts().iter().filter(looked).cloned().collect();
        let once_changed: BTreeSet<String> =
            rounds.iter().flat_map(|receipt| &receipt.pairs).map(|pair| pair.path.to_string()).collect();
        let mut tracked = Self::new(rounds).tracked(branch);
        // A finding in a file outside every change is about an effect of the change.
        tracked.retain(|entry| {
            entry
                .finding
                .file
                .as_ref()
                .is_none_or(|file| changed.contains(file) || !once_changed.contains(file))
        });
        tracked
    }

    /// The number of failed rounds of a branch since a round passed or a person dismissed a finding.
    pub fn failed_rounds(&self, number: LoopNumber, branch: Option<&str>) -> usize {
        let unsettled = self.on(branch).rev().take_while(|receipt| {
            let passed = receipt.loops.get(&number).is_some_and(|outcome| outcome.verdict.passed());
            receipt.dismissed.is_empty() && !passed
        });
        let failed = |receipt: &&Receipt| {
            receipt.loops.get(&number).is_some_and(|outcome| outcome.verdict == LoopVerdict::Fail)
        };
        unsettled.filter(failed).count()
    }

    fn on(&self, branch: Option<&str>) -> impl DoubleEndedIterator<Item = &Receipt> {
        self.receipts().iter().filter(move |receipt| receipt.branch.as_deref() == branch)
    }
}

fn next_round(tracked: &mut Vec<TrackedFinding>, number: LoopNumber, outcome: &LoopOutcome) {
    let found: Vec<(FindingId, &Finding)> =
        outcome.findings.iter().map(|finding| (finding.id(), finding)).collect();
    for entry in tracked.iter_mut().filter(|entry| entry.number == number) {
        let again = found.iter().any(|(id, _)| *id == entry.id);
        if !again && (outcome.settled.contains(&entry.id) || looked_at(outcome, &entry.finding)) {
            entry.state = FindingState::Fixed;
        }
    }
    for (id, finding) in found {
        match tracked.iter_mut().find(|entry| entry.number == number && entry.id == id) {
            Some(entry) => {
                if entry.state == FindingState::Fixed {
                    entry.state = FindingState::Regressed;
                }
                entry.finding = finding.clone();
                entry.rounds += 1;
            }
            None => tracked.push(TrackedFinding {
                number,
                id,
                finding: finding.clone(),
                state: FindingState::Open,
                rounds: 1,
            }),
        }
    }
}

/// Whether the round would have reported the finding again.
fn looked_at(outcome: &LoopOutcome, finding: &Finding) -> bool {
    match &finding.file {
        Some(file) => outcome.has_read(&GitPath::unquote(file)),
        None => matches!(outcome.verdict, LoopVerdict::Pass | LoopVerdict::Fail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::{
        Dismissal, FindingSeverity, LoopOutcome, ObjectId, RECEIPT_VERSION, ReviewScope, ScopeKind, Side,
        TreeId,
    };

    fn finding(quote: &str) -> Finding {
        Finding {
            severity: FindingSeverity::Critical,
            category: "security".into(),
            file: Some("a".into()),
            line: Some(1),
            quote: Some(quote.into()),
            message: "m".into(),
            fix: None,
        }
    }

    /// A round on branch `b` that read `files` and quoted `quotes`.
    fn round(files: &[&str], quotes: &[&str]) -> Receipt {
        let verdict = if quotes.is_empty() { LoopVerdict::Pass } else { LoopVerdict::Fail };
        let outcome = LoopOutcome {
            findings: quotes.iter().map(|quote| finding(quote)).collect(),
            read: Some(files.iter().map(|file| GitPath::new(file)).collect()),
            ..LoopOutcome::ended(verdict, 1)
        };
        Receipt {
            version: RECEIPT_VERSION,
            sequence: 0,
            previous: None,
            repository: "r".into(),
            time: String::new(),
            branch: Some("b".into()),
            head: None,
            base: None,
            tree: TreeId(ObjectId::parse(&"a".repeat(40)).unwrap()),
            scope: ReviewScope { kind: ScopeKind::All, left_out: Vec::new() },
            pairs: Vec::new(),
            policy: String::new(),
            loops: [(LoopNumber::Two, outcome)].into(),
            reviewer: None,
            dismissed: Vec::new(),
        }
    }

    fn standings(rounds: Vec<Receipt>) -> Vec<&'static str> {
        Evidence::new(rounds).tracked(Some("b")).iter().map(|entry| entry.state.word()).collect()
    }

    #[test]
    fn a_finding_is_open_then_fixed_then_regressed() {
        let (bad, good) = (|| round(&["a"], &["x"]), || round(&["a"], &[]));
        assert_eq!(standings(vec![bad()]), ["open"]);
        assert_eq!(standings(vec![bad(), bad()]), ["open"]);
        assert_eq!(standings(vec![bad(), good()]), ["fixed"]);
        assert_eq!(standings(vec![bad(), good(), bad()]), ["regressed"]);
    }

    #[test]
    fn a_round_that_did_not_read_the_file_settles_nothing() {
        assert_eq!(standings(vec![round(&["a"], &["x"]), round(&["c"], &[])]), ["open"]);
        let mut skipped = round(&["a"], &[]);
        skipped.loops.get_mut(&LoopNumber::Two).unwrap().verdict =
            LoopVerdict::Skip { reason: "no answer".into() };
        assert_eq!(standings(vec![round(&["a"], &["x"]), skipped]), ["open"]);
    }

    #[test]
    fn a_reviewer_may_see_a_finding_settled_by_a_change_elsewhere() {
        let mut elsewhere = round(&["c"], &[]);
        elsewhere.loops.get_mut(&LoopNumber::Two).unwrap().settled = vec![finding("x").id()];
        assert_eq!(standings(vec![round(&["a"], &["x"]), elsewhere]), ["fixed"]);
    }

    #[test]
    fn a_dismissed_finding_stays_dismissed_when_it_is_made_again() {
        let mut ruling = round(&[], &[]);
        ruling.loops.clear();
        ruling.dismissed = vec![Dismissal { finding: finding("x").id(), reason: "a test value".into() }];
        assert_eq!(
            standings(vec![round(&["a"], &["x"]), ruling, round(&["a"], &["x", "y"])]),
            ["dismissed", "open"]
        );
    }

    #[test]
    fn rounds_are_counted_until_one_passes_or_a_person_rules() {
        let count = |rounds| Evidence::new(rounds).failed_rounds(LoopNumber::Two, Some("b"));
        let bad = || round(&["a"], &["x"]);
        assert_eq!(count(vec![bad(), bad()]), 2);
        assert_eq!(count(vec![bad(), round(&["a"], &[]), bad()]), 1);
        let mut ruling = round(&[], &[]);
        ruling.loops.clear();
        ruling.dismissed = vec![Dismissal { finding: finding("z").id(), reason: "r".into() }];
        assert_eq!(count(vec![bad(), bad(), ruling]), 0);
        assert_eq!(Evidence::new(vec![bad()]).failed_rounds(LoopNumber::Two, Some("other")), 0);
    }

    #[test]
    fn findings_of_a_change_that_shipped_or_was_taken_back_are_not_those_of_this_one() {
        let pair = |path: &str| {
            let id = ObjectId::parse(&"a".repeat(40)).unwrap();
            Pair { path: GitPath::new(path), old: None, new: Some(Side { mode: 0o100_644, id }) }
        };
        let change = |paths: &[&str], files: &[Option<&str>]| {
            let mut receipt = round(paths, &[]);
            receipt.pairs = paths.iter().map(|path| pair(path)).collect();
            receipt.loops.get_mut(&LoopNumber::Two).unwrap().findings = files
                .iter()
                .map(|file| Finding {
                    file: file.map(String::from),
                    message: format!("about {file:?}"),
                    ..finding("x")
                })
                .collect();
            receipt
        };
        let evidence = Evidence::new(vec![
            change(&["shipped"], &[Some("shipped"), None]),
            change(&["kept", "taken-back"], &[Some("kept"), Some("taken-back"), Some("caller"), None]),
        ]);
        let about = |pairs: &[Pair]| -> Vec<String> {
            evidence.concerning(Some("b"), pairs).into_iter().map(|entry| entry.finding.message).collect()
        };
        assert_eq!(about(&[pair("kept")]), ["about Some(\"kept\")", "about Some(\"caller\")", "about None"]);
        assert_eq!(about(&[pair("new")]), [""; 0]);
    }
}
