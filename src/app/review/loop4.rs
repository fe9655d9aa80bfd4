//! Loop 4: integration and end-to-end tests, then what others said on the pull request.

use super::change::Change;
use super::checks::{self, run_checks};
use super::progress::{ProgressEvent, ProgressListener};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::repo::commit;
use crate::pure::project::CheckKind;
use crate::pure::review::LoopOutcome;
use crate::pure::review::loop1::CheckResult;
use crate::pure::review::loop4::{FEEDBACK, outcome};
use std::time::Duration;

mod pull_request;

pub(crate) fn run(
    workspace: &Workspace,
    change: &Change,
    project: &checks::CheckRequest,
    watch: &dyn ProgressListener,
) -> LoopOutcome {
    let started = clock::begin();
    let tests = run_checks(project, &CheckKind::LOOP4, change.settings.loop4.timeout, watch);
    watch.see(ProgressEvent::Started { check: FEEDBACK });
    let judged = feedback(workspace, change, &project.environment);
    let elapsed = Duration::from_millis(judged.outcome.elapsed_ms);
    let verdict = &judged.outcome.verdict;
    watch.see(ProgressEvent::Finished { check: FEEDBACK, verdict, elapsed, cached: None });
    outcome(tests, judged, u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX))
}

/// The open feedback on the pull request of this branch.
pub(crate) fn feedback(
    workspace: &Workspace,
    change: &Change,
    environment: &[(String, String)],
) -> CheckResult {
    let head = commit(&change.git, "HEAD").ok().map(|commit| commit.id.to_string());
    pull_request::feedback(workspace.project.clone(), environment, head)
}
