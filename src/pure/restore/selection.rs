//! The last safe checkpoint: taken before the problem began, without recent failures.

use super::checkpoint::{Checkpoint, CheckpointReason, Health};
use crate::pure::policy::SafeCheckpoint;

/// The newest safe checkpoint before `began` (milliseconds). `known`: what the caller knows better than the checkpoints,
/// by time. `depth`: the most different states that are examined.
pub fn last_safe<'a>(
    checkpoints: &'a [Checkpoint],
    began: u64,
    known: &[Health],
    criteria: &SafeCheckpoint,
    depth: u32,
) -> Option<&'a Checkpoint> {
    let mut before: Vec<&Checkpoint> =
        checkpoints.iter().filter(|one| one.time < began && shows_intended_work(&one.why)).collect();
    before.sort_by_key(|one| std::cmp::Reverse(one.time));
    before.dedup_by(|next, previous| {
        next.tree == previous.tree && next.likeness == previous.likeness && !safe(next, known, criteria)
    });
    let depth = usize::try_from(depth).unwrap_or(usize::MAX);
    before.into_iter().take(depth).find(|one| safe(one, known, criteria))
}

/// An intervention or a restore captures a state that somebody wanted to leave. Scripts run all the time, and a restore to the
/// last run would take nothing back.
fn shows_intended_work(why: &CheckpointReason) -> bool {
    match why {
        CheckpointReason::FirstChange | CheckpointReason::BeforeStep(_) | CheckpointReason::Person(_) => true,
        CheckpointReason::BeforeOverwrite(_)
        | CheckpointReason::BeforeRestore
        | CheckpointReason::Intervention(_) => false,
    }
}

fn safe(checkpoint: &Checkpoint, known: &[Health], criteria: &SafeCheckpoint) -> bool {
    let better =
        known.iter().filter(|health| health.time <= checkpoint.time).max_by_key(|health| health.time);
    let health = better.unwrap_or(&checkpoint.health);
    let rate = match health.calls {
        0 => 1.0,
        calls => 1.0 - health.failures as f64 / calls as f64,
    };
    let quiet = criteria.no_errors_duration_seconds.saturating_mul(1_000);
    let calm = health.last_error.is_none_or(|last| last.saturating_add(quiet) <= checkpoint.time);
    rate >= criteria.min_success_rate && calm
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::review::{ObjectId, TreeId};

    fn checkpoint(id: u32, time: u64, health: Health) -> Checkpoint {
        let object = ObjectId::parse(&format!("{id:040x}")).unwrap();
        Checkpoint {
            version: 1,
            id: id.to_string(),
            time,
            session: None,
            worktree: "/w".into(),
            why: CheckpointReason::FirstChange,
            commit: object.clone(),
            tree: TreeId(object),
            surroundings: String::new(),
            likeness: String::new(),
            files: 1,
            left_out: 0,
            head: None,
            health,
        }
    }

    fn fine(time: u64) -> Health {
        Health { time, calls: 10, failures: 0, last_error: None }
    }

    fn chosen(checkpoints: &[Checkpoint], began: u64, depth: u32) -> Option<&str> {
        last_safe(checkpoints, began, &[], &SafeCheckpoint::default(), depth).map(|one| one.id.as_str())
    }

    #[test]
    fn the_newest_before_the_trouble_is_taken() {
        let all = [
            checkpoint(1, 1_000, fine(1_000)),
            checkpoint(2, 2_000, fine(2_000)),
            checkpoint(3, 9_000, fine(9_000)),
        ];
        assert_eq!(chosen(&all, 5_000, 3), Some("2"));
        assert_eq!(chosen(&all, 500, 3), None);
    }

    #[test]
    fn many_failures_or_a_recent_one_make_it_unsafe() {
        let failing = Health { time: 200_000, calls: 10, failures: 3, last_error: Some(10_000) };
        let recent = Health { time: 300_000, calls: 100, failures: 1, last_error: Some(250_000) };
        let all = [
            checkpoint(1, 100_000, fine(100_000)),
            checkpoint(2, 200_000, failing),
            checkpoint(3, 300_000, recent),
        ];
        assert_eq!(chosen(&all, 400_000, 3), Some("1"));
        let just_enough = Health { time: 0, calls: 10, failures: 2, last_error: Some(240_000) };
        assert_eq!(chosen(&[checkpoint(4, 300_000, just_enough)], 400_000, 3), Some("4"));
    }

    #[test]
    fn the_criteria_are_those_of_the_settings() {
        let shaky = Health { time: 200_000, calls: 10, failures: 4, last_error: Some(190_000) };
        let all = [checkpoint(1, 200_000, shaky)];
        let safe_with = |min_success_rate, no_errors_duration_seconds| {
            let criteria = SafeCheckpoint { min_success_rate, no_errors_duration_seconds };
            last_safe(&all, 400_000, &[], &criteria, 3).is_some()
        };
        assert!(safe_with(0.6, 10));
        assert!(!safe_with(0.7, 10));
        assert!(!safe_with(0.6, 11));
    }

    #[test]
    fn the_look_back_ends_after_so_many_states() {
        let failing = |time| Health { time, calls: 4, failures: 4, last_error: Some(time) };
        let mut all = vec![checkpoint(1, 1_000, fine(1_000))];
        all.extend((2..=4).map(|n| checkpoint(n, u64::from(n) * 1_000, failing(u64::from(n) * 1_000))));
        assert_eq!(chosen(&all, 9_000, 3), None);
        assert_eq!(chosen(&all, 9_000, 4), Some("1"));
    }

    #[test]
    fn what_was_saved_to_get_away_from_is_not_gone_back_to() {
        for why in [CheckpointReason::BeforeRestore, CheckpointReason::BeforeOverwrite("Bash".into())] {
            let bad = Checkpoint { why, ..checkpoint(2, 2_000, fine(2_000)) };
            assert_eq!(chosen(&[checkpoint(1, 1_000, fine(1_000)), bad], 9_000, 3), Some("1"));
        }
    }

    #[test]
    fn what_the_caller_knows_counts_more_than_what_was_noted() {
        let all = [checkpoint(1, 100_000, fine(100_000))];
        let worse = [Health { time: 99_000, calls: 2, failures: 2, last_error: Some(99_000) }];
        assert!(last_safe(&all, 200_000, &worse, &SafeCheckpoint::default(), 3).is_none());
    }
}
