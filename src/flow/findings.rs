//! Findings of the current change with their history, and a person's ruling on one of them.

use super::change::Change;
use super::gate;
use super::recording::{append, blank};
use super::reporting::{report, write_copies};
use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::review::{Dismissal, Evidence, Receipt, Scope, Standing, Tracked};
use crate::state::Reading;

/// Findings of the loops after the first that concern the change as it is now.
pub fn findings(scene: &Scene) -> Result<Vec<Tracked>, Failure> {
    let change = Change::of(scene, Scope::default(), None)?;
    Ok(evidence(scene)?.concerning(change.branch.as_deref(), &change.pairs))
}

/// What the receipts say. Those that cannot be relied on are an error, not a shorter list.
pub(super) fn evidence(scene: &Scene) -> Result<Evidence, Failure> {
    let Reading { receipts, problems } = gate::read_ledger(scene)?;
    match problems.first() {
        Some(problem) => {
            Err(format!("the review state cannot be relied on: {problem}; a fresh review starts new state")
                .into())
        }
        None => Ok(Evidence::new(receipts)),
    }
}

/// Records that a person dismissed a finding; the caller has made sure that it is one. Returns what the gate says now.
pub fn dismiss(scene: &Scene, id: &str, reason: &str) -> Result<(Tracked, bool), Failure> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err("a ruling needs a reason: --reason \"why this finding does not hold\"".into());
    }
    let change = Change::of(scene, Scope::default(), None)?;
    let tracked = evidence(scene)?.concerning(change.branch.as_deref(), &change.pairs);
    let meant = named(&tracked, id)?;
    let ruling = Dismissal { finding: meant.id.clone(), reason: reason.into() };
    append(scene, Receipt { dismissed: vec![ruling], ..blank(scene, &change)? })?;
    let report = report(scene, &change)?;
    write_copies(scene, &change, &report, None)?;
    Ok((meant.clone(), report.ship.allowed))
}

fn named<'a>(tracked: &'a [Tracked], id: &str) -> Result<&'a Tracked, Failure> {
    const SHORTEST: usize = 4;
    let id = id.trim().to_ascii_lowercase();
    let mut matching = tracked.iter().filter(|entry| {
        entry.id.as_str() == id || (id.len() >= SHORTEST && entry.id.as_str().starts_with(&id))
    });
    match (matching.next(), matching.next()) {
        (Some(Tracked { standing: Standing::Dismissed(reason), .. }), None) => {
            Err(format!("{id} is dismissed already: {reason}").into())
        }
        (Some(entry), None) => Ok(entry),
        (Some(_), Some(_)) => Err(format!("{id} names more than one finding; type more of it").into()),
        (None, _) => {
            let open: Vec<String> = tracked
                .iter()
                .filter(|entry| entry.standing.is_open())
                .map(|entry| format!("{} ({})", entry.id, entry.finding.place().unwrap_or_default()))
                .collect();
            Err(match open.is_empty() {
                true => format!("no finding {id}: this change has no open findings"),
                false => format!("no finding {id}; open are {}", open.join(", ")),
            }
            .into())
        }
    }
}
