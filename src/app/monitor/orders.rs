//! Before a step: does an intervention stand against it, or a limit that the session has come up to?

use super::{ObservedCall, agent, expected_paths, limits, observe_call, rules};
use crate::app::failure::Failure;
use crate::app::monitor::recovery;
use crate::app::step::journal;
use crate::app::step::pause::only_observed;
use crate::app::step::reviewed_call::ReviewedCall;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::config::StepPolicy;
use crate::edge::state::{place_in_batch, read_orders};
use crate::pure::client::Answer;
use crate::pure::monitor::interventions::{Orders, ReachedLimit};
use crate::pure::monitor::patterns::CallResult;
use crate::pure::step::Decision;

/// The names of a refusal by the session monitor, and of a reached limit, in journal, audit log and statistics.
const INTERVENTION: &str = "intervention";
const LIMIT: &str = "resource_limit";

/// The answer that the orders leave. Nearly every session has none, and then this costs two looks at files.
pub(crate) fn apply_orders(event: ToolEvent<'_>, reviewed: ReviewedCall) -> Result<ReviewedCall, Failure> {
    let ToolEvent { workspace, input, call } = event;
    if reviewed.is_denied() {
        return Ok(reviewed);
    }
    let place = place_in_batch(&workspace.layout, &input.session_id, journal::agent(input))?;
    let orders = read_orders(&workspace.layout, &input.session_id)?;
    if orders.is_none() && place.is_none_or(|place| place < 2) {
        return Ok(reviewed);
    }
    let orders = orders.unwrap_or_default();
    let nature = reviewed.nature();
    let policy = workspace.step_policy();
    let expected = expected_paths(workspace, input, &policy)?;
    let rules = rules(workspace, &policy, &expected);
    let observed = only_observed(workspace, input.agent_type.as_deref());
    if let Some(refusal) = orders.refusal_for(agent(input), &call.tool, call.input.get(), nature, &rules) {
        if observed || refusal.observed {
            return Ok(reviewed.would_have(Decision::Deny, INTERVENTION, &refusal.reason));
        }
        let tried = ObservedCall { call, ended: CallResult::Refused, nature, approved: false };
        let refused = Answer::deny(&refusal.reason).merge(observe_call(workspace, input, tried));
        return Ok(reviewed.replaced(refused, INTERVENTION));
    }
    let crowded = place.and_then(|place| too_many_at_once(workspace, &policy, &orders, place));
    let reached = crowded.or_else(|| orders.limit_for(&call.tool, nature).copied());
    Ok(match reached {
        Some(reached) if observed => reviewed.would_have(Decision::Ask, LIMIT, &reached.message()),
        Some(reached) => reviewed.asking(reached.message(), LIMIT),
        None => reviewed,
    })
}

fn too_many_at_once(
    workspace: &Workspace,
    policy: &StepPolicy,
    orders: &Orders,
    place: u64,
) -> Option<ReachedLimit> {
    let limits = orders.limits.or_else(|| recovery::limits(workspace)).unwrap_or_else(|| limits(policy));
    limits.batch_exceeded(place).filter(|_| policy.interventions.enabled)
}
