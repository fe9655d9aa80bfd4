//! The end of every loop: a receipt, the readable copies, and the report.

use super::change::Change;
use super::serve::{Failure, chain};
use super::{clock, gate};
use crate::flow::scene::{Scene, real_path};
use crate::policy::{Settings, evidence_hash};
use crate::repo::commit;
use crate::report::{Log, ReviewText, Ship, loop_state};
use crate::review::{LoopOutcome, RECEIPT_VERSION, Receipt};
use crate::state::{self, Ledger};
use camino::Utf8PathBuf;
use time::OffsetDateTime;

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
    let receipt = append(scene, receipt)?;
    Ok(publish(scene, &receipt, &change.settings, ended.started))
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

/// Writes the readable copies and returns the report.
fn publish(scene: &Scene, receipt: &Receipt, settings: &Settings, started: OffsetDateTime) -> String {
    let judged = gate::worktree(scene, &receipt.scope.left_out);
    let ship = Ship {
        allowed: judged.verdict.is_open(),
        blockers: judged.verdict.reasons().iter().map(ToString::to_string).collect(),
    };
    let mut shown = receipt.clone();
    for number in 1..=4 {
        if let Some((_, outcome)) = judged.evidence.run(number, &receipt.tree) {
            shown.loops.insert(number, outcome.clone());
        }
    }
    let report = ReviewText { receipt: &shown, ship: &ship, output: &settings.output }.terminal();
    // The receipt is written and counts; copies that nobody can write are no reason to hide the result.
    match write_copies(scene, &shown, &ship, settings, started) {
        Ok(()) => report,
        Err(failure) => {
            format!("{report}\nThe readable copies could not be written: {}\n", chain(failure.as_ref()))
        }
    }
}

fn write_copies(
    scene: &Scene,
    shown: &Receipt,
    ship: &Ship,
    settings: &Settings,
    started: OffsetDateTime,
) -> Result<(), Failure> {
    let view = own_folder(scene, &settings.paths.state_dir)?.join("loop-state.json");
    state::write_json(&view, &loop_state(shown, ship))?;
    if let Some(Log { name, text }) = Log::of(shown, started, ship, settings) {
        state::write_atomic(&own_folder(scene, &settings.paths.log_dir)?.join(name), text.as_bytes())?;
    }
    Ok(())
}

/// A folder for readable copies. It hides itself from git, and no link may lead it out of the project.
pub fn own_folder(scene: &Scene, name: &str) -> Result<Utf8PathBuf, Failure> {
    let folder = real_path(&scene.project.join(name));
    if !folder.starts_with(real_path(&scene.project)) {
        return Err(format!("{name} leads out of the project, to {folder}").into());
    }
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        state::write_atomic(&ignore, b"*\n")?;
    }
    Ok(folder)
}
