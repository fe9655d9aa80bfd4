//! Before a step: does an intervention stand against it, or a limit that the session has come up to?

use super::{Step, after_step, agent, agent_mark, expected_paths, limits, rules};
use crate::config::StepPolicy;
use crate::flow::recovering;
use crate::flow::reviewed::Reviewed;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::hook::{Answer, Call, Decision, Input};
use crate::intervene::{Orders, Reached};
use crate::pattern::Ended;
use crate::state::{place_in_batch, read_orders};

/// The answer that the orders leave. Nearly every session has none, and then this costs two looks at files.
pub fn obey(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    reviewed: Reviewed,
) -> Result<Reviewed, Failure> {
    if reviewed.answer.decision() == Some(Decision::Deny) {
        return Ok(reviewed);
    }
    let place = place_in_batch(&scene.layout, &input.session_id, agent_mark(input))?;
    let orders = read_orders(&scene.layout, &input.session_id)?;
    if orders.is_none() && place.is_none_or(|place| place < 2) {
        return Ok(reviewed);
    }
    let orders = orders.unwrap_or_default();
    let nature = reviewed.nature();
    let policy = scene.step_policy();
    let expected = expected_paths(scene, input, &policy)?;
    let rules = rules(scene, &policy, &expected);
    if let Some(refusal) = orders.refusal_for(agent(input), &call.tool, call.input.get(), nature, &rules) {
        let tried = Step { call, ended: Ended::Refused, nature, approved: false };
        let refused = Answer::deny(&refusal.reason).joined(after_step(scene, input, tried));
        return Ok(reviewed.replaced(refused, "intervention"));
    }
    let crowded = place.and_then(|place| too_many_at_once(scene, &policy, &orders, place));
    let reached = crowded.or_else(|| orders.limit_for(&call.tool, nature).copied());
    Ok(match reached {
        Some(reached) => reviewed.asking(reached.words(), "resource_limit"),
        None => reviewed,
    })
}

fn too_many_at_once(scene: &Scene, policy: &StepPolicy, orders: &Orders, place: u64) -> Option<Reached> {
    let limits = orders.limits.or_else(|| recovering::limits(scene)).unwrap_or_else(|| limits(policy));
    limits.batch_exceeded(place).filter(|_| policy.interventions.enabled)
}
