//! Door 2b, run by git: the ids that really leave are judged, whatever command sent them.

use crate::app::failure::Failure;
use crate::app::gate::{judge, overrides};
use crate::app::permission;
use crate::app::workspace::Workspace;
use crate::edge::config::HookInvocation;
use crate::edge::repo::{PushLine, RemoteIds};
use crate::edge::run::stdio;
use crate::edge::state::OverridePermission;
use camino::Utf8Path;
use std::process::ExitCode;

const INPUT_LIMIT: u64 = 16 * 1024 * 1024;

/// Exit code 0 lets the push go on; everything else, a crash included, stops it.
pub fn run() -> ExitCode {
    let arguments = stdio::arguments();
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
                crate::app::failure::chain(failure.as_ref())
            );
            ExitCode::FAILURE
        }
    }
}

/// The refusal, or nothing if the push may go on.
fn judge(arguments: &[String]) -> Result<Option<String>, Failure> {
    let workspace = Workspace::here()?;
    let (url, git_dir) = match arguments {
        [_name, url] => (url, ""),
        [_name, url, git_dir] => (url, git_dir.as_str()),
        _ => return Err("git did not say where the push goes".into()),
    };
    if !git_dir.is_empty() && !is_git_dir_of(&workspace, git_dir) {
        return Err(
            "this push is from another repository than that of its directory; push from inside it".into()
        );
    }
    if workspace.enrolment()?.is_none() {
        return Ok(None);
    }
    let lines = PushLine::parse_all(&stdio::read_stdin(INPUT_LIMIT)?)?;
    match decision(&workspace, &lines, RemoteIds::Ask { url }, HookInvocation::read().grant)? {
        PushDecision::Open | PushDecision::LetThrough { .. } => Ok(None),
        PushDecision::Refused(refusal) => Ok(Some(refusal)),
    }
}

/// May exactly these refs leave for this remote?
pub(crate) enum PushDecision {
    Open,
    /// The gate is closed, and a person let them leave.
    LetThrough {
        reason: String,
    },
    Refused(String),
}

pub(crate) fn decision(
    workspace: &Workspace,
    lines: &[PushLine],
    remote: RemoteIds<'_>,
    grant: Option<String>,
) -> Result<PushDecision, Failure> {
    let judged = judge::push(workspace, lines, remote);
    if judged.verdict.is_open() {
        return Ok(PushDecision::Open);
    }
    if let Some(reason) = take_grant(workspace, lines, grant)? {
        eprintln!("plimsoll: the ship gate is closed; a person let this push through once (\"{reason}\")");
        return Ok(PushDecision::LetThrough { reason });
    }
    let (review, ship) = (workspace.command("review"), workspace.command("ship"));
    let mut text = String::from("plimsoll: Ship gate: BLOCKED. Nothing was pushed.\n");
    for reason in judged.verdict.reasons() {
        text += &format!("  - {reason}\n    {}\n", reason.remedy(&review, &ship));
    }
    Ok(PushDecision::Refused(text + "  `plimsoll gate why` explains."))
}

/// `--git-dir` makes git push from one repository while it stands in another.
fn is_git_dir_of(workspace: &Workspace, git_dir: &str) -> bool {
    let real = Utf8Path::new(git_dir).canonicalize_utf8().ok();
    real.is_some() && real == workspace.repo.as_ref().map(|repo| repo.git_dir.clone())
}

/// The reason of a grant that covers exactly these commits. Using it up is recorded.
fn take_grant(
    workspace: &Workspace,
    lines: &[PushLine],
    grant: Option<String>,
) -> Result<Option<String>, Failure> {
    let tips = overrides::tips(lines);
    let token = match (grant, tips.as_slice()) {
        (Some(token), _) => token,
        (None, [tip]) => OverridePermission::token_of(tip),
        (None, _) => return Ok(None),
    };
    let taken = permission::take::<OverridePermission>(workspace, &token)?;
    let Some(grant) = taken.filter(|grant| grant.tips == tips) else { return Ok(None) };
    overrides::note(workspace, "used", &grant)?;
    Ok(Some(grant.reason.to_string()))
}
