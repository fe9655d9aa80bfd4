//! A person's pause of the step review.

use crate::app::workspace::Workspace;
use crate::edge::{clock, state};

/// Whether a person switched the step review off for a while.
pub(crate) fn paused(workspace: &Workspace) -> bool {
    paused_until(workspace).is_some()
}

/// When a person's pause ends, in milliseconds since 1970.
pub(crate) fn paused_until(workspace: &Workspace) -> Option<u64> {
    let pause = state::read_json::<Pause>(&workspace.homes.pause(&workspace.project), 1).ok().flatten();
    pause.map(|pause| pause.until).filter(|until| *until > clock::milliseconds())
}

/// A person's pause of the step review.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Pause {
    pub version: u64,
    /// Milliseconds since 1970.
    pub until: u64,
}
