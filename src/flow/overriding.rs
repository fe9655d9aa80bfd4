//! Overrides: a typed one turns a refused push into a question that only a person can answer; one from a terminal lets a
//! single commit leave once. Both are recorded.

use super::serve::Failure;
use super::{clock, door, pre_push};
use crate::flow::scene::Scene;
use crate::hook::{Answer, Call, Input};
use crate::repo::{Git, commit};
use crate::review::ObjectId;
use crate::state::{self, Grant, OverrideRequest, commit_token, random_token};
use crate::step::{Addressed, Effect, Finding, Found, Leaving, Survey};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

const MINUTE: u64 = 60 * 1000;
/// How long a typed override waits for its push.
const REQUEST_LASTS: u64 = 10 * MINUTE;
/// How long the dialog may stay open.
const GRANT_LASTS: u64 = 60 * MINUTE;
/// How long a commit that a person let through may wait for its push.
const COMMIT_LASTS: u64 = 15 * MINUTE;

/// What came of a person's wish to let HEAD leave.
pub enum Override {
    /// The gate does not hold it back.
    Needless(&'static str),
    Granted {
        commit: ObjectId,
        minutes: u64,
    },
}

/// Lets the commit at HEAD leave once; the caller has made sure that a person wants it.
pub fn let_head_leave(scene: &Scene, reason: &str) -> Result<Override, Failure> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err("an override needs a reason: --reason \"why this ships unreviewed\"".into());
    }
    let repo = scene.repo.clone().ok_or("there is no git repository here")?;
    if scene.enrolment()?.is_none() {
        return Ok(Override::Needless("this repository is not enrolled, so that no push is held back"));
    }
    let head = commit(&Git::open(repo), "HEAD")?.id;
    let grant = Grant {
        tips: vec![head.clone()],
        reason: reason.into(),
        expires: clock::milliseconds() + COMMIT_LASTS,
    };
    note(scene, "granted", &grant)?;
    grant.write(&scene.layout, &scene.homes, &commit_token(&head))?;
    Ok(Override::Granted { commit: head, minutes: COMMIT_LASTS / MINUTE })
}

/// One line in the list of overrides, which nothing removes.
pub(super) fn note(scene: &Scene, what: &str, grant: &Grant) -> Result<(), Failure> {
    let line = serde_json::json!({
        "time": clock::timestamp(),
        "event": what,
        "reason": grant.reason,
        "tips": grant.tips,
    });
    let path = scene.layout.root().join("overrides.jsonl");
    std::fs::create_dir_all(scene.layout.root())?;
    let mut file = state::without_waiting().create(true).append(true).mode(0o600).open(path)?;
    file.write_all(format!("{line}\n").as_bytes())?;
    Ok(())
}

/// The question to put instead of the refusal, if the person asked for that and the push is all there is.
pub fn ask_instead(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    survey: &Survey,
    refusal: &Finding,
) -> Result<Option<Answer>, Failure> {
    let [
        Found {
            effect: Effect::Leave { what: Leaving::Push { repository, arguments }, alone: true }, ..
        },
    ] = survey.found.as_slice()
    else {
        return Ok(None);
    };
    let Addressed::Directory(directory) = repository else {
        return Ok(None);
    };
    let Some(meant) = scene.of_directory(directory)? else { return Ok(None) };
    let Some(forecast) = door::forecast(&meant, arguments)? else { return Ok(None) };
    let now = clock::milliseconds();
    let taken = state::edit(&scene.layout, &input.session_id, |facts| facts.r#override.take())?;
    let Some(OverrideRequest { reason, .. }) =
        taken.filter(|request| now.saturating_sub(request.time) <= REQUEST_LASTS)
    else {
        return Ok(None);
    };
    let token = random_token()?;
    let tips = pre_push::tips(&forecast.lines);
    Grant { tips: tips.clone(), reason: reason.clone(), expires: now + GRANT_LASTS }
        .write(&meant.layout, &meant.homes, &token)?;
    let commits: Vec<&str> = tips.iter().map(|tip| tip.short()).collect();
    let question = format!(
        "Plimsoll: {}. You asked to override the gate (\"{reason}\"). Push {} once, unreviewed?",
        refusal.reason.trim_end_matches('.'),
        commits.join(", ")
    );
    // The token reaches the git hook only if the person lets the command run.
    let with_token = call.with_command(|command| format!("PLIMSOLL_GRANT={token} {command}"))?;
    Ok(Some(Answer::ask(question).with_input(with_token)))
}
