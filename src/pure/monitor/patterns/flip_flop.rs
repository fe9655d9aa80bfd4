//! Edits that were made, reversed, and are made again. A single step back never counts.

use super::call::{CallMarks, Edit};
use super::found_pattern::{FoundPattern, severity_at};
use super::issue::{IssueSeverity, Refuse, Sign};
use super::trace::{AgentTrace, CallOutcome, TraceEvidence, push_bounded};
use crate::pure::policy::Patterns;
use serde::{Deserialize, Serialize};

/// Edits that are remembered.
const KEPT: usize = 32;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FileEdit {
    path: u32,
    from: u32,
    to: u32,
    id: String,
    time: u64,
    /// It was made before and reversed since.
    again: bool,
}

/// Records the newest call of the thread.
pub(super) fn detect(thread: &mut AgentTrace, call: &CallMarks, patterns: &Patterns) -> Option<FoundPattern> {
    let step = thread.steps.last().filter(|step| step.ended == CallOutcome::Succeeded)?;
    let edit = call.edit?;
    let from = edit.from.or_else(|| last_content(thread, edit)).unwrap_or_default();
    if from == edit.to {
        return None;
    }
    let same = |made: &&FileEdit| made.path == edit.path && made.from == from && made.to == edit.to;
    let inverse = |made: &FileEdit| made.path == edit.path && made.from == edit.to && made.to == from;
    let again = thread.edits.iter().rev().take_while(|made| !same(made)).any(inverse)
        && thread.edits.iter().any(|made| same(&made));
    let made = FileEdit { path: edit.path, from, to: edit.to, id: step.id.clone(), time: step.time, again };
    push_bounded(&mut thread.edits, made, KEPT);
    if !again {
        return None;
    }
    let of_path = || thread.edits.iter().filter(|made| made.path == edit.path);
    let count = u32::try_from(of_path().filter(|made| made.again).count()).unwrap_or(u32::MAX);
    let severity = severity_at(count, &patterns.flip_flop).unwrap_or(IssueSeverity::Note);
    let evidence = TraceEvidence::counted(count, of_path().next().map_or(0, |made| made.time));
    let mut found = FoundPattern::new(Sign::FlipFlop, severity, call.target, &evidence);
    found.events = of_path().rev().take(12).map(|made| made.id.clone()).collect();
    found.events.reverse();
    let said = format!("An edit was made, reversed and made again {count} times.");
    Some(found.with_refusal(Refuse::Target(call.target)).with_description(said).with_path(call.path.clone()))
}

/// The content last written to the file, as far as it is known.
fn last_content(thread: &AgentTrace, edit: Edit) -> Option<u32> {
    thread.edits.iter().rev().find(|made| made.path == edit.path).map(|made| made.to)
}
