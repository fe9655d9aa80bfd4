//! Looks at something that is waited for: no loop, but no use either as long as nothing changes.

use super::call::Call;
use super::found::{Found, reached};
use super::issue::{Refuse, Severity, Sign};
use super::role::Role;
use super::trace::{Evidence, Fate, Step, Thread};
use crate::policy::Patterns;
use serde::{Deserialize, Serialize};

/// What is waited for at once.
const MOST: usize = 4;
const MOST_IDS: usize = 6;
/// Who waits as long as this between two looks needs no advice to wait longer.
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

/// Takes the newest step of the thread in, and says whether it was a look too many.
pub(super) fn unchanged(thread: &mut Thread, call: &Call, patterns: &Patterns) -> Option<Found> {
    let step = thread.steps.back()?.clone();
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
    if !polls || matches!(step.ended, Fate::Interrupted | Fate::Excused) {
        return None;
    }
    let waited = slept_before || blocks(call) || slept_since_the_same(thread, &step);
    let before = thread.polls.iter().find(|poll| poll.call == step.call).map_or(step.time, |poll| poll.last);
    let patient = step.role != Role::Sleep && (waited || step.time.saturating_sub(before) >= PATIENT);
    let poll = taken(&mut thread.polls, &step)?;
    let severity = match reached(poll.count, &patterns.unchanged_polls)? {
        Severity::Low if patient => Severity::Note,
        severity => severity,
    };
    let mut evidence = Evidence::default();
    evidence.add(&step);
    evidence.count = poll.count;
    let mut found = Found::new(Sign::UnchangedPoll, severity, call.call, &evidence);
    found.events.clone_from(&poll.ids);
    found.began = poll.began;
    let said = format!("It was looked at {} times, and nothing had changed.", poll.count);
    Some(found.refusing(Refuse::Call(call.call)).saying(said).at(call.path.clone()))
}

/// The call itself waits until there is something to see.
fn blocks(call: &Call) -> bool {
    let sleeps = call.line.as_ref().is_some_and(|line| {
        line.commands.iter().any(|command| {
            matches!(command.program.as_str(), "sleep" | "wait")
                || command.has("watch")
                || command.has("--watch")
        })
    });
    sleeps || call.input.get("block").and_then(serde_json::Value::as_bool) == Some(true)
}

/// The poll that the step belongs to, moved to the end.
fn taken<'a>(polls: &'a mut Vec<Poll>, step: &Step) -> Option<&'a Poll> {
    let known = polls.iter().position(|poll| poll.call == step.call).map(|at| polls.remove(at));
    let mut poll = known
        .filter(|poll| poll.result == step.result || step.ended == Fate::Refused)
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
    if polls.len() >= MOST {
        polls.remove(0);
    }
    polls.push(poll);
    polls.last()
}

/// A look that is repeated with a pause before it waits for something.
fn slept_since_the_same(thread: &Thread, step: &Step) -> bool {
    let mut earlier = thread.steps.iter().rev().skip(1).take_while(|one| one.call != step.call).peekable();
    let slept = earlier.any(|one| one.role == Role::Sleep);
    slept && thread.steps.iter().rev().skip(1).any(|one| one.call == step.call)
}
