//! Which commits of a history the attestations cover, and what came back from one to the next.

use super::statement::{AttestedFinding, AttestedGate, Review};
use crate::pure::review::ObjectId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// A commit of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryCommit {
    pub id: ObjectId,
    pub parents: Vec<ObjectId>,
    /// In seconds since 1970.
    pub time: i64,
    pub subject: String,
}

/// An attestation of a commit, and who made it.
#[derive(Debug, Clone)]
pub struct RecordedReview {
    pub commit: ObjectId,
    pub signer: Signer,
    pub review: Review,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signer {
    /// In the list of people who may sign.
    Known(String),
    /// There is no list to check against.
    Unchecked,
    /// The attestation does not count.
    Refused(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coverage {
    Unattested,
    /// The gate was closed, and a person let it leave.
    Overridden,
    Reviewed,
}

/// A finding in the attestations of more than one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnedFinding {
    pub finding: AttestedFinding,
    /// The oldest first.
    pub commits: Vec<ObjectId>,
}

impl RecordedReview {
    pub fn counts(&self) -> bool {
        !matches!(self.signer, Signer::Refused(_))
    }

    fn coverage(&self) -> Coverage {
        match self.review.gate {
            AttestedGate::Open => Coverage::Reviewed,
            AttestedGate::Overridden { .. } => Coverage::Overridden,
        }
    }
}

/// How each commit is covered, in the order of the history. Commits from before the first attestation are left out: nobody attested
/// then. Nothing is listed where there is no attestation.
pub fn coverage<'a>(
    history: &'a [HistoryCommit],
    reviews: &[RecordedReview],
) -> Vec<(&'a HistoryCommit, Coverage)> {
    let graph = Graph::of(history);
    let counting: Vec<&RecordedReview> = reviews.iter().filter(|review| review.counts()).collect();
    // Of several in the same second, the one of the oldest commit.
    let age = |review: &&&RecordedReview| {
        (review.review.time.clone(), Reverse(graph.position.get(&review.commit).copied()))
    };
    let Some(first) = counting.iter().min_by_key(age) else { return Vec::new() };
    let before = graph.reach(base(first));
    let mut covered = vec![Coverage::Unattested; history.len()];
    for review in counting {
        let (inside, below) = (graph.reach(Some(&review.commit)), graph.reach(base(review)));
        for (state, (inside, below)) in covered.iter_mut().zip(inside.into_iter().zip(below)) {
            if inside && !below {
                *state = (*state).max(review.coverage());
            }
        }
    }
    let all = history.iter().zip(covered).zip(before);
    all.filter(|(_, before)| !before).map(|(commit, _)| commit).collect()
}

fn base(review: &RecordedReview) -> Option<&ObjectId> {
    review.review.base.as_ref().map(|base| &base.commit)
}

/// Findings that were there for more than one commit: of the same ID, so in the same file with the same quoted text.
pub fn returned(reviews: &[RecordedReview]) -> Vec<ReturnedFinding> {
    let mut counting: Vec<&RecordedReview> = reviews.iter().filter(|review| review.counts()).collect();
    counting.sort_by(|one, other| one.review.time.cmp(&other.review.time));
    let mut seen: BTreeMap<&str, ReturnedFinding> = BTreeMap::new();
    for review in counting {
        for finding in review.review.loops.values().flat_map(|attested| &attested.findings) {
            let known = seen
                .entry(&finding.id)
                .or_insert_with(|| ReturnedFinding { finding: finding.clone(), commits: Vec::new() });
            known.finding = finding.clone();
            if !known.commits.contains(&review.commit) {
                known.commits.push(review.commit.clone());
            }
        }
    }
    let mut returned: Vec<ReturnedFinding> =
        seen.into_values().filter(|finding| finding.commits.len() > 1).collect();
    returned.sort_by_key(|finding| Reverse(finding.commits.len()));
    returned
}

/// The commits by position, so that many walks cost little.
struct Graph<'a> {
    position: HashMap<&'a ObjectId, usize>,
    parents: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    fn of(history: &'a [HistoryCommit]) -> Self {
        let position: HashMap<&ObjectId, usize> =
            history.iter().enumerate().map(|(place, commit)| (&commit.id, place)).collect();
        let parents = history
            .iter()
            .map(|commit| commit.parents.iter().filter_map(|parent| position.get(parent).copied()).collect());
        let parents = parents.collect();
        Self { position, parents }
    }

    /// For each commit, whether this one leads to it.
    fn reach(&self, from: Option<&ObjectId>) -> Vec<bool> {
        let mut reached = vec![false; self.parents.len()];
        let mut waiting: Vec<usize> =
            from.and_then(|from| self.position.get(from)).copied().into_iter().collect();
        while let Some(place) = waiting.pop() {
            match reached.get_mut(place) {
                Some(seen) if !*seen => *seen = true,
                Some(_) | None => continue,
            }
            waiting.extend(self.parents.get(place).into_iter().flatten());
        }
        reached
    }
}

/// Who signed how many attestations, and how many of them were overrides.
pub fn by_signer(reviews: &[RecordedReview]) -> BTreeMap<String, (u64, u64)> {
    let mut signers: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for review in reviews.iter().filter(|review| review.counts()) {
        let name = match &review.signer {
            Signer::Known(name) => name.clone(),
            Signer::Unchecked | Signer::Refused(_) => "not checked".to_owned(),
        };
        let (all, overridden) = signers.entry(name).or_default();
        *all += 1;
        *overridden += u64::from(review.coverage() == Coverage::Overridden);
    }
    signers
}

#[cfg(test)]
pub(crate) mod sample {
    use super::super::policy::AttestedPolicy;
    use super::super::statement::{AttestedBase, AttestedLoop};
    use super::*;
    use crate::pure::policy::{LoopNumber, Settings};
    use crate::pure::review::FindingSeverity;

    pub(crate) fn id(number: u64) -> ObjectId {
        ObjectId::parse(&format!("{number:040x}")).unwrap()
    }

    /// Commits 1 to `count` in a line, the newest first.
    pub(crate) fn line(count: u64) -> Vec<HistoryCommit> {
        let commit = |number: u64| HistoryCommit {
            id: id(number),
            parents: (number > 1).then(|| id(number - 1)).into_iter().collect(),
            time: 1_700_000_000 + i64::try_from(number).unwrap() * 86_400,
            subject: format!("Commit {number}"),
        };
        (1..=count).rev().map(commit).collect()
    }

    pub(crate) fn finding(id: &str) -> AttestedFinding {
        AttestedFinding {
            id: id.into(),
            severity: FindingSeverity::Minor,
            category: "naming".into(),
            file: Some("src/a.rs".into()),
            line: Some(3),
            message: "unclear name".into(),
            dismissed: None,
        }
    }

    pub(crate) fn review(commit: u64, base: Option<u64>, findings: &[&str]) -> RecordedReview {
        let attested = AttestedLoop {
            passed: true,
            verdict: "pass".into(),
            time: "2026-01-01T00:00:00Z".into(),
            reviewer: None,
            checks: Vec::new(),
            findings: findings.iter().map(|id| finding(id)).collect(),
        };
        RecordedReview {
            commit: id(commit),
            signer: Signer::Known("ada".into()),
            review: Review {
                time: format!("2026-01-{commit:02}T00:00:00Z"),
                plimsoll: "0".into(),
                base: base.map(|base| AttestedBase { commit: id(base) }),
                policy: AttestedPolicy::of(&Settings::default()),
                gate: AttestedGate::Open,
                loops: [(LoopNumber::Two, attested)].into(),
            },
        }
    }

    pub(crate) fn overridden(commit: u64, base: u64, reason: &str) -> RecordedReview {
        let mut review = review(commit, Some(base), &[]);
        review.review.gate =
            AttestedGate::Overridden { reason: reason.into(), blockers: vec!["Loop 2 not run".into()] };
        review
    }
}

#[cfg(test)]
mod tests {
    use super::sample::{id, line, overridden, review};
    use super::*;

    fn states(history: &[HistoryCommit], reviews: &[RecordedReview]) -> String {
        let letter = |state| match state {
            Coverage::Reviewed => 'r',
            Coverage::Overridden => 'o',
            Coverage::Unattested => '-',
        };
        coverage(history, reviews).into_iter().rev().map(|(_, state)| letter(state)).collect()
    }

    #[test]
    fn an_attestation_covers_what_lies_between_its_base_and_its_commit() {
        let history = line(8);
        assert_eq!(states(&history, &[]), "");
        assert_eq!(states(&history, &[review(4, Some(2), &[])]), "rr----");
        let reviews = [review(4, Some(2), &[]), overridden(6, 5, "hotfix"), review(8, Some(7), &[])];
        assert_eq!(states(&history, &reviews), "rr-o-r");
        assert_eq!(states(&history, &[review(8, None, &[])]), "rrrrrrrr");
    }

    #[test]
    fn a_review_counts_more_than_an_override_of_the_same_commit_and_a_refused_one_not_at_all() {
        let history = line(3);
        assert_eq!(states(&history, &[overridden(3, 1, "x"), review(3, Some(1), &[])]), "rr");
        let mut refused = review(3, Some(2), &[]);
        refused.signer = Signer::Refused("no".into());
        assert_eq!(states(&history, &[review(2, Some(1), &[]), refused]), "r-");
    }

    #[test]
    fn attestations_of_one_second_begin_with_the_oldest_commit() {
        let mut reviews = [review(3, Some(2), &[]), review(2, Some(1), &[])];
        reviews.iter_mut().for_each(|review| review.review.time = "2026-01-01T00:00:00Z".into());
        assert_eq!(states(&line(4), &reviews), "rr-");
    }

    #[test]
    fn both_sides_of_a_merge_are_covered() {
        let mut history = line(3);
        let side = HistoryCommit { id: id(10), parents: vec![id(1)], time: 0, subject: "side".into() };
        history[0].parents.push(id(10));
        history.push(side);
        assert_eq!(states(&history, &[review(3, Some(1), &[])]), "rrr");
    }

    #[test]
    fn a_finding_of_two_commits_came_back_and_one_of_two_attestations_of_a_commit_did_not() {
        let twice = [review(1, None, &["a"]), review(1, None, &["a", "b"])];
        assert_eq!(returned(&twice), []);
        let back = [review(3, Some(2), &["b", "a"]), review(1, None, &["a"])];
        let found = returned(&back);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].finding.id.as_str(), &found[0].commits), ("a", &vec![id(1), id(3)]));
    }
}
