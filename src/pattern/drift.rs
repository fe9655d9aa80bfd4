//! Calls since one served what was declared: the scope of the task, or the agent's own plan.

use super::call::Call;
use super::found::{Found, reached};
use super::issue::{Severity, Sign};
use super::role::Role;
use super::scope::concerns;
use super::tools;
use super::trace::{Evidence, Thread};
use super::watch::Rules;
use crate::step::fingerprint;

/// Whether the agent keeps a plan with something left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Planned {
    Open,
    Nothing,
}

/// Takes the newest step of the main thread in.
pub(super) fn look(
    thread: &mut Thread,
    tool: &str,
    call: &Call,
    planned: Planned,
    rules: &Rules<'_>,
) -> Option<Found> {
    let declared = !rules.contract.expected.is_empty();
    let serves = tools::plans(tool)
        || tools::starts_agent(tool)
        || matches!(call.role, Role::Wait | Role::Sleep)
        || (declared && (call.role == Role::Check || concerns(call, rules)));
    if serves || (!declared && planned == Planned::Nothing) {
        thread.astray = 0;
        return None;
    }
    thread.astray = thread.astray.saturating_add(1);
    let steps = &rules.patterns.off_goal;
    let severity = match declared {
        true => reached(thread.astray, steps)?,
        // A plan is written down now and then only, and work on one of its items may be long.
        false if thread.astray >= steps.deny => Severity::Note,
        false => return None,
    };
    // Said when a threshold is reached and now and then after, not at every call.
    let first = [steps.soft, steps.deny, steps.stop].contains(&thread.astray);
    let again = declared && thread.astray.is_multiple_of(10);
    if !first && !again {
        return None;
    }
    let mut evidence = Evidence::default();
    let newest = usize::try_from(thread.astray.min(12)).unwrap_or(12);
    thread.steps.iter().rev().take(newest).for_each(|step| evidence.add(step));
    evidence.count = thread.astray;
    let what = if declared { "touched what the task names" } else { "moved the plan on" };
    let said = format!("{} calls since one {what}.", thread.astray);
    Some(Found::new(Sign::OffGoal, severity, fingerprint(b"off goal"), &evidence).saying(said))
}
