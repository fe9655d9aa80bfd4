//! The end of a session's journal as the step review wants to know it.

use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::hook::{Call, Input};
use crate::state::{Journal, Kind, Outcome, Record, fingerprint};
use crate::step::{History, Past, PastOutcome};
use std::collections::BTreeMap;

/// What was before this call, or besides it.
pub fn history(scene: &Scene, input: &Input<'_>, call: &Call<'_>) -> Result<History, Failure> {
    let mut tail = Journal::open(&scene.layout.journal(&input.session_id))?.tail()?;
    let this = fingerprint(call.id.as_bytes());
    tail.records.retain(|record| record.call != this);
    Ok(History::new(past(&tail.records)).with_file_operations(tail.totals.file_operations))
}

/// Each call once, with what came of it, the oldest first.
fn past(records: &[Record]) -> Vec<Past> {
    let mut outcomes = BTreeMap::new();
    let mut ended = Vec::new();
    let mut before_prompt = false;
    let mut past = Vec::new();
    for record in records.iter().rev() {
        match record.kind {
            Kind::Prompt => before_prompt = true,
            Kind::BatchEnd => ended.push(record.agent),
            Kind::After => {
                outcomes.insert(record.call, came_to(record.outcome));
            }
            Kind::Before | Kind::Rejected => {
                let outcome = match outcomes.get(&record.call) {
                    Some(outcome) => *outcome,
                    None if record.kind == Kind::Rejected => PastOutcome::Failure,
                    None if record.outcome == Outcome::Deny => PastOutcome::Refused,
                    // Its batch is over, and nobody told that it ran: a person said no.
                    None if ended.contains(&record.agent) => PastOutcome::Refused,
                    None => PastOutcome::Open,
                };
                let Record { action, family, nature, rule, .. } = *record;
                past.push(Past { action, family, nature, outcome, rule, before_prompt });
            }
            Kind::Totals => {}
        }
    }
    past.reverse();
    past
}

fn came_to(outcome: Outcome) -> PastOutcome {
    match outcome {
        Outcome::Success => PastOutcome::Success,
        Outcome::Failure => PastOutcome::Failure,
        Outcome::Deny | Outcome::Interrupted => PastOutcome::Refused,
        Outcome::None | Outcome::Silent | Outcome::Context | Outcome::Ask | Outcome::Rewritten => {
            PastOutcome::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: Kind, outcome: Outcome, call: u64) -> Record {
        Record { call, action: call * 10, ..Record::new(kind, outcome, 0) }
    }

    fn outcomes(records: &[Record]) -> Vec<(u64, PastOutcome, bool)> {
        past(records).iter().map(|one| (one.action, one.outcome, one.before_prompt)).collect()
    }

    #[test]
    fn a_call_has_the_outcome_that_was_told_after_it() {
        use PastOutcome::{Failure, Open, Refused, Success};
        let records = [
            record(Kind::Before, Outcome::Silent, 1),
            record(Kind::After, Outcome::Success, 1),
            record(Kind::Before, Outcome::Ask, 2),
            record(Kind::BatchEnd, Outcome::None, 0),
            record(Kind::Prompt, Outcome::None, 0),
            record(Kind::Before, Outcome::Deny, 3),
            record(Kind::Rejected, Outcome::Failure, 4),
            record(Kind::Before, Outcome::Silent, 5),
            record(Kind::Before, Outcome::Context, 6),
            record(Kind::After, Outcome::Failure, 6),
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
