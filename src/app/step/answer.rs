//! A decision as the client's answer.

use super::allow_once::Refusal;
use super::phrase::{phrase, rewritten};
use super::reviewed_call::ReviewedCall;
use crate::app::failure::Failure;
use crate::app::gate::overrides;
use crate::app::tool_event::ToolEvent;
use crate::pure::client::Answer;
use crate::pure::step::{Decision, RuleFinding, StepDecision, Survey, catalogue};
use serde_json::value::RawValue;

pub(crate) fn answer(
    event: ToolEvent<'_>,
    survey: &Survey,
    decision: &StepDecision,
) -> Result<ReviewedCall, Failure> {
    let silent = || ReviewedCall::new(Answer::silent(), "");
    let Some(finding) = decision.findings.first() else { return Ok(silent()) };
    let rule = finding.rule.as_str();
    let refuse = || Refusal::new(event, finding).answer();
    Ok(match decision.decision {
        Decision::Silent => silent(),
        Decision::Warn => {
            ReviewedCall::new(Answer::context(phrase(finding, "")), "").given(Decision::Warn, rule)
        }
        Decision::Rewrite => match rewrite(finding)? {
            Some((answer, command)) => {
                ReviewedCall::new(answer, "").given(Decision::Rewrite, rule).rewritten(command)
            }
            None => refuse(),
        },
        Decision::Ask => ReviewedCall::new(Answer::ask(phrase(finding, "")), rule),
        Decision::Deny if rule == catalogue::SHIP_GATE.name => {
            match overrides::ask_instead(event, survey, finding)? {
                Some(answer) => ReviewedCall::new(answer, rule),
                None => refuse(),
            }
        }
        Decision::Deny => refuse(),
    })
}

/// The whole input in the safer spelling, with a message to model and person.
fn rewrite(finding: &RuleFinding) -> Result<Option<(Answer, String)>, Failure> {
    let (Some(input), Some(command)) = (finding.instead.clone(), finding.alternative.clone()) else {
        return Ok(None);
    };
    let message = rewritten(finding, &command);
    let answer = Answer::context(message.as_str()).with_notice(message);
    Ok(Some((answer.with_input(RawValue::from_string(input)?), command)))
}
