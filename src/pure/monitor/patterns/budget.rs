//! How many calls one prompt takes.

use super::found_pattern::FoundPattern;
use super::issue::{IssueSeverity, Sign};
use super::trace::{AgentTrace, TraceEvidence};
use crate::pure::policy::Patterns;
use crate::pure::step::fingerprint;

/// Calls until the issue is reported again.
const AGAIN: u32 = 20;

pub(super) fn calls(thread: &AgentTrace, patterns: &Patterns) -> Option<FoundPattern> {
    let steps = &patterns.calls_per_prompt;
    let (severity, since) = match thread.calls {
        count if count >= steps.stop => (IssueSeverity::Critical, steps.stop),
        // A count alone shows no error: limits and questions, but nothing is undone.
        count if count >= steps.deny => (IssueSeverity::Medium, steps.deny),
        count if count >= steps.soft => (IssueSeverity::Low, steps.soft),
        _ => return None,
    };
    if !(thread.calls - since).is_multiple_of(AGAIN) {
        return None;
    }
    let last = thread.steps.last()?;
    let mut evidence = TraceEvidence::of(last, thread.calls);
    evidence.began = thread.steps.first().map_or(last.time, |step| step.time);
    let found = FoundPattern::new(Sign::CallBudget, severity, fingerprint(b"calls per prompt"), &evidence);
    Some(found.with_description(format!("{} calls since the last message of a person.", thread.calls)))
}
