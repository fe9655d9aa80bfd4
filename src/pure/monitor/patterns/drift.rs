//! Calls since the last one that served the declared scope or the agent's own plan.

use super::call::CallMarks;
use super::found_pattern::{FoundPattern, severity_at};
use super::issue::{IssueSeverity, Sign};
use super::role::Role;
use super::scope::concerns;
use super::session_monitor::MonitorRules;
use super::tools;
use super::trace::{AgentTrace, TraceEvidence};
use crate::pure::step::fingerprint;

/// Whether the agent keeps a plan with something left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanState {
    Open,
    Nothing,
}

/// Records the newest call of the main thread.
pub(super) fn detect(
    thread: &mut AgentTrace,
    tool: &str,
    call: &CallMarks,
    planned: PlanState,
    rules: &MonitorRules<'_>,
) -> Option<FoundPattern> {
    let declared = !rules.contract.expected.is_empty();
    let serves = tools::plans(tool)
        || tools::starts_agent(tool)
        || matches!(call.role, Role::Wait | Role::Sleep)
        || (declared && (call.role == Role::Check || concerns(call, rules)));
    if serves || (!declared && planned == PlanState::Nothing) {
        thread.astray = 0;
        return None;
    }
    thread.astray = thread.astray.saturating_add(1);
    let steps = &rules.patterns.off_goal;
    let severity = match declared {
        true => severity_at(thread.astray, steps)?,
        // A plan is written down now and then only, and work on one of its items may be long.
        false if thread.astray >= steps.deny => IssueSeverity::Note,
        false => return None,
    };
    // Said when a threshold is reached and now and then after, not at every call.
    let first = [steps.soft, steps.deny, steps.stop].contains(&thread.astray);
    let again = declared && thread.astray.is_multiple_of(10);
    if !first && !again {
        return None;
    }
    let mut evidence = TraceEvidence::default();
    let newest = usize::try_from(thread.astray.min(12)).unwrap_or(12);
    thread.steps.iter().rev().take(newest).for_each(|step| evidence.add(step));
    evidence.count = thread.astray;
    let what = if declared { "touched the declared scope" } else { "updated the plan" };
    let said = format!("{} calls since the last one that {what}.", thread.astray);
    Some(
        FoundPattern::new(Sign::OffGoal, severity, fingerprint(b"off goal"), &evidence)
            .with_description(said),
    )
}
