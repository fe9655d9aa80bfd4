//! Which findings belong to a change: those of the rounds that looked at it, as far as it still has their files.

use super::evidence::Evidence;
use super::object::Pair;
use super::receipt::Receipt;
use super::rounds::Tracked;
use std::collections::BTreeSet;

impl Evidence {
    /// The findings of a branch that concern these changes. What was found in a change that has shipped since, or in a
    /// file that is no longer changed, is not among them.
    pub fn concerning(&self, branch: Option<&str>, pairs: &[Pair]) -> Vec<Tracked> {
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
        // A file that never was part of a change is named for what the change does to it.
        tracked.retain(|entry| {
            entry
                .finding
                .file
                .as_ref()
                .is_none_or(|file| changed.contains(file) || !once_changed.contains(file))
        });
        tracked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{
        Finding, GitPath, LoopOutcome, ObjectId, RECEIPT_VERSION, Scope, Severity, Side, TreeId, Verdict,
    };

    fn pair(path: &str) -> Pair {
        let id = ObjectId::parse(&"a".repeat(40)).unwrap();
        Pair { path: GitPath::new(path), old: None, new: Some(Side { mode: 0o100_644, id }) }
    }

    /// A round that looked at `paths` and found something in `files`.
    fn round(paths: &[&str], files: &[Option<&str>]) -> Receipt {
        let finding = |file: &Option<&str>| Finding {
            severity: Severity::Minor,
            category: "quality".into(),
            file: file.map(String::from),
            line: None,
            quote: None,
            message: format!("about {file:?}"),
            fix: None,
        };
        let outcome = LoopOutcome {
            findings: files.iter().map(finding).collect(),
            read: Some(paths.iter().map(|path| GitPath::new(path)).collect()),
            ..LoopOutcome::ended(Verdict::Pass, 1)
        };
        Receipt {
            version: RECEIPT_VERSION,
            sequence: 0,
            previous: None,
            repository: "r".into(),
            time: String::new(),
            branch: None,
            head: None,
            base: None,
            tree: TreeId(ObjectId::parse(&"a".repeat(40)).unwrap()),
            scope: Scope::default(),
            pairs: paths.iter().map(|path| pair(path)).collect(),
            policy: String::new(),
            loops: [(2, outcome)].into(),
            reviewer: None,
            dismissed: Vec::new(),
        }
    }

    #[test]
    fn findings_of_a_change_that_shipped_or_was_taken_back_are_not_those_of_this_one() {
        let evidence = Evidence::new(vec![
            round(&["shipped"], &[Some("shipped"), None]),
            round(&["kept", "taken-back"], &[Some("kept"), Some("taken-back"), Some("caller"), None]),
        ]);
        let about = |pairs: &[Pair]| -> Vec<String> {
            evidence.concerning(None, pairs).into_iter().map(|entry| entry.finding.message).collect()
        };
        assert_eq!(about(&[pair("kept")]), ["about Some(\"kept\")", "about Some(\"caller\")", "about None"]);
        assert_eq!(about(&[pair("new")]), [""; 0]);
    }
}
