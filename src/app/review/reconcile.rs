//! `/reconcile`: where the next work comes from. Reviewers first, then failed checks, then the pull request.

use super::change::Change;
use super::findings::evidence;
#[cfg(feature = "cli")]
use super::{loop4, run::environment};
use crate::app::failure::Failure;
use crate::app::gate::{judge, leaks};
use crate::app::workspace::Workspace;
use crate::pure::gate::Leak;
use crate::pure::policy::LoopNumber;
use crate::pure::report::{FindingToFix, Reconcile, ReconcileSource};
use crate::pure::review::{Evidence, Finding, FindingSeverity, LoopVerdict, ReviewScope};

/// The category under which loop 4 keeps what people wrote on the pull request.
const PULL_REQUEST: &str = "pr";

/// Where feedback on the pull request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullRequestSource {
    /// As loop 4 saw it last; for hooks, which ask nobody but git.
    LastSeen,
    /// From GitHub, if neither a reviewer nor a check has anything to fix.
    #[cfg(feature = "cli")]
    Fetched,
}

/// The findings to fix in the current change.
pub fn reconcile(workspace: &Workspace, from: PullRequestSource) -> Result<Reconcile, Failure> {
    let change = Change::of(workspace, ReviewScope::default(), None)?;
    let evidence = evidence(workspace)?;
    let tracked = evidence.concerning(change.branch.as_deref(), &change.pairs);
    let open = tracked.iter().filter(|entry| entry.state.is_open());
    let readers: Vec<FindingToFix> = open
        .filter(|entry| entry.number.has_reviewer())
        .map(|entry| FindingToFix::new(entry.number, &entry.finding, entry.rounds))
        .collect();
    if !readers.is_empty() {
        return Ok(entries(workspace, ReconcileSource::Claude, readers, false));
    }
    let (mut local, mut changed_since) = (leaks_to_fix(&change)?, false);
    for number in [LoopNumber::One, LoopNumber::Four] {
        let Some((findings, tree)) = newest_failure(&evidence, &change, number) else { continue };
        changed_since |= tree;
        local.extend(findings.iter().map(|finding| FindingToFix::new(number, finding, 1)));
    }
    if !local.is_empty() {
        return Ok(entries(workspace, ReconcileSource::Local, local, changed_since));
    }
    let last_seen = tracked
        .iter()
        .filter(|entry| entry.number == LoopNumber::Four && entry.state.is_open())
        .filter(|entry| entry.finding.category == PULL_REQUEST)
        .map(|entry| FindingToFix::new(entry.number, &entry.finding, entry.rounds));
    let (feedback, not_asked): (Vec<FindingToFix>, _) = match from {
        PullRequestSource::LastSeen => (last_seen.collect(), None),
        #[cfg(feature = "cli")]
        PullRequestSource::Fetched => match pull_request_feedback(workspace, &change)? {
            Ok(feedback) => (feedback, None),
            Err(reason) => (last_seen.collect(), Some(reason)),
        },
    };
    let source = if feedback.is_empty() { ReconcileSource::None } else { ReconcileSource::Pr };
    Ok(Reconcile { pull_request: not_asked, ..entries(workspace, source, feedback, false) })
}

/// The open feedback on the pull request, or why GitHub gave none.
#[cfg(feature = "cli")]
fn pull_request_feedback(
    workspace: &Workspace,
    change: &Change,
) -> Result<Result<Vec<FindingToFix>, String>, Failure> {
    let judged = loop4::feedback(workspace, change, &environment(workspace)?);
    Ok(match judged.outcome.verdict {
        LoopVerdict::Skip { reason } => Err(reason),
        LoopVerdict::Pass | LoopVerdict::Fail | LoopVerdict::Stale { .. } => Ok(judged
            .findings
            .iter()
            .map(|finding| FindingToFix::new(LoopNumber::Four, finding, 1))
            .collect()),
    })
}

fn entries(
    workspace: &Workspace,
    source: ReconcileSource,
    to_fix: Vec<FindingToFix>,
    changed_since: bool,
) -> Reconcile {
    let review = workspace.command("review");
    let then = match source {
        ReconcileSource::Claude | ReconcileSource::Pr => {
            format!("run loop 1 again, then {review} so that the others read what changed")
        }
        ReconcileSource::Local => format!("run loop 1 again; {review} runs the others"),
        ReconcileSource::None => {
            let ship = workspace.command("ship");
            let next = judge::worktree(workspace, &[]).verdict.next_step(&review, &ship);
            next.unwrap_or_else(|| format!("{ship} ships this content"))
        }
    };
    Reconcile { source, changed_since, to_fix, more: 0, then, pull_request: None }.limited(usize::MAX)
}

/// The failure of the newest run of a loop on this branch, and whether it was on other content.
fn newest_failure(evidence: &Evidence, change: &Change, number: LoopNumber) -> Option<(Vec<Finding>, bool)> {
    let mut runs = evidence.receipts().iter().rev().filter(|receipt| receipt.branch == change.branch);
    let (receipt, outcome) = runs.find_map(|receipt| Some((receipt, receipt.loops.get(&number)?)))?;
    if outcome.verdict != LoopVerdict::Fail {
        return None;
    }
    let findings: Vec<Finding> =
        outcome.findings.iter().filter(|finding| finding.category != PULL_REQUEST).cloned().collect();
    (!findings.is_empty()).then(|| (findings, receipt.tree != change.snapshot.tree))
}

/// Secrets in the change keep the gate closed whatever the loops say.
fn leaks_to_fix(change: &Change) -> Result<Vec<FindingToFix>, Failure> {
    let leaks = leaks::pair_leaks(change.snapshot.git(), &change.pairs, change.base.commit.as_ref())?;
    let item = |leak: &Leak| {
        let message = format!("a secret ({}) would leave with this change", leak.rule);
        let finding = Finding {
            file: Some(leak.path.clone()),
            line: Some(leak.line),
            fix: Some("remove it, and rotate it if it was ever real".into()),
            ..Finding::new(FindingSeverity::Critical, "secrets", message)
        };
        FindingToFix::new(LoopNumber::One, &finding, 1)
    };
    Ok(leaks.iter().map(item).collect())
}
