//! Judges statements, and finds the chain of attestations that leads from a commit back to published content.

use super::policy::AttestedPolicy;
use super::reason::AttestationReason;
use super::statement::{AttestedGate, Statement};
use crate::pure::policy::LoopNumber;
use crate::pure::review::{ObjectId, TreeId};
use std::collections::{BTreeSet, VecDeque};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The requirements for an attestation. They come from the base, never from the change.
#[derive(Debug, Clone)]
pub struct Requirement {
    pub policy: AttestedPolicy,
    /// Loops that must have passed.
    pub loops: Vec<LoopNumber>,
    pub max_age_days: u32,
    pub now: OffsetDateTime,
}

/// Everything about a statement but its signature and its base: why it does not show that this commit was reviewed.
pub fn judge_statement(
    statement: &Statement,
    commit: &ObjectId,
    tree: &TreeId,
    requirement: &Requirement,
) -> Vec<AttestationReason> {
    let commit = || commit.clone();
    if statement.commit() != Some(commit()) || statement.tree().as_ref() != Some(tree) {
        return vec![AttestationReason::OtherSubject { commit: commit() }];
    }
    let review = &statement.predicate;
    let mut reasons = Vec::new();
    if let AttestedGate::Overridden { reason, .. } = &review.gate {
        reasons.push(AttestationReason::Overridden { commit: commit(), why: reason.clone() });
    }
    let settings = review.policy.laxer_than(&requirement.policy);
    if !settings.is_empty() {
        reasons.push(AttestationReason::Laxer { commit: commit(), settings });
    }
    for number in &requirement.loops {
        match review.loops.get(number) {
            None => reasons.push(AttestationReason::NotRun { commit: commit(), number: *number }),
            Some(attested) if !attested.passed => reasons.push(AttestationReason::NotPassed {
                commit: commit(),
                number: *number,
                verdict: attested.verdict.clone(),
            }),
            Some(_) => {}
        }
    }
    reasons.extend(age(&review.time, commit(), requirement));
    reasons
}

fn age(time: &str, commit: ObjectId, requirement: &Requirement) -> Option<AttestationReason> {
    let Ok(time) = OffsetDateTime::parse(time, &Rfc3339) else {
        return Some(AttestationReason::NoTime { commit });
    };
    let days = (requirement.now - time).whole_days();
    // Clocks differ; a day ahead is no clock.
    match days {
        ..0 => Some(AttestationReason::NoTime { commit }),
        _ if days > i64::from(requirement.max_age_days) => {
            Some(AttestationReason::TooOld { commit, days, limit: requirement.max_age_days })
        }
        _ => None,
    }
}

/// The search for a chain: the tip attested against a base, that base attested against another one, until a base is published.
///
/// Each attestation covers all commits between its base and its commit, because their content is part of its tree.
#[derive(Debug)]
pub struct ChainSearch {
    /// Commits that are not published.
    new: BTreeSet<ObjectId>,
    seen: BTreeSet<ObjectId>,
    waiting: VecDeque<ObjectId>,
    complete: bool,
    reasons: Vec<AttestationReason>,
}

impl ChainSearch {
    /// `new` are the commits between the published ones and the tip. Without any there is nothing to show.
    pub fn new(tip: ObjectId, new: BTreeSet<ObjectId>) -> Self {
        Self {
            complete: new.is_empty(),
            seen: [tip.clone()].into(),
            waiting: [tip].into(),
            new,
            reasons: Vec::new(),
        }
    }

    /// The next commit that needs an attestation; none when the search has ended.
    pub fn next_commit(&mut self) -> Option<ObjectId> {
        if self.complete { None } else { self.waiting.pop_front() }
    }

    /// Takes a valid attestation of a commit. `published` says whether a base that is not new is published.
    pub fn accept(&mut self, commit: &ObjectId, base: Option<&ObjectId>, published: bool) {
        match base {
            None => self.complete = true,
            Some(base) if self.new.contains(base) => {
                if self.seen.insert(base.clone()) {
                    self.waiting.push_back(base.clone());
                }
            }
            Some(_) if published => self.complete = true,
            Some(base) => self
                .reasons
                .push(AttestationReason::UnknownBase { commit: commit.clone(), base: base.clone() }),
        }
    }

    pub fn refuse(&mut self, reasons: impl IntoIterator<Item = AttestationReason>) {
        self.reasons.extend(reasons);
    }

    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Why there is no chain; empty if there is one.
    pub fn reasons(mut self) -> Vec<AttestationReason> {
        if self.complete {
            return Vec::new();
        }
        let mut told = BTreeSet::new();
        self.reasons.retain(|reason| told.insert(reason.to_string()));
        self.reasons
    }
}

#[cfg(test)]
mod tests;
