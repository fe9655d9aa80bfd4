//! After a tool call: the outcome goes into the journal, and a person's answer to a question counts as such.

use super::clock;
use super::serve::{Failure, Reply};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Event, Input, is_yes};
use crate::state::{self, Journal, Kind, Outcome, Record, ReviewRequest, fingerprint};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

pub fn after_tool(bytes: &[u8]) -> Result<Reply, Failure> {
    let input = Input::parse(bytes)?;
    let scene = Scene::of_event(&input.cwd)?;
    let journal = Journal::open(&scene.layout.journal(&input.session_id))?;
    let time = clock::milliseconds();
    match &input.event {
        Event::PostToolUse { call, response } => {
            let result = response.map_or(0, |response| fingerprint(response.get().as_bytes()));
            journal
                .append(&Record { result, ..record_of(Kind::After, Outcome::Success, time, &input, call) })?;
            if call.tool == "AskUserQuestion" && response.is_some_and(says_yes) {
                confirm(&scene, &input.session_id, |_| true)?;
            }
        }
        Event::PostToolUseFailure { call, error, interrupted } => {
            let outcome = if *interrupted { Outcome::Interrupted } else { Outcome::Failure };
            let result = fingerprint(error.as_bytes());
            journal.append(&Record { result, ..record_of(Kind::After, outcome, time, &input, call) })?;
        }
        Event::PostToolBatch { calls } => {
            // Calls that the client itself refused had no event before; the tail is where their siblings are.
            let seen = journal.tail()?.records;
            for (call, _) in calls {
                let id = fingerprint(call.id.as_bytes());
                if !seen.iter().any(|record| record.call == id) {
                    journal.append(&record_of(Kind::Rejected, Outcome::Failure, time, &input, call))?;
                }
            }
            journal.append(&Record::new(Kind::BatchEnd, Outcome::None, time))?;
        }
        _ => {}
    }
    Ok(Reply::new(input.name, Answer::silent()))
}

pub fn record_of(kind: Kind, outcome: Outcome, time: u64, input: &Input<'_>, call: &Call<'_>) -> Record {
    Record {
        agent: input.agent_id.as_ref().map_or(0, |agent| fingerprint(agent.as_bytes())),
        call: fingerprint(call.id.as_bytes()),
        tool: fingerprint(call.tool.as_bytes()),
        action: fingerprint(call.input.get().as_bytes()),
        ..Record::new(kind, outcome, time)
    }
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

/// One line of the readable log. It names the tool and the rule, never the input: that could hold a secret.
#[derive(Serialize)]
struct AuditLine<'a> {
    time: String,
    tool: &'a str,
    tool_use_id: &'a str,
    agent: Option<&'a str>,
    answer: &'static str,
    rule: &'a str,
    reason: &'a str,
}

pub fn audit(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    outcome: Outcome,
    rule: &str,
    reason: &str,
) -> Result<(), Failure> {
    let answer = match outcome {
        Outcome::Ask => "ask",
        Outcome::Deny => "deny",
        Outcome::None
        | Outcome::Silent
        | Outcome::Context
        | Outcome::Success
        | Outcome::Failure
        | Outcome::Interrupted => "silent",
    };
    let agent = input.agent_type.as_deref();
    let line = AuditLine {
        time: clock::timestamp(),
        tool: &call.tool,
        tool_use_id: &call.id,
        agent,
        answer,
        rule,
        reason,
    };
    let mut text = serde_json::to_string(&line)?;
    text.push('\n');
    let path = scene.layout.audit(&input.session_id);
    let mut file = std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    Ok(file.write_all(text.as_bytes())?)
}
