//! The project's checks, run and judged: the same for every loop that runs some.

mod key;

use super::outside_tool::{end, secret_values};
use super::progress::{ProgressEvent, ProgressListener};
use crate::app::sandbox::Enclosure;
use crate::edge::clock;
use crate::edge::run;
use crate::edge::run::{Job, ProcessResult};
use crate::edge::state::{CheckCache, KnownResult};
use crate::pure::policy::Settings;
use crate::pure::project::{CheckCommand, CheckKind, CheckPlan, Checks, PlannedCheck, Success};
use crate::pure::review::loop1::{CheckResult, CheckRun, Inputs, Site, Transcript, Withheld};
use crate::pure::secret;
use camino::Utf8PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Static checks that run at the same time.
const PARALLEL: usize = 4;
const DAY: u64 = 24 * 60 * 60;
/// Nobody is there to answer, and nothing is there to show colours or pages.
const CHILD_ENVIRONMENT: [(&str, &str); 6] = [
    ("CI", "1"),
    ("NO_COLOR", "1"),
    ("FORCE_COLOR", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
];

/// The content to check, and the means.
pub(crate) struct CheckRequest {
    pub root: Utf8PathBuf,
    /// Where the user works; the same as `root` unless that is a copy.
    pub worktree: Utf8PathBuf,
    pub site: Site,
    pub settings: Settings,
    /// The environment variables of the project's commands.
    pub environment: Vec<(String, String)>,
    pub checks: Checks,
    pub inputs: Inputs,
    /// Where results are kept; without it every check runs.
    pub cache: Option<CheckCache>,
    /// Where checks run in sandboxed mode: their code is the agent's.
    pub enclosure: Option<Enclosure>,
    /// Results that may be kept once it is certain that the content did not change meanwhile.
    pub fresh: Mutex<Vec<(String, KnownResult)>>,
}

/// Runs the checks of these kinds one after the other within `timeout` seconds.
pub(crate) fn run_checks(
    request: &CheckRequest,
    kinds: &[CheckKind],
    timeout: u64,
    watch: &dyn ProgressListener,
) -> Vec<CheckResult> {
    let round = CheckRound::start(request, watch, timeout);
    request.checks.of(kinds).iter().map(|planned| round.check(planned)).collect()
}

/// Keeps what was learned. To be called when the content has been found unchanged; a cache that cannot be written costs time,
/// not truth.
pub(crate) fn remember(request: &CheckRequest) {
    let Some(cache) = &request.cache else { return };
    let fresh = std::mem::take(&mut *request.fresh.lock().unwrap_or_else(PoisonError::into_inner));
    for (key, result) in fresh {
        let _ = cache.put(&key, &result);
    }
    let _ = cache.prune(clock::system());
}

/// Checks that share a time.
pub(crate) struct CheckRound<'a> {
    request: &'a CheckRequest,
    watch: &'a dyn ProgressListener,
    environment: Vec<(String, String)>,
    timeout: Duration,
    started: Instant,
}

impl<'a> CheckRound<'a> {
    pub(crate) fn start(request: &'a CheckRequest, watch: &'a dyn ProgressListener, seconds: u64) -> Self {
        let environment = child_environment(&request.environment);
        let timeout = Duration::from_secs(seconds.min(DAY));
        Self { request, watch, environment, timeout, started: clock::begin() }
    }

    /// At the same time, if the settings allow it; results in the order of the checks.
    pub(crate) fn all(&self, planned: &[PlannedCheck], parallel: bool) -> Vec<CheckResult> {
        run::batch(planned, if parallel { PARALLEL } else { 1 }, |planned| self.check(planned))
    }

    pub(crate) fn check(&self, planned: &PlannedCheck) -> CheckResult {
        self.unless(None, &planned.name, || self.judge(planned))
    }

    /// Does it, and says so; or does not, for the reason given.
    pub(crate) fn unless(
        &self,
        stop: Option<String>,
        name: &str,
        judge: impl FnOnce() -> CheckResult,
    ) -> CheckResult {
        let judged = match stop {
            Some(reason) => CheckResult::skipped(name, reason),
            None => {
                self.watch.see(ProgressEvent::Started { check: name });
                judge()
            }
        };
        let elapsed = Duration::from_millis(judged.outcome.elapsed_ms);
        let (verdict, cached) = (&judged.outcome.verdict, judged.cached());
        self.watch.see(ProgressEvent::Finished { check: name, verdict, elapsed, cached });
        judged
    }

    pub(crate) fn judge(&self, planned: &PlannedCheck) -> CheckResult {
        match &planned.plan {
            CheckPlan::Missing { reason } => CheckResult::skipped(&planned.name, reason),
            CheckPlan::Unknown { reason } => CheckResult::unknown(planned.kind, &planned.name, reason),
            CheckPlan::Run(command) => self.known_or_run(planned, command),
        }
    }

    fn known_or_run(&self, planned: &PlannedCheck, command: &CheckCommand) -> CheckResult {
        let cache = self.request.cache.as_ref();
        let key = cache.and_then(|_| key::of(self.request, planned, command, &self.environment));
        let now = clock::system();
        if let Some(known) = cache.zip(key.as_ref()).and_then(|(cache, key)| cache.get(key, now)) {
            let age = known.age(now).unwrap_or_default();
            return known.judged.reused(&clock::moment(known.time), age);
        }
        let check = self.run(planned, command);
        let judged = check.judge();
        if let Some(key) = key.filter(|_| check.repeatable(&judged.outcome.verdict)) {
            let result = KnownResult { time: clock::milliseconds(), judged: judged.clone() };
            self.request.fresh.lock().unwrap_or_else(PoisonError::into_inner).push((key, result));
        }
        judged
    }

    fn run(&self, planned: &PlannedCheck, command: &CheckCommand) -> CheckRun {
        let left = self.timeout.saturating_sub(self.started.elapsed());
        let job = Job {
            argv: self.located(planned, command),
            directory: self.request.root.join(&planned.directory),
            environment: self.environment.clone(),
            deadline: left,
            slow_after: left / 2,
        };
        let job = match &self.request.enclosure {
            Some(enclosure) => enclosure.enclose_check(&planned.name, &job),
            None => job,
        };
        let ended = run::run(&job, || self.watch.see(ProgressEvent::Slow { check: &planned.name }));
        CheckRun {
            kind: planned.kind,
            name: planned.name.clone(),
            argv: command.argv.clone(),
            directory: planned.directory.clone(),
            site: self.request.site,
            why: command.why.clone(),
            silence_expected: command.success == Success::Silence,
            elapsed: ended.elapsed,
            output: self.transcript(&ended),
            end: end(&ended.how),
        }
    }

    /// The command with the path of its program, if the program is found.
    fn located(&self, planned: &PlannedCheck, command: &CheckCommand) -> Vec<String> {
        let directory = self.request.root.join(&planned.directory);
        let search = key::search(self.request, &directory, &self.environment);
        let mut argv = command.argv.clone();
        if let Some(program) = argv.first_mut() {
            *program = search.locate(program).map_or_else(|| program.clone(), Utf8PathBuf::into_string);
        }
        argv
    }

    /// The output of a command may contain secrets of the code or of our environment. Neither goes into a receipt.
    fn transcript(&self, ended: &ProcessResult) -> Transcript {
        let transcript = Transcript::read(&ended.output.bytes());
        let withheld = |found: secret::Match| Withheld {
            line: found.line,
            because: format!("possible secret, {} ({})", found.rule, found.redacted),
        };
        let lines: Vec<Withheld> =
            secret::scan("output", transcript.text().as_bytes()).into_iter().map(withheld).collect();
        transcript
            .without(&lines, &secret_values(&self.environment).collect::<Vec<_>>())
            .reworded(secret::redact)
    }
}

/// Without git's variables: a hook that started us may have pointed them at another repository. Without folders of PATH that
/// depend on where one stands: any of them could hold a `cargo`.
fn child_environment(given: &[(String, String)]) -> Vec<(String, String)> {
    let own = CHILD_ENVIRONMENT.map(|(name, value)| (name.to_string(), value.to_string()));
    let kept = given.iter().filter(|(name, _)| !name.starts_with("GIT_"));
    let kept = kept.filter(|(name, _)| own.iter().all(|(set, _)| set != name));
    let plain = kept.map(|(name, value)| match name.as_str() {
        "PATH" => (name.clone(), absolute_only(value)),
        _ => (name.clone(), value.clone()),
    });
    plain.chain(own.clone()).collect()
}

fn absolute_only(path: &str) -> String {
    path.split(':').filter(|folder| folder.starts_with('/')).collect::<Vec<_>>().join(":")
}
