//! The watch over a session: each step is looked at, and when the agent goes wrong, something is done about it.
//!
//! A detector that breaks stops nobody: the person is told, and the step reviewer guards on.

mod delivery;
mod ended;
mod handling;
mod meter;
mod orders;
mod stopping;

pub use ended::claims;
pub use orders::obey;

use super::serve::{Failure, chain};
use super::{clock, recovering, tasks};
use crate::config::StepPolicy;
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Input};
use crate::intervene::{Added, Limits};
use crate::pattern::{Contract, Ended, Observed, Rules};
use crate::state::{Keeper, end_batch, fingerprint, read_orders, write_orders};
use crate::step::Nature;
use delivery::Delivery;

/// A step that is over, or that was not let run.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    pub call: &'a Call<'a>,
    pub ended: Ended<'a>,
    pub nature: Nature,
    /// It was asked about, and a person said yes.
    pub approved: bool,
}

/// Takes a step in. What has to be said about it comes back.
pub fn after_step(scene: &Scene, input: &Input<'_>, step: Step<'_>) -> Answer {
    after_steps(scene, input, &[step])
}

/// The same for several at once.
pub fn after_steps(scene: &Scene, input: &Input<'_>, steps: &[Step<'_>]) -> Answer {
    watched(scene, |policy| look_at(scene, input, steps, policy))
}

fn look_at(
    scene: &Scene,
    input: &Input<'_>,
    steps: &[Step<'_>],
    policy: &StepPolicy,
) -> Result<Answer, Failure> {
    let now = clock::milliseconds();
    let mut keeper = Keeper::open(&scene.layout, &input.session_id)?;
    let meter = meter::read(&mut keeper.standing, input);
    let expected = expected_paths(scene, input, policy)?;
    let rules = rules(scene, policy, &expected);
    let mut issues = Vec::new();
    for step in steps {
        let observed = Observed {
            id: &step.call.id,
            agent: agent(input),
            tool: &step.call.tool,
            input: step.call.input.get(),
            nature: step.nature,
            ended: step.ended,
            time: now,
            meter,
        };
        issues.extend(keeper.standing.watch.observe(&observed, &rules));
    }
    let delivery = Delivery { scene, input, policy, expected: &expected, now };
    // Calls that were under way when everything was stopped change nothing about it.
    let answer = match recovering::is_stopped(scene) {
        true => Answer::silent(),
        false => delivery.respond(&mut keeper.standing, &issues, steps)?,
    };
    let damaged = keeper.damaged;
    keeper.save()?;
    Ok(match damaged {
        true => answer.with_notice(
            "Plimsoll lost what it knew of this session's course; the watch over it begins anew",
        ),
        false => answer,
    })
}

/// A parallel batch is over.
pub fn batch_ended(scene: &Scene, input: &Input<'_>) -> Answer {
    watched(scene, |_| {
        end_batch(&scene.layout, &input.session_id, agent_mark(input))?;
        let mut keeper = Keeper::open(&scene.layout, &input.session_id)?;
        keeper.standing.watch.batch_ended(agent(input));
        keeper.save()?;
        Ok(Answer::silent())
    })
}

/// The client cut the conversation short: what was read before is read again, and that is no loop.
pub fn compacted(scene: &Scene, input: &Input<'_>) -> Answer {
    watched(scene, |_| {
        let mut keeper = Keeper::open(&scene.layout, &input.session_id)?;
        keeper.standing.watch.compacted(agent(input));
        keeper.save()?;
        Ok(Answer::silent())
    })
}

/// A person's message: streaks and what was refused for their sake begin anew.
pub fn prompted(scene: &Scene, input: &Input<'_>, prompt: &str) -> Answer {
    watched(scene, |policy| {
        let mut keeper = Keeper::open(&scene.layout, &input.session_id)?;
        keeper.standing.watch.prompted(prompt, clock::milliseconds());
        keeper.standing.history.forget_prompt();
        if let Some(mut orders) = read_orders(&scene.layout, &input.session_id)? {
            orders.prompted();
            // What a person gave for the whole session stays; throttling ends.
            let added = orders.limits.map(|limits| limits.added).filter(|added| *added != Added::default());
            orders.limits = added.map(|added| Limits { added, ..limits(policy) });
            write_orders(&scene.layout, &input.session_id, &orders)?;
        }
        keeper.save()?;
        Ok(Answer::silent())
    })
}

/// Runs a part of the watch, if the settings want one.
fn watched(scene: &Scene, look: impl FnOnce(&StepPolicy) -> Result<Answer, Failure>) -> Answer {
    let policy = scene.step_policy();
    if !policy.interventions.enabled {
        return Answer::silent();
    }
    look(&policy).unwrap_or_else(|failure| {
        Answer::notice(format!(
            "Plimsoll could not watch the course of this session: {}",
            chain(failure.as_ref())
        ))
    })
}

/// What the work may touch: the scope of the session's task, or else the one in the settings.
fn expected_paths(scene: &Scene, input: &Input<'_>, policy: &StepPolicy) -> Result<Vec<String>, Failure> {
    let of_task = tasks::contract(scene, &input.session_id)?;
    Ok(of_task.unwrap_or_else(|| policy.settings.scope.expected_paths.clone()))
}

fn rules<'a>(scene: &'a Scene, policy: &'a StepPolicy, expected: &'a [String]) -> Rules<'a> {
    let forbidden = &policy.settings.scope.forbidden_paths;
    Rules {
        patterns: &policy.interventions.patterns,
        contract: Contract { expected, forbidden },
        window_seconds: policy.interventions.resource_throttling.metrics_window_seconds,
        project: scene.project.as_str(),
    }
}

/// What a prompt may use, before anything was throttled or extended.
fn limits(policy: &StepPolicy) -> Limits {
    Limits::of(&policy.interventions, policy.settings.rules.max_file_operations.into())
}

/// Empty for the main thread.
fn agent<'a>(input: &'a Input<'_>) -> &'a str {
    input.agent_id.as_deref().unwrap_or_default()
}

/// Zero for the main thread.
fn agent_mark(input: &Input<'_>) -> u64 {
    input.agent_id.as_ref().map_or(0, |agent| fingerprint(agent.as_bytes()))
}
