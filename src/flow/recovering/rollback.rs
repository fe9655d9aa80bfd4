//! The way back to the last safe checkpoint.

use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::state::ProjectLock;

/// Restores the files as they were there; says what it did. An error means that nothing was restored.
pub fn to_last_safe(_scene: &Scene, lock: &ProjectLock) -> Result<String, Failure> {
    Err(match &lock.checkpoint {
        Some(id) => format!("checkpoint {id} cannot be restored").into(),
        None => "there is no safe checkpoint to go back to".into(),
    })
}

/// Paths that differ from the last safe checkpoint; `None` where there is none.
pub fn changed_since(_scene: &Scene, _lock: &ProjectLock) -> Result<Option<Vec<String>>, Failure> {
    Ok(None)
}
