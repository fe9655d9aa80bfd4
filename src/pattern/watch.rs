//! What is kept of a session to see patterns: bounded, so that a step costs the same however long the session is.

use super::call::{Call, LONGEST_WHAT};
use super::claims::claims;
use super::drift::{self, Planned};
use super::evidence::Ledger;
use super::found::Found;
use super::issue::{Details, Issue, Refuse, Severity, Sign};
use super::masked::{error_kind, error_line, result_mark};
use super::missing::Why;
use super::observed::{Ended, Observed};
use super::outcome::spoken;
use super::plan::Items;
use super::role::Role;
use super::scope::{self, Touched};
use super::tally::Tally;
use super::text::{line, mark, short, start};
use super::trace::{Fate, Phantom, Step, Thread};
use super::usage::{Plan, Recent, Usage};
use super::{budget, errors, flip_flop, phantom, polls, ratchet, repeat};
use crate::policy::Patterns;
use crate::secret::Redacted;
use crate::step::{Nature, fingerprint};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What the session is measured by.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    pub patterns: &'a Patterns,
    pub contract: Contract<'a>,
    /// `interventions.resource_throttling.metrics_window_seconds`.
    pub window_seconds: u64,
    /// The project's root, so that paths are told as people write them.
    pub project: &'a str,
}

/// The declared scope; empty where nobody declared one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Contract<'a> {
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
pub struct Watch {
    /// What the person asked for last, bounded.
    pub goal: Redacted,
    threads: Vec<Thread>,
    recent: VecDeque<Recent>,
    tally: Tally,
    plan: Items,
    ledger: Ledger,
    touched: Touched,
    /// Successful changes of any kind, by any agent.
    changes: u32,
    /// Whether the client tells where a batch ends.
    tells_batches: bool,
}

impl Watch {
    /// A person's message: streaks start anew.
    pub fn prompted(&mut self, prompt: &str, time: u64) {
        self.goal = Redacted::beginning(prompt, LONGEST_GOAL, |text| start(text, LONGEST_GOAL).to_owned());
        self.tally.prompted(time);
        self.touched = Touched::default();
        if let Some(main) = self.threads.iter_mut().find(|thread| thread.agent.is_empty()) {
            main.begin_anew();
        }
    }

    /// Takes one step in, and says what it shows.
    pub fn observe(&mut self, observed: &Observed<'_>, rules: &Rules<'_>) -> Vec<Issue> {
        if self.knows(observed.id) {
            return Vec::new();
        }
        let call = Call::read(observed.tool, observed.input, observed.nature);
        let said = match observed.ended {
            Ended::Well(response) => spoken(response),
            Ended::Badly(error) => spoken(error),
            Ended::Interrupted | Ended::Refused => String::new(),
        };
        let fate = fate(observed, &call, &said);
        let failed = matches!(fate, Fate::Badly | Fate::Excused);
        let error = failed.then(|| shown_error(&said));
        self.tally.take(observed, fate, rules.window_seconds);
        self.remember(observed, &call, fate, error.clone());
        let step = self.step(observed, &call, fate, &said);
        let found = self.looked(observed, &call, step, &said, rules);
        let growth = self.tally.growth();
        let details = |found: &Found| Details {
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
        // The trouble of one agent is not that of another.
        let whose = if observed.agent.is_empty() { 0 } else { fingerprint(observed.agent.as_bytes()) };
        let issues = most_severe(found).into_iter().map(|found| issue(details(&found), found));
        issues.map(|issue| Issue { cause: issue.cause ^ whose, ..issue }).collect()
    }

    /// A parallel batch is over: its calls count once.
    pub fn batch_ended(&mut self, agent: &str) {
        let first = !std::mem::replace(&mut self.tells_batches, true);
        let thread = self.thread(agent);
        let (batch, size) = (thread.batch, usize::try_from(thread.in_batch).unwrap_or_default());
        if first {
            thread.steps.iter_mut().rev().take(size).for_each(|step| step.batch = batch);
        }
        thread.batch = thread.batch.wrapping_add(1);
        thread.in_batch = 0;
    }

    /// The agent's memory was shortened: to look again at what it forgot is no loop.
    pub fn compacted(&mut self, agent: &str) {
        self.thread(agent).steps.retain(|step| step.role != Role::Look || step.ended != Fate::Well);
    }

    pub fn usage(&self, now: u64) -> Usage {
        self.tally.usage(now)
    }

    /// The last fifty steps, the oldest first.
    pub fn recent(&self) -> Vec<Recent> {
        self.recent.iter().cloned().collect()
    }

    pub fn plan(&self) -> Plan {
        self.plan.shown()
    }

    /// Whether this call is one of those that are to be refused.
    pub fn is_meant(refuse: Refuse, tool: &str, input: &str, nature: Nature, rules: &Rules<'_>) -> bool {
        let call = Call::read(tool, input, nature);
        match refuse {
            Refuse::Call(name) => call.call == name,
            Refuse::Target(name) => call.target == name,
            Refuse::Changes => call.role == Role::Change,
            Refuse::OutsideScope => call.writes.iter().any(|path| scope::is_outside(path, rules)),
        }
    }

    /// How the files of the project end, as its manifest says; what the agent itself changed says more.
    pub fn speaks(&mut self, ending: &str) {
        self.ledger.speaks(ending);
    }

    /// The agent wants to end its turn with these words.
    pub fn ended(&mut self, last_message: &str, time: u64, rules: &Rules<'_>) -> Vec<Issue> {
        self.tally.rest(time);
        if !rules.patterns.claims_need_evidence {
            return Vec::new();
        }
        let unproven =
            claims(last_message).into_iter().filter_map(|claim| Some((self.ledger.missing(&claim)?, claim)));
        let mut issues: Vec<Issue> = Vec::new();
        for (missing, claim) in unproven {
            let why = match missing.why {
                Why::NoRun => "no run in this session shows it".to_owned(),
                Why::ChangedSince => "the code changed after the last run that showed it".to_owned(),
                Why::Failed => "the last run did not show it".to_owned(),
                Why::Fewer(seen) => format!("the runs showed {seen} tests"),
                Why::NothingSince => "nothing was run or looked at after the last change".to_owned(),
            };
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
            let found = Found {
                sign: Sign::UnprovenClaim,
                severity: Severity::Low,
                cause: fingerprint(missing.command.as_bytes()),
                count: 1,
                events: missing.events,
                began: time,
                refuse: None,
                description: format!("The message says “{}”, but {why}.", claim.sentence.trim()),
                path: None,
            };
            issues.push(issue(details, found));
        }
        issues
    }

    /// A call that was told of already counts once.
    fn knows(&self, id: &str) -> bool {
        let id = start(id, LONGEST_NAME);
        !id.is_empty() && self.recent.iter().any(|step| step.id == id)
    }

    fn thread(&mut self, agent: &str) -> &mut Thread {
        let agent = start(agent, LONGEST_NAME);
        let known =
            self.threads.iter().position(|thread| thread.agent == agent).map(|at| self.threads.remove(at));
        if known.is_none() && self.threads.len() >= KEPT_THREADS {
            let oldest = self.threads.iter().position(|thread| !thread.agent.is_empty()).unwrap_or_default();
            self.threads.remove(oldest);
        }
        self.threads.push_mut(known.unwrap_or_else(|| Thread::new(agent)))
    }

    fn remember(&mut self, observed: &Observed<'_>, call: &Call, fate: Fate, error: Option<Redacted>) {
        if self.recent.len() >= KEPT_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(Recent {
            id: start(observed.id, LONGEST_NAME).to_owned(),
            time: observed.time,
            agent: start(observed.agent, LONGEST_NAME).to_owned(),
            tool: shown_name(observed.tool),
            what: call.what.clone(),
            outcome: fate.came(),
            error,
        });
    }

    fn step(&mut self, observed: &Observed<'_>, call: &Call, fate: Fate, said: &str) -> Step {
        let before = self.changes;
        if fate == Fate::Well && call.role == Role::Change {
            self.changes = self.changes.wrapping_add(1);
        }
        let (after, tells_batches) = (self.changes, self.tells_batches);
        let thread = self.thread(observed.agent);
        thread.calls = thread.calls.saturating_add(1);
        thread.in_batch = thread.in_batch.saturating_add(1);
        if !tells_batches || thread.in_batch > LARGEST_BATCH {
            thread.batch = thread.batch.wrapping_add(1);
        }
        let failed = fate == Fate::Badly;
        Step {
            id: start(observed.id, LONGEST_NAME).to_owned(),
            time: observed.time,
            call: short(call.call),
            target: short(call.target),
            result: result_mark(said),
            error: if failed { mark(&error_kind(said)) } else { 0 },
            phantom: if failed { phantom::sought(call, said) } else { Phantom::None },
            role: call.role,
            ended: fate,
            batch: thread.batch,
            before,
            after,
        }
    }

    fn looked(
        &mut self,
        observed: &Observed<'_>,
        call: &Call,
        step: Step,
        said: &str,
        rules: &Rules<'_>,
    ) -> Vec<Found> {
        let patterns = rules.patterns;
        let mut found = Vec::new();
        found.extend(self.ledger.take(observed.tool, &step, call, said, rules.project));
        if step.ended == Fate::Well {
            found.extend(self.touched.take(&step, call, rules));
            self.plan.take(observed.tool, call, said);
        }
        let planned = if self.plan.has_open() { Planned::Open } else { Planned::Nothing };
        let edits = self.ledger.changes();
        let thread = self.thread(observed.agent);
        thread.push(step);
        let loops = [
            repeat::no_progress(&thread.steps, call, patterns),
            repeat::cycle(&thread.steps, call, patterns),
            errors::family(&thread.steps, call, patterns),
            flip_flop::look(thread, call, patterns),
            errors::streak(&thread.steps, call, patterns),
        ];
        // One trouble shows in several ways; the first that says the worst speaks for all.
        found.extend(loops.into_iter().flatten().rev().max_by_key(|one| one.severity));
        found.extend(polls::unchanged(thread, call, patterns));
        found.extend(ratchet::look(thread, observed.tool, call, said, edits, patterns));
        found.extend(phantom::look(&thread.steps, call, patterns));
        found.extend(errors::ratio(&thread.steps, patterns));
        found.extend(budget::calls(thread, patterns));
        if thread.agent.is_empty() {
            found.extend(drift::look(thread, observed.tool, call, planned, rules));
        }
        found
    }
}

/// How a step counts: what a person broke off or said no to is no error, and neither is what fell with its siblings.
fn fate(observed: &Observed<'_>, call: &Call, said: &str) -> Fate {
    const BY_PERSON: [&str; 4] =
        ["The user doesn't want to", "[Request interrupted by user", "The user rejected", "User rejected"];
    match observed.ended {
        Ended::Well(_) => Fate::Well,
        Ended::Interrupted => Fate::Interrupted,
        Ended::Refused => Fate::Refused,
        Ended::Badly(_) if BY_PERSON.iter().any(|sign| said.contains(sign)) => Fate::Interrupted,
        Ended::Badly(_) if said.contains("Sibling tool call errored") => Fate::Excused,
        Ended::Badly(_) if call.role == Role::Look && call.line.is_some() && said.trim() == "Exit code 1" => {
            Fate::Excused
        }
        Ended::Badly(_) => Fate::Badly,
    }
}

/// A path as people write it: from the project's root.
fn shown_path<'a>(path: &'a str, project: &str) -> &'a str {
    let below = path.strip_prefix(project).filter(|_| !project.is_empty());
    below.and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

/// The line that says most, read with the lines around it.
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
fn most_severe(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|one| std::cmp::Reverse(one.severity));
    let mut kept: Vec<Found> = Vec::new();
    for one in found {
        if !kept.iter().any(|other| other.cause == one.cause) {
            kept.push(one);
        }
    }
    kept
}

fn issue(details: Details, found: Found) -> Issue {
    let (confidence, impact) = found.sign.weight();
    Issue {
        pattern: found.sign.pattern(),
        sign: found.sign,
        severity: found.severity,
        confidence,
        impact,
        cause: found.cause,
        description: found.description,
        details,
        events: found.events,
        began: found.began,
        refuse: found.refuse,
    }
}
