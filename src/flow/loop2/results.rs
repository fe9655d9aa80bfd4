//! `claude-review-results.json`: what the reader said last, for people and tools. The gate never reads it.

use crate::flow::change::Change;
use crate::flow::clock;
use crate::flow::recording::own_folder;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::review::LoopOutcome;
use crate::state::{self, Pending};
use serde_json::json;

pub fn publish(
    scene: &Scene,
    change: &Change,
    pending: &Pending,
    outcome: &LoopOutcome,
) -> Result<(), Failure> {
    let findings: Vec<_> = outcome
        .findings
        .iter()
        .map(|finding| {
            let mut entry = json!(finding);
            if let Some(entry) = entry.as_object_mut() {
                entry.insert("id".into(), json!(finding.id()));
            }
            entry
        })
        .collect();
    let view = json!({
        "version": "1.0",
        "timestamp": clock::timestamp(),
        "tree": change.snapshot.tree,
        "base": change.base.commit,
        "branch": change.branch,
        "model": pending.model,
        "verdict": outcome.verdict,
        "elapsed_ms": outcome.elapsed_ms,
        "files_read": outcome.read,
        "files_reused": pending.reused,
        "files_left": pending.later + pending.partly.len(),
        "settled": outcome.settled,
        "findings": findings,
    });
    let folder = own_folder(scene, &change.settings.paths.state_dir)?;
    Ok(state::write_json(&folder.join("claude-review-results.json"), &view)?)
}
