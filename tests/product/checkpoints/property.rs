//! Random trees and histories: no byte that was on disk is lost, and nothing that git keeps is touched.

use super::dice::Dice;
use super::model::World;
use crate::extent::{cases, number};

/// So many with `PLIMSOLL_ALL_CASES`; `PLIMSOLL_CHECKPOINT_CASES` sets it, `PLIMSOLL_CHECKPOINT_SEED` repeats from one.
const CASES: u64 = 120;
const FEW: u64 = 12;

#[test]
fn no_history_of_checkpoints_changes_restores_and_undos_loses_a_byte() {
    let count = number("PLIMSOLL_CHECKPOINT_CASES").unwrap_or_else(|| cases(FEW, CASES));
    let first = number("PLIMSOLL_CHECKPOINT_SEED").unwrap_or(1);
    for seed in first..first + count {
        let mut world = World::new(seed);
        world.take();
        for _ in 0..Dice::new(seed ^ 0xabcd).roll(7) + 3 {
            world.step();
        }
        world.assert_everything_readable();
    }
}
