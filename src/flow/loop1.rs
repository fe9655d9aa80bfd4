//! Loop 1: the project's own checks in two tiers, and the secret scan of what changed.

mod secrets;

pub use secrets::scan_pairs;

use super::project_files;
use super::watch::{Event, Watch};
use crate::policy::Settings;
use crate::project::{CheckKind, Checks, Plan, Planned};
use crate::review::LoopOutcome;
use crate::review::loop1::{CheckRun, End, Judged, SecretScan, Tally, Transcript, Withheld};
use crate::run::{Ended, How, Job};
use crate::{run, secret};
use camino::Utf8PathBuf;
use std::time::{Duration, Instant};

/// Checks of tier 1 that run at the same time.
const PARALLEL: usize = 4;
const DAY: u64 = 24 * 60 * 60;
/// Nobody is there to answer, and nothing is there to show colours.
const CHILD_ENVIRONMENT: [(&str, &str); 4] =
    [("CI", "1"), ("NO_COLOR", "1"), ("FORCE_COLOR", "0"), ("GIT_TERMINAL_PROMPT", "0")];
const SECRET_NAMES: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"];

/// What to check, and with what.
#[derive(Debug, Clone)]
pub struct Request {
    pub root: Utf8PathBuf,
    pub settings: Settings,
    /// What the project's commands see of the environment.
    pub environment: Vec<(String, String)>,
    /// What the secret scan of the changed files came to.
    pub secrets: SecretScan,
}

pub fn run(request: &Request, watch: &dyn Watch) -> LoopOutcome {
    let started = Instant::now();
    let settings = &request.settings.loop1;
    let checks = Checks::detect(&project_files::read(&request.root), &settings.checks);
    let mut tally = Tally::default();

    let tier = Tier::start(request, watch, settings.tier1_timeout);
    let at_most = if settings.parallel_tier1 { PARALLEL } else { 1 };
    for judged in run::batch(&checks.of(&CheckKind::TIER1), at_most, |planned| tier.check(planned)) {
        tally.record(1, judged);
    }

    let tier = Tier::start(request, watch, settings.tier2_timeout);
    let secrets = tier.unless(tally.stop(settings), SecretScan::NAME, || request.secrets.judge());
    tally.record(2, secrets);
    for planned in checks.of(&CheckKind::TIER2) {
        let judged = tier.unless(tally.stop(settings), &planned.name, || tier.judge(&planned));
        tally.record(2, judged);
    }
    tally.outcome(started.elapsed())
}

/// The checks of a tier share its time.
struct Tier<'a> {
    request: &'a Request,
    watch: &'a dyn Watch,
    environment: Vec<(String, String)>,
    timeout: Duration,
    started: Instant,
}

impl<'a> Tier<'a> {
    fn start(request: &'a Request, watch: &'a dyn Watch, seconds: u64) -> Self {
        let environment = child_environment(&request.environment);
        Self {
            request,
            watch,
            environment,
            timeout: Duration::from_secs(seconds.min(DAY)),
            started: Instant::now(),
        }
    }

    fn check(&self, planned: &Planned) -> Judged {
        self.unless(None, &planned.name, || self.judge(planned))
    }

    fn unless(&self, stop: Option<String>, name: &str, judge: impl FnOnce() -> Judged) -> Judged {
        let judged = match stop {
            Some(reason) => Judged::skipped(name, reason),
            None => {
                self.watch.see(Event::Started { check: name });
                judge()
            }
        };
        let elapsed = Duration::from_millis(judged.outcome.elapsed_ms);
        self.watch.see(Event::Finished { check: name, verdict: &judged.outcome.verdict, elapsed });
        judged
    }

    fn judge(&self, planned: &Planned) -> Judged {
        match &planned.plan {
            Plan::Missing { reason } => Judged::skipped(&planned.name, reason),
            Plan::Unknown { reason } => Judged::unknown(planned.kind, &planned.name, reason),
            Plan::Run { argv, why } => {
                let ended = self.run(&planned.name, argv);
                let check = CheckRun {
                    kind: planned.kind,
                    name: planned.name.clone(),
                    argv: argv.clone(),
                    why: why.clone(),
                    elapsed: ended.elapsed,
                    output: self.transcript(&ended),
                    end: end(ended.how),
                };
                check.judge()
            }
        }
    }

    fn run(&self, name: &str, argv: &[String]) -> Ended {
        let job = Job {
            argv: argv.to_vec(),
            directory: self.request.root.clone(),
            environment: self.environment.clone(),
            deadline: self.timeout.saturating_sub(self.started.elapsed()),
            slow_after: self.timeout / 2,
        };
        run::run(&job, || self.watch.see(Event::Slow { check: name }))
    }

    /// What the command printed may hold secrets of the code or of our own environment; neither goes into a receipt.
    fn transcript(&self, ended: &Ended) -> Transcript {
        let transcript = Transcript::read(&ended.output.bytes());
        let withheld = |found: secret::Match| Withheld {
            line: found.line,
            because: format!("possible secret, {} ({})", found.rule, found.redacted),
        };
        let lines: Vec<Withheld> =
            secret::scan("output", transcript.text().as_bytes()).into_iter().map(withheld).collect();
        transcript.without(&lines, &secret_values(&self.environment))
    }
}

fn secret_values(environment: &[(String, String)]) -> Vec<&str> {
    let is_secret = |(name, value): &&(String, String)| {
        let name = name.to_ascii_uppercase();
        value.len() >= 8 && SECRET_NAMES.iter().any(|word| name.contains(word))
    };
    environment.iter().filter(is_secret).map(|(_, value)| value.as_str()).collect()
}

/// Without git's variables: a hook that started us may have pointed them at another repository.
fn child_environment(given: &[(String, String)]) -> Vec<(String, String)> {
    let own = CHILD_ENVIRONMENT.map(|(name, value)| (name.to_string(), value.to_string()));
    let kept = given.iter().filter(|(name, _)| !name.starts_with("GIT_")).cloned();
    kept.filter(|(name, _)| own.iter().all(|(set, _)| set != name)).chain(own.clone()).collect()
}

fn end(how: How) -> End {
    match how {
        How::Exited(code) => End::Exited(code),
        How::Signalled(signal) => End::Signalled(signal),
        How::TimedOut => End::TimedOut,
        How::NotFound => End::NotInstalled,
        How::CouldNotStart(error) => End::CouldNotStart(error.to_string()),
    }
}

#[cfg(test)]
mod sample_project;
#[cfg(test)]
mod tests;
