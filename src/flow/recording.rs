//! The end of every loop: a receipt, the readable copies, and the report.

use super::change::Change;
use super::reporting::{report, write_copies};
use super::serve::{Failure, chain};
use super::{clock, gate};
use crate::flow::scene::Scene;
use crate::policy::evidence_hash;
use crate::repo::commit;
use crate::review::{LoopOutcome, RECEIPT_VERSION, Receipt};
use crate::state::Ledger;
use time::OffsetDateTime;

pub use super::reporting::own_folder;

/// A loop that has ended on a change.
pub struct Ended {
    pub number: u8,
    pub outcome: LoopOutcome,
    pub started: OffsetDateTime,
    /// Who read it, if somebody did.
    pub reviewer: Option<String>,
}

/// Seals what came of a loop into a receipt, and returns the report.
pub fn record(scene: &Scene, change: &Change, ended: Ended) -> Result<String, Failure> {
    let receipt = Receipt {
        loops: [(ended.number, ended.outcome)].into(),
        reviewer: ended.reviewer,
        ..blank(scene, change)?
    };
    append(scene, receipt)?;
    Ok(publish(scene, change, ended.started))
}

/// A receipt for this content that says nothing yet.
pub fn blank(scene: &Scene, change: &Change) -> Result<Receipt, Failure> {
    Ok(Receipt {
        version: RECEIPT_VERSION,
        sequence: 0,
        previous: None,
        repository: gate::repository_id(scene)?,
        time: clock::timestamp(),
        branch: change.branch.clone(),
        head: commit(&change.git, "HEAD").ok().map(|commit| commit.id),
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

pub fn append(scene: &Scene, receipt: Receipt) -> Result<Receipt, Failure> {
    let repository = receipt.repository.clone();
    Ok(Ledger { layout: &scene.layout, homes: &scene.homes, repository: &repository }.append(receipt)?)
}

/// The report. The receipt is written and counts; what cannot be shown or copied is no reason to hide that.
fn publish(scene: &Scene, change: &Change, began: OffsetDateTime) -> String {
    let report = match report(scene, change) {
        Ok(report) => report,
        Err(failure) => {
            return format!("The result is recorded, but not shown: {}\n", chain(failure.as_ref()));
        }
    };
    let text = report.text(&change.settings.output);
    match write_copies(scene, change, &report, Some(began)) {
        Ok(()) => text,
        Err(failure) => {
            format!("{text}\nThe readable copies could not be written: {}\n", chain(failure.as_ref()))
        }
    }
}
