//! The session monitor: looks at each tool call, and intervenes when the agent goes wrong.
//!
//! A detector that breaks stops nobody: the person is told, and the step review goes on.

mod claims;
mod delivery;
mod emergency_stop;
mod handler;
pub mod incidents;
mod orders;
#[cfg(feature = "cli")]
pub mod project_page;
pub mod recovery;
#[cfg(feature = "cli")]
pub mod stats;
#[cfg(feature = "cli")]
pub mod team_page;

pub(crate) use claims::claims;
pub(crate) use orders::apply_orders;

use super::tasks;
use crate::app::failure::{Failure, chain};
use crate::app::step::journal;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::config::StepPolicy;
use crate::edge::run::memory_of_parent_mb;
use crate::edge::state::{Keeper, MonitorState, end_batch, read_orders, write_orders};
use crate::pure::client::{Answer, Input, ToolCall};
use crate::pure::monitor::interventions::{AddedLimits, Orders, SessionLimits};
use crate::pure::monitor::patterns::{CallResult, Contract, Meter, MonitorRules, MonitoredCall};
use crate::pure::step::Nature;
use camino::Utf8Path;
use delivery::InterventionDelivery;

/// Looking through the processes is not free, and memory grows over many calls.
const LOOK_AT_MEMORY_EVERY: u64 = 8;

/// A tool call that ended, or that was refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObservedCall<'a> {
    pub call: &'a ToolCall<'a>,
    pub ended: CallResult<'a>,
    pub nature: Nature,
    /// It was asked about, and a person said yes.
    pub approved: bool,
}

/// Takes a step in. What has to be said about it comes back.
pub(crate) fn observe_call(workspace: &Workspace, input: &Input<'_>, step: ObservedCall<'_>) -> Answer {
    observe_calls(workspace, input, &[step])
}

/// The same for several at once.
pub(crate) fn observe_calls(workspace: &Workspace, input: &Input<'_>, steps: &[ObservedCall<'_>]) -> Answer {
    if_enabled(workspace, |policy| observe(workspace, input, steps, policy))
}

fn observe(
    workspace: &Workspace,
    input: &Input<'_>,
    steps: &[ObservedCall<'_>],
    policy: &StepPolicy,
) -> Result<Answer, Failure> {
    let now = clock::milliseconds();
    let mut keeper = Keeper::open(&workspace.layout, &input.session_id)?;
    let meter = meter(&mut keeper.standing, input);
    let expected = expected_paths(workspace, input, policy)?;
    let rules = rules(workspace, policy, &expected);
    let mut issues = Vec::new();
    for step in steps {
        let observed = MonitoredCall {
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
    let delivery = InterventionDelivery { workspace, input, policy, expected: &expected, now };
    // Calls that were under way when everything was stopped change nothing about it.
    let answer = match recovery::is_stopped(workspace) {
        true => Answer::silent(),
        false => delivery.respond(&mut keeper.standing, &issues, steps)?,
    };
    let damaged = keeper.damaged;
    keeper.save()?;
    Ok(match damaged {
        true => {
            answer.with_notice("Plimsoll lost its record of this session; the session monitor starts again")
        }
        false => answer,
    })
}

/// A parallel batch has ended.
pub(crate) fn batch_ended(workspace: &Workspace, input: &Input<'_>) -> Answer {
    if_enabled(workspace, |_| {
        end_batch(&workspace.layout, &input.session_id, journal::agent(input))?;
        update(workspace, input, |state| state.watch.end_batch(agent(input)))
    })
}

/// The client cut the conversation short: what was read before is read again, and that is no loop.
pub(crate) fn observe_compaction(workspace: &Workspace, input: &Input<'_>) -> Answer {
    if_enabled(workspace, |_| update(workspace, input, |state| state.watch.forget_reads(agent(input))))
}

/// A person's message: streaks end, and what was refused for their sake is permitted again.
pub(crate) fn observe_prompt(workspace: &Workspace, input: &Input<'_>, prompt: &str) -> Answer {
    if_enabled(workspace, |policy| {
        let mut keeper = Keeper::open(&workspace.layout, &input.session_id)?;
        keeper.standing.watch.start_prompt(prompt, clock::milliseconds());
        keeper.standing.history.start_prompt();
        if let Some(mut orders) = read_orders(&workspace.layout, &input.session_id)? {
            orders.start_prompt();
            end_throttling(&mut orders, policy);
            write_orders(&workspace.layout, &input.session_id, &orders)?;
        }
        keeper.save()?;
        Ok(Answer::silent())
    })
}

fn update(
    workspace: &Workspace,
    input: &Input<'_>,
    change: impl FnOnce(&mut MonitorState),
) -> Result<Answer, Failure> {
    let mut keeper = Keeper::open(&workspace.layout, &input.session_id)?;
    change(&mut keeper.standing);
    keeper.save()?;
    Ok(Answer::silent())
}

/// Runs a part of the session monitor, if the settings want one.
fn if_enabled(workspace: &Workspace, look: impl FnOnce(&StepPolicy) -> Result<Answer, Failure>) -> Answer {
    let policy = workspace.step_policy();
    if !policy.interventions.enabled {
        return Answer::silent();
    }
    look(&policy).unwrap_or_else(|failure| {
        Answer::notice(format!("Plimsoll could not monitor this session: {}", chain(failure.as_ref())))
    })
}

/// The paths that the work may touch: the scope of the session's task, or else the scope in the settings.
fn expected_paths(
    workspace: &Workspace,
    input: &Input<'_>,
    policy: &StepPolicy,
) -> Result<Vec<String>, Failure> {
    let of_task = tasks::contract(workspace, &input.session_id)?;
    Ok(of_task.unwrap_or_else(|| policy.settings.scope.expected_paths.clone()))
}

fn rules<'a>(workspace: &'a Workspace, policy: &'a StepPolicy, expected: &'a [String]) -> MonitorRules<'a> {
    let forbidden = &policy.settings.scope.forbidden_paths;
    MonitorRules {
        patterns: &policy.interventions.patterns,
        contract: Contract { expected, forbidden },
        window_seconds: policy.interventions.resource_throttling.metrics_window_seconds,
        project: workspace.project.as_str(),
    }
}

/// The limits of a prompt, before throttling and extensions.
fn limits(policy: &StepPolicy) -> SessionLimits {
    SessionLimits::of(&policy.interventions, policy.settings.rules.max_file_operations.into())
}

/// Limits that a person gave for the whole session stay; throttling ends.
fn end_throttling(orders: &mut Orders, policy: &StepPolicy) {
    let added = orders.limits.map(|limits| limits.added).filter(|added| *added != AddedLimits::default());
    orders.limits = added.map(|added| SessionLimits { added, ..limits(policy) });
}

/// Empty for the main thread.
fn agent<'a>(input: &'a Input<'_>) -> &'a str {
    input.agent_id.as_deref().unwrap_or_default()
}

/// The client's transcript tells the tokens; without one there is no client, and its memory is nobody's.
fn meter(standing: &mut MonitorState, input: &Input<'_>) -> Meter {
    let Some(transcript) = &input.transcript else { return Meter::default() };
    standing.transcript.catch_up(Utf8Path::new(transcript));
    if standing.watch.usage(0).session.calls.is_multiple_of(LOOK_AT_MEMORY_EVERY) {
        standing.memory_mb = memory_of_parent_mb().unwrap_or_default();
    }
    Meter { tokens: standing.transcript.tokens, memory_mb: standing.memory_mb }
}
