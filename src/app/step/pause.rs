//! A person's pause of the step review.

use crate::app::workspace::Workspace;
use crate::edge::{clock, state};

/// Whether a person switched the step review off for a while.
pub(crate) fn paused(workspace: &Workspace) -> bool {
    let pause = state::read_json::<Pause>(&workspace.homes.pause(&workspace.project), 1).ok().flatten();
    pause.is_some_and(|pause| pause.until > clock::milliseconds())
}

/// A person's pause of the step review.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Pause {
    pub version: u64,
    /// Milliseconds since 1970.
    pub until: u64,
}
