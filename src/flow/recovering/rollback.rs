//! The way back to the last safe checkpoint.

use crate::flow::checkpoints::{self, How, Restored, last_safe, list, restore};
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::policy::Settings;
use crate::report::printable;
use crate::state::ProjectLock;

/// More than this nobody reads at once.
const SHOWN: usize = 10;

/// Restores the files as they were there, after a checkpoint of now; says what it did. An error means that not everything is as
/// it was there.
pub fn to_last_safe(scene: &Scene, lock: &ProjectLock) -> Result<String, Failure> {
    let checkpoint = safe(scene, lock)?.ok_or("there is no safe checkpoint to go back to")?;
    let restored = restore(scene, session(lock), &checkpoint, How::default())?;
    let Restored { written, removed, permissions, kept, failed, .. } = &restored;
    if let Some((path, why)) = failed.first() {
        let more = failed.len() - 1;
        let more = if more == 0 { String::new() } else { format!(", and {more} more") };
        let path = printable(&path.to_string());
        return Err(format!(
            "checkpoint {checkpoint} was restored in part: {path} could not be ({why}){more}; `plimsoll undo` takes back what was"
        )
        .into());
    }
    let mut words = format!(
        "Restored checkpoint {checkpoint}: {written} files written, {removed} removed, {permissions} modes set."
    );
    if !kept.is_empty() {
        words += "\nChanged by somebody else since, and kept:";
        for item in kept.iter().take(SHOWN) {
            words += &format!("\n  {}", printable(&item.path.to_string()));
        }
        let more = kept.len().saturating_sub(SHOWN);
        if more > 0 {
            words += &format!("\n  and {more} more");
        }
    }
    Ok(words)
}

/// Paths that differ from the last safe checkpoint; `None` where there is none.
pub fn changed_since(scene: &Scene, lock: &ProjectLock) -> Result<Option<Vec<String>>, Failure> {
    safe(scene, lock)?.map(|safe| checkpoints::changed_since(scene, &safe)).transpose()
}

/// The one that the incident names, as long as it is kept; else the newest from before the trouble began.
fn safe(scene: &Scene, lock: &ProjectLock) -> Result<Option<String>, Failure> {
    let named = lock.checkpoint.as_ref();
    if let Some(named) = named
        && list(scene)?.iter().any(|one| one.id == *named)
    {
        return Ok(Some(named.clone()));
    }
    let settings = scene.settings().map_or_else(|_| Settings::default(), |loaded| loaded.settings);
    let rollback = settings.interventions.checkpoint_rollback;
    let (criteria, depth) = (&rollback.safe_checkpoint_criteria, rollback.max_rollback_depth);
    Ok(last_safe(scene, lock.began, &[], criteria, depth)?.map(|one| one.id))
}

fn session(lock: &ProjectLock) -> Option<&str> {
    (!lock.session.is_empty()).then_some(lock.session.as_str())
}
