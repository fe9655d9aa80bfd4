//! The session monitor: a bounded record of a session, so that a tool call costs the same however long the session is.

use super::call::{CallMarks, LONGEST_WHAT};
use super::claims::{Admitted, claims};
use super::drift::{self, PlanState};
use super::evidence::CheckRuns;
use super::found_pattern::FoundPattern;
use super::issue::{Details, Issue, IssueSeverity, Refuse, Sign};
use super::mask::{error_kind, error_line, result_mark};
use super::monitored_call::{CallResult, MonitoredCall};
use super::outcome::response_text;
use super::plan::PlanItems;
use super::role::Role;
use super::scope::{self, TouchedPaths};
use super::tally::UsageTally;
use super::text::{line, mark, short, start};
use super::trace::{AgentTrace, CallOutcome, Phantom, TraceEntry, TraceEvidence, push_bounded};
use super::usage::{AgentPlan, RecentCall, Usage};
use super::{budget, errors, flip_flop, phantom, polls, ratchet, repeat};
use crate::pure::policy::Patterns;
use crate::pure::secret::Redacted;
use crate::pure::step::{Nature, fingerprint};
use serde::{Deserialize, Serialize};

/// The limits and the declared scope that the session is measured by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MonitorRules<'a> {
    pub patterns: &'a Patterns,
    pub contract: Contract<'a>,
    /// `interventions.resource_throttling.metrics_window_seconds`.
    pub window_seconds: u64,
    /// The project's root; paths in messages are relative to it.
    pub project: &'a str,
}

/// The declared scope; empty where nobody declared one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Contract<'a> {
    pub expected: &'a [String],
    pub forbidden: &'a [String],
}

const LONGEST_GOAL: usize = 2000;
const LONGEST_ERROR: usize = 200;
const LONGEST_NAME: usize = 64;
const KEPT_RECENT: usize = 50;
/// Agents whose steps are kept; the one that was quiet longest goes first.
const KEPT_THREADS: usize = 6;
/// No client runs more calls at once; beyond it the end of a batch was missed.
const LARGEST_BATCH: u32 = 32;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct SessionMonitor {
    /// The person's last request, bounded.
    pub goal: Redacted,
    threads: Vec<AgentTrace>,
    recent: Vec<RecentCall>,
    tally: UsageTally,
    plan: PlanItems,
    ledger: CheckRuns,
    touched: TouchedPaths,
    /// Successful changes of any kind, by any agent.
    changes: u32,
    /// Whether the client tells where a batch ends.
    tells_batches: bool,
}

impl SessionMonitor {
    /// A person's message: streaks start again.
    pub fn start_prompt(&mut self, prompt: &str, time: u64) {
        self.goal = Redacted::beginning(prompt, LONGEST_GOAL, |text| start(text, LONGEST_GOAL).to_owned());
        self.tally.start_prompt(time);
        self.ledger.start_prompt(prompt);
        self.touched = TouchedPaths::default();
        if let Some(main) = self.threads.iter_mut().find(|thread| thread.agent.is_empty()) {
            main.reset_for_prompt();
        }
    }

    /// Records one tool call and returns the issues that it shows.
    pub fn observe(&mut self, observed: &MonitoredCall<'_>, rules: &MonitorRules<'_>) -> Vec<Issue> {
        if self.knows(observed.id) {
            return Vec::new();
        }
        let call = CallMarks::read(observed.tool, observed.input, observed.nature);
        let said = match observed.ended {
            CallResult::Succeeded(response) => response_text(response),
            CallResult::Failed(error) => response_text(error),
            CallResult::Interrupted | CallResult::Refused => String::new(),
        };
        let fate = call_outcome(observed, &call, &said);
        let failed = matches!(fate, CallOutcome::Failed | CallOutcome::Excused);
        let error = failed.then(|| shown_error(&said));
        self.tally.record(observed, fate, rules.window_seconds);
        self.remember(observed, &call, fate, error.clone());
        let step = self.trace_entry(observed, &call, fate, &said);
        let found = self.detect(observed, &call, step, &said, rules);
        let growth = self.tally.growth();
        let details = |found: &FoundPattern| Details {
            tool: shown_name(observed.tool).to_string(),
            what: shown_path(&call.what, rules.project).to_owned(),
            file_path: call.path.as_deref().map(|path| line(shown_path(path, rules.project), LONGEST_WHAT)),
            out_of_scope_path: found
                .path
                .clone()
                .filter(|_| matches!(found.sign, Sign::OutOfScope | Sign::ForbiddenPath)),
            error: error.as_ref().map(Redacted::to_string),
            count: u64::from(found.count),
            claim: None,
            evidence: None,
            growth,
        };
        // Each agent has its own causes.
        let whose = if observed.agent.is_empty() { 0 } else { fingerprint(observed.agent.as_bytes()) };
        let issues = most_severe(found).into_iter().map(|found| {
            let details = details(&found);
            found.into_issue(details)
        });
        issues.map(|issue| Issue { cause: issue.cause ^ whose, ..issue }).collect()
    }

    /// The files are as they were at a checkpoint: what was used since then for the prompt does not count. Patterns stay.
    pub fn reset_usage(&mut self, time: u64) {
        self.tally.start_prompt(time);
    }

    /// Ends a parallel batch: its calls count once.
    pub fn end_batch(&mut self, agent: &str) {
        let first = !std::mem::replace(&mut self.tells_batches, true);
        let thread = self.thread(agent);
        let (batch, size) = (thread.batch, usize::try_from(thread.in_batch).unwrap_or_default());
        if first {
            thread.steps.iter_mut().rev().take(size).for_each(|step| step.batch = batch);
        }
        thread.batch = thread.batch.wrapping_add(1);
        thread.in_batch = 0;
    }

    /// The client compacted the conversation: reading the same files again is not a loop.
    pub fn forget_reads(&mut self, agent: &str) {
        self.thread(agent)
            .steps
            .retain(|step| step.role != Role::Look || step.ended != CallOutcome::Succeeded);
    }

    pub fn usage(&self, now: u64) -> Usage {
        self.tally.usage(now)
    }

    /// The last fifty steps, the oldest first.
    pub fn recent(&self) -> Vec<RecentCall> {
        self.recent.clone()
    }

    pub fn plan(&self) -> AgentPlan {
        self.plan.summary()
    }

    /// Whether this call falls under the refusal.
    pub fn is_refused(
        refuse: Refuse,
        tool: &str,
        input: &str,
        nature: Nature,
        rules: &MonitorRules<'_>,
    ) -> bool {
        let call = CallMarks::read(tool, input, nature);
        match refuse {
            Refuse::Call(name) => call.call == name,
            Refuse::Target(name) => call.target == name,
            Refuse::Changes => call.role == Role::Change,
            Refuse::OutsideScope => call.writes.iter().any(|path| scope::is_outside(path, rules)),
        }
    }

    /// Sets the language by the file ending that the manifest implies; the agent's own edits override it.
    pub fn set_language(&mut self, ending: &str) {
        self.ledger.set_language(ending);
    }

    /// The agent ends its turn with this message: returns its unproven claims.
    pub fn end_turn(&mut self, last_message: &str, time: u64, rules: &MonitorRules<'_>) -> Vec<Issue> {
        self.tally.end_turn(time);
        if !rules.patterns.claims_need_evidence {
            return Vec::new();
        }
        let admitted = Admitted::by(last_message);
        let unproven = claims(last_message)
            .into_iter()
            .filter_map(|claim| Some((self.ledger.missing(&claim, admitted)?, claim)));
        let mut issues: Vec<Issue> = Vec::new();
        for (missing, claim) in unproven {
            if issues.iter().any(|issue| issue.details.evidence.as_deref() == Some(&missing.command)) {
                continue;
            }
            let details = Details {
                what: line(&claim.sentence, LONGEST_WHAT),
                claim: Some(claim.sentence.clone()),
                evidence: Some(missing.command.clone()),
                count: 1,
                growth: self.tally.growth(),
                ..Details::default()
            };
            let evidence = TraceEvidence::counted(1, time);
            let cause = fingerprint(missing.command.as_bytes());
            let mut found = FoundPattern::new(Sign::UnprovenClaim, IssueSeverity::Low, cause, &evidence)
                .with_description(format!(
                    "The message says “{}”, but {}.",
                    claim.sentence.trim(),
                    missing.why
                ));
            found.events = missing.events;
            issues.push(found.into_issue(details));
        }
        issues
    }

    /// Whether the call was observed before; such a call counts once.
    fn knows(&self, id: &str) -> bool {
        let id = start(id, LONGEST_NAME);
        !id.is_empty() && self.recent.iter().any(|step| step.id == id)
    }

    fn thread(&mut self, agent: &str) -> &mut AgentTrace {
        let agent = start(agent, LONGEST_NAME);
        let known =
            self.threads.iter().position(|thread| thread.agent == agent).map(|at| self.threads.remove(at));
        if known.is_none() && self.threads.len() >= KEPT_THREADS {
            let oldest = self.threads.iter().position(|thread| !thread.agent.is_empty()).unwrap_or_default();
            self.threads.remove(oldest);
        }
        self.threads.push_mut(known.unwrap_or_else(|| AgentTrace::new(agent)))
    }

    fn remember(
        &mut self,
        observed: &MonitoredCall<'_>,
        call: &CallMarks,
        fate: CallOutcome,
        error: Option<Redacted>,
    ) {
        let call = RecentCall {
            id: start(observed.id, LONGEST_NAME).to_owned(),
            time: observed.time,
            agent: start(observed.agent, LONGEST_NAME).to_owned(),
            tool: shown_name(observed.tool),
            what: call.what.clone(),
            outcome: fate.recent_result(),
            error,
        };
        push_bounded(&mut self.recent, call, KEPT_RECENT);
    }

    fn trace_entry(
        &mut self,
        observed: &MonitoredCall<'_>,
        call: &CallMarks,
        fate: CallOutcome,
        said: &str,
    ) -> TraceEntry {
        let before = self.changes;
        if fate == CallOutcome::Succeeded && call.role == Role::Change {
            self.changes = self.changes.wrapping_add(1);
        }
        let (after, tells_batches) = (self.changes, self.tells_batches);
        let thread = self.thread(observed.agent);
        thread.calls = thread.calls.saturating_add(1);
        thread.in_batch = thread.in_batch.saturating_add(1);
        if !tells_batches || thread.in_batch > LARGEST_BATCH {
            thread.batch = thread.batch.wrapping_add(1);
        }
        let failed = fate == CallOutcome::Failed;
        TraceEntry {
            id: start(observed.id, LONGEST_NAME).to_owned(),
            time: observed.time,
            call: short(call.call),
            target: short(call.target),
            result: result_mark(said),
            error: if failed { mark(&error_kind(said)) } else { 0 },
            phantom: if failed { phantom::phantom_of(call, said) } else { Phantom::None },
            role: call.role,
            ended: fate,
            batch: thread.batch,
            before,
            after,
        }
    }

    fn detect(
        &mut self,
        observed: &MonitoredCall<'_>,
        call: &CallMarks,
        step: TraceEntry,
        said: &str,
        rules: &MonitorRules<'_>,
    ) -> Vec<FoundPattern> {
        let patterns = rules.patterns;
        let mut found = Vec::new();
        found.extend(self.ledger.record(observed.tool, &step, call, said, rules.project));
        if step.ended == CallOutcome::Succeeded {
            found.extend(self.touched.record(&step, call, rules));
            self.plan.record(observed.tool, call, said);
        }
        let planned = if self.plan.has_open() { PlanState::Open } else { PlanState::Nothing };
        let edits = self.ledger.changes();
        let thread = self.thread(observed.agent);
        thread.push(step);
        let loops = [
            repeat::no_progress(&thread.steps, call, patterns),
            repeat::cycle(&thread.steps, call, patterns),
            errors::family(&thread.steps, call, patterns),
            flip_flop::detect(thread, call, patterns),
            errors::streak(&thread.steps, call, patterns),
        ];
        // One cause shows in several ways; only the first of the most severe is reported.
        found.extend(loops.into_iter().flatten().rev().max_by_key(|one| one.severity));
        found.extend(polls::unchanged(thread, call, patterns));
        found.extend(ratchet::detect(thread, observed.tool, call, said, edits, patterns));
        found.extend(phantom::detect(&thread.steps, call, patterns));
        found.extend(errors::ratio(&thread.steps, patterns));
        found.extend(budget::calls(thread, patterns));
        if thread.agent.is_empty() {
            found.extend(drift::detect(thread, observed.tool, call, planned, rules));
        }
        found
    }
}

/// How a call counts: a call that a person rejected or that was cancelled with its siblings is not an error.
fn call_outcome(observed: &MonitoredCall<'_>, call: &CallMarks, said: &str) -> CallOutcome {
    const BY_PERSON: [&str; 4] =
        ["The user doesn't want to", "[Request interrupted by user", "The user rejected", "User rejected"];
    match observed.ended {
        CallResult::Succeeded(_) => CallOutcome::Succeeded,
        CallResult::Interrupted => CallOutcome::Interrupted,
        CallResult::Refused => CallOutcome::Refused,
        CallResult::Failed(_) if BY_PERSON.iter().any(|sign| said.contains(sign)) => CallOutcome::Interrupted,
        CallResult::Failed(_) if said.contains("Sibling tool call errored") => CallOutcome::Excused,
        CallResult::Failed(_)
            if call.role == Role::Look && call.line.is_some() && said.trim() == "Exit code 1" =>
        {
            CallOutcome::Excused
        }
        CallResult::Failed(_) => CallOutcome::Failed,
    }
}

/// A path as people write it: from the project's root.
fn shown_path<'a>(path: &'a str, project: &str) -> &'a str {
    let below = path.strip_prefix(project).filter(|_| !project.is_empty());
    below.and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

/// The most informative line, redacted with the lines around it.
fn shown_error(said: &str) -> Redacted {
    let at = |part: &str| (part.as_ptr() as usize).saturating_sub(said.as_ptr() as usize);
    let piece = match error_line(said) {
        "" => 0..start(said, LONGEST_ERROR * 8).len(),
        telling => at(telling)..at(telling) + start(telling, LONGEST_ERROR * 8).len(),
    };
    Redacted::piece(said, piece, |text| line(text, LONGEST_ERROR))
}

fn shown_name(name: &str) -> Redacted {
    Redacted::beginning(name, LONGEST_NAME, |text| start(text, LONGEST_NAME).to_owned())
}

/// The most severe of each cause.
fn most_severe(mut found: Vec<FoundPattern>) -> Vec<FoundPattern> {
    found.sort_by_key(|one| std::cmp::Reverse(one.severity));
    let mut kept: Vec<FoundPattern> = Vec::new();
    for one in found {
        if !kept.iter().any(|other| other.cause == one.cause) {
            kept.push(one);
        }
    }
    kept
}
