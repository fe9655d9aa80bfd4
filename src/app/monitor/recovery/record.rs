//! Decisions of people after emergency stops, one line each. Nothing removes them.

use super::choice::RecoveryChoice;
use crate::app::failure::Failure;
use crate::app::monitor::incidents;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{append_json, read_bounded};
use crate::pure::monitor::interventions::IncidentDecision;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    pub time: String,
    pub choice: String,
    /// `terminal` or `dialog`.
    pub by: String,
    pub incidents: Vec<String>,
}

/// A decision applies to every incident so far, whether the lock still names it or not.
pub(crate) fn note(
    workspace: &Workspace,
    choice: RecoveryChoice,
    by: &str,
    named: &[String],
) -> Result<(), Failure> {
    let before = decided_incidents(workspace);
    let open = incidents::list(workspace).into_iter().map(|one| one.id);
    let open = open.filter(|id| !before.contains(id) && !named.contains(id));
    let line = Decided {
        time: clock::timestamp(),
        choice: choice.name().into(),
        by: by.into(),
        incidents: named.iter().cloned().chain(open).collect(),
    };
    let decision =
        IncidentDecision { choice: line.choice.clone(), by: line.by.clone(), time: line.time.clone() };
    append_json(&workspace.layout.recoveries(), std::slice::from_ref(&line))?;
    incidents::record_decision(workspace, &line.incidents, &decision);
    Ok(())
}

/// The oldest first; a line that cannot be read decides nothing.
pub fn decisions(workspace: &Workspace) -> Vec<Decided> {
    let bytes = read_bounded(&workspace.layout.recoveries()).ok().flatten().unwrap_or_default();
    bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// The incidents that a person has decided about.
pub(crate) fn decided_incidents(workspace: &Workspace) -> Vec<String> {
    decisions(workspace).into_iter().flat_map(|decided| decided.incidents).collect()
}
