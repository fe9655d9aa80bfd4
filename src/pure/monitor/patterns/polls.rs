//! Repeated status checks: not a loop, but useless while nothing changes.

use super::call::CallMarks;
use super::found_pattern::{FoundPattern, severity_at};
use super::issue::{IssueSeverity, Refuse, Sign};
use super::role::Role;
use super::trace::{AgentTrace, CallOutcome, TraceEntry, TraceEvidence, push_bounded};
use crate::pure::policy::Patterns;
use serde::{Deserialize, Serialize};

/// Statuses that are tracked at once.
const MOST: usize = 4;
const MOST_IDS: usize = 6;
/// Whoever waits this long between two checks needs no advice to wait longer.
const PATIENT: u64 = 20_000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Poll {
    call: u32,
    result: u32,
    count: u32,
    began: u64,
    last: u64,
    /// The newest last.
    ids: Vec<String>,
}

/// Records the newest call, and finds one status check too many.
pub(super) fn unchanged(
    thread: &mut AgentTrace,
    call: &CallMarks,
    patterns: &Patterns,
) -> Option<FoundPattern> {
    let step = thread.steps.last()?.clone();
    let slept_before = thread.steps.iter().rev().nth(1).is_some_and(|step| step.role == Role::Sleep);
    let polls = match step.role {
        Role::Wait => true,
        Role::Sleep => slept_before,
        Role::Look => slept_since_the_same(thread, &step),
        Role::Change | Role::Check => false,
    };
    if step.after != step.before {
        thread.polls.clear();
    }
    if !polls || matches!(step.ended, CallOutcome::Interrupted | CallOutcome::Excused) {
        return None;
    }
    let waited = slept_before || blocks(call) || slept_since_the_same(thread, &step);
    let before = thread.polls.iter().find(|poll| poll.call == step.call).map_or(step.time, |poll| poll.last);
    let patient = step.role != Role::Sleep && (waited || step.time.saturating_sub(before) >= PATIENT);
    let poll = poll_with(&mut thread.polls, &step)?;
    let severity = match severity_at(poll.count, &patterns.unchanged_polls)? {
        IssueSeverity::Low if patient => IssueSeverity::Note,
        severity => severity,
    };
    let evidence = TraceEvidence::of(&step, poll.count);
    let mut found = FoundPattern::new(Sign::UnchangedPoll, severity, call.call, &evidence);
    found.events.clone_from(&poll.ids);
    found.began = poll.began;
    let said = format!("The same status was checked {} times without a change.", poll.count);
    Some(found.with_refusal(Refuse::Call(call.call)).with_description(said).with_path(call.path.clone()))
}

/// The call itself waits until there is something to see.
fn blocks(call: &CallMarks) -> bool {
    let sleeps = call.line.as_ref().is_some_and(|line| {
        line.commands.iter().any(|command| {
            matches!(command.program.as_str(), "sleep" | "wait")
                || command.has("watch")
                || command.has("--watch")
        })
    });
    sleeps || call.input.get("block").and_then(serde_json::Value::as_bool) == Some(true)
}

/// The poll that the call belongs to, moved to the end.
fn poll_with<'a>(polls: &'a mut Vec<Poll>, step: &TraceEntry) -> Option<&'a Poll> {
    let known = polls.iter().position(|poll| poll.call == step.call).map(|at| polls.remove(at));
    let mut poll = known
        .filter(|poll| poll.result == step.result || step.ended == CallOutcome::Refused)
        .unwrap_or_else(|| Poll {
            call: step.call,
            result: step.result,
            count: 0,
            began: step.time,
            last: step.time,
            ids: Vec::new(),
        });
    poll.count = poll.count.saturating_add(1);
    poll.last = step.time;
    if poll.ids.len() >= MOST_IDS {
        poll.ids.remove(1);
    }
    poll.ids.push(step.id.clone());
    push_bounded(polls, poll, MOST);
    polls.last()
}

/// Whether the same read was repeated after a sleep, which makes it a status check.
fn slept_since_the_same(thread: &AgentTrace, step: &TraceEntry) -> bool {
    let mut earlier = thread.steps.iter().rev().skip(1).take_while(|one| one.call != step.call).peekable();
    let slept = earlier.any(|one| one.role == Role::Sleep);
    slept && thread.steps.iter().rev().skip(1).any(|one| one.call == step.call)
}
