//! The interventions of a session and their effects: one line each, appended and never changed.

use super::error::Error;
use super::layout::StateLayout;
use super::store::{append_json, read_bounded};
use crate::pure::monitor::interventions::{Delivered, InterventionEffect, InterventionKind};
use crate::pure::monitor::patterns::{IssueSeverity, Pattern, Sign};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterventionLine {
    /// Milliseconds since 1970.
    pub time: u64,
    pub event: InterventionEvent,
    /// The same for all that is said about one intervention.
    pub id: String,
    /// Empty for the main thread.
    #[serde(default)]
    pub agent: String,
    pub intervention: InterventionKind,
    pub issue: Pattern,
    pub sign: Sign,
    pub severity: IssueSeverity,
    #[serde(default)]
    pub outcome: Option<InterventionEffect>,
    /// Ids of the calls that caused it.
    #[serde(default)]
    pub events: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionEvent {
    Delivered,
    /// It was harder than the issue alone asks for, since the cause had persisted.
    Escalated,
    Judged,
    /// It was due while nothing but the floor and the gate was enforced: nobody was told, and nothing was done.
    WouldHave,
}

/// All lines that can be read, and how many cannot.
#[derive(Debug, Default)]
pub struct InterventionsLog {
    pub lines: Vec<InterventionLine>,
    pub damaged: usize,
}

impl InterventionLine {
    fn of(event: InterventionEvent, time: u64, agent: &str, one: &Delivered) -> Self {
        Self {
            time,
            event,
            id: one.id.clone(),
            agent: agent.into(),
            intervention: one.kind,
            issue: one.pattern,
            sign: one.sign,
            severity: one.severity,
            outcome: None,
            events: Vec::new(),
        }
    }

    /// The lines for an intervention that was just delivered.
    pub fn delivered(time: u64, agent: &str, one: &Delivered) -> Vec<Self> {
        let events = one.events.clone();
        let mut lines = vec![Self { events, ..Self::of(InterventionEvent::Delivered, time, agent, one) }];
        if one.escalated {
            lines.push(Self::of(InterventionEvent::Escalated, time, agent, one));
        }
        lines
    }

    /// The line for an intervention that was due and not carried out.
    pub fn would_have(time: u64, agent: &str, one: &Delivered) -> Self {
        let events = one.events.clone();
        Self { events, ..Self::of(InterventionEvent::WouldHave, time, agent, one) }
    }

    /// The line for an intervention whose effect is now known.
    pub fn judged(time: u64, agent: &str, one: &Delivered) -> Self {
        Self { outcome: Some(one.effect), ..Self::of(InterventionEvent::Judged, time, agent, one) }
    }
}

impl InterventionsLog {
    pub fn append(layout: &StateLayout, session: &str, lines: &[InterventionLine]) -> Result<(), Error> {
        append_json(&layout.interventions(session), lines)
    }

    /// Nothing where there is no such file.
    pub fn read(path: &Utf8Path) -> Result<Self, Error> {
        let Some(bytes) = read_bounded(path)? else { return Ok(Self::default()) };
        let mut log = Self::default();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(line) => log.lines.push(line),
                Err(_) => log.damaged += 1,
            }
        }
        Ok(log)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::file;
    use camino::Utf8PathBuf;
    use std::io::Write;

    #[test]
    fn lines_are_read_back_and_damaged_ones_counted() {
        let directory = tempfile::tempdir().unwrap();
        let layout =
            StateLayout::in_repository(&Utf8PathBuf::from_path_buf(directory.path().to_owned()).unwrap());
        let one = Delivered {
            id: "a".into(),
            kind: InterventionKind::CheckpointRollback,
            pattern: Pattern::RepetitiveErrors,
            sign: Sign::NoProgress,
            severity: IssueSeverity::High,
            cause: 1,
            agent: String::new(),
            escalated: true,
            events: vec!["t1".into(), "t2".into()],
            time: 5,
            calls: 4,
            effect: InterventionEffect::Persisted,
        };
        let delivered = InterventionLine::delivered(5, "", &one);
        assert_eq!(delivered.len(), 2);
        let judged = InterventionLine::judged(9, "", &one);
        InterventionsLog::append(&layout, "s", &delivered).unwrap();
        let path = layout.interventions("s");
        file::open_to_append(&path).unwrap().write_all(b"{\"time\":\n").unwrap();
        InterventionsLog::append(&layout, "s", std::slice::from_ref(&judged)).unwrap();
        let log = InterventionsLog::read(&path).unwrap();
        assert_eq!((log.lines.len(), log.damaged), (3, 1));
        assert_eq!(log.lines.last(), Some(&judged));
        assert!(InterventionsLog::read(&layout.interventions("other")).unwrap().lines.is_empty());
    }
}
