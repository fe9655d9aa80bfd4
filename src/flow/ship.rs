//! Door 1: the gate's answer to `/ship`, in words.

use super::gate::{Judged, worktree};
use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::review::GitPath;
use serde_json::json;

/// The context that `/ship` starts from.
pub fn ship_context(scene: &Scene, leave_out: &[GitPath]) -> Result<String, Failure> {
    ship_words(scene, &worktree(scene, leave_out), leave_out)
}

/// The gate's whole answer.
pub fn ship_words(scene: &Scene, judged: &Judged, leave_out: &[GitPath]) -> Result<String, Failure> {
    let (review, ship) = (scene.command("review"), scene.command("ship"));
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
    let unbound = match scene.repo.is_none() || scene.enrolment()?.is_some() {
        true => "",
        false => {
            "\nThis repository is not enrolled, so only this command asks the gate; `plimsoll enrol` binds every push."
        }
    };
    Ok(format!("{heading}\n{}{unbound}\n", serde_json::to_string_pretty(&body)?))
}

fn loop_results(judged: &Judged) -> serde_json::Value {
    let passed = |number: u8| {
        let tip = judged.tips.first()?;
        judged.evidence.run(number, &tip.tree).map(|(_, outcome)| outcome.verdict.passed())
    };
    json!({ "loop_1": passed(1), "loop_2": passed(2), "loop_3": passed(3), "loop_4": passed(4) })
}
