//! Several pieces of work at the same time, never more than a given number of them.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does `work` on each item, at most `at_most` at a time; results in the order of the items.
pub(crate) fn batch<T: Sync, R: Send>(items: &[T], at_most: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let index = next.fetch_add(1, Ordering::Relaxed);
        items.get(index).map(|item| (index, work(item)))
    };
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..at_most.clamp(1, items.len().max(1)))
            .map(|_| scope.spawn(|| std::iter::from_fn(take).collect::<Vec<_>>()))
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Barrier, Mutex};

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..50).collect();
        assert_eq!(batch(&items, 7, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert!(batch(&[0; 0], 3, |item: &u32| *item).is_empty());
    }

    #[test]
    fn as_many_as_allowed_run_at_the_same_time() {
        let all_here = Barrier::new(3);
        assert_eq!(batch(&[1, 2, 3], 3, |item| (all_here.wait(), *item).1), [1, 2, 3]);
    }

    #[test]
    fn one_at_a_time_means_in_order_and_never_two() {
        let seen = Mutex::new(Vec::new());
        batch(&[1, 2, 3], 1, |item| {
            let mut seen = seen.try_lock().expect("nobody else is at work");
            seen.push(*item);
        });
        assert_eq!(seen.into_inner().unwrap(), [1, 2, 3]);
    }
}
