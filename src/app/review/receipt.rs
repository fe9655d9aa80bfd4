//! The end of every loop: a receipt, the readable copies, and the report.

use super::change::Change;
use super::report::{report, write_copies};
use crate::app::failure::{Failure, chain};
use crate::app::gate::judge;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::Ledger;
use crate::pure::policy::{LoopNumber, evidence_hash};
use crate::pure::report::CheckLines;
use crate::pure::review::{LoopOutcome, RECEIPT_VERSION, Receipt};
use time::OffsetDateTime;

pub(crate) use super::report::own_folder;

/// A loop that has ended on a change.
pub struct FinishedLoop {
    pub number: LoopNumber,
    pub outcome: LoopOutcome,
    pub started: OffsetDateTime,
    /// Who read it, if somebody did.
    pub reviewer: Option<String>,
}

/// Seals what came of a loop into a receipt, and returns the report.
pub fn record(
    workspace: &Workspace,
    change: &Change,
    ended: FinishedLoop,
    lines: CheckLines,
) -> Result<String, Failure> {
    let receipt = Receipt {
        loops: [(ended.number, ended.outcome)].into(),
        reviewer: ended.reviewer,
        ..blank(workspace, change)?
    };
    append(workspace, receipt)?;
    Ok(publish(workspace, change, ended.started, lines))
}

/// A receipt for this content that says nothing yet.
pub(crate) fn blank(workspace: &Workspace, change: &Change) -> Result<Receipt, Failure> {
    Ok(Receipt {
        version: RECEIPT_VERSION,
        sequence: 0,
        previous: None,
        repository: judge::identity(workspace)?.id,
        time: clock::timestamp(),
        branch: change.branch.clone(),
        head: change.head.clone(),
        base: change.base.commit.clone(),
        tree: change.snapshot.tree.clone(),
        scope: change.scope.clone(),
        pairs: change.pairs.clone(),
        policy: evidence_hash(&change.settings),
        loops: std::collections::BTreeMap::new(),
        reviewer: None,
        dismissed: Vec::new(),
    })
}

pub(crate) fn append(workspace: &Workspace, receipt: Receipt) -> Result<Receipt, Failure> {
    let repository = judge::identity(workspace)?;
    Ok(Ledger { layout: &workspace.layout, homes: &workspace.homes, repository: &repository }
        .append(receipt)?)
}

/// The report. The receipt is written and counts; what cannot be shown or copied is no reason to hide that.
fn publish(workspace: &Workspace, change: &Change, began: OffsetDateTime, lines: CheckLines) -> String {
    let report = match report(workspace, change) {
        Ok(report) => report,
        Err(failure) => {
            return format!("The result is recorded, but not shown: {}\n", chain(failure.as_ref()));
        }
    };
    let text = report.text(&change.settings.output, lines);
    match write_copies(workspace, change, &report, Some(began)) {
        Ok(()) => text,
        Err(failure) => {
            format!("{text}\nThe readable copies could not be written: {}\n", chain(failure.as_ref()))
        }
    }
}
