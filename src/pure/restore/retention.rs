//! Which checkpoints may go.

use super::checkpoint::{Checkpoint, CheckpointReason, RestoreRecord};
use super::limits::StoreLimits;
use std::collections::{BTreeMap, BTreeSet};

const MINUTE: u64 = 60 * 1_000;
const DAY: u64 = 24 * 60 * MINUTE;

/// Kinds are counted apart, so that none pushes out another: no number of restores costs what a person made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Automatic,
    /// Before scripts and the like, of which there are many.
    Overwrite,
    /// A restore refers to it.
    Referred,
    BeforeRestore,
    Intervention,
    ByAgent,
    ByPerson,
}

impl Class {
    fn of(one: &Checkpoint, referred: bool) -> Self {
        match &one.why {
            CheckpointReason::FirstChange
            | CheckpointReason::BeforeStep(_)
            | CheckpointReason::BeforeOverwrite(_)
                if referred =>
            {
                Self::Referred
            }
            CheckpointReason::FirstChange | CheckpointReason::BeforeStep(_) => Self::Automatic,
            CheckpointReason::BeforeOverwrite(_) => Self::Overwrite,
            CheckpointReason::BeforeRestore => Self::BeforeRestore,
            CheckpointReason::Intervention(_) => Self::Intervention,
            CheckpointReason::Person(_) if one.session.is_some() => Self::ByAgent,
            CheckpointReason::Person(_) => Self::ByPerson,
        }
    }
}

/// The ids to forget at `now` (milliseconds), the oldest first. The newest of each worktree are never among them.
pub(crate) fn expired(
    checkpoints: &[Checkpoint],
    restores: &[RestoreRecord],
    limits: &StoreLimits,
    now: u64,
) -> Vec<String> {
    let pinned_since = now.saturating_sub(limits.pinned_days.saturating_mul(DAY));
    let automatic_since = now.saturating_sub(limits.retention_minutes.saturating_mul(MINUTE));
    let referred: BTreeSet<&str> = restores
        .iter()
        .filter(|restore| restore.time >= pinned_since)
        .flat_map(|restore| [restore.before.as_str(), restore.restored.as_str()])
        .collect();
    let mut worktrees: BTreeMap<&str, Vec<&Checkpoint>> = BTreeMap::new();
    for one in checkpoints {
        worktrees.entry(one.worktree.as_str()).or_default().push(one);
    }
    let mut gone: Vec<&Checkpoint> = Vec::new();
    for mut all in worktrees.into_values() {
        all.sort_by(|a, b| (b.time, &b.id).cmp(&(a.time, &a.id)));
        let mut counts: BTreeMap<Class, usize> = BTreeMap::new();
        for (rank, one) in all.into_iter().enumerate() {
            let class = Class::of(one, referred.contains(one.id.as_str()));
            let automatic = matches!(class, Class::Automatic | Class::Overwrite);
            let since = if automatic { automatic_since } else { pinned_since };
            let count = counts.entry(class).or_default();
            *count += 1;
            let old = one.time < since || *count > limits.checkpoints;
            if old && rank >= limits.always_kept {
                gone.push(one);
            }
        }
    }
    gone.sort_by_key(|one| one.time);
    gone.into_iter().map(|one| one.id.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::checkpoint::Health;
    use super::*;
    use crate::pure::review::{ObjectId, TreeId};

    fn checkpoint(id: usize, age_minutes: u64, why: CheckpointReason) -> Checkpoint {
        let object = ObjectId::parse(&"a".repeat(40)).unwrap();
        Checkpoint {
            version: 1,
            id: id.to_string(),
            time: NOW - age_minutes * MINUTE,
            session: None,
            worktree: "/w".into(),
            why,
            commit: object.clone(),
            tree: TreeId(object),
            surroundings: String::new(),
            likeness: String::new(),
            files: 1,
            left_out: 0,
            head: None,
            health: Health::default(),
        }
    }

    const NOW: u64 = 100 * DAY;

    #[test]
    fn old_automatic_ones_go_but_never_the_newest_few() {
        let all: Vec<_> =
            (0..15).map(|n| checkpoint(n, 60 + n as u64, CheckpointReason::FirstChange)).collect();
        assert_eq!(expired(&all, &[], &StoreLimits::default(), NOW), ["14", "13", "12", "11", "10"]);
        assert!(expired(&all[..10], &[], &StoreLimits::default(), NOW + 50 * DAY).is_empty());
    }

    #[test]
    fn what_a_person_made_or_a_restore_refers_to_stays_a_month() {
        let mut all: Vec<_> = (0..10).map(|n| checkpoint(n, 0, CheckpointReason::FirstChange)).collect();
        all.push(checkpoint(20, 60, CheckpointReason::Person(None)));
        all.push(checkpoint(21, 60, CheckpointReason::BeforeRestore));
        all.push(checkpoint(22, 60, CheckpointReason::BeforeStep("rm".into())));
        all.push(checkpoint(23, 60, CheckpointReason::FirstChange));
        let restore = RestoreRecord {
            version: 1,
            time: NOW - 60 * MINUTE,
            worktree: "/w".into(),
            before: "21".into(),
            restored: "22".into(),
            touched: Vec::new(),
            finished: true,
        };
        assert_eq!(expired(&all, std::slice::from_ref(&restore), &StoreLimits::default(), NOW), ["23"]);
        let later = expired(&all, &[restore], &StoreLimits::default(), NOW + 31 * DAY);
        assert_eq!(later.len(), 4);
    }

    #[test]
    fn there_are_never_more_than_so_many() {
        let all: Vec<_> = (0..80).map(|n| checkpoint(n, 0, CheckpointReason::FirstChange)).collect();
        assert_eq!(expired(&all, &[], &StoreLimits::default(), NOW).len(), 30);
    }

    #[test]
    fn what_a_person_made_is_not_pushed_out_by_what_others_make() {
        let mut all: Vec<_> = (0..200).map(|n| checkpoint(n, 1, CheckpointReason::BeforeRestore)).collect();
        all.extend((200..300).map(|n| {
            let by_agent = checkpoint(n, 1, CheckpointReason::Person(Some("mine".into())));
            Checkpoint { session: Some("s".into()), ..by_agent }
        }));
        all.push(checkpoint(999, 60, CheckpointReason::Person(None)));
        let gone = expired(&all, &[], &StoreLimits::default(), NOW);
        assert_eq!(gone.len(), 200);
        assert!(!gone.contains(&"999".to_owned()));
    }
}
