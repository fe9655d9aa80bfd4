//! The end of a session's journal as the step review wants to know it.

use crate::app::failure::Failure;
use crate::app::tool_event::ToolEvent;
use crate::edge::state::{Journal, JournalRecord, Outcome, RecordKind, fingerprint};
use crate::pure::step::{Decision, Past, PastOutcome, StepHistory};
use std::collections::BTreeMap;

/// Facts of the session before this call, or beside it.
pub(crate) fn history(event: ToolEvent<'_>) -> Result<StepHistory, Failure> {
    let ToolEvent { workspace, input, call } = event;
    let mut tail = Journal::open(&workspace.layout.journal(&input.session_id))?.tail()?;
    let this = fingerprint(call.id.as_bytes());
    tail.records.retain(|record| record.call != this);
    Ok(StepHistory::new(past(&tail.records)).with_file_operations(tail.totals.file_operations))
}

/// Each call once, with what came of it, the oldest first.
fn past(records: &[JournalRecord]) -> Vec<Past> {
    let mut outcomes = BTreeMap::new();
    let mut ended = Vec::new();
    let mut before_prompt = false;
    let mut past = Vec::new();
    for record in records.iter().rev() {
        match record.kind {
            RecordKind::Prompt => before_prompt = true,
            RecordKind::BatchEnd => ended.push(record.agent),
            RecordKind::After => {
                outcomes.insert(record.call, past_outcome(record.outcome));
            }
            RecordKind::Before | RecordKind::Rejected => {
                let outcome = match outcomes.get(&record.call) {
                    Some(outcome) => *outcome,
                    None if record.kind == RecordKind::Rejected => PastOutcome::Failure,
                    None if record.outcome == Outcome::Decided(Decision::Deny) => PastOutcome::Refused,
                    // Its batch has ended without a report that it ran: a person said no.
                    None if ended.contains(&record.agent) => PastOutcome::Refused,
                    None => PastOutcome::Open,
                };
                let JournalRecord { action, family, nature, rule, .. } = *record;
                past.push(Past { action, family, nature, outcome, rule, before_prompt });
            }
            RecordKind::Totals => {}
        }
    }
    past.reverse();
    past
}

fn past_outcome(outcome: Outcome) -> PastOutcome {
    match outcome {
        Outcome::Success => PastOutcome::Success,
        Outcome::Failure => PastOutcome::Failure,
        Outcome::Decided(Decision::Deny) | Outcome::Interrupted => PastOutcome::Refused,
        Outcome::None | Outcome::Decided(_) => PastOutcome::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: RecordKind, outcome: Outcome, call: u64) -> JournalRecord {
        JournalRecord { call, action: call * 10, ..JournalRecord::new(kind, outcome, 0) }
    }

    fn outcomes(records: &[JournalRecord]) -> Vec<(u64, PastOutcome, bool)> {
        past(records).iter().map(|one| (one.action, one.outcome, one.before_prompt)).collect()
    }

    #[test]
    fn a_call_has_the_outcome_that_was_told_after_it() {
        use PastOutcome::{Failure, Open, Refused, Success};
        let records = [
            record(RecordKind::Before, Outcome::Decided(Decision::Silent), 1),
            record(RecordKind::After, Outcome::Success, 1),
            record(RecordKind::Before, Outcome::Decided(Decision::Ask), 2),
            record(RecordKind::BatchEnd, Outcome::None, 0),
            record(RecordKind::Prompt, Outcome::None, 0),
            record(RecordKind::Before, Outcome::Decided(Decision::Deny), 3),
            record(RecordKind::Rejected, Outcome::Failure, 4),
            record(RecordKind::Before, Outcome::Decided(Decision::Silent), 5),
            record(RecordKind::Before, Outcome::Decided(Decision::Warn), 6),
            record(RecordKind::After, Outcome::Failure, 6),
        ];
        assert_eq!(
            outcomes(&records),
            [
                (10, Success, true),
                (20, Refused, true),
                (30, Refused, false),
                (40, Failure, false),
                (50, Open, false),
                (60, Failure, false)
            ]
        );
    }
}
