//! The disk space of checkpoints and state, of this project and of all projects.

use super::check::Check;
use plimsoll::app::checkpoints::{self, Sizes};
use plimsoll::app::failure::chain;
use plimsoll::app::workspace::Workspace;
use plimsoll::pure::restore::{MIB, StoreLimits};

const NAME: &str = "kept";
const FIX: &str = "plimsoll tidy --dry-run";

pub(crate) fn check(workspace: &Workspace) -> Check {
    let Sizes { store, copies, state, all } = match checkpoints::sizes(workspace) {
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
    let rollback = workspace.settings().map(|loaded| loaded.settings.interventions.checkpoint_rollback);
    let most = rollback.map_or(StoreLimits::default().store_bytes, |rollback| rollback.max_store_mb * MIB);
    if store > most { Check::warn(NAME, detail, FIX) } else { Check::ok(NAME, detail) }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..MIB => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{} MiB", bytes / MIB),
    }
}
