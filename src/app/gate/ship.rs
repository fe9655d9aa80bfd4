//! Door 1: the gate's answer to `/ship`, in words.

use super::judge::{GateResult, worktree};
use crate::app::failure::Failure;
use crate::app::sandbox;
use crate::app::workspace::Workspace;
use crate::pure::gate::GateReason;
use crate::pure::policy::{LoopNumber, evidence_hash};
use crate::pure::report::{LoopReport, Sources};
use crate::pure::review::GitPath;
use crate::pure::sandbox::SandboxState;
use serde_json::json;

/// The context that `/ship` starts from.
pub(crate) fn ship_context(workspace: &Workspace, leave_out: &[GitPath]) -> Result<String, Failure> {
    ship_words(workspace, &worktree(workspace, leave_out), leave_out)
}

/// The gate's whole answer.
pub fn ship_words(
    workspace: &Workspace,
    judged: &GateResult,
    leave_out: &[GitPath],
) -> Result<String, Failure> {
    let (review, ship) = (workspace.command("review"), workspace.command("ship"));
    let tree = judged.tips.first().map(|tip| tip.tree.to_string());
    let (heading, body) = match judged.verdict.reasons().first() {
        None => {
            let body = json!({
                "blocked": false,
                "reviewed_commit": judged.evidence.newest().and_then(|receipt| receipt.head.clone()),
                "tree": tree,
                "required_loops": judged.settings.blocking.required_loops,
                "all_loops_passed": all_loops_passed(judged),
                "left_out": leave_out,
            });
            ("Ship gate: APPROVED", body)
        }
        Some(first) => {
            let mut body = json!({
                "blocked": true,
                "reason": first.to_string(),
                "blockers": judged.verdict.reasons().iter().map(ToString::to_string).collect::<Vec<_>>(),
                "suggestion": judged.verdict.next_step(&review, &ship),
                "loop_results": loop_results(judged),
            });
            if let (GateReason::Stale { reviewed, current, .. }, Some(body)) = (first, body.as_object_mut()) {
                body.insert("state_commit".into(), json!(reviewed));
                body.insert("current_commit".into(), json!(current));
            }
            (first.heading(), body)
        }
    };
    let unbound = if is_unguarded(workspace)? { format!("\n{NOT_ENROLLED}") } else { String::new() };
    let sandboxed = match sandbox::state(workspace) {
        SandboxState::Off => String::new(),
        state @ (SandboxState::On | SandboxState::Limited(_)) => {
            format!("\nThis session is {state}: push with `plimsoll push`.")
        }
    };
    let attested = match judged.settings.attestation.on_push {
        true => "\nPushes are attested in this project: push with `plimsoll push`.",
        false => "",
    };
    Ok(format!("{heading}\n{}{unbound}{sandboxed}{attested}\n", serde_json::to_string_pretty(&body)?))
}

pub const NOT_ENROLLED: &str =
    "This repository is not enrolled: nothing asks the gate before a push. `plimsoll enrol` changes that.";

fn is_unguarded(workspace: &Workspace) -> Result<bool, Failure> {
    Ok(workspace.repo.is_some() && workspace.enrolment()?.is_none())
}

/// The same for a person at a terminal: every blocker with what to do about it.
#[cfg(feature = "cli")]
pub fn gate_text(workspace: &Workspace, judged: &GateResult) -> Result<String, Failure> {
    use crate::pure::text::{Tone, bold, counted, printable};
    let (review, ship) = (workspace.command("review"), workspace.command("ship"));
    let reasons = judged.verdict.reasons();
    let mut text = match reasons.is_empty() {
        true => {
            format!("{} The gate is open for this content.\n{} {ship}\n", Tone::Good.symbol(), bold("next:"))
        }
        false => {
            let blockers = counted(reasons.len(), "blocker");
            format!("{} The gate is closed: {blockers}\n", Tone::Bad.symbol())
        }
    };
    for reason in reasons {
        let next = reason.remedy(&review, &ship);
        text +=
            &format!("  {}\n      {} {}\n", printable(&reason.to_string()), bold("next:"), printable(&next));
    }
    if is_unguarded(workspace)? {
        text += &format!("{NOT_ENROLLED}\n");
    }
    Ok(text)
}

/// Whether every required loop passed; the gate is also open where the policy lets a failure or a skip pass.
fn all_loops_passed(judged: &GateResult) -> bool {
    let policy = evidence_hash(&judged.settings);
    judged.tips.iter().all(|tip| {
        let sources = Sources {
            evidence: &judged.evidence,
            settings: &judged.settings,
            tree: &tip.tree,
            pairs: &tip.pairs,
            reasons: judged.verdict.reasons(),
        };
        let mut required = judged.settings.blocking.required_loops.iter();
        required.all(|number| LoopReport::of(&sources, &policy, *number).standing.passed())
    })
}

fn loop_results(judged: &GateResult) -> serde_json::Value {
    let passed = |number: LoopNumber| {
        let tip = judged.tips.first()?;
        judged.evidence.run(number, &tip.tree).map(|(_, outcome)| outcome.verdict.passed())
    };
    json!({ "loop_1": passed(LoopNumber::One), "loop_2": passed(LoopNumber::Two), "loop_3": passed(LoopNumber::Three), "loop_4": passed(LoopNumber::Four) })
}
