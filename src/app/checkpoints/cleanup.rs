//! One tidy-up for everything that piles up: checkpoints over their time, stores of projects that are gone, copies of single
//! files over their bound, what killed processes left behind, and many small packs. Detached as a rule, and never in a hook.

use super::place::CheckpointPlace;
use super::retention::{self, Packed};
use super::tidy_report::{TidyMode, TidyReport};
use super::{gone_worktrees, leftovers};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::checkpoint::Store;
use crate::edge::state::{self, Lock};
use crate::pure::restore::MIB;
use crate::pure::text::counted;
use std::time::Duration;

/// More packs slow down every look-up and are made into few.
const MANY_PACKS: usize = 40;
/// A store that has grown by this and doubled since it was packed may hold much that nobody keeps.
const GROWN: u64 = 32 * MIB;
const PATIENCE: Duration = Duration::from_secs(60);

/// `now`: milliseconds since 1970. Stopped at any point, the next one goes on; one at a time per store.
pub fn tidy(workspace: &Workspace, act: TidyMode, now: u64) -> Result<TidyReport, Failure> {
    let mut tidied = TidyReport::default();
    gone_worktrees::forget_gone(workspace, act, now, &mut tidied)?;
    leftovers::remove(workspace, act, &mut tidied)?;
    if let Some(place) = CheckpointPlace::existing(workspace)? {
        tidy_store(&place, act, &mut tidied)?;
    }
    Ok(tidied)
}

fn tidy_store(place: &CheckpointPlace, act: TidyMode, tidied: &mut TidyReport) -> Result<(), Failure> {
    let Some(_alone) = Lock::try_acquire(&place.tidy_lock())? else { return Ok(()) };
    let Some(store) = Store::existing(place.store_path()) else { return Ok(()) };
    let Some(lock) = place.lock_within(PATIENCE)? else { return Ok(()) };
    leftovers::remove_of_store(&store, act, tidied)?;
    let expired = retention::over_their_time(place)?;
    if !expired.is_empty() {
        tidied.note(format!("{} over their time", counted(expired.len(), "checkpoint")), 0);
    }
    let copies = retention::tidy_copies(place, act == TidyMode::Tell)?;
    if copies > 0 {
        tidied.note("copies of single files over their time or bound", copies);
    }
    let before = store.bytes();
    let due = is_due(place, before)?;
    if act == TidyMode::Tell {
        if due {
            tidied.note(format!("packing the store of {} MiB", before / MIB), 0);
        }
        return Ok(());
    }
    retention::forget(place, &store, &expired)?;
    retention::remove_unreferenced(place, &store)?;
    if due {
        retention::clean(place, &store)?;
        tidied.note("packed the store", before.saturating_sub(store.bytes()));
    }
    // Nothing is dropped from here on, so that others may go on.
    drop(lock);
    if store.packs() > MANY_PACKS {
        store.combine()?;
    }
    if !place.packed_file().exists() {
        state::write_json(&place.packed_file(), &Packed { version: 1, bytes: store.bytes() })?;
    }
    Ok(())
}

/// Whether it is worth the time to pack everything: over its bound, or grown a lot since the last time.
fn is_due(place: &CheckpointPlace, bytes: u64) -> Result<bool, Failure> {
    let packed = state::read_json::<Packed>(&place.packed_file(), 1)?;
    let grown = packed.is_some_and(|packed| bytes > packed.bytes.saturating_mul(2).saturating_add(GROWN));
    Ok(grown || bytes > place.limits.store_bytes)
}
