//! Random trees and histories: no byte that was on disk is lost, and nothing that git keeps is touched.

use super::dice::Dice;
use super::model::World;

/// So many in a plain run; `PLIMSOLL_CHECKPOINT_CASES` raises it, `PLIMSOLL_CHECKPOINT_SEED` repeats from one.
const CASES: u64 = 120;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn no_history_of_checkpoints_changes_restores_and_undos_loses_a_byte() {
    let cases = number("PLIMSOLL_CHECKPOINT_CASES").unwrap_or(CASES);
    let first = number("PLIMSOLL_CHECKPOINT_SEED").unwrap_or(1);
    for seed in first..first + cases {
        let mut world = World::new(seed);
        world.take();
        for _ in 0..Dice::new(seed ^ 0xabcd).roll(7) + 3 {
            world.step();
        }
        world.assert_everything_readable();
    }
}
