//! The emergency stop: what was seen becomes an incident, and the project is locked.

use super::agent;
use super::delivery::Delivery;
use crate::flow::checkpoints;
use crate::flow::incidents::{self, Pages, Stop, Stopped};
use crate::flow::serve::Failure;
use crate::intervene::{Facts, Incident, Situation};
use crate::pattern::Issue;
use crate::report::{incident_html, incident_json, incident_markdown};
use crate::state::Standing;

/// What the incident page shows of the changes since the last safe checkpoint.
const DIFF_LIMIT: usize = 256 * 1024;

/// An error means that nothing is locked.
pub fn stop(
    delivery: &Delivery<'_>,
    standing: &Standing,
    issues: &[Issue],
    issue: &Issue,
    situation: &Situation<'_>,
) -> Result<Stopped, Failure> {
    let safe = situation.checkpoint.as_ref().map(|checkpoint| checkpoint.id.as_str());
    let id = Incident::name(delivery.now, &delivery.input.session_id);
    let stop = Stop {
        id: &id,
        session: &delivery.input.session_id,
        summary: &issue.description,
        began: issue.began,
        checkpoint: safe,
    };
    // The project is locked before anything is made that takes time.
    let pages = || {
        let diff = safe.and_then(|safe| checkpoints::diff_since(delivery.scene, safe, DIFF_LIMIT).ok());
        let changed_files: Option<Vec<String>> =
            safe.and_then(|safe| checkpoints::changed_since(delivery.scene, safe).ok());
        let incident = Incident::new(&Facts {
            now: delivery.now,
            session: &delivery.input.session_id,
            agent: agent(delivery.input),
            issue,
            issues,
            situation,
            history: &standing.history,
            recent: &standing.watch.recent(),
            changed_files: &changed_files.unwrap_or_default(),
            diff: &diff.unwrap_or_default(),
            cleanup: &[],
        });
        Pages {
            json: incident_json(&incident),
            markdown: incident_markdown(&incident),
            html: incident_html(&incident),
        }
    };
    incidents::stop(delivery.scene, &stop, pages)
}
