//! One tidy-up for everything that piles up: checkpoints over their time, stores of projects that are gone, copies of single
//! files over their bound, what killed processes left behind, and many small packs. Detached as a rule, and never in a hook.

use super::place::{Place, Record};
use super::pruning::{self, Packed};
use super::{gone, leftovers};
use crate::checkpoint::Store;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::restore::MIB;
use crate::state::{self, Lock};
use serde::Serialize;
use std::time::Duration;

/// More packs slow down every look-up and are made into few.
const MANY_PACKS: usize = 40;
/// A store that has grown by this and doubled since it was packed may hold much that nobody keeps.
const GROWN: u64 = 32 * MIB;
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Do,
    /// Only say what would be done.
    Tell,
}

/// One thing that went, or would go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Freed {
    pub what: String,
    pub bytes: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tidied {
    pub freed: Vec<Freed>,
}

impl Tidied {
    pub fn bytes(&self) -> u64 {
        self.freed.iter().map(|one| one.bytes).sum()
    }

    pub(super) fn note(&mut self, what: impl Into<String>, bytes: u64) {
        self.freed.push(Freed { what: what.into(), bytes });
    }
}

/// `now`: milliseconds since 1970. Stopped at any point, the next one goes on; one at a time per store.
pub fn tidy(scene: &Scene, act: Act, now: u64) -> Result<Tidied, Failure> {
    let mut tidied = Tidied::default();
    gone::forget_gone(scene, act, now, &mut tidied)?;
    leftovers::remove(scene, act, &mut tidied)?;
    if let Some(place) = Place::existing(scene)? {
        tidy_store(&place, act, &mut tidied)?;
    }
    Ok(tidied)
}

fn tidy_store(place: &Place, act: Act, tidied: &mut Tidied) -> Result<(), Failure> {
    let Some(_alone) = Lock::try_acquire(&place.tidy_lock())? else { return Ok(()) };
    let Some(store) = Store::existing(place.store_path()) else { return Ok(()) };
    let Some(lock) = place.lock_within(PATIENCE)? else { return Ok(()) };
    leftovers::remove_of_store(&store, act, tidied)?;
    let expired = pruning::over_their_time(place)?;
    if !expired.is_empty() {
        tidied.note(format!("{} checkpoints over their time", expired.len()), 0);
    }
    let copies = pruning::tidy_copies(place, act == Act::Tell)?;
    if copies > 0 {
        tidied.note("copies of single files over their time or bound", copies);
    }
    let before = store.bytes();
    let due = is_due(place, before)?;
    if act == Act::Tell {
        if due {
            tidied.note(format!("packing the store of {} MiB", before / MIB), 0);
        }
        return Ok(());
    }
    pruning::forget(place, &store, &expired)?;
    pruning::remove_unreferenced(place, &store)?;
    if due {
        pruning::clean(place, &store)?;
        tidied.note("packed the store", before.saturating_sub(store.bytes()));
    }
    // Nothing is dropped from here on, so that others may go on.
    drop(lock);
    if store.packs() > MANY_PACKS {
        store.combine()?;
    }
    if !place.packed().exists() {
        state::write_json(&place.packed(), &Packed { version: 1, bytes: store.bytes() })?;
    }
    Ok(())
}

/// Whether it is worth the time to pack everything: over its bound, or grown a lot since the last time.
fn is_due(place: &Place, bytes: u64) -> Result<bool, Failure> {
    let packed = state::read_json::<Packed>(&place.packed(), 1)?;
    let grown = packed.is_some_and(|packed| bytes > packed.bytes.saturating_mul(2).saturating_add(GROWN));
    Ok(grown || bytes > place.limits.store_bytes)
}

/// Every worktree that ever had a checkpoint, as it is recorded.
pub(super) fn recorded(scene: &Scene) -> Vec<Record> {
    let files = pruning::files(&scene.homes.checkpoints().worktrees());
    let files = files.into_iter().filter(|path| path.extension() == Some("json"));
    files.filter_map(|path| state::read_json_in_place::<Record>(&path, 1).ok().flatten()).collect()
}
