//! Findings of the current change with their history, and a person's ruling on one of them.

use super::change::Change;
use super::receipt::{append, blank};
use super::report::{report, write_copies};
use crate::app::failure::Failure;
use crate::app::gate::judge;
use crate::app::workspace::Workspace;
use crate::edge::state::LedgerContents;
use crate::pure::review::{Dismissal, Evidence, FindingState, Receipt, ReviewScope, TrackedFinding};

/// Findings of the loops after the first that concern the change as it is now.
pub fn findings(workspace: &Workspace) -> Result<Vec<TrackedFinding>, Failure> {
    let change = Change::of(workspace, ReviewScope::default(), None)?;
    Ok(evidence(workspace)?.concerning(change.branch.as_deref(), &change.pairs))
}

/// The findings of the receipts. A receipt that cannot be relied on is an error, not a shorter list.
pub(crate) fn evidence(workspace: &Workspace) -> Result<Evidence, Failure> {
    let LedgerContents { receipts, problems } = judge::read_ledger(workspace)?;
    match problems.first() {
        Some(problem) => {
            Err(format!("the review state cannot be relied on: {problem}; a fresh review starts new state")
                .into())
        }
        None => Ok(Evidence::new(receipts)),
    }
}

/// Records that a person dismissed a finding; the caller has made sure that it is one. Returns what the gate says now.
pub fn dismiss(workspace: &Workspace, id: &str, reason: &str) -> Result<(TrackedFinding, bool), Failure> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err("a ruling needs a reason: --reason \"why this finding does not hold\"".into());
    }
    let change = Change::of(workspace, ReviewScope::default(), None)?;
    let tracked = evidence(workspace)?.concerning(change.branch.as_deref(), &change.pairs);
    let meant = find(&tracked, id)?;
    let ruling = Dismissal { finding: meant.id.clone(), reason: reason.into() };
    append(workspace, Receipt { dismissed: vec![ruling], ..blank(workspace, &change)? })?;
    let report = report(workspace, &change)?;
    write_copies(workspace, &change, &report, None)?;
    Ok((meant.clone(), report.ship.allowed))
}

fn find<'a>(tracked: &'a [TrackedFinding], id: &str) -> Result<&'a TrackedFinding, Failure> {
    const SHORTEST: usize = 4;
    let id = id.trim().to_ascii_lowercase();
    let mut matching = tracked.iter().filter(|entry| {
        entry.id.as_str() == id || (id.len() >= SHORTEST && entry.id.as_str().starts_with(&id))
    });
    match (matching.next(), matching.next()) {
        (Some(TrackedFinding { state: FindingState::Dismissed(reason), .. }), None) => {
            Err(format!("{id} is dismissed already: {reason}").into())
        }
        (Some(entry), None) => Ok(entry),
        (Some(_), Some(_)) => Err(format!("{id} names more than one finding; type more of it").into()),
        (None, _) => {
            let open: Vec<String> = tracked
                .iter()
                .filter(|entry| entry.state.is_open())
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
