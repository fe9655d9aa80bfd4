//! Door 2a: what the gate says to a push, a pull request or a publication that has not happened yet.

use super::judge::{push, worktree};
use super::pre_push_hook::PrePushHook;
use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::repo::{Forecast, Git, PushRequest, RemoteIds, predict};
use crate::pure::gate::GateDecision;
use crate::pure::step::{Addressed, GateAnswer, Leaving};

/// The forecast for something that would leave, for the agent's pushes.
pub(crate) fn word(workspace: &Workspace, what: &Leaving) -> Result<GateAnswer, Failure> {
    let session_gated = workspace.enrolment()?.is_some();
    let meant = match what.repository() {
        Addressed::Directory(directory) => workspace.of_directory(directory)?,
        Addressed::Unknown => None,
    };
    let gated = match &meant {
        Some(meant) => meant.enrolment()?.is_some(),
        None => false,
    };
    let (Some(meant), true) = (meant, gated) else {
        return Ok(GateAnswer {
            session_gated,
            gated: false,
            guarded: false,
            decision: GateDecision::Open,
            message: String::new(),
        });
    };
    let predicted = match what {
        Leaving::Push { arguments, .. } => forecast(&meant, arguments)?,
        Leaving::Branch { .. } => forecast(&meant, &[])?,
        Leaving::Content { .. } => None,
    };
    let judged = match predicted {
        Some(Forecast { remote, lines }) => push(&meant, &lines, RemoteIds::Tracking { remote: &remote }),
        None => worktree(&meant, &[]),
    };
    let words = words(workspace, &judged.verdict);
    Ok(GateAnswer {
        session_gated,
        gated,
        guarded: PrePushHook::of(&meant)?.is_in_place(),
        decision: judged.verdict,
        message: words,
    })
}

/// The commits that a push with these arguments would send.
pub(crate) fn forecast(workspace: &Workspace, arguments: &[String]) -> Result<Option<Forecast>, Failure> {
    let Some(repo) = workspace.repo.clone() else { return Ok(None) };
    Ok(predict(&Git::open(repo), &push_request(arguments))?)
}

fn push_request(arguments: &[String]) -> PushRequest {
    let mut request = PushRequest::default();
    let mut skip = false;
    for argument in arguments {
        if std::mem::take(&mut skip) {
            continue;
        }
        match argument.as_str() {
            "--all" | "--branches" => request.all = true,
            "--tags" => request.tags = true,
            "--mirror" => request.mirror = true,
            "--delete" | "-d" => request.delete = true,
            "-o" | "--push-option" | "--receive-pack" | "--exec" | "--repo" => skip = true,
            flag if flag.starts_with('-') => {}
            word if request.remote.is_none() => request.remote = Some(word.into()),
            word => request.refspecs.push(word.into()),
        }
    }
    request
}

/// The first reason and its fix, in one sentence.
fn words(workspace: &Workspace, verdict: &GateDecision) -> String {
    match verdict.reasons().first() {
        None => "the ship gate is open".into(),
        Some(reason) => format!(
            "the ship gate is closed. {reason}. {}",
            verdict.next_step(&workspace.command("review"), &workspace.command("ship")).unwrap_or_default()
        ),
    }
}
