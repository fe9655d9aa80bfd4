//! After a tool call: the outcome goes into the journal, what happened is compared with what was answered before, and a
//! person's answer to a question counts as such.

use crate::app::failure::Failure;
use crate::app::monitor::{self, ObservedCall};
use crate::app::review::confirmation::{confirm, says_yes};
use crate::app::review::loop2::reviewer_guard;
use crate::app::step::audit::{self, AuditLine, AuditWord};
use crate::app::step::journal::{agent, record_of};
use crate::app::step::review::assess_later;
use crate::app::step::reviewed_call::thousandths;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{Journal, JournalRecord, Outcome, RecordKind, RecordRemark, fingerprint};
use crate::pure::client::{Answer, Event, Input, Tool, ToolCall};
use crate::pure::monitor::patterns::CallResult;
use crate::pure::step::{Decision, Nature};
use serde_json::value::RawValue;

pub fn answer(input: &Input<'_>) -> Result<Answer, Failure> {
    let workspace = Workspace::of_event(&input.cwd)?;
    let journal = Journal::open(&workspace.layout.journal(&input.session_id))?;
    let workspace = &workspace;
    Ok(match &input.event {
        Event::PostToolUse { call, response } => {
            let text = response.map_or("", RawValue::get);
            if call.tool == "AskUserQuestion" && response.is_some_and(says_yes) {
                confirm(workspace, &input.session_id, |_| true)?;
            }
            let event = ToolEvent { workspace, input, call };
            reviewer_guard::saw(event, text)?;
            record_run(event, &journal, Outcome::Success, CallResult::Succeeded(text))?
        }
        Event::PostToolUseFailure { call, error, interrupted } => {
            let (outcome, ended) = match *interrupted {
                true => (Outcome::Interrupted, CallResult::Interrupted),
                false => (Outcome::Failure, CallResult::Failed(error)),
            };
            record_run(ToolEvent { workspace, input, call }, &journal, outcome, ended)?
        }
        Event::PostToolBatch { calls } => {
            let rejected = batch_ended(workspace, &journal, input, calls)?;
            let seen = monitor::observe_calls(workspace, input, &rejected);
            seen.merge(monitor::batch_ended(workspace, input))
        }
        _ => Answer::silent(),
    })
}

/// The client tells of a call afterwards only if it ran, with the input that it ran with.
fn record_run(
    event: ToolEvent<'_>,
    journal: &Journal,
    outcome: Outcome,
    ended: CallResult<'_>,
) -> Result<Answer, Failure> {
    let ToolEvent { workspace, input, call } = event;
    let result = match ended {
        CallResult::Succeeded(text) | CallResult::Failed(text) => fingerprint(text.as_bytes()),
        CallResult::Interrupted | CallResult::Refused => 0,
    };
    let record = record_of(RecordKind::After, outcome, event);
    let before = journal.last(|earlier| earlier.kind == RecordKind::Before && earlier.call == record.call)?;
    let remark = before.map_or(RecordRemark::None, |before| remark(&before, call));
    // The call had too little risk to be assessed in advance, or was not seen at all.
    let unweighed = before.is_none_or(|before| before.risk.is_none());
    let later = if unweighed { assess_later(event).unwrap_or_default() } else { None };
    let risk = later.as_ref().map(|assessment| thousandths(assessment.risk.score));
    journal.append(&JournalRecord { result, remark, risk, ..record })?;
    let nature = before.map(|before| before.nature).unwrap_or_default();
    let step = ObservedCall { call, ended, nature, approved: remark == RecordRemark::Approved };
    let watched = monitor::observe_call(workspace, input, step);
    let notice = match remark {
        RecordRemark::None | RecordRemark::Noted | RecordRemark::AllowedOnce => return Ok(watched),
        RecordRemark::Approved => None,
        RecordRemark::DeniedButRan => {
            Some("it refused, ran all the same. Another hook or a mode of the client overruled it")
        }
        RecordRemark::NotAsRewritten => {
            Some("it had given a safer input, ran with another one. Another hook changed it as well")
        }
    };
    audit::append(event, AuditLine::new(event, AuditWord::Remarked(remark)))?;
    let surprise = notice.map_or_else(Answer::silent, |how| {
        Answer::notice(format!(
            "Plimsoll: a {} call that {how}; look at what it did, and let `plimsoll doctor` check the hooks.",
            call.tool
        ))
    });
    Ok(surprise.merge(watched))
}

fn remark(before: &JournalRecord, call: &ToolCall<'_>) -> RecordRemark {
    let runs_as_given = || match Tool::parse(call) {
        Some(Tool::Bash { command }) => fingerprint(command.as_bytes()) == before.result,
        _ => false,
    };
    match before.outcome {
        Outcome::Decided(Decision::Deny) => RecordRemark::DeniedButRan,
        Outcome::Decided(Decision::Ask) => RecordRemark::Approved,
        Outcome::Decided(Decision::Rewrite) if !runs_as_given() => RecordRemark::NotAsRewritten,
        Outcome::Decided(_) | Outcome::None | Outcome::Success | Outcome::Failure | Outcome::Interrupted => {
            RecordRemark::None
        }
    }
}

/// Calls that the client itself refused had no event before; the tail is where their siblings are.
fn batch_ended<'a>(
    workspace: &Workspace,
    journal: &Journal,
    input: &Input<'_>,
    calls: &'a [(ToolCall<'a>, Option<&'a RawValue>)],
) -> Result<Vec<ObservedCall<'a>>, Failure> {
    let time = clock::milliseconds();
    let seen = journal.tail()?.records;
    let mut rejected = Vec::new();
    for (call, response) in calls {
        let record = record_of(RecordKind::Rejected, Outcome::Failure, ToolEvent { workspace, input, call });
        if !seen.iter().any(|earlier| earlier.call == record.call) {
            journal.append(&record)?;
            let ended = CallResult::Failed(response.map_or("", RawValue::get));
            rejected.push(ObservedCall { call, ended, nature: Nature::Read, approved: false });
        }
    }
    let agent = agent(input);
    journal
        .append(&JournalRecord { agent, ..JournalRecord::new(RecordKind::BatchEnd, Outcome::None, time) })?;
    Ok(rejected)
}
