//! Where everything was read a short while ago there is nothing to start: what was read counts, and is shown as reused.

use super::verdict::blocks;
use crate::app::failure::Failure;
use crate::app::review::change::Change;
use crate::app::review::receipt::{FinishedLoop, record};
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::pure::client::Answer;
use crate::pure::policy::{LoopNumber, evidence_hash};
use crate::pure::report::CheckLines;
use crate::pure::review::{CheckOutcome, Evidence, Finding, LoopOutcome, LoopVerdict, Pair};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

const NUMBER: LoopNumber = LoopNumber::Two;

/// Refuses to start a reviewer, in words with which the review goes on.
pub(crate) fn answer(
    workspace: &Workspace,
    change: &Change,
    evidence: &Evidence,
    now: u64,
) -> Result<Answer, Failure> {
    let minutes = oldest_minutes(change, evidence, &[], now);
    let files = change.pairs.len();
    let read = format!("loop 2 has read all {files} changed files, the first of them {minutes} m ago");
    let blockers = standing_blockers(change, evidence);
    if !blockers.is_empty() {
        let ids: Vec<String> = blockers.iter().map(|finding| finding.id().to_string()).take(5).collect();
        return Ok(Answer::deny(format!(
            "Plimsoll [reused]: {read}, and what it found still stands ({}). Loop 2 is failed until the code changes or a person \
             dismisses these findings; reading it again would change nothing.",
            ids.join(", ")
        )));
    }
    let passed =
        evidence.run(NUMBER, &change.snapshot.tree).is_some_and(|(_, outcome)| outcome.verdict.passed());
    if !passed {
        let outcome = LoopOutcome {
            read: Some(Vec::new()),
            tiers: [(1, vec![reused(files, minutes)])].into(),
            ..LoopOutcome::ended(LoopVerdict::Pass, 0)
        };
        record(
            workspace,
            change,
            FinishedLoop { number: NUMBER, outcome, started: clock::now(), reviewer: None },
            CheckLines::Joined,
        )?;
    }
    Ok(Answer::deny(format!(
        "Plimsoll [reused]: {read}; nothing has to be read again. Loop 2 is passed: go on with the next loop."
    )))
}

/// Open findings of changes that were read before and need not be read again.
pub(crate) fn standing_blockers<'a>(change: &'a Change, evidence: &'a Evidence) -> Vec<&'a Finding> {
    let policy = evidence_hash(&change.settings);
    let standing =
        change.pairs.iter().filter_map(|pair| evidence.open_findings(NUMBER, pair, &policy)).flatten();
    let mut blockers: Vec<&Finding> =
        standing.filter(|finding| blocks(&change.settings.blocking, finding.severity)).collect();
    blockers.dedup_by_key(|finding| finding.id());
    blockers
}

/// How long ago the oldest reading was that is used again.
pub(crate) fn oldest_minutes(change: &Change, evidence: &Evidence, unread: &[&Pair], now: u64) -> u64 {
    let policy = evidence_hash(&change.settings);
    let reused = change.pairs.iter().filter(|pair| !unread.contains(pair));
    let times = reused.filter_map(|pair| Some(&evidence.pair_review(NUMBER, pair, &policy)?.receipt.time));
    let Some(oldest) = times.min().and_then(|time| OffsetDateTime::parse(time, &Rfc3339).ok()) else {
        return 0;
    };
    let then = u64::try_from(oldest.unix_timestamp()).unwrap_or_default();
    (now / 1_000).saturating_sub(then) / 60
}

/// A line of the report.
pub(crate) fn reused(files: usize, minutes: u64) -> CheckOutcome {
    CheckOutcome {
        name: format!("reused (read {minutes} m ago)"),
        verdict: LoopVerdict::Pass,
        command: None,
        elapsed_ms: 0,
        output: String::new(),
        facts: [("files_checked".to_owned(), files.into())].into(),
    }
}
