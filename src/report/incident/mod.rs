//! An incident as JSON, as markdown and as one page that needs nothing else. All three carry the same.

mod diff;
mod html;
mod json;
mod markdown;
mod style;

#[cfg(test)]
mod tests;

pub use html::incident_html;
pub use json::incident_json;
pub use markdown::incident_markdown;

use crate::intervene::{Incident, RecoveryOption};

/// One resource: what it is called, what is used, and what may be.
struct Row {
    name: &'static str,
    used: u64,
    limit: u64,
}

/// Usage since the last message against the limits.
fn usage(incident: &Incident) -> [Row; 5] {
    let spent = &incident.resource_usage.prompt;
    let limits = &incident.state_snapshot.limits;
    [
        Row { name: "File operations", used: spent.file_operations, limit: limits.file_operations },
        Row { name: "Commands", used: spent.commands, limit: limits.commands },
        Row { name: "Tokens", used: spent.tokens, limit: limits.tokens },
        Row { name: "Seconds", used: spent.seconds, limit: limits.seconds },
        Row { name: "Memory, MB", used: incident.resource_usage.memory_mb, limit: limits.memory_mb },
    ]
}

/// What one way on comes to here, in sentences.
fn consequences(option: &RecoveryOption) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(changes) = &option.changes {
        let limits = &changes.resource_limits;
        lines.push(format!(
            "Limits for each request: {} file operations, {} commands, {} tokens, {} seconds, {} MB, {} calls at a time",
            limits.file_operations,
            limits.commands,
            limits.tokens,
            limits.seconds,
            limits.memory_mb,
            limits.batch_size
        ));
        lines.push(format!("Watched: {}", changes.monitoring_level));
    }
    if let Some(checkpoint) = &option.checkpoint {
        lines.push(format!(
            "Checkpoint {} of {}, {} files; the state of now is kept, and plimsoll undo brings it back",
            checkpoint.id, checkpoint.when, checkpoint.files
        ));
    }
    if let Some(approval) = &option.approval_config {
        lines.push(format!(
            "Asked: {}; passes: {}",
            approval.require_approval_for.join(", "),
            approval.auto_approve.join(", ")
        ));
    }
    lines.extend(option.cleanup_required.iter().map(|task| format!("To clean up: {task}")));
    lines.extend(option.unavailable.map(|why| format!("Not possible now: {why}")));
    lines
}
