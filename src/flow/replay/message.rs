//! The calls of one message of the model, which run side by side: all are asked about, then all end, then the batch does.

use crate::flow::clock;
use crate::flow::rehearsal::{Ended, Heard, Session, Step};
use crate::flow::serve::Failure;
use crate::hook::{Call, Tool, lacks_input};
use crate::report::{Said, Told};
use crate::step::Course;

/// How the client tells the model that the person said no; there is no event after such a call.
const REFUSED_BY_PERSON: &str = "The user doesn't want to";
/// How it tells that it did not take the call itself; the hooks learn of such a call when its batch is over.
const REFUSED_BY_CLIENT: &str = "<tool_use_error>";
/// The call was taken, and broken off since another one of its batch failed.
const SIBLING_FAILED: &str = "<tool_use_error>Sibling tool call";
const INTERRUPTED: &str = "[Request interrupted by user";

/// The message that an agent is at.
#[derive(Default)]
pub(super) struct Message {
    pub id: Option<String>,
    pub calls: Vec<Made>,
}

/// A call while its message is played.
pub(super) struct Made {
    pub step: Step,
    pub gist: String,
    pub time: u64,
    pub ended: Option<(u64, Ended)>,
    pub asked: Asked,
}

pub(super) enum Asked {
    NotYet,
    /// It runs; counted from 1 within the session.
    Runs(usize),
    Denied(usize, String),
    /// There is no event before it.
    ByNobody(usize),
}

/// What was said about which call.
pub(super) struct Remarked {
    pub call: usize,
    pub tool: String,
    pub gist: String,
    pub told: Vec<Told>,
}

impl Made {
    pub(super) fn new(step: Step, gist: String, time: u64) -> Self {
        Self { step, gist, time, ended: None, asked: Asked::NotYet }
    }

    /// The client would not have taken such a call: its input got lost on the way into the transcript.
    pub(super) fn is_incomplete(&self) -> bool {
        let call = Call { tool: self.step.tool.clone(), input: &self.step.input, id: String::new() };
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

    fn remarked(&self, call: usize, told: Vec<Told>) -> Remarked {
        Remarked { call, tool: self.step.tool.clone(), gist: self.gist.clone(), told }
    }
}

impl Message {
    /// Asks about the calls that nobody has asked about; `count` hears every call with what was said to it.
    pub(super) fn begin(
        &mut self,
        session: &Session,
        mut count: impl FnMut(&Made, Said) -> usize,
    ) -> Result<Vec<Remarked>, Failure> {
        let mut remarks = Vec::new();
        for made in self.calls.iter_mut().filter(|made| matches!(made.asked, Asked::NotYet)) {
            if made.is_refused_by_client() {
                made.asked = Asked::ByNobody(count(made, Said::nothing()));
                continue;
            }
            clock::rehearse(made.time);
            let Heard { said, told } = session.hear_before(&made.step)?;
            let denied = (said.answer == Course::Block).then(|| said.reason.clone());
            let number = count(made, said);
            // What is denied does not run, whatever the transcript says; a person is taken to have said yes.
            made.asked = denied.map_or(Asked::Runs(number), |reason| Asked::Denied(number, reason));
            remarks.push(made.remarked(number, told));
        }
        Ok(remarks)
    }

    /// Lets the calls end in the order in which they did, and then the batch.
    pub(super) fn end(&mut self, session: &Session) -> Result<Vec<Remarked>, Failure> {
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
        calls.sort_by_key(Made::number);
        let over: Vec<(&Step, &str)> = calls.iter().filter_map(Made::as_seen).collect();
        if let Some(last) = calls.last()
            && !over.is_empty()
            && !calls.iter().any(Made::is_refused_by_person)
        {
            remarks.push(last.remarked(last.number(), session.batch(&over)?));
        }
        Ok(remarks)
    }
}

impl Made {
    fn number(&self) -> usize {
        match &self.asked {
            Asked::NotYet => usize::MAX,
            Asked::Runs(number) | Asked::Denied(number, _) | Asked::ByNobody(number) => *number,
        }
    }

    /// The call with what the model saw of it.
    fn as_seen(&self) -> Option<(&Step, &str)> {
        match (&self.asked, &self.ended) {
            (Asked::Denied(_, reason), _) => Some((&self.step, reason)),
            (_, Some((_, ended))) => Some((&self.step, ended.text())),
            (_, None) => None,
        }
    }
}

/// A result as the hooks hear of it.
pub(super) fn ended(failed: bool, text: String, response: Option<Box<serde_json::value::RawValue>>) -> Ended {
    if !failed {
        return Ended::Well { text, response };
    }
    let interrupted = text.contains(INTERRUPTED);
    Ended::Badly { error: text, interrupted }
}
