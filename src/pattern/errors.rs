//! Errors that come again: of one kind, one after the other, or too many among the last calls.

use super::call::Call;
use super::found::{Found, reached};
use super::issue::{Refuse, Severity, Sign};
use super::role::Role;
use super::text::short;
use super::trace::{Evidence, Fate, Step};
use crate::policy::Patterns;
use crate::step::fingerprint;
use std::collections::{BTreeSet, VecDeque};

/// How far back the same error is looked for where something changed in between.
const FAR: usize = 40;
/// The calls that a ratio is taken of.
pub(super) const SAMPLE: usize = 20;

/// The same kind of error from the same tool and target, or from the same call whatever it says.
pub(super) fn family(steps: &VecDeque<Step>, call: &Call, patterns: &Patterns) -> Option<Found> {
    let last = steps.back()?;
    let target = short(call.target);
    let error = match last.ended {
        Fate::Badly => last.error,
        Fate::Refused => {
            steps.iter().rev().find(|step| step.target == target && step.ended == Fate::Badly)?.error
        }
        Fate::Well | Fate::Excused | Fate::Interrupted => return None,
    };
    let belongs = |step: &Step| match step.ended {
        Fate::Badly => (step.error == error && step.target == target) || step.call == last.call,
        Fate::Refused => step.target == target,
        Fate::Well | Fate::Excused | Fate::Interrupted => false,
    };
    let (mut dry, mut all) = (Evidence::default(), Evidence::default());
    let mut unchanged_since = Some(last.before);
    for step in steps.iter().rev().take(FAR) {
        if step.target == target && step.ended == Fate::Well {
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
    let without = reached(dry.count, &patterns.error_family)
        .map(|severity| (severity, &dry, "and nothing changed in between"));
    let with = reached(all.count, &patterns.error_family_with_edits)
        .map(|severity| (severity, &all, "in spite of changes in between"));
    let (severity, evidence, how) = without.into_iter().chain(with).max_by_key(|(severity, ..)| *severity)?;
    let said = format!("The same error came {} times, {how}.", evidence.count);
    let cause = call.target ^ u64::from(error);
    let found = Found::new(Sign::ErrorFamily, severity, cause, evidence);
    Some(found.refusing(Refuse::Target(call.target)).saying(said).at(call.path.clone()))
}

/// Errors of any kind, with nothing that went well in between.
pub(super) fn streak(steps: &VecDeque<Step>, call: &Call, patterns: &Patterns) -> Option<Found> {
    let last = steps.back().filter(|step| matches!(step.ended, Fate::Badly | Fate::Refused))?;
    let well: BTreeSet<u32> =
        steps.iter().filter(|step| step.ended == Fate::Well).map(|step| step.batch).collect();
    let failed = || steps.iter().rev().take_while(|step| !well.contains(&step.batch));
    let again = |step: &Step| failed().any(|one| one.ended == Fate::Badly && one.call == step.call);
    let mut evidence = Evidence::default();
    for step in failed() {
        match step.ended {
            Fate::Badly => evidence.add(step),
            Fate::Refused if again(step) => evidence.add(step),
            Fate::Refused | Fate::Well | Fate::Excused | Fate::Interrupted => {}
        }
    }
    let severity = reached(evidence.count, &patterns.error_streak).filter(|_| last.role != Role::Wait)?;
    let said = format!("{} calls failed one after the other.", evidence.count);
    let found = Found::new(Sign::ErrorStreak, severity, fingerprint(b"error streak"), &evidence);
    Some(found.refusing(Refuse::Call(call.call)).saying(said).at(call.path.clone()))
}

/// Too many failures among the last calls. Checks that fail are what checks are for.
pub(super) fn ratio(steps: &VecDeque<Step>, patterns: &Patterns) -> Option<Found> {
    let last = steps.back().filter(|step| step.ended == Fate::Badly && step.role != Role::Check)?;
    let sample: Vec<&Step> =
        steps.iter().rev().filter(|step| step.role != Role::Check).take(SAMPLE).collect();
    let failed: Vec<&&Step> = sample.iter().filter(|step| step.ended == Fate::Badly).collect();
    if sample.len() < SAMPLE || failed.len() as f64 <= patterns.error_ratio * SAMPLE as f64 {
        return None;
    }
    let mut evidence = Evidence::default();
    failed.iter().for_each(|step| evidence.add(step));
    evidence.count = u32::try_from(failed.len()).unwrap_or(u32::MAX);
    evidence.began = failed.last().map_or(last.time, |step| step.time);
    let said = format!("{} of the last {SAMPLE} calls failed.", failed.len());
    Some(Found::new(Sign::ErrorRatio, Severity::Low, fingerprint(b"error ratio"), &evidence).saying(said))
}
