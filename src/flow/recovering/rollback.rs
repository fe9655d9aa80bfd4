//! The way back to the last safe checkpoint.

use crate::flow::checkpoints::{self, How};
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::state::ProjectLock;

/// Restores the files as they were there; says what it did. An error means that nothing was restored.
pub fn to_last_safe(scene: &Scene, lock: &ProjectLock) -> Result<String, Failure> {
    let safe = safe(scene, lock)?.ok_or("there is no safe checkpoint to go back to")?;
    let session = Some(lock.session.as_str()).filter(|session| !session.is_empty());
    let restored = checkpoints::restore(scene, session, &safe, How::default())?;
    let mut words = format!(
        "Checkpoint {safe} is restored: {} files written, {} removed.",
        restored.written, restored.removed
    );
    if !restored.kept.is_empty() {
        words += &format!(" {} files were changed by others since and were left alone.", restored.kept.len());
    }
    if let Some((path, why)) = restored.failed.first() {
        words += &format!(" {} could not be restored, {path} among them: {why}.", restored.failed.len());
    }
    Ok(words)
}

/// Paths that differ from the last safe checkpoint; `None` where there is none.
pub fn changed_since(scene: &Scene, lock: &ProjectLock) -> Result<Option<Vec<String>>, Failure> {
    safe(scene, lock)?.map(|safe| checkpoints::changed_since(scene, &safe)).transpose()
}

/// The one that was known at the stop, or the one that is found now.
fn safe(scene: &Scene, lock: &ProjectLock) -> Result<Option<String>, Failure> {
    let known = checkpoints::list(scene)?;
    if let Some(id) = lock.checkpoint.as_ref().filter(|id| known.iter().any(|one| one.id == **id)) {
        return Ok(Some(id.clone()));
    }
    let settings = scene.settings()?.settings.interventions.checkpoint_rollback;
    let (criteria, depth) = (&settings.safe_checkpoint_criteria, settings.max_rollback_depth);
    Ok(checkpoints::last_safe(scene, lock.began, &[], criteria, depth)?.map(|safe| safe.id))
}
