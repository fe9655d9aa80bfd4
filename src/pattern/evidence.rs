//! What was shown by runs, on which state of the code: the ledger that claims are held against.

use super::call::Call;
use super::check::{self, Shows};
use super::claims::{About, Claim, claims};
use super::code_change::{is_code, is_test, moves_tree};
use super::found::Found;
use super::issue::{Severity, Sign};
use super::masked::error_line;
use super::missing::{Missing, Why, general};
use super::outcome::{Told, told_by};
use super::role::Role;
use super::text::start;
use super::tools;
use super::trace::{Evidence, Fate, Step};
use crate::secret::Redacted;
use crate::step::fingerprint;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

const KEPT_RUNS: usize = 16;
const KEPT_PENDING: usize = 4;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Ledger {
    runs: VecDeque<Run>,
    /// Runs in the background, by the name of their task.
    pending: Vec<(Redacted, Run)>,
    /// Changes to code so far.
    changes: u32,
    last_change: String,
    /// How the last changed file of code ends.
    language: String,
    /// Something was looked at or run since the last change.
    looked: bool,
    /// A file of tests was deleted since the last run of tests.
    tests_deleted: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Run {
    id: String,
    shows: Vec<Shows>,
    /// As it was called; empty where a sub-agent told of it.
    command: Redacted,
    call: u32,
    /// Changes to code before it.
    changes: u32,
    passed: bool,
    tests: Option<u32>,
    total: Option<u32>,
}

impl Ledger {
    /// What the project is written in, where no edit has shown it yet.
    pub(super) fn speaks(&mut self, ending: &str) {
        if self.language.is_empty() {
            self.language = start(ending, 8).to_owned();
        }
    }

    pub(super) fn changes(&self) -> u32 {
        self.changes
    }

    /// Takes the newest step in; `said` is the text of its result or error.
    pub(super) fn take(
        &mut self,
        tool: &str,
        step: &Step,
        call: &Call,
        said: &str,
        project: &str,
    ) -> Option<Found> {
        if step.ended == Fate::Well {
            self.changed(step, call, project);
        }
        if tools::starts_agent(tool) && step.ended == Fate::Well {
            self.reported(step, said);
            return None;
        }
        self.background(step, call, said);
        if call.shows.is_empty() || call.line.is_none() {
            return None;
        }
        let ran = self.run(step, call, said)?;
        let fewer = self.fewer(step, &ran);
        self.keep(ran);
        fewer
    }

    fn changed(&mut self, step: &Step, call: &Call, project: &str) {
        self.looked |= matches!(call.role, Role::Look | Role::Check | Role::Wait) || call.line.is_some();
        let moves_tree = call.line.as_ref().is_some_and(|line| line.commands.iter().any(moves_tree));
        let mut code = call.writes.iter().filter(|path| is_code(path, project)).peekable();
        let remarks = call.edit.is_some_and(|edit| edit.only_comments);
        if call.role != Role::Change || remarks || (code.peek().is_none() && !moves_tree) {
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
    }

    /// What a sub-agent says that it ran. Its own calls are seen as well where the client tells of them.
    fn reported(&mut self, step: &Step, said: &str) {
        let shows: Vec<Shows> = claims(said)
            .iter()
            .filter_map(|claim| match claim.about {
                About::Run(shows) => Some(shows),
                About::Works => None,
            })
            .collect();
        if !shows.is_empty() {
            let run = Run {
                id: step.id.clone(),
                shows,
                command: Redacted::default(),
                call: step.call,
                changes: self.changes,
                passed: true,
                tests: None,
                total: None,
            };
            self.keep(run);
        }
    }

    fn keep(&mut self, run: Run) {
        if self.runs.len() >= KEPT_RUNS {
            self.runs.pop_front();
        }
        self.runs.push_back(run);
    }

    fn run(&mut self, step: &Step, call: &Call, said: &str) -> Option<Run> {
        let Told { failed, passed: tests, total } = told_by(said);
        let commands = call.line.iter().flat_map(|line| &line.commands);
        let hidden = commands.clone().any(|command| {
            check::shown(command).is_some() && (command.exit_hidden || command.program == "gh")
        });
        let passed = match step.ended {
            Fate::Well => !hidden || !failed,
            // A search in its output that found nothing.
            Fate::Badly | Fate::Excused => hidden && error_line(said).is_empty(),
            Fate::Interrupted | Fate::Refused => return None,
        };
        let run = Run {
            id: step.id.clone(),
            shows: call.shows.clone(),
            command: call.what.clone(),
            call: step.call,
            changes: self.changes,
            passed,
            tests,
            total,
        };
        if let Some(task) = background_task(said).filter(|_| step.ended == Fate::Well) {
            if self.pending.len() >= KEPT_PENDING {
                self.pending.remove(0);
            }
            self.pending.push((task, run));
            return None;
        }
        let waiting = commands.clone().any(|command| command.program == "gh") && is_under_way(said);
        (!waiting).then_some(run)
    }

    /// A look at a run in the background.
    fn background(&mut self, step: &Step, call: &Call, said: &str) {
        if step.ended != Fate::Well || !matches!(call.role, Role::Wait | Role::Look) {
            return;
        }
        let named = call.says(&["task_id", "bash_id", "shell_id"]).map(Redacted::new);
        let about = |task: &Redacted| call.what.contains(task.as_str()) || named.as_ref() == Some(task);
        let Some(at) = self.pending.iter().position(|(task, _)| about(task)) else { return };
        let told = told_by(said);
        let over = said.contains("completed")
            || said.contains("exit_code")
            || told.total.is_some()
            || told.failed
            || !is_under_way(said);
        if !over {
            return;
        }
        let (_, mut run) = self.pending.remove(at);
        run.passed =
            !told.failed && exit_code(said).is_none_or(|code| code == 0) && !said.contains("status>failed");
        run.tests = told.passed;
        run.total = told.total;
        self.keep(run);
    }

    /// The same command ran fewer tests than before, and they pass.
    fn fewer(&mut self, step: &Step, ran: &Run) -> Option<Found> {
        if !ran.shows.contains(&Shows::Tests) {
            return None;
        }
        let deleted = std::mem::take(&mut self.tests_deleted);
        let earlier = self.runs.iter().rev().find(|run| run.call == ran.call && run.total.is_some())?;
        let (before, now) = (earlier.total?, ran.total.filter(|_| ran.passed)?);
        if now >= before {
            return None;
        }
        let mut evidence = Evidence::default();
        evidence.add(step);
        evidence.count = before - now;
        let severity = if deleted { Severity::Low } else { Severity::Note };
        let mut found = Found::new(Sign::FewerTests, severity, fingerprint(b"fewer tests"), &evidence);
        found.events.insert(0, earlier.id.clone());
        Some(found.saying(format!("The same command ran {now} tests after {before} before.")))
    }

    /// The command that would show a claim, and the calls that speak against it; nothing where it is shown.
    pub(super) fn missing(&self, claim: &Claim) -> Option<Missing> {
        let About::Run(shows) = claim.about else {
            let shown = self.looked
                || self.changes == 0
                || self.runs.iter().any(|run| run.passed && run.changes == self.changes);
            return (!shown).then(|| self.missing_for(Shows::Tests, Why::NothingSince));
        };
        let supports = |run: &&Run| run.shows.iter().any(|shown| shown.supports(shows));
        let current = || self.runs.iter().filter(|run| run.changes == self.changes).filter(supports);
        match current().next_back() {
            None if self.runs.iter().any(|run| supports(&run)) => {
                Some(self.missing_for(shows, Why::ChangedSince))
            }
            None => Some(self.missing_for(shows, Why::NoRun)),
            Some(run) if !run.passed => Some(self.missing_for(shows, Why::Failed)),
            Some(_) => {
                let seen: Option<u32> =
                    current().filter_map(|run| run.total.max(run.tests)).reduce(u32::saturating_add);
                let uncounted = current().any(|run| run.total.is_none() && run.tests.is_none());
                let more = claim.number.zip(seen).is_some_and(|(claimed, seen)| claimed > seen) && !uncounted;
                more.then(|| self.missing_for(shows, Why::Fewer(seen.unwrap_or_default())))
            }
        }
    }

    fn missing_for(&self, shows: Shows, why: Why) -> Missing {
        let last = self.runs.iter().rev().find(|run| run.shows.iter().any(|shown| shown.supports(shows)));
        let exact = self.runs.iter().rev().find(|run| run.shows.contains(&shows) && !run.command.is_empty());
        let command =
            exact.map_or_else(|| general(shows, &self.language).to_owned(), |run| run.command.to_string());
        let mut events: Vec<String> = last.map(|run| run.id.clone()).into_iter().collect();
        events.push(self.last_change.clone());
        events.retain(|id| !id.is_empty());
        Missing { command, why, events }
    }
}

fn is_under_way(said: &str) -> bool {
    ["pending", "in_progress", "queued", "running", "waiting"].iter().any(|word| said.contains(word))
}

/// The name of the task that a command goes on as.
fn background_task(said: &str) -> Option<Redacted> {
    let (_, rest) = said
        .split_once("running in background with ID: ")
        .or_else(|| said.split_once("running in background with ID "))?;
    let id: String =
        rest.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).take(40).collect();
    (!id.is_empty()).then(|| Redacted::new(&id))
}

/// As the client tells of a task that ended.
fn exit_code(said: &str) -> Option<i32> {
    let (_, rest) = said.split_once("<exit_code>")?;
    rest.split('<').next()?.trim().parse().ok()
}
