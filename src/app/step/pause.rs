//! Whether decisions hold here, or are only recorded: `mode: observe`, or a person's pause of the step review.

use crate::app::workspace::Workspace;
use crate::edge::{clock, state};
use crate::pure::step::observes;

/// Whether a person switched the step review off for a while.
pub(crate) fn is_paused(workspace: &Workspace) -> bool {
    paused_until(workspace).is_some()
}

/// When a person's pause ends, in milliseconds since 1970.
pub(crate) fn paused_until(workspace: &Workspace) -> Option<u64> {
    let pause = state::read_json::<Pause>(&workspace.homes.pause(&workspace.project), 1).ok().flatten();
    pause.map(|pause| pause.until).filter(|until| *until > clock::milliseconds())
}

/// Whether nothing but the floor and the gate is enforced on this type of agent; `None` is the main one.
pub(crate) fn only_observed(workspace: &Workspace, agent: Option<&str>) -> bool {
    observes(&workspace.step_policy().settings, agent) || is_paused(workspace)
}

/// A person's pause of the step review.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Pause {
    pub version: u64,
    /// Milliseconds since 1970.
    pub until: u64,
}
