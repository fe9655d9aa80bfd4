//! Runs of checks and the state of the code that they ran on: the evidence for claims.
//!
//! Evidence is what ran, not how it was spelled: the command, the commands that it printed, the results in its output.
//! Where something ran that could have been a check, nobody is asked.

use super::call::CallMarks;
use super::check::{self, Shows};
use super::claims::{About, Admitted, Claim, claims};
use super::code_change::{EditEffect, is_source, is_test, is_work};
use super::doubt;
use super::found_pattern::FoundPattern;
use super::issue::{IssueSeverity, Sign};
use super::mask::error_line;
use super::missing_proof::{MissingEvidence, MissingProof, usual_command};
use super::outcome::{TestCounts, test_counts};
use super::role::{self, Role};
use super::shown::kinds_shown;
use super::text::start;
use super::tools;
use super::trace::{CallOutcome, TraceEntry, TraceEvidence, push_bounded};
use crate::pure::secret::Redacted;
use crate::pure::step::fingerprint;
use serde::{Deserialize, Serialize};

const KEPT_RUNS: usize = 16;
const KEPT_PENDING: usize = 4;
const LONGEST_PROMPT: usize = 16 * 1024;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct CheckRuns {
    runs: Vec<Run>,
    /// Runs in the background, by the name of their task.
    pending: Vec<(Redacted, Run)>,
    /// Changes to the source so far.
    changes: u32,
    /// Changes that only a linter could tell.
    lint_changes: u32,
    /// Any file of the work was changed.
    edited: bool,
    last_change: String,
    /// How the last changed file of code ends.
    language: String,
    /// Something was looked at or run since the last change.
    looked: bool,
    /// Something that could have been a check ran since the last change.
    unclear: bool,
    /// The same since the last run.
    unclear_since_run: bool,
    /// Another machine was asked for something since the last change; it may know how the checks there ended.
    asked_outside: bool,
    /// A file of tests was deleted since the last run of tests.
    tests_deleted: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Run {
    id: String,
    shows: Vec<Shows>,
    /// The command as it was called; empty where only a sub-agent reported the run.
    command: Redacted,
    call: u32,
    /// Changes to code before it.
    changes: u32,
    #[serde(default)]
    lint_changes: u32,
    /// It went through a task that may do more than its name says.
    by_task: bool,
    failed: bool,
    tests: Option<u32>,
    total: Option<u32>,
}

impl Run {
    fn supports(&self, claim: Shows) -> bool {
        self.shows.iter().any(|shown| shown.supports(claim))
            || (self.by_task && self.shows.contains(&Shows::Tests))
    }
}

impl CheckRuns {
    /// Sets the language, unless an edit has shown it.
    pub(super) fn set_language(&mut self, ending: &str) {
        if self.language.is_empty() {
            self.language = start(ending, 8).to_owned();
        }
    }

    pub(super) fn changes(&self) -> u32 {
        self.changes
    }

    /// A person's message: the person may have run the checks.
    pub(super) fn start_prompt(&mut self, prompt: &str) {
        let prompt = start(prompt, LONGEST_PROMPT);
        if !claims(prompt).is_empty() || !kinds_shown(prompt).is_empty() {
            self.doubt();
        }
    }

    /// Records the newest call; `said` is the text of its result or error.
    pub(super) fn record(
        &mut self,
        tool: &str,
        step: &TraceEntry,
        call: &CallMarks,
        said: &str,
        project: &str,
    ) -> Option<FoundPattern> {
        if matches!(step.ended, CallOutcome::Interrupted | CallOutcome::Refused) {
            return None;
        }
        if step.ended == CallOutcome::Succeeded {
            self.record_change(step, call, project);
        }
        self.asked_outside |= asks_outside(tool, call);
        let doubtful = doubt::may_check(tool, call, said);
        let mut shows = if call.line.is_some() { call.shows.clone() } else { Vec::new() };
        if tools::starts_agent(tool) {
            shows.extend(claimed(said));
        } else if doubtful || role::reads_results(call) {
            shows.extend(kinds_shown(said));
        }
        self.record_background(step, call, said);
        let mut fewer = None;
        if !shows.is_empty()
            && let Some(run) = self.run(step, call, shows, said)
        {
            fewer = self.fewer_tests(step, &run);
            push_bounded(&mut self.runs, run, KEPT_RUNS);
            self.unclear_since_run = false;
        }
        if doubtful {
            self.doubt();
        }
        fewer
    }

    fn doubt(&mut self) {
        self.unclear = true;
        self.unclear_since_run = true;
    }

    fn record_change(&mut self, step: &TraceEntry, call: &CallMarks, project: &str) {
        self.looked |= matches!(call.role, Role::Look | Role::Check | Role::Wait) || call.line.is_some();
        match call.edit.map(|edit| edit.effect) {
            _ if call.role != Role::Change => return,
            Some(EditEffect::Nothing) => return,
            Some(EditEffect::Lint) => {
                self.lint_changes = self.lint_changes.saturating_add(1);
                return;
            }
            Some(EditEffect::Code) | None => {}
        }
        self.edited |= call.writes.iter().any(|path| is_work(path, project));
        let mut code = call.writes.iter().filter(|path| is_source(path, project)).peekable();
        if code.peek().is_none() {
            return;
        }
        let deletes = call
            .line
            .as_ref()
            .is_some_and(|line| line.commands.iter().any(|one| one.program == "rm" || one.verb() == "rm"));
        for path in code {
            self.tests_deleted |= deletes && is_test(path);
            if let Some((_, ending)) = path.rsplit_once('.') {
                self.language = start(ending, 8).to_owned();
            }
        }
        self.changes = self.changes.saturating_add(1);
        self.last_change.clone_from(&step.id);
        self.looked = false;
        self.unclear = false;
        self.unclear_since_run = false;
        self.asked_outside = false;
    }

    fn run(&mut self, step: &TraceEntry, call: &CallMarks, shows: Vec<Shows>, said: &str) -> Option<Run> {
        let TestCounts { failed, passed: tests, total } = test_counts(said);
        let commands = call.line.iter().flat_map(|line| &line.commands);
        let mut checks = commands.clone().filter(|command| check::check_kind(command).is_some()).peekable();
        let named = checks.peek().is_some();
        let hidden = checks.clone().any(|command| command.exit_hidden || command.program == "gh");
        let by_task = !named || checks.any(check::is_task);
        // Of several commands, another one may have failed.
        let alone =
            named && commands.clone().all(|one| check::check_kind(one).is_some() || role::filters(one));
        let failed = match step.ended {
            CallOutcome::Succeeded => (hidden || !named) && failed,
            CallOutcome::Failed | CallOutcome::Excused if hidden => failed && !error_line(said).is_empty(),
            CallOutcome::Failed | CallOutcome::Excused => alone && (failed || tests.is_none()),
            CallOutcome::Interrupted | CallOutcome::Refused => return None,
        };
        let run = Run {
            id: step.id.clone(),
            shows,
            command: if named { call.what.clone() } else { Redacted::default() },
            call: step.call,
            changes: self.changes,
            lint_changes: self.lint_changes,
            by_task,
            failed,
            tests,
            total,
        };
        if let Some(task) = background_task(said).filter(|_| step.ended == CallOutcome::Succeeded) {
            push_bounded(&mut self.pending, (task, run), KEPT_PENDING);
            // The client tells the model how it ended, and not the hooks.
            self.doubt();
            return None;
        }
        let waiting = commands.clone().any(|command| command.program == "gh") && is_running(said);
        (!waiting).then_some(run)
    }

    /// Records the result of a run in the background.
    fn record_background(&mut self, step: &TraceEntry, call: &CallMarks, said: &str) {
        if step.ended != CallOutcome::Succeeded || !matches!(call.role, Role::Wait | Role::Look) {
            return;
        }
        let named = call.says(&["task_id", "bash_id", "shell_id"]).map(Redacted::new);
        let about = |task: &Redacted| call.what.contains(task.as_str()) || named.as_ref() == Some(task);
        let Some(at) = self.pending.iter().position(|(task, _)| about(task)) else { return };
        let told = test_counts(said);
        let over = said.contains("completed")
            || said.contains("exit_code")
            || told.total.is_some()
            || told.failed
            || !is_running(said);
        if !over {
            return;
        }
        let (_, mut run) = self.pending.remove(at);
        run.failed =
            told.failed || exit_code(said).is_some_and(|code| code != 0) || said.contains("status>failed");
        run.tests = told.passed;
        run.total = told.total;
        push_bounded(&mut self.runs, run, KEPT_RUNS);
    }

    /// The same command ran fewer tests than before, and they pass.
    fn fewer_tests(&mut self, step: &TraceEntry, ran: &Run) -> Option<FoundPattern> {
        if !ran.shows.contains(&Shows::Tests) {
            return None;
        }
        let deleted = std::mem::take(&mut self.tests_deleted);
        let earlier = self.runs.iter().rev().find(|run| run.call == ran.call && run.total.is_some())?;
        let (before, now) = (earlier.total?, ran.total.filter(|_| !ran.failed)?);
        if now >= before {
            return None;
        }
        let evidence = TraceEvidence::of(step, before - now);
        let severity = if deleted { IssueSeverity::Low } else { IssueSeverity::Note };
        let mut found = FoundPattern::new(Sign::FewerTests, severity, fingerprint(b"fewer tests"), &evidence);
        found.events.insert(0, earlier.id.clone());
        Some(found.with_description(format!("The same command ran {now} tests after {before} before.")))
    }

    /// The proof that a claim lacks; `None` where a run shows it, or could have.
    pub(super) fn missing(&self, claim: &Claim, admitted: Admitted) -> Option<MissingProof> {
        let About::Run(shows) = claim.about else {
            let shown = self.looked
                || self.unclear
                || self.changes == 0
                || self.runs.iter().any(|run| !run.failed && run.changes == self.changes);
            return (!shown).then(|| self.missing_for(Shows::Tests, MissingEvidence::NothingSince));
        };
        let is_current = |run: &&Run| {
            let linted = shows != Shows::Lint || run.lint_changes == self.lint_changes;
            run.changes == self.changes && linted && run.supports(shows)
        };
        let current = || self.runs.iter().filter(is_current);
        match current().next_back() {
            None if self.unclear || !self.edited || admitted == Admitted::NotRun => None,
            None if shows == Shows::All && self.asked_outside => None,
            None if self.runs.iter().any(|run| run.supports(shows)) => {
                Some(self.missing_for(shows, MissingEvidence::ChangedSince))
            }
            None => Some(self.missing_for(shows, MissingEvidence::NoRun)),
            Some(run) if run.failed => {
                let sure = !self.unclear_since_run && admitted == Admitted::Nothing;
                sure.then(|| self.missing_for(shows, MissingEvidence::Failed))
            }
            Some(_) if self.unclear => None,
            Some(_) => {
                let counts = |run: &Run| run.total.max(run.tests);
                let seen = self.runs.iter().filter_map(counts).reduce(u32::saturating_add);
                let uncounted = self.runs.iter().any(|run| run.supports(shows) && counts(run).is_none());
                let more = claim.number.zip(seen).is_some_and(|(claimed, seen)| claimed > seen) && !uncounted;
                more.then(|| self.missing_for(shows, MissingEvidence::Fewer(seen.unwrap_or_default())))
            }
        }
    }

    fn missing_for(&self, shows: Shows, why: MissingEvidence) -> MissingProof {
        let last = self.runs.iter().rev().find(|run| run.supports(shows));
        let exact = self.runs.iter().rev().find(|run| run.shows.contains(&shows) && !run.command.is_empty());
        let command = exact
            .map_or_else(|| usual_command(shows, &self.language).to_owned(), |run| run.command.to_string());
        let mut events: Vec<String> = last.map(|run| run.id.clone()).into_iter().collect();
        events.push(self.last_change.clone());
        events.retain(|id| !id.is_empty());
        MissingProof { command, why, events }
    }
}

/// Checks that the report of a sub-agent says to have passed.
fn claimed(report: &str) -> Vec<Shows> {
    let about = |claim: Claim| match claim.about {
        About::Run(shows) => Some(shows),
        About::Works => None,
    };
    claims(report).into_iter().filter_map(about).collect()
}

/// Whether a call asks another machine, which may know how the checks there ended.
fn asks_outside(tool: &str, call: &CallMarks) -> bool {
    let program = |name: &str| matches!(name, "gh" | "glab" | "curl" | "wget" | "http" | "xh");
    tool.starts_with("mcp__")
        || matches!(tool, "WebFetch" | "WebSearch")
        || call.line.iter().flat_map(|line| &line.commands).any(|command| program(&command.program))
}

fn is_running(said: &str) -> bool {
    ["pending", "in_progress", "queued", "running", "waiting"].iter().any(|word| said.contains(word))
}

/// The ID of the background task that the command became.
fn background_task(said: &str) -> Option<Redacted> {
    let (_, rest) = said
        .split_once("running in background with ID: ")
        .or_else(|| said.split_once("running in background with ID "))?;
    let id: String =
        rest.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).take(40).collect();
    (!id.is_empty()).then(|| Redacted::new(&id))
}

/// The exit code in the client's report on a finished task.
fn exit_code(said: &str) -> Option<i32> {
    let (_, rest) = said.split_once("<exit_code>")?;
    rest.split('<').next()?.trim().parse().ok()
}
