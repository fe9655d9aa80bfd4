//! The project's integration and end-to-end tests, one after the other within `loop4.timeout`.

use super::Request;
use crate::flow::clock;
use crate::flow::outside_tool::end;
use crate::flow::watch::{Event, Watch};
use crate::project::CheckKind;
use crate::review::Verdict;
use crate::review::loop1::{CheckRun, Judged, Transcript};
use crate::run::{Job, run};
use crate::secret;
use std::time::Duration;

const DAY: u64 = 24 * 60 * 60;

pub(super) fn suites(request: &Request<'_>, watch: &dyn Watch) -> Vec<Judged> {
    let settings = &request.change.settings.loop4;
    let timeout = Duration::from_secs(settings.timeout.min(DAY));
    let started = clock::begin();
    let suites = [("integration", &settings.integration), ("e2e", &settings.e2e)];
    suites
        .into_iter()
        .map(|(name, argv)| {
            watch.see(Event::Started { check: name });
            let judged = if argv.is_empty() {
                Judged::skipped(name, format!("loop4.{name} names no command"))
            } else {
                suite(request, watch, name, argv, timeout.saturating_sub(started.elapsed()))
            };
            let elapsed = Duration::from_millis(judged.outcome.elapsed_ms);
            watch.see(Event::Finished { check: name, verdict: &judged.outcome.verdict, elapsed });
            judged
        })
        .collect()
}

fn suite(request: &Request<'_>, watch: &dyn Watch, name: &str, argv: &[String], time: Duration) -> Judged {
    let quiet = [("CI", "1"), ("NO_COLOR", "1"), ("GIT_TERMINAL_PROMPT", "0")];
    let given = request.environment.iter().filter(|(name, _)| !name.starts_with("GIT_")).cloned();
    let job = Job {
        argv: argv.to_vec(),
        directory: request.scene.project.clone(),
        environment: given.chain(quiet.map(|(name, value)| (name.into(), value.into()))).collect(),
        deadline: time,
        slow_after: time / 2,
    };
    let ended = run(&job, || watch.see(Event::Slow { check: name }));
    let printed = secret::redact(&String::from_utf8_lossy(&ended.output.bytes()));
    let check = CheckRun {
        kind: CheckKind::Test,
        name: name.into(),
        argv: argv.to_vec(),
        why: "the settings".into(),
        elapsed: ended.elapsed,
        output: Transcript::read(printed.as_bytes()),
        end: end(&ended.how),
    };
    let mut judged = check.judge();
    let late = matches!(ended.how, crate::run::How::TimedOut) && judged.outcome.verdict == Verdict::Fail;
    for finding in &mut judged.findings {
        finding.category = name.into();
        if late {
            finding.fix = Some(format!("make `{}` faster, or raise loop4.timeout", argv.join(" ")));
        }
    }
    judged
}
