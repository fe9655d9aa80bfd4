//! Door 2a: what the gate says to a push, a pull request or a publication that has not happened yet.

use super::gate::{push, worktree};
use super::pre_push_hook::PrePushHook;
use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::gate::Verdict;
use crate::repo::{Forecast, Git, PushRequest, RemoteIds, predict};
use crate::step::{Addressed, GateWord, Leaving};

/// What door 2a needs to know about something that would leave.
pub fn word(scene: &Scene, what: &Leaving) -> Result<GateWord, Failure> {
    let session_gated = scene.enrolment()?.is_some();
    let meant = match what.repository() {
        Addressed::Directory(directory) => scene.of_directory(directory)?,
        Addressed::Unknown => None,
    };
    let gated = match &meant {
        Some(meant) => meant.enrolment()?.is_some(),
        None => false,
    };
    let (Some(meant), true) = (meant, gated) else {
        return Ok(GateWord {
            session_gated,
            gated: false,
            guarded: false,
            verdict: Verdict::Open,
            words: String::new(),
        });
    };
    let judged = match what {
        Leaving::Push { arguments, .. } => match forecast(&meant, arguments)? {
            Some(forecast) => push(&meant, &forecast.lines, RemoteIds::Tracking { remote: &forecast.remote }),
            None => worktree(&meant, &[]),
        },
        Leaving::Branch { .. } => match forecast(&meant, &[])? {
            Some(forecast) => push(&meant, &forecast.lines, RemoteIds::Tracking { remote: &forecast.remote }),
            None => worktree(&meant, &[]),
        },
        Leaving::Content { .. } => worktree(&meant, &[]),
    };
    let words = words(scene, &judged.verdict);
    Ok(GateWord {
        session_gated,
        gated,
        guarded: PrePushHook::of(&meant)?.is_in_place(),
        verdict: judged.verdict,
        words,
    })
}

/// The commits that a push with these arguments would send.
pub fn forecast(scene: &Scene, arguments: &[String]) -> Result<Option<Forecast>, Failure> {
    let Some(repo) = scene.repo.clone() else { return Ok(None) };
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

/// The first reason and what mends it, in one breath.
fn words(scene: &Scene, verdict: &Verdict) -> String {
    match verdict.reasons().first() {
        None => "the ship gate is open".into(),
        Some(reason) => format!(
            "the ship gate is shut. {reason}. {}",
            reason.remedy(&scene.command("review"), &scene.command("ship"))
        ),
    }
}
