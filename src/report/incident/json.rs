//! The incident for programs: its own fields, the report made from them, and the ways on.

use crate::intervene::{Incident, RecoveryOption, Report, recovery_options};
use serde::Serialize;

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    incident: &'a Incident,
    report: Report,
    recovery_options: Vec<RecoveryOption>,
}

/// One object; its own fields can be read back as an `Incident`.
pub fn incident_json(incident: &Incident) -> String {
    let whole = Whole { incident, report: incident.report(), recovery_options: recovery_options(incident) };
    // Plain values with text keys: there is nothing in them that JSON could not hold.
    serde_json::to_string_pretty(&whole).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}")) + "\n"
}
