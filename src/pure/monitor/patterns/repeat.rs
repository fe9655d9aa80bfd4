//! The same call, or the same few calls in turn, that come out the same while nothing changes.

use super::call::CallMarks;
use super::found_pattern::{FoundPattern, severity_at};
use super::issue::{Refuse, Sign};
use super::role::Role;
use super::trace::{CallOutcome, TraceEntry, TraceEvidence};
use crate::pure::policy::Patterns;

/// Longer cycles are no cycles that anybody could tell from work.
const LONGEST_CYCLE: usize = 6;

/// The same call with the same result, and no other call changed anything in between.
pub(super) fn no_progress(
    steps: &[TraceEntry],
    call: &CallMarks,
    patterns: &Patterns,
) -> Option<FoundPattern> {
    let last = steps.last().filter(|step| counts(step))?;
    // The same text cannot be replaced twice unless somebody put it back: that is a flip-flop, and looked for there.
    if last.ended == CallOutcome::Succeeded && call.edit.is_some_and(|edit| edit.from.is_some()) {
        return None;
    }
    let mut evidence = TraceEvidence::default();
    evidence.add(last);
    let mut unchanged_since = last.before;
    let mut result = (last.ended != CallOutcome::Refused).then_some(last.result);
    for step in steps.iter().rev().skip(1) {
        if step.role == Role::Sleep && evidence.count > 0 {
            break;
        }
        if step.call != last.call || step.ended == CallOutcome::Interrupted {
            continue;
        }
        let other = step.ended != CallOutcome::Refused && *result.get_or_insert(step.result) != step.result;
        if other || step.after != unchanged_since {
            break;
        }
        unchanged_since = step.before;
        evidence.add(step);
    }
    let severity = severity_at(evidence.count, &patterns.repeat)?;
    let how = match last.ended {
        CallOutcome::Failed | CallOutcome::Refused | CallOutcome::Excused => "failed the same way",
        CallOutcome::Succeeded | CallOutcome::Interrupted => "gave the same result",
    };
    let said = format!("The same call {how} {} times, and nothing changed in between.", evidence.count);
    Some(
        FoundPattern::new(Sign::NoProgress, severity, call.call, &evidence)
            .with_refusal(Refuse::Call(call.call))
            .with_description(said)
            .with_path(call.path.clone()),
    )
}

/// Two to six calls in turn, each time with the same results.
pub(super) fn cycle(steps: &[TraceEntry], call: &CallMarks, patterns: &Patterns) -> Option<FoundPattern> {
    let last = steps.last().filter(|step| counts(step))?;
    let newest: Vec<&TraceEntry> =
        steps.iter().rev().filter(|step| step.ended != CallOutcome::Interrupted).collect();
    (2..=LONGEST_CYCLE).find_map(|period| {
        let turn = newest.get(..period)?;
        let varied = turn.iter().any(|step| step.call != last.call);
        if !varied || !turn.iter().all(|step| counts(step)) {
            return None;
        }
        let same = |chunk: &&[&TraceEntry]| chunk.iter().zip(turn).all(|(one, other)| is_same(one, other));
        let turns: Vec<&[&TraceEntry]> = newest.chunks_exact(period).take_while(same).collect();
        let mut evidence = TraceEvidence::default();
        turns.iter().filter_map(|turn| turn.first()).for_each(|step| evidence.add(step));
        evidence.began = turns.last().and_then(|turn| turn.last()).map_or(last.time, |step| step.time);
        let severity = severity_at(evidence.count, &patterns.repeat)?;
        // Whatever stands last in a turn: it is the same trouble.
        let cause = turn.iter().fold(0u64, |sum, step| sum.wrapping_add(u64::from(step.call)));
        let said = format!(
            "The same {period} calls were repeated in turn {} times, with the same results.",
            evidence.count
        );
        let found = FoundPattern::new(Sign::Cycle, severity, cause, &evidence);
        Some(found.with_refusal(Refuse::Call(call.call)).with_description(said).with_path(call.path.clone()))
    })
}

/// Waiting is no loop, and what a person broke off has not ended.
fn counts(step: &TraceEntry) -> bool {
    !matches!(step.role, Role::Wait | Role::Sleep) && step.ended != CallOutcome::Interrupted
}

fn is_same(one: &TraceEntry, other: &TraceEntry) -> bool {
    let refused = one.ended == CallOutcome::Refused || other.ended == CallOutcome::Refused;
    one.call == other.call && (refused || one.result == other.result)
}
