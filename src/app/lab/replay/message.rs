//! The calls of one message of the model, which run side by side: all are asked about, then all end, then the batch does.

use crate::app::failure::Failure;
use crate::app::lab::hook_session::{HookReply, RehearsedCall, RehearsedResult, Session};
use crate::edge::clock;
use crate::pure::client::{Tool, ToolCall, lacks_input};
use crate::pure::report::{DeliveredText, HookAnswer};
use crate::pure::step::Decision;

/// How the client tells the model that the person said no; there is no event after such a call.
const REFUSED_BY_PERSON: &str = "The user doesn't want to";
/// The text by which the client says that it rejected a call; the hooks learn of such a call when its batch ends.
const REFUSED_BY_CLIENT: &str = "<tool_use_error>";
/// The call was taken, and broken off since another one of its batch failed.
const SIBLING_FAILED: &str = "<tool_use_error>Sibling tool call";
const INTERRUPTED: &str = "[Request interrupted by user";

/// The message that an agent is at.
#[derive(Default)]
pub(crate) struct ReplayedMessage {
    pub id: Option<String>,
    pub calls: Vec<ReplayedCall>,
}

/// A call while its message is played.
pub(crate) struct ReplayedCall {
    pub step: RehearsedCall,
    pub gist: String,
    pub time: u64,
    pub ended: Option<(u64, RehearsedResult)>,
    pub asked: Asked,
}

pub(crate) enum Asked {
    NotYet,
    /// It runs; counted from 1 within the session.
    Runs(usize),
    Denied(usize, String),
    /// There is no event before it.
    ByNobody(usize),
}

/// A remark about a call.
pub(crate) struct Remarked {
    pub call: usize,
    pub tool: String,
    pub gist: String,
    pub told: Vec<DeliveredText>,
}

impl ReplayedCall {
    pub(crate) fn new(step: RehearsedCall, gist: String, time: u64) -> Self {
        Self { step, gist, time, ended: None, asked: Asked::NotYet }
    }

    /// The client would not have taken such a call: its input got lost on the way into the transcript.
    pub(crate) fn is_incomplete(&self) -> bool {
        let call = ToolCall { tool: self.step.tool.clone(), input: &self.step.input, id: String::new() };
        lacks_input(&call) || (self.step.input.get().trim() == "{}" && Tool::parse(&call).is_none())
    }

    fn result(&self) -> &str {
        self.ended.as_ref().map(|(_, ended)| ended.text()).unwrap_or_default()
    }

    fn is_refused_by_client(&self) -> bool {
        self.result().starts_with(REFUSED_BY_CLIENT) && !self.is_broken_off()
    }

    fn is_broken_off(&self) -> bool {
        self.result().starts_with(SIBLING_FAILED)
    }

    fn is_refused_by_person(&self) -> bool {
        self.result().starts_with(REFUSED_BY_PERSON)
    }

    fn remarked(&self, call: usize, told: Vec<DeliveredText>) -> Remarked {
        Remarked { call, tool: self.step.tool.clone(), gist: self.gist.clone(), told }
    }
}

impl ReplayedMessage {
    /// Asks about the calls that nobody has asked about; `count` hears every call with what was said to it.
    pub(crate) fn begin(
        &mut self,
        session: &Session,
        mut count: impl FnMut(&ReplayedCall, HookAnswer) -> usize,
    ) -> Result<Vec<Remarked>, Failure> {
        let mut remarks = Vec::new();
        for made in self.calls.iter_mut().filter(|made| matches!(made.asked, Asked::NotYet)) {
            if made.is_refused_by_client() {
                made.asked = Asked::ByNobody(count(made, HookAnswer::silent()));
                continue;
            }
            clock::rehearse(made.time);
            let HookReply { said, told } = session.hear_before(&made.step)?;
            let denied = (said.answer == Decision::Deny).then(|| said.reason.clone());
            let number = count(made, said);
            // A denied call does not run, whatever the transcript says; a person is assumed to have agreed.
            made.asked = denied.map_or(Asked::Runs(number), |reason| Asked::Denied(number, reason));
            remarks.push(made.remarked(number, told));
        }
        Ok(remarks)
    }

    /// Lets the calls end in the order in which they did, and then the batch.
    pub(crate) fn end(&mut self, session: &Session) -> Result<Vec<Remarked>, Failure> {
        let mut calls = std::mem::take(&mut self.calls);
        let mut remarks = Vec::new();
        calls.sort_by_key(|made| made.ended.as_ref().map(|(time, _)| *time));
        for made in &calls {
            let (Asked::Runs(number), Some((time, ended))) = (&made.asked, &made.ended) else { continue };
            if !made.is_refused_by_person() && !made.is_broken_off() {
                clock::rehearse(*time);
                remarks.push(made.remarked(*number, session.after(&made.step, ended)?));
            }
        }
        calls.sort_by_key(ReplayedCall::number);
        let over: Vec<(&RehearsedCall, &str)> = calls.iter().filter_map(ReplayedCall::as_seen).collect();
        if let Some(last) = calls.last()
            && !over.is_empty()
            && !calls.iter().any(ReplayedCall::is_refused_by_person)
        {
            remarks.push(last.remarked(last.number(), session.batch(&over)?));
        }
        Ok(remarks)
    }
}

impl ReplayedCall {
    fn number(&self) -> usize {
        match &self.asked {
            Asked::NotYet => usize::MAX,
            Asked::Runs(number) | Asked::Denied(number, _) | Asked::ByNobody(number) => *number,
        }
    }

    /// The call with what the model saw of it.
    fn as_seen(&self) -> Option<(&RehearsedCall, &str)> {
        match (&self.asked, &self.ended) {
            (Asked::Denied(_, reason), _) => Some((&self.step, reason)),
            (_, Some((_, ended))) => Some((&self.step, ended.text())),
            (_, None) => None,
        }
    }
}

/// A result as the hooks hear of it.
pub(crate) fn ended(
    failed: bool,
    text: String,
    response: Option<Box<serde_json::value::RawValue>>,
) -> RehearsedResult {
    if !failed {
        return RehearsedResult::Succeeded { text, response };
    }
    let interrupted = text.contains(INTERRUPTED);
    RehearsedResult::Failed { error: text, interrupted }
}
