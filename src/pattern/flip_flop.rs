//! Edits that were made, reversed, and are made again. A single step back never counts.

use super::call::{Call, Edit};
use super::found::{Found, reached};
use super::issue::{Refuse, Severity, Sign};
use super::trace::{Evidence, Fate, Thread};
use crate::policy::Patterns;
use serde::{Deserialize, Serialize};

/// Edits that are remembered.
const KEPT: usize = 32;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Made {
    path: u32,
    from: u32,
    to: u32,
    id: String,
    time: u64,
    /// It was made before and reversed since.
    again: bool,
}

/// Takes the newest step of the thread in.
pub(super) fn look(thread: &mut Thread, call: &Call, patterns: &Patterns) -> Option<Found> {
    let step = thread.steps.back().filter(|step| step.ended == Fate::Well)?;
    let edit = call.edit?;
    let from = edit.from.or_else(|| last_content(thread, edit)).unwrap_or_default();
    if from == edit.to {
        return None;
    }
    let same = |made: &&Made| made.path == edit.path && made.from == from && made.to == edit.to;
    let inverse = |made: &Made| made.path == edit.path && made.from == edit.to && made.to == from;
    let again = thread.edits.iter().rev().take_while(|made| !same(made)).any(inverse)
        && thread.edits.iter().any(|made| same(&made));
    let made = Made { path: edit.path, from, to: edit.to, id: step.id.clone(), time: step.time, again };
    if thread.edits.len() >= KEPT {
        thread.edits.pop_front();
    }
    thread.edits.push_back(made);
    if !again {
        return None;
    }
    let of_path = || thread.edits.iter().filter(|made| made.path == edit.path);
    let count = u32::try_from(of_path().filter(|made| made.again).count()).unwrap_or(u32::MAX);
    let severity = reached(count, &patterns.flip_flop).unwrap_or(Severity::Note);
    let evidence = Evidence::counted(count, of_path().next().map_or(0, |made| made.time));
    let mut found = Found::new(Sign::FlipFlop, severity, call.target, &evidence);
    found.events = of_path().rev().take(12).map(|made| made.id.clone()).collect();
    found.events.reverse();
    let said = format!("An edit was made, reversed and made again {count} times.");
    Some(found.refusing(Refuse::Target(call.target)).saying(said).at(call.path.clone()))
}

/// What was written to the file last, as far as is known.
fn last_content(thread: &Thread, edit: Edit) -> Option<u32> {
    thread.edits.iter().rev().find(|made| made.path == edit.path).map(|made| made.to)
}
