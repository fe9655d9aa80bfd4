//! Findings across rounds: what is new, what was mended, what came back, and what a person ruled on.

use super::evidence::Evidence;
use super::finding::{Finding, FindingId};
use super::object::GitPath;
use super::outcome::{LoopOutcome, Verdict};
use super::receipt::Receipt;

/// Where a finding stands after the last round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    Open,
    /// It was mended in an earlier round and is back.
    Regressed,
    Fixed,
    Dismissed(String),
}

impl Standing {
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
pub struct Tracked {
    pub number: u8,
    pub id: FindingId,
    /// As it was worded last.
    pub finding: Finding,
    pub standing: Standing,
    /// In how many rounds it was made.
    pub rounds: usize,
}

impl Evidence {
    /// Every finding that the loops after the first made on a branch, in the order in which they were first made.
    pub fn tracked(&self, branch: Option<&str>) -> Vec<Tracked> {
        let mut tracked: Vec<Tracked> = Vec::new();
        for receipt in self.on(branch) {
            for (number, outcome) in receipt.loops.iter().filter(|(number, _)| **number > 1) {
                next_round(&mut tracked, *number, outcome);
            }
        }
        for entry in &mut tracked {
            if let Some(reason) = self.dismissal(&entry.id) {
                entry.standing = Standing::Dismissed(reason.into());
            }
        }
        tracked
    }

    /// Readings of a branch that failed, one after the other, since one passed or a person ruled on a finding.
    pub fn failed_rounds(&self, number: u8, branch: Option<&str>) -> usize {
        let unsettled = self.on(branch).rev().take_while(|receipt| {
            let passed = receipt.loops.get(&number).is_some_and(|outcome| outcome.verdict.passed());
            receipt.dismissed.is_empty() && !passed
        });
        let failed = |receipt: &&Receipt| {
            receipt.loops.get(&number).is_some_and(|outcome| outcome.verdict == Verdict::Fail)
        };
        unsettled.filter(failed).count()
    }

    fn on(&self, branch: Option<&str>) -> impl DoubleEndedIterator<Item = &Receipt> {
        self.receipts().iter().filter(move |receipt| receipt.branch.as_deref() == branch)
    }
}

fn next_round(tracked: &mut Vec<Tracked>, number: u8, outcome: &LoopOutcome) {
    let found: Vec<(FindingId, &Finding)> =
        outcome.findings.iter().map(|finding| (finding.id(), finding)).collect();
    for entry in tracked.iter_mut().filter(|entry| entry.number == number) {
        let again = found.iter().any(|(id, _)| *id == entry.id);
        if !again && (outcome.settled.contains(&entry.id) || looked_at(outcome, &entry.finding)) {
            entry.standing = Standing::Fixed;
        }
    }
    for (id, finding) in found {
        match tracked.iter_mut().find(|entry| entry.number == number && entry.id == id) {
            Some(entry) => {
                if entry.standing == Standing::Fixed {
                    entry.standing = Standing::Regressed;
                }
                entry.finding = finding.clone();
                entry.rounds += 1;
            }
            None => tracked.push(Tracked {
                number,
                id,
                finding: finding.clone(),
                standing: Standing::Open,
                rounds: 1,
            }),
        }
    }
}

/// Whether the round would have made the finding again if it still held.
fn looked_at(outcome: &LoopOutcome, finding: &Finding) -> bool {
    match &finding.file {
        Some(file) => outcome.has_read(&GitPath::unquote(file)),
        None => matches!(outcome.verdict, Verdict::Pass | Verdict::Fail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{
        Dismissal, LoopOutcome, ObjectId, RECEIPT_VERSION, Scope, ScopeKind, Severity, TreeId,
    };

    fn finding(quote: &str) -> Finding {
        Finding {
            severity: Severity::Critical,
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
        let verdict = if quotes.is_empty() { Verdict::Pass } else { Verdict::Fail };
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
            scope: Scope { kind: ScopeKind::All, left_out: Vec::new() },
            pairs: Vec::new(),
            policy: String::new(),
            loops: [(2, outcome)].into(),
            reviewer: None,
            dismissed: Vec::new(),
        }
    }

    fn standings(rounds: Vec<Receipt>) -> Vec<&'static str> {
        Evidence::new(rounds).tracked(Some("b")).iter().map(|entry| entry.standing.word()).collect()
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
        skipped.loops.get_mut(&2).unwrap().verdict = Verdict::Skip { reason: "no answer".into() };
        assert_eq!(standings(vec![round(&["a"], &["x"]), skipped]), ["open"]);
    }

    #[test]
    fn a_reader_may_see_a_finding_settled_by_a_change_elsewhere() {
        let mut elsewhere = round(&["c"], &[]);
        elsewhere.loops.get_mut(&2).unwrap().settled = vec![finding("x").id()];
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
        let count = |rounds| Evidence::new(rounds).failed_rounds(2, Some("b"));
        let bad = || round(&["a"], &["x"]);
        assert_eq!(count(vec![bad(), bad()]), 2);
        assert_eq!(count(vec![bad(), round(&["a"], &[]), bad()]), 1);
        let mut ruling = round(&[], &[]);
        ruling.loops.clear();
        ruling.dismissed = vec![Dismissal { finding: finding("z").id(), reason: "r".into() }];
        assert_eq!(count(vec![bad(), bad(), ruling]), 0);
        assert_eq!(Evidence::new(vec![bad()]).failed_rounds(2, Some("other")), 0);
    }
}
