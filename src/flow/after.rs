//! After a tool call: the outcome goes into the journal, what happened is compared with what was answered before, and a
//! person's answer to a question counts as such.

use super::audit::{self, Answered, AuditLine};
use super::clock;
use super::intervening::{self, Step};
use super::reviewed::thousandths;
use super::serve::{Failure, Reply};
use super::step::assess_later;
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Event, Input, Tool, is_yes};
use crate::pattern::Ended;
use crate::state::{self, Journal, Kind, Outcome, Record, Remark, ReviewRequest, fingerprint};
use crate::step::Nature;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

pub fn after_tool(bytes: &[u8]) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let scene = Scene::of_event(&input.cwd)?;
    let journal = Journal::open(&scene.layout.journal(&input.session_id))?;
    let answer = match &input.event {
        Event::PostToolUse { call, response } => {
            let text = response.map_or("", RawValue::get);
            if call.tool == "AskUserQuestion" && response.is_some_and(says_yes) {
                confirm(&scene, &input.session_id, |_| true)?;
            }
            ran(&scene, &journal, &input, call, Outcome::Success, Ended::Well(text))?
        }
        Event::PostToolUseFailure { call, error, interrupted } => {
            let (outcome, ended) = match *interrupted {
                true => (Outcome::Interrupted, Ended::Interrupted),
                false => (Outcome::Failure, Ended::Badly(error)),
            };
            ran(&scene, &journal, &input, call, outcome, ended)?
        }
        Event::PostToolBatch { calls } => {
            let rejected = batch_ended(&journal, &input, calls)?;
            let seen = intervening::after_steps(&scene, &input, &rejected);
            seen.joined(intervening::batch_ended(&scene, &input))
        }
        _ => Answer::silent(),
    };
    Ok(Reply::new(input.name, answer))
}

/// The client tells of a call afterwards only if it ran, with the input that it ran with.
fn ran(
    scene: &Scene,
    journal: &Journal,
    input: &Input<'_>,
    call: &Call<'_>,
    outcome: Outcome,
    ended: Ended<'_>,
) -> Result<Answer, Failure> {
    let result = match ended {
        Ended::Well(text) | Ended::Badly(text) => fingerprint(text.as_bytes()),
        Ended::Interrupted | Ended::Refused => 0,
    };
    let record = record_of(Kind::After, outcome, clock::milliseconds(), input, call);
    let before = journal.last(|earlier| earlier.kind == Kind::Before && earlier.call == record.call)?;
    let remark = before.map_or(Remark::None, |before| remark(&before, call));
    // What ran was of too little risk to be weighed in advance, or was not seen at all.
    let unweighed = before.is_none_or(|before| before.risk.is_none());
    let later = if unweighed { assess_later(scene, input, call).unwrap_or_default() } else { None };
    let risk = later.as_ref().map(|assessment| thousandths(assessment.risk.score));
    journal.append(&Record { result, remark, risk, ..record })?;
    let nature = before.map(|before| before.nature).unwrap_or_default();
    let step = Step { call, ended, nature, approved: remark == Remark::Approved };
    let watched = intervening::after_step(scene, input, step);
    let (answered, notice) = match remark {
        Remark::None | Remark::Noted | Remark::AllowedOnce => return Ok(watched),
        Remark::Approved => (Answered::Approved, None),
        Remark::DeniedButRan => (
            Answered::DeniedButRan,
            Some("it refused, ran all the same. Another hook or a mode of the client overruled it"),
        ),
        Remark::NotAsRewritten => (
            Answered::NotAsRewritten,
            Some("it had given a safer input, ran with another one. Another hook changed it as well"),
        ),
    };
    audit::append(&[AuditLine::new(input, call, answered)], scene, &input.session_id)?;
    let surprise = notice.map_or_else(Answer::silent, |how| {
        Answer::notice(format!(
            "Plimsoll: a {} call that {how}; look at what it did, and let `plimsoll doctor` check the hooks.",
            call.tool
        ))
    });
    Ok(surprise.joined(watched))
}

fn remark(before: &Record, call: &Call<'_>) -> Remark {
    let runs_as_given = || match Tool::parse(call) {
        Some(Tool::Bash { command }) => fingerprint(command.as_bytes()) == before.result,
        _ => false,
    };
    match before.outcome {
        Outcome::Deny => Remark::DeniedButRan,
        Outcome::Ask => Remark::Approved,
        Outcome::Rewritten if !runs_as_given() => Remark::NotAsRewritten,
        Outcome::None
        | Outcome::Silent
        | Outcome::Context
        | Outcome::Success
        | Outcome::Failure
        | Outcome::Interrupted
        | Outcome::Rewritten => Remark::None,
    }
}

/// Calls that the client itself refused had no event before; the tail is where their siblings are.
fn batch_ended<'a>(
    journal: &Journal,
    input: &Input<'_>,
    calls: &'a [(Call<'a>, Option<&'a RawValue>)],
) -> Result<Vec<Step<'a>>, Failure> {
    let time = clock::milliseconds();
    let seen = journal.tail()?.records;
    let mut rejected = Vec::new();
    for (call, response) in calls {
        let record = record_of(Kind::Rejected, Outcome::Failure, time, input, call);
        if !seen.iter().any(|earlier| earlier.call == record.call) {
            journal.append(&record)?;
            let ended = Ended::Badly(response.map_or("", RawValue::get));
            rejected.push(Step { call, ended, nature: Nature::Read, approved: false });
        }
    }
    let agent = agent(input);
    journal.append(&Record { agent, ..Record::new(Kind::BatchEnd, Outcome::None, time) })?;
    Ok(rejected)
}

pub fn record_of(kind: Kind, outcome: Outcome, time: u64, input: &Input<'_>, call: &Call<'_>) -> Record {
    Record {
        agent: agent(input),
        call: fingerprint(call.id.as_bytes()),
        tool: fingerprint(call.tool.as_bytes()),
        action: fingerprint(call.input.get().as_bytes()),
        ..Record::new(kind, outcome, time)
    }
}

fn agent(input: &Input<'_>) -> u64 {
    input.agent_id.as_ref().map_or(0, |agent| fingerprint(agent.as_bytes()))
}

/// The person's yes to the pending review, if one is pending that the yes can mean.
pub fn confirm(
    scene: &Scene,
    session: &str,
    means: impl FnOnce(&ReviewRequest) -> bool,
) -> Result<(), Failure> {
    let now = clock::milliseconds();
    Ok(state::edit(&scene.layout, session, |facts| {
        if let Some(review) = &mut facts.review
            && review.is_recent(now)
            && means(review)
        {
            review.confirmed = true;
        }
    })?)
}

fn says_yes(response: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Answered {
        #[serde(default)]
        answers: BTreeMap<String, serde_json::Value>,
    }
    serde_json::from_str::<Answered>(response.get()).is_ok_and(|answered| {
        answered
            .answers
            .iter()
            .any(|(question, answer)| about_review(question) && answer.as_str().is_some_and(is_yes))
    })
}

fn about_review(question: &str) -> bool {
    question.to_ascii_lowercase().contains("review")
}
