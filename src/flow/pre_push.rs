//! Door 2b, run by git: the ids that really leave are judged, whatever command sent them.

use super::serve::Failure;
use super::{clock, gate, overriding};
use crate::config::Invocation;
use crate::flow::scene::Scene;
use crate::repo::{PushLine, RemoteIds};
use crate::review::ObjectId;
use crate::state::{Grant, commit_token};
use camino::Utf8Path;
use std::io::Read;
use std::process::ExitCode;

const INPUT_LIMIT: u64 = 16 * 1024 * 1024;

/// Exit code 0 lets the push go on; everything else, a crash included, stops it.
pub fn run() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|argument| argument == "--version") {
        println!("plimsoll {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match judge(&arguments) {
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(refusal)) => {
            eprintln!("{refusal}");
            ExitCode::FAILURE
        }
        Err(failure) => {
            eprintln!(
                "plimsoll: could not check what would leave: {}",
                super::serve::chain(failure.as_ref())
            );
            ExitCode::FAILURE
        }
    }
}

/// The refusal, or nothing if the push may go on.
fn judge(arguments: &[String]) -> Result<Option<String>, Failure> {
    let scene = Scene::here()?;
    let (url, git_dir) = match arguments {
        [_name, url] => (url, ""),
        [_name, url, git_dir] => (url, git_dir.as_str()),
        _ => return Err("git did not say where the push goes".into()),
    };
    if !git_dir.is_empty() && !is_git_dir_of(&scene, git_dir) {
        return Err(
            "this push is from another repository than that of its directory; push from inside it".into()
        );
    }
    if scene.enrolment()?.is_none() {
        return Ok(None);
    }
    let mut input = Vec::new();
    std::io::stdin().lock().take(INPUT_LIMIT).read_to_end(&mut input)?;
    let lines = PushLine::parse_all(&input)?;
    let judged = gate::push(&scene, &lines, RemoteIds::Ask { url });
    if judged.verdict.is_open() {
        return Ok(None);
    }
    if let Some(reason) = granted(&scene, &lines)? {
        eprintln!("plimsoll: the ship gate is shut; a person let this push through once (\"{reason}\")");
        return Ok(None);
    }
    let (review, ship) = (scene.command("review"), scene.command("ship"));
    let mut text = String::from("plimsoll: Ship gate: BLOCKED. Nothing was pushed.\n");
    for reason in judged.verdict.reasons() {
        text += &format!("  - {reason}\n    {}\n", reason.remedy(&review, &ship));
    }
    Ok(Some(text + "  `plimsoll gate why` explains."))
}

/// `--git-dir` makes git push from one repository while it stands in another.
fn is_git_dir_of(scene: &Scene, git_dir: &str) -> bool {
    let real = Utf8Path::new(git_dir).canonicalize_utf8().ok();
    real.is_some() && real == scene.repo.as_ref().map(|repo| repo.git_dir.clone())
}

/// The reason of a grant that covers exactly these commits. Using it up is recorded.
fn granted(scene: &Scene, lines: &[PushLine]) -> Result<Option<String>, Failure> {
    let tips = tips(lines);
    let token = match (Invocation::read().grant, tips.as_slice()) {
        (Some(token), _) => token,
        (None, [tip]) => commit_token(tip),
        (None, _) => return Ok(None),
    };
    let Some(grant) = Grant::take(&scene.layout, &scene.homes, &token, clock::milliseconds())? else {
        return Ok(None);
    };
    if grant.tips != tips {
        return Ok(None);
    }
    overriding::note(scene, "used", &grant)?;
    Ok(Some(grant.reason.to_string()))
}

/// The commits at the tips, sorted.
pub fn tips(lines: &[PushLine]) -> Vec<ObjectId> {
    let mut tips: Vec<ObjectId> = lines.iter().filter_map(|line| line.local.clone()).collect();
    tips.sort();
    tips
}
