//! Loop 4: integration and end-to-end tests, then what others said on the pull request.

use super::change::Change;
use super::checks::{self, run_checks};
use super::clock;
use super::watch::{Event, Watch};
use crate::flow::scene::Scene;
use crate::project::CheckKind;
use crate::repo::commit;
use crate::review::LoopOutcome;
use crate::review::loop1::Judged;
use crate::review::loop4::{FEEDBACK, outcome};
use std::time::Duration;

mod pull_request;

pub struct Request<'a> {
    pub scene: &'a Scene,
    pub change: &'a Change,
    pub project: &'a checks::Request,
}

pub fn run(request: &Request<'_>, watch: &dyn Watch) -> LoopOutcome {
    let started = clock::begin();
    let timeout = request.change.settings.loop4.timeout;
    let tests = run_checks(request.project, &CheckKind::LOOP4, timeout, watch);
    let feedback = feedback(request, watch);
    outcome(tests, feedback, u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX))
}

fn feedback(request: &Request<'_>, watch: &dyn Watch) -> Judged {
    watch.see(Event::Started { check: FEEDBACK });
    let head = commit(&request.change.git, "HEAD").ok().map(|commit| commit.id.to_string());
    let judged = pull_request::feedback(request.scene.project.clone(), &request.project.environment, head);
    let elapsed = Duration::from_millis(judged.outcome.elapsed_ms);
    watch.see(Event::Finished { check: FEEDBACK, verdict: &judged.outcome.verdict, elapsed, cached: None });
    judged
}
