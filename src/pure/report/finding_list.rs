//! Findings with their history, as a list for people and as data for tools.

use super::unified::{plain, tracked_text};
use crate::pure::review::TrackedFinding;
use serde_json::{Value, json};

/// One finding as data. `message`, `fix` and `quote` are the words of whoever reviewed.
pub fn finding_value(entry: &TrackedFinding) -> Value {
    let TrackedFinding { number, id, finding, state: standing, rounds } = entry;
    let mut value = json!({
        "id": id,
        "loop": number,
        "standing": standing.word(),
        "rounds": rounds,
        "severity": finding.severity,
        "category": finding.category,
        "file": finding.file,
        "line": finding.line,
        "quote": finding.quote,
        "message": finding.message,
        "fix": finding.fix,
    });
    if let (crate::pure::review::FindingState::Dismissed(reason), Some(fields)) =
        (standing, value.as_object_mut())
    {
        fields.insert("dismissed_because".into(), json!(reason));
    }
    value
}

/// For a terminal; one line and its details per finding.
pub fn finding_list(entries: &[TrackedFinding]) -> String {
    plain(&entries.iter().map(tracked_text).collect::<String>())
}
