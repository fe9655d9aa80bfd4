//! Going back to a checkpoint.

use super::carrying_out::{Job, Restored};
use super::place::Place;
use super::planning::prepare;
use super::pruning;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::restore::Plan;
use crate::review::GitPath;

/// How far a restore goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct How {
    /// Also over what others changed since. What could not be saved stays even then.
    pub force: bool,
    /// Only these files and folders, relative to the project; none: all of it.
    pub paths: Vec<GitPath>,
}

impl How {
    /// What it would do.
    pub fn plan(&self, scene: &Scene, session: Option<&str>, checkpoint: &str) -> Result<Plan, Failure> {
        super::planning::plan_for(scene, session, checkpoint, &self.paths)
    }
}

/// Takes a checkpoint of now first. An error means that no file was touched; a file that could not be restored is named
/// in the answer.
pub fn restore(
    scene: &Scene,
    session: Option<&str>,
    checkpoint: &str,
    how: How,
) -> Result<Restored, Failure> {
    let place = Place::of(scene)?;
    let _lock = place.lock()?;
    let store = place.store()?;
    let prepared = prepare(scene, &place, &store, session, checkpoint, &how.paths)?;
    let job = Job {
        scene,
        place: &place,
        store: &store,
        session,
        captured: &prepared.captured,
        plan: &prepared.plan,
        force: how.force,
        folders: &prepared.folders,
    };
    let restored = job.carry_out()?;
    pruning::forget_expired(&place, &store)?;
    Ok(Restored { checkpoint: prepared.checkpoint.id, ..restored })
}
