//! An incident as JSON, as markdown and as one page that needs nothing else. All three carry the same.

mod diff;
mod html;
mod markdown;
#[cfg(feature = "cli")]
mod text;

#[cfg(test)]
mod tests;

pub(crate) use html::incident_html;
pub(crate) use markdown::incident_markdown;
#[cfg(feature = "cli")]
pub(crate) use text::incident_text;

use crate::pure::monitor::interventions::{
    Incident, IncidentDecision, RecoveryOption, Report, recovery_options,
};
use crate::pure::text::counted;
use serde::Serialize;

/// The text of a page until somebody decides.
const LOCKED: &str = " The project is locked until a person chooses how to continue.";

/// The decision of a person, and how the project stands since.
fn decided(decision: &IncidentDecision) -> String {
    let IncidentDecision { choice, by, time } = decision;
    format!("{choice} ({by}, {time}). {}", decision.meaning())
}

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    incident: &'a Incident,
    report: Report,
    recovery_options: Vec<RecoveryOption>,
}

/// One object; its own fields can be read back as an `Incident`.
pub(crate) fn incident_json(incident: &Incident) -> String {
    let whole = Whole { incident, report: incident.report(), recovery_options: recovery_options(incident) };
    // Plain values with text keys: there is nothing in them that JSON could not hold.
    serde_json::to_string_pretty(&whole).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}")) + "\n"
}

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

/// The consequences of a recovery option here, in sentences.
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
        lines.push(format!("Monitoring: {}", changes.monitoring_level));
    }
    if let Some(checkpoint) = &option.checkpoint {
        lines.push(format!(
            "Checkpoint {} of {}, {}; the current state is kept, and plimsoll undo restores it",
            checkpoint.id,
            checkpoint.when,
            counted(checkpoint.files, "file")
        ));
    }
    if let Some(approval) = &option.approval_config {
        lines.push(format!(
            "Needs approval: {}; allowed: {}",
            approval.require_approval_for.join(", "),
            approval.auto_approve.join(", ")
        ));
    }
    lines.extend(option.cleanup_required.iter().map(|task| format!("To clean up: {task}")));
    lines.extend(option.unavailable.map(|why| format!("Not possible now: {why}")));
    lines
}
