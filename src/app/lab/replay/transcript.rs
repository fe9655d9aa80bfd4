//! One transcript while it is played: every event at its time, each agent for itself.

use super::message::{Remarked, ReplayedCall, ReplayedMessage, ended};
use super::path_map::Moved;
use crate::app::failure::Failure;
use crate::app::lab::hook_session::{RehearsedCall, Session};
use crate::app::lab::sample_world::WorldPlaces;
use crate::edge::clock;
use crate::edge::file::folder;
use crate::pure::client::{TranscriptEvent, TranscriptLine};
use crate::pure::monitor::interventions::InterventionKind;
use crate::pure::report::{DeliveredText, ReplayedIntervention, ReplayedSession};
use crate::pure::secret::redact;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// Where lines carry no time, a step takes twice this, counted from a day long past.
const PAUSE: u64 = 5_000;
const FIRST_DAY: u64 = 1_767_225_600_000;
/// The name for the last words of a turn in the report.
const STOP: &str = "Stop";

pub(crate) struct Playing<'a> {
    world: &'a WorldPlaces,
    moved: Option<Moved>,
    time: u64,
    /// By agent; the main thread has no name.
    turns: BTreeMap<String, Turn>,
    played: ReplayedSession,
}

/// The current work of an agent.
struct Turn {
    session: Session,
    message: ReplayedMessage,
    /// Its words, as long as nothing followed them.
    said: Option<Words>,
}

struct Words {
    message: Option<String>,
    text: String,
    time: u64,
}

impl<'a> Playing<'a> {
    pub(crate) fn new(name: &str, world: &'a WorldPlaces) -> Self {
        let name = name.strip_suffix(".jsonl").unwrap_or(name).to_owned();
        let played = ReplayedSession { name, ..ReplayedSession::default() };
        Self { world, moved: None, time: FIRST_DAY, turns: BTreeMap::new(), played }
    }

    pub(crate) fn take(
        &mut self,
        line: TranscriptLine<'_>,
        seen: &mut BTreeSet<String>,
    ) -> Result<(), Failure> {
        if line.events.is_empty() || line.uuid.is_some_and(|uuid| !seen.insert(uuid)) {
            return Ok(());
        }
        self.time = line.time.unwrap_or(self.time + PAUSE);
        let cwd = line.cwd.unwrap_or_default();
        let moved = self.moved.get_or_insert_with(|| Moved::into(self.world, &cwd)).clone();
        let agent = line.agent.clone().unwrap_or_default();
        let session = Session {
            id: line.session_id.unwrap_or_else(|| self.played.name.clone()),
            cwd: if cwd.is_empty() { self.world.project.to_string() } else { moved.there(&cwd) },
            agent: line.agent,
        };
        self.others_go_on(&agent)?;
        let mut turn = self.turns.remove(&agent).unwrap_or_else(|| Turn::of(&session));
        turn.session = session;
        for event in line.events {
            self.happen(&mut turn, event, line.message.as_deref(), &moved, seen)?;
        }
        self.turns.insert(agent, turn);
        Ok(())
    }

    /// All turns end, and with them the session.
    pub(crate) fn end(mut self) -> Result<ReplayedSession, Failure> {
        for mut turn in std::mem::take(&mut self.turns).into_values() {
            self.finish(&mut turn)?;
        }
        self.lift_lock()?;
        Ok(self.played)
    }

    /// Calls of other agents began before this agent's line. An agent without a name ends when its caller continues.
    fn others_go_on(&mut self, agent: &str) -> Result<(), Failure> {
        for (name, mut turn) in std::mem::take(&mut self.turns) {
            if name == agent {
                self.turns.insert(name, turn);
            } else if name == "sidechain" && agent.is_empty() {
                self.finish(&mut turn)?;
            } else {
                self.begin(&mut turn)?;
                self.turns.insert(name, turn);
            }
        }
        Ok(())
    }

    fn happen(
        &mut self,
        turn: &mut Turn,
        event: TranscriptEvent<'_>,
        message: Option<&str>,
        moved: &Moved,
        seen: &mut BTreeSet<String>,
    ) -> Result<(), Failure> {
        match event {
            TranscriptEvent::Prompt(text) => {
                self.finish(turn)?;
                clock::rehearse(self.time);
                let told = turn.session.prompt(&moved.there(&text))?;
                self.note_words("Prompt", &text, told)?;
            }
            TranscriptEvent::Interrupted => {
                self.close(turn)?;
                turn.said = None;
            }
            TranscriptEvent::Said(text) => {
                self.go_on(turn, message)?;
                let time = self.time;
                let message = message.map(str::to_owned);
                match &mut turn.said {
                    Some(words) if message.is_some() && words.message == message => {
                        words.text += &format!("\n{text}");
                    }
                    _ => turn.said = Some(Words { message, text, time }),
                }
            }
            TranscriptEvent::Call { tool, input, id } => {
                if !id.is_empty() && !seen.insert(id.clone()) {
                    return Ok(());
                }
                self.go_on(turn, message)?;
                turn.said = None;
                let step =
                    RehearsedCall { tool, input: RawValue::from_string(moved.there(input.get()))?, id };
                let made = ReplayedCall::new(step, gist(input.get()), self.time);
                if made.is_incomplete() {
                    self.played.counts.incomplete += 1;
                } else {
                    turn.message.calls.push(made);
                }
            }
            TranscriptEvent::Result { id, failed, text, response } => {
                if let Some(made) = turn.message.calls.iter_mut().find(|made| made.step.id == id) {
                    let response =
                        response.and_then(|response| RawValue::from_string(moved.there(response.get())).ok());
                    made.ended = Some((self.time, ended(failed, moved.there(&text), response)));
                }
            }
        }
        Ok(())
    }

    /// A new message ends the last one. Without ids, a message ends when all its calls have ended.
    fn go_on(&mut self, turn: &mut Turn, message: Option<&str>) -> Result<(), Failure> {
        let is_over = match message {
            Some(_) => turn.message.id.as_deref() != message,
            None => turn.message.calls.iter().all(|made| made.ended.is_some()),
        };
        if is_over {
            self.close(turn)?;
            turn.message.id = message.map(str::to_owned);
        }
        Ok(())
    }

    fn begin(&mut self, turn: &mut Turn) -> Result<(), Failure> {
        let (played, moved) = (&mut self.played, &self.moved);
        let back = |text: &str| moved.as_ref().map_or_else(|| text.to_owned(), |moved| moved.back(text));
        let remarks = turn.message.begin(&turn.session, |made, mut said| {
            said.reason = back(&said.reason);
            played.record(&made.step.tool, made.gist.clone(), said);
            played.counts.calls
        })?;
        self.note(remarks)
    }

    fn close(&mut self, turn: &mut Turn) -> Result<(), Failure> {
        self.begin(turn)?;
        let remarks = turn.message.end(&turn.session)?;
        self.note(remarks)
    }

    /// The turn ends; the last message of the agent counts if nothing came after it.
    fn finish(&mut self, turn: &mut Turn) -> Result<(), Failure> {
        self.close(turn)?;
        if let Some(Words { text, time, .. }) = turn.said.take() {
            clock::rehearse(time);
            let told = turn.session.stop(&text)?;
            self.note_words(STOP, &text, told)?;
        }
        Ok(())
    }

    fn note_words(&mut self, what: &str, text: &str, told: Vec<DeliveredText>) -> Result<(), Failure> {
        let call = self.played.counts.calls;
        self.note(vec![Remarked { call, tool: what.to_owned(), gist: redact(text), told }])
    }

    fn note(&mut self, remarks: Vec<Remarked>) -> Result<(), Failure> {
        for Remarked { call, tool, gist, told } in remarks {
            for mut told in told {
                told.reason = self.moved.as_ref().map_or_else(String::new, |moved| moved.back(&told.reason));
                if told.kind == InterventionKind::EmergencyStop {
                    self.lift_lock()?;
                }
                self.played.intervene(ReplayedIntervention {
                    call,
                    tool: tool.clone(),
                    text: gist.clone(),
                    told,
                });
            }
        }
        Ok(())
    }

    /// A stop is noted, and a person is taken to have let the session go on: it would deny all that follows, here and in the
    /// next session.
    fn lift_lock(&self) -> Result<(), Failure> {
        Ok(folder::remove(&self.world.home.join(".local/share/plimsoll/locks"))?)
    }
}

impl Turn {
    fn of(session: &Session) -> Self {
        Self { session: session.clone(), message: ReplayedMessage::default(), said: None }
    }
}

/// The part of the input that says most about the call, without secrets.
fn gist(input: &str) -> String {
    let fields: serde_json::Value = serde_json::from_str(input).unwrap_or_default();
    let told =
        ["command", "file_path", "notebook_path", "url"].iter().find_map(|name| fields.get(name)?.as_str());
    redact(told.unwrap_or(input))
}
