//! `/reconcile`: where the next work comes from. Readers first, then failed checks, then the pull request.

use super::change::Change;
use super::findings::evidence;
use super::serve::Failure;
use super::{gate, leaks};
use crate::flow::scene::Scene;
use crate::gate::Leak;
use crate::report::{Reconcile, ReconcileSource, ToMend};
use crate::review::{Evidence, Finding, Scope, Severity, Verdict};

/// The category under which loop 4 keeps what people wrote on the pull request.
const PULL_REQUEST: &str = "pr";

/// What is to be mended in the change as it is now. Asks nobody: the pull request as loop 4 saw it last.
pub fn reconcile(scene: &Scene) -> Result<Reconcile, Failure> {
    let change = Change::of(scene, Scope::default(), None)?;
    let evidence = evidence(scene)?;
    let tracked = evidence.concerning(change.branch.as_deref(), &change.pairs);
    let open = tracked.iter().filter(|entry| entry.standing.is_open());
    let readers: Vec<ToMend> = open
        .filter(|entry| matches!(entry.number, 2 | 3))
        .map(|entry| ToMend::new(entry.number, &entry.finding, entry.rounds))
        .collect();
    if !readers.is_empty() {
        return Ok(found(scene, ReconcileSource::Claude, readers, false));
    }
    let (mut local, mut changed_since) = (leaked(&change)?, false);
    for number in [1, 4] {
        let Some((findings, tree)) = failed(&evidence, &change, number) else { continue };
        changed_since |= tree;
        local.extend(findings.iter().map(|finding| ToMend::new(number, finding, 1)));
    }
    if !local.is_empty() {
        return Ok(found(scene, ReconcileSource::Local, local, changed_since));
    }
    let feedback: Vec<ToMend> = tracked
        .iter()
        .filter(|entry| entry.number == 4 && entry.standing.is_open())
        .filter(|entry| entry.finding.category == PULL_REQUEST)
        .map(|entry| ToMend::new(entry.number, &entry.finding, entry.rounds))
        .collect();
    let source = if feedback.is_empty() { ReconcileSource::None } else { ReconcileSource::Pr };
    Ok(found(scene, source, feedback, false))
}

fn found(scene: &Scene, source: ReconcileSource, to_mend: Vec<ToMend>, changed_since: bool) -> Reconcile {
    let review = scene.command("review");
    let then = match source {
        ReconcileSource::Claude | ReconcileSource::Pr => {
            format!("run loop 1 again, then {review} so that the others read what changed")
        }
        ReconcileSource::Local => format!("run loop 1 again; {review} runs the others"),
        ReconcileSource::None => match gate::worktree(scene, &[]).verdict.reasons().first() {
            None => format!("{} ships this content", scene.command("ship")),
            Some(reason) => reason.remedy(&review, &scene.command("ship")),
        },
    };
    Reconcile { source, changed_since, to_mend, more: 0, then }.limited(usize::MAX)
}

/// What the newest run of a loop on this branch failed for, and whether it was on other content.
fn failed(evidence: &Evidence, change: &Change, number: u8) -> Option<(Vec<Finding>, bool)> {
    let mut runs = evidence.receipts().iter().rev().filter(|receipt| receipt.branch == change.branch);
    let (receipt, outcome) = runs.find_map(|receipt| Some((receipt, receipt.loops.get(&number)?)))?;
    if outcome.verdict != Verdict::Fail {
        return None;
    }
    let findings: Vec<Finding> =
        outcome.findings.iter().filter(|finding| finding.category != PULL_REQUEST).cloned().collect();
    (!findings.is_empty()).then(|| (findings, receipt.tree != change.snapshot.tree))
}

/// Secrets in the change keep the gate shut whatever the loops say.
fn leaked(change: &Change) -> Result<Vec<ToMend>, Failure> {
    let leaks = leaks::pair_leaks(change.snapshot.git(), &change.pairs, change.base.commit.as_ref())?;
    let item = |leak: &Leak| {
        let finding = Finding {
            severity: Severity::Critical,
            category: "secrets".into(),
            file: Some(leak.path.clone()),
            line: Some(leak.line),
            quote: None,
            message: format!("a secret ({}) would leave with this change", leak.rule),
            fix: Some("remove it, and rotate it if it was ever real".into()),
        };
        ToMend::new(1, &finding, 1)
    };
    Ok(leaks.iter().map(item).collect())
}
