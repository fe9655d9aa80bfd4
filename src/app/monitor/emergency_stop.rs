//! The emergency stop: what was seen becomes an incident, and the project is locked.

use super::agent;
use crate::app::checkpoints;
use crate::app::failure::Failure;
use crate::app::monitor::incidents::{self, Pages, StopRequest, Stopped};
use crate::app::workspace::Workspace;
use crate::edge::state::MonitorState;
use crate::pure::client::Input;
use crate::pure::monitor::interventions::{Incident, IncidentFacts, Situation};
use crate::pure::monitor::patterns::Issue;
use crate::pure::policy::flatten;
use std::collections::BTreeMap;

/// The most bytes of the changes since the last safe checkpoint that the incident page shows.
const DIFF_LIMIT: usize = 256 * 1024;

/// An error means that nothing is locked.
pub(crate) fn stop(
    workspace: &Workspace,
    input: &Input<'_>,
    now: u64,
    standing: &MonitorState,
    issues: &[Issue],
    issue: &Issue,
    situation: &Situation<'_>,
) -> Result<Stopped, Failure> {
    let safe = situation.checkpoint.as_ref().map(|checkpoint| checkpoint.id.as_str());
    let id = Incident::name(now, &input.session_id);
    let stop = StopRequest {
        id: &id,
        session: &input.session_id,
        summary: &issue.description,
        began: issue.began,
        checkpoint: safe,
    };
    // The project is locked before anything is made that takes time.
    let pages = || {
        let diff = safe.and_then(|safe| checkpoints::diff_since(workspace, safe, DIFF_LIMIT).ok());
        let changed_files: Option<Vec<String>> =
            safe.and_then(|safe| checkpoints::changed_since(workspace, safe).ok());
        let incident = Incident::new(&IncidentFacts {
            now,
            session: &input.session_id,
            agent: agent(input),
            issue,
            issues,
            situation,
            history: &standing.history,
            recent: &standing.watch.recent(),
            changed_files: &changed_files.unwrap_or_default(),
            diff: &diff.unwrap_or_default(),
            cleanup: &[],
            settings: &settings(workspace),
        });
        Pages::of(&incident)
    };
    incidents::stop(workspace, &stop, pages)
}

/// The settings in force by key; none where they cannot be read.
fn settings(workspace: &Workspace) -> BTreeMap<String, String> {
    let values =
        workspace.settings().ok().and_then(|loaded| flatten(&loaded.settings).ok()).unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    values.iter().map(|(key, value)| ((*key).to_owned(), text(value))).collect()
}
