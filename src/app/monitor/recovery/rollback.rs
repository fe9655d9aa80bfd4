//! The way back to the last safe checkpoint.

use crate::app::checkpoints::{self, RestoreOptions, Restored, last_safe, list, restore};
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::state::ProjectLock;
use crate::pure::policy::Settings;
use crate::pure::text::{counted, printable};

/// More than this nobody reads at once.
const SHOWN: usize = 10;

/// Restores the files as they were there, after a checkpoint of now; says what it did. An error means that not everything is as
/// it was there.
pub(crate) fn to_last_safe(workspace: &Workspace, lock: &ProjectLock) -> Result<String, Failure> {
    let checkpoint = safe(workspace, lock)?.ok_or("there is no safe checkpoint to go back to")?;
    let restored = restore(workspace, session(lock), &checkpoint, RestoreOptions::default())?;
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
        "Restored checkpoint {checkpoint}: {} written, {removed} removed, {} set.",
        counted(*written, "file"),
        counted(*permissions, "mode")
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
pub(crate) fn changed_since(
    workspace: &Workspace,
    lock: &ProjectLock,
) -> Result<Option<Vec<String>>, Failure> {
    safe(workspace, lock)?.map(|safe| checkpoints::changed_since(workspace, &safe)).transpose()
}

/// The one that the incident names, as long as it is kept; else the newest from before the issue began.
fn safe(workspace: &Workspace, lock: &ProjectLock) -> Result<Option<String>, Failure> {
    let named = lock.checkpoint.as_ref();
    if let Some(named) = named
        && list(workspace)?.iter().any(|one| one.id == *named)
    {
        return Ok(Some(named.clone()));
    }
    let settings = workspace.settings().map_or_else(|_| Settings::default(), |loaded| loaded.settings);
    let rollback = settings.interventions.checkpoint_rollback;
    let (criteria, depth) = (&rollback.safe_checkpoint_criteria, rollback.max_rollback_depth);
    Ok(last_safe(workspace, lock.began, &[], criteria, depth)?.map(|one| one.id))
}

fn session(lock: &ProjectLock) -> Option<&str> {
    (!lock.session.is_empty()).then_some(lock.session.as_str())
}
