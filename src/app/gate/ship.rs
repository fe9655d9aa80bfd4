//! Door 1: the gate's answer to `/ship`, in words.

use super::judge::{GateResult, worktree};
use crate::app::failure::Failure;
use crate::app::sandbox;
use crate::app::workspace::Workspace;
use crate::pure::policy::LoopNumber;
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
                "all_loops_passed": true,
                "left_out": leave_out,
            });
            ("Ship gate: APPROVED", body)
        }
        Some(first) => {
            let body = json!({
                "blocked": true,
                "reason": first.to_string(),
                "blockers": judged.verdict.reasons().iter().map(ToString::to_string).collect::<Vec<_>>(),
                "suggestion": first.remedy(&review, &ship),
                "loop_results": loop_results(judged),
            });
            (first.heading(), body)
        }
    };
    let unbound = match workspace.repo.is_none() || workspace.enrolment()?.is_some() {
        true => "",
        false => {
            "\nThis repository is not enrolled, so only this command asks the gate; `plimsoll enrol` binds every push."
        }
    };
    let sandboxed = match sandbox::state(workspace) {
        SandboxState::Off => String::new(),
        state @ (SandboxState::On | SandboxState::Limited(_)) => {
            format!("\nThis session is {state}: push with `plimsoll push`.")
        }
    };
    Ok(format!("{heading}\n{}{unbound}{sandboxed}\n", serde_json::to_string_pretty(&body)?))
}

fn loop_results(judged: &GateResult) -> serde_json::Value {
    let passed = |number: LoopNumber| {
        let tip = judged.tips.first()?;
        judged.evidence.run(number, &tip.tree).map(|(_, outcome)| outcome.verdict.passed())
    };
    json!({ "loop_1": passed(LoopNumber::One), "loop_2": passed(LoopNumber::Two), "loop_3": passed(LoopNumber::Three), "loop_4": passed(LoopNumber::Four) })
}
