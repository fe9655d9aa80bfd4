//! One tool call, judged: its effects, the session where it matters, the decision, the answer.

use super::action_report::ActionReport;
use super::answer::answer;
use super::assessment::{AssessedCall, ReviewConditions};
use super::history::history;
use super::other_sessions;
use super::pause::is_paused;
use super::preservation;
use super::reviewed_call::ReviewedCall;
use super::silence_cache::{CacheUse, assess_or_recall};
use crate::app::failure::Failure;
use crate::app::tool_event::ToolEvent;
use crate::edge::state;
use crate::pure::client::Tool;
use crate::pure::step::{self, Action, Decision, Level, Mode, Survey, Timing};
use std::mem::ManuallyDrop;

/// The answer of the step review to one call.
pub(crate) fn review(event: ToolEvent<'_>, tool: &Tool) -> Result<ReviewedCall, Failure> {
    let workspace = event.workspace;
    let ReviewInput { mut weighed, circumstances, cache } = review_input(event, tool, Timing::Before)?;
    let unread = match other_sessions::others_work(event, tool, &weighed) {
        Ok(others) => {
            weighed.known.others = others;
            None
        }
        Err(error) => Some(error),
    };
    let decision = weighed.decide(workspace, &circumstances, Mode::Enforce)?;
    // A record that cannot be read makes no refusal milder.
    if let Some(error) = unread.filter(|_| decision.decision < Decision::Ask) {
        return Err(error);
    }
    let by_a_step_rule = decision.findings.iter().any(|finding| finding.level == Level::Step);
    let decision = match by_a_step_rule && is_paused(workspace) {
        true => weighed.decide(workspace, &circumstances, Mode::Observe)?,
        false => decision,
    };
    let reviewed = answer(event, &weighed.survey, &decision)?;
    let limit = circumstances.policy.settings.performance.max_review_time_ms;
    let need = preservation::need(&weighed, decision.nature, &circumstances.policy);
    let report = weighed.report(&circumstances, &decision);
    let claims = other_sessions::claims(event, tool, &weighed);
    let family = weighed.action.family_fingerprint();
    Ok(reviewed
        .with_decision(decision, family, cache, limit)
        .with_report(report)
        .needing(need)
        .claiming(claims))
}

/// The audit log's report of a message, which the hooks answer without rules.
pub(crate) fn message_report(event: ToolEvent<'_>, tool: &Tool) -> ActionReport {
    let ToolEvent { workspace, input, call } = event;
    let conditions = ReviewConditions::new(workspace.step_policy(), input.agent_type.clone());
    let action = Action::read(tool, call.input.get()).with_name(&call.tool);
    let message = AssessedCall::of(workspace, &input.cwd, action, Survey::default());
    let decision = message.decide_alone(&conditions);
    message.report(&conditions, &decision)
}

/// The facts behind a decision about a tool call.
struct ReviewInput<'a> {
    /// Never taken apart: a hook ends right after this.
    weighed: ManuallyDrop<AssessedCall<'a>>,
    circumstances: ReviewConditions,
    cache: CacheUse,
}

/// The session is read only where it can matter.
fn review_input<'a>(
    event: ToolEvent<'a>,
    tool: &'a Tool,
    timing: Timing,
) -> Result<ReviewInput<'a>, Failure> {
    let ToolEvent { workspace, input, call } = event;
    let policy = workspace.step_policy();
    let (mut weighed, cache) = assess_or_recall(workspace, &input.cwd, tool, call.input.get(), &policy)?;
    weighed.action = weighed.action.with_name(&call.tool);
    let mut circumstances = ReviewConditions::new(policy, input.agent_type.clone());
    circumstances.timing = timing;
    if weighed.needs_session(&circumstances) {
        // An unreadable journal counts as empty here. The write that follows fails too, so the call does not pass in silence.
        circumstances.history = history(event).unwrap_or_default();
        circumstances.goal = state::goal(&workspace.layout, &input.session_id);
    }
    Ok(ReviewInput { weighed: ManuallyDrop::new(weighed), circumstances, cache })
}

/// The assessment that a call of little risk did not get before it ran.
pub(crate) fn assess_later(event: ToolEvent<'_>) -> Result<Option<step::Assessment>, Failure> {
    let Some(tool) = Tool::parse(event.call) else { return Ok(None) };
    let ReviewInput { weighed, circumstances, .. } = review_input(event, &tool, Timing::After)?;
    Ok(weighed.decide(event.workspace, &circumstances, Mode::Enforce)?.assessment)
}
