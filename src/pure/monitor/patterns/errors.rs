//! Errors that come again: of one kind, one after the other, or too many among the last calls.

use super::call::CallMarks;
use super::found_pattern::{FoundPattern, severity_at};
use super::issue::{IssueSeverity, Refuse, Sign};
use super::role::Role;
use super::text::short;
use super::trace::{CallOutcome, TraceEntry, TraceEvidence};
use crate::pure::policy::Patterns;
use crate::pure::step::fingerprint;
use std::collections::BTreeSet;

/// How far back the same error is looked for where something changed in between.
const FAR: usize = 40;
/// The calls that a ratio is taken of.
pub(super) const SAMPLE: usize = 20;

/// The same kind of error from the same tool and target, or from the same call whatever it says.
pub(super) fn family(steps: &[TraceEntry], call: &CallMarks, patterns: &Patterns) -> Option<FoundPattern> {
    let last = steps.last()?;
    let target = short(call.target);
    let error = match last.ended {
        CallOutcome::Failed => last.error,
        CallOutcome::Refused => {
            steps.iter().rev().find(|step| step.target == target && step.ended == CallOutcome::Failed)?.error
        }
        CallOutcome::Succeeded | CallOutcome::Excused | CallOutcome::Interrupted => return None,
    };
    let belongs = |step: &TraceEntry| match step.ended {
        CallOutcome::Failed => (step.error == error && step.target == target) || step.call == last.call,
        CallOutcome::Refused => step.target == target,
        CallOutcome::Succeeded | CallOutcome::Excused | CallOutcome::Interrupted => false,
    };
    let (mut dry, mut all) = (TraceEvidence::default(), TraceEvidence::default());
    let mut unchanged_since = Some(last.before);
    for step in steps.iter().rev().take(FAR) {
        if step.target == target && step.ended == CallOutcome::Succeeded {
            break;
        }
        if !belongs(step) {
            continue;
        }
        unchanged_since =
            unchanged_since.filter(|changes| std::ptr::eq(step, last) || *changes == step.after);
        if let Some(changes) = &mut unchanged_since {
            *changes = step.before;
            dry.add(step);
        }
        all.add(step);
    }
    let without = severity_at(dry.count, &patterns.error_family)
        .map(|severity| (severity, &dry, "and nothing changed in between"));
    let with = severity_at(all.count, &patterns.error_family_with_edits)
        .map(|severity| (severity, &all, "in spite of changes in between"));
    let (severity, evidence, how) = without.into_iter().chain(with).max_by_key(|(severity, ..)| *severity)?;
    let said = format!("The same error occurred {} times, {how}.", evidence.count);
    let cause = call.target ^ u64::from(error);
    let found = FoundPattern::new(Sign::ErrorFamily, severity, cause, evidence);
    Some(found.with_refusal(Refuse::Target(call.target)).with_description(said).with_path(call.path.clone()))
}

/// Errors of any kind, with nothing that went well in between.
pub(super) fn streak(steps: &[TraceEntry], call: &CallMarks, patterns: &Patterns) -> Option<FoundPattern> {
    let last =
        steps.last().filter(|step| matches!(step.ended, CallOutcome::Failed | CallOutcome::Refused))?;
    let well: BTreeSet<u32> =
        steps.iter().filter(|step| step.ended == CallOutcome::Succeeded).map(|step| step.batch).collect();
    let failed = || steps.iter().rev().take_while(|step| !well.contains(&step.batch));
    let again =
        |step: &TraceEntry| failed().any(|one| one.ended == CallOutcome::Failed && one.call == step.call);
    let mut evidence = TraceEvidence::default();
    for step in failed() {
        match step.ended {
            CallOutcome::Failed => evidence.add(step),
            CallOutcome::Refused if again(step) => evidence.add(step),
            CallOutcome::Refused
            | CallOutcome::Succeeded
            | CallOutcome::Excused
            | CallOutcome::Interrupted => {}
        }
    }
    let severity = severity_at(evidence.count, &patterns.error_streak).filter(|_| last.role != Role::Wait)?;
    let said = format!("{} calls failed one after the other.", evidence.count);
    let found = FoundPattern::new(Sign::ErrorStreak, severity, fingerprint(b"error streak"), &evidence);
    Some(found.with_refusal(Refuse::Call(call.call)).with_description(said).with_path(call.path.clone()))
}

/// Too many failures among the last calls. Checks that fail are what checks are for.
pub(super) fn ratio(steps: &[TraceEntry], patterns: &Patterns) -> Option<FoundPattern> {
    let last = steps.last().filter(|step| step.ended == CallOutcome::Failed && step.role != Role::Check)?;
    let sample: Vec<&TraceEntry> =
        steps.iter().rev().filter(|step| step.role != Role::Check).take(SAMPLE).collect();
    let failed: Vec<&&TraceEntry> = sample.iter().filter(|step| step.ended == CallOutcome::Failed).collect();
    if sample.len() < SAMPLE || failed.len() as f64 <= patterns.error_ratio * SAMPLE as f64 {
        return None;
    }
    let mut evidence = TraceEvidence::default();
    failed.iter().for_each(|step| evidence.add(step));
    evidence.count = u32::try_from(failed.len()).unwrap_or(u32::MAX);
    evidence.began = failed.last().map_or(last.time, |step| step.time);
    let said = format!("{} of the last {SAMPLE} calls failed.", failed.len());
    Some(
        FoundPattern::new(Sign::ErrorRatio, IssueSeverity::Low, fingerprint(b"error ratio"), &evidence)
            .with_description(said),
    )
}
