//! How many calls one prompt takes.

use super::found::Found;
use super::issue::{Severity, Sign};
use super::trace::{Evidence, Thread};
use crate::policy::Patterns;
use crate::step::fingerprint;

/// It is said again after so many further calls.
const AGAIN: u32 = 20;

pub(super) fn calls(thread: &Thread, patterns: &Patterns) -> Option<Found> {
    let steps = &patterns.calls_per_prompt;
    let (severity, since) = match thread.calls {
        count if count >= steps.stop => (Severity::Medium, steps.stop),
        count if count >= steps.deny => (Severity::Low, steps.deny),
        count if count >= steps.soft => (Severity::Note, steps.soft),
        _ => return None,
    };
    let past = thread.calls - since;
    if past != 0 && (severity == Severity::Note || !past.is_multiple_of(AGAIN)) {
        return None;
    }
    let last = thread.steps.back()?;
    let mut evidence = Evidence::default();
    evidence.add(last);
    evidence.count = thread.calls;
    evidence.began = thread.steps.front().map_or(last.time, |step| step.time);
    let found = Found::new(Sign::CallBudget, severity, fingerprint(b"calls per prompt"), &evidence);
    Some(found.saying(format!("{} calls since the last message of a person.", thread.calls)))
}
