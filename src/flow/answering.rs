//! A decision as the client's answer.

use super::allowing::{Refused, Verdict};
use super::audit::Answered;
use super::overriding;
use super::reviewed::Reviewed;
use super::serve::Failure;
use super::wording::{phrase, rewritten};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Input};
use crate::step::{Course, Decision, Finding, Survey, catalogue};
use serde_json::value::RawValue;

pub fn answer(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    survey: &Survey,
    decision: &Decision,
) -> Result<Reviewed, Failure> {
    let Some(finding) = decision.findings.first() else { return Ok(Reviewed::new(Answer::silent(), "")) };
    let rule = finding.rule.as_str();
    let refuse = || match Refused::new(scene, input, call, finding).answer() {
        Verdict::Deny(answer) => Reviewed::new(answer, rule),
        Verdict::Ask(answer) => Reviewed::new(answer, rule).answered(Answered::AllowOnce, rule),
    };
    Ok(match decision.course {
        Course::Allow => Reviewed::new(Answer::silent(), ""),
        Course::Warn => {
            Reviewed::new(Answer::context(phrase(finding, "")), "").answered(Answered::Warn, rule)
        }
        Course::Modify => match rewrite(finding)? {
            Some((answer, command)) => {
                Reviewed::new(answer, "").answered(Answered::Modify, rule).rewritten(command)
            }
            None => refuse(),
        },
        Course::Ask => Reviewed::new(Answer::ask(phrase(finding, "")), rule),
        Course::Block if rule == catalogue::SHIP_GATE.name => {
            match overriding::ask_instead(scene, input, call, survey, finding)? {
                Some(answer) => Reviewed::new(answer, rule),
                None => refuse(),
            }
        }
        Course::Block => refuse(),
    })
}

/// The whole input in the safer spelling, told to model and person.
fn rewrite(finding: &Finding) -> Result<Option<(Answer, String)>, Failure> {
    let (Some(input), Some(command)) = (finding.instead.clone(), finding.alternative.clone()) else {
        return Ok(None);
    };
    let told = rewritten(finding, &command);
    let answer = Answer::context(told.as_str()).with_notice(told);
    Ok(Some((answer.with_input(RawValue::from_string(input)?), command)))
}
