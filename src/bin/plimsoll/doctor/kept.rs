//! How much room checkpoints and state take, here and for all projects.

use super::check::Check;
use plimsoll::flow::checkpoints::{self, Sizes};
use plimsoll::flow::scene::Scene;
use plimsoll::flow::serve::chain;
use plimsoll::restore::{Limits, MIB};

const NAME: &str = "kept";
const FIX: &str = "plimsoll tidy --dry-run";

pub(crate) fn check(scene: &Scene) -> Check {
    let Sizes { store, copies, state, all } = match checkpoints::sizes(scene) {
        Ok(sizes) => sizes,
        Err(failure) => return Check::warn(NAME, chain(failure.as_ref()), FIX),
    };
    let detail = format!(
        "checkpoints {}, copies of single files {}, state {}; checkpoints of all projects {}",
        size(store),
        size(copies),
        size(state),
        size(all)
    );
    let rollback = scene.settings().map(|loaded| loaded.settings.interventions.checkpoint_rollback);
    let most = rollback.map_or(Limits::default().store_bytes, |rollback| rollback.max_store_mb * MIB);
    if store > most { Check::warn(NAME, detail, FIX) } else { Check::ok(NAME, detail) }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..MIB => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{} MiB", bytes / MIB),
    }
}
