//! Overrides: a typed one turns a refused push into a question that only a person can answer; one from a terminal lets a
//! single commit leave once. Both are recorded.

use super::{forecast, judge};
use crate::app::failure::{Failure, NoRepository};
use crate::app::permission::{self, Requested};
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::repo::{Forecast, Git, PushLine, PushRequest, RemoteIds, commit, predict};
use crate::edge::state::{self, OverridePermission};
use crate::pure::client::Answer;
use crate::pure::review::ObjectId;
use crate::pure::secret::Redacted;
use crate::pure::shell::{Budget, Word, parse};
use crate::pure::step::{Addressed, Effect, FoundEffect, Leaving, RuleFinding, Survey};

const MINUTE: u64 = 60 * 1000;
/// How long a commit that a person let through may wait for its push.
const COMMIT_LASTS: u64 = 15 * MINUTE;

/// The result of a person's request to let HEAD leave.
pub enum Override {
    /// The gate does not hold it back.
    Needless(&'static str),
    Granted {
        commit: ObjectId,
        minutes: u64,
    },
}

/// Lets the commit at HEAD leave once; the caller has made sure that a person wants it.
pub fn let_head_leave(workspace: &Workspace, reason: &str) -> Result<Override, Failure> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err("an override needs a reason: --reason \"why this ships unreviewed\"".into());
    }
    let repo = workspace.repo.clone().ok_or(NoRepository)?;
    if workspace.enrolment()?.is_none() {
        return Ok(Override::Needless("this repository is not enrolled, so that no push is held back"));
    }
    let head = commit(&Git::open(repo), "HEAD")?.id;
    let permission = OverridePermission { tips: vec![head.clone()], reason: Redacted::new(reason) };
    note(workspace, "granted", &permission)?;
    permission::grant(workspace, &OverridePermission::token_of(&head), &permission, COMMIT_LASTS)?;
    Ok(Override::Granted { commit: head, minutes: COMMIT_LASTS / MINUTE })
}

/// One line in the list of overrides, which nothing removes.
pub(crate) fn note(workspace: &Workspace, what: &str, grant: &OverridePermission) -> Result<(), Failure> {
    let line = serde_json::json!({
        "time": clock::timestamp(),
        "event": what,
        "reason": grant.reason,
        "tips": grant.tips,
    });
    let path = workspace.layout.root().join("overrides.jsonl");
    Ok(state::append_json(&path, &[line])?)
}

/// The question to put instead of the refusal, if the person asked for that and the push is all there is.
pub(crate) fn ask_instead(
    event: ToolEvent<'_>,
    survey: &Survey,
    refusal: &RuleFinding,
) -> Result<Option<Answer>, Failure> {
    let workspace = event.workspace;
    let [
        FoundEffect {
            effect: Effect::Leave { what: Leaving::Push { repository, arguments }, alone: true },
            ..
        },
    ] = survey.found.as_slice()
    else {
        return Ok(None);
    };
    let Addressed::Directory(directory) = repository else {
        return Ok(None);
    };
    let Some(meant) = workspace.of_directory(directory)? else { return Ok(None) };
    let Some(forecast) = forecast::forecast(&meant, arguments)? else { return Ok(None) };
    let Some(reason) = Requested::Override.take(workspace, event.input)? else { return Ok(None) };
    let permission = OverridePermission { tips: tips(&forecast.lines), reason };
    let commits: Vec<&str> = permission.tips.iter().map(|tip| tip.short()).collect();
    let question = format!(
        "Plimsoll: {}. You asked to override the gate (\"{}\"). Push {} once, unreviewed?",
        refusal.reason.trim_end_matches('.'),
        permission.reason,
        commits.join(", ")
    );
    permission::dialog(event, &meant, &permission, question, str::to_owned).map(Some)
}

/// The same for a `plimsoll push`, which no hook refuses: the question, if the gate is closed and the person asked for that.
pub(crate) fn ask_before_push(event: ToolEvent<'_>, command: &str) -> Result<Option<Answer>, Failure> {
    let parsed = parse(command, &mut Budget::default());
    let ([only], Some(repo)) = (parsed.commands.as_slice(), event.workspace.repo.clone()) else {
        return Ok(None);
    };
    let words: Option<Vec<&str>> = only.words.iter().map(Word::literal).collect();
    let Some(["plimsoll", "push", words @ ..]) = words.as_deref() else { return Ok(None) };
    let mut operands = words.iter().filter(|word| !word.starts_with('-')).map(|word| (*word).to_owned());
    let request =
        PushRequest { remote: operands.next(), refspecs: operands.collect(), ..PushRequest::default() };
    let Some(Forecast { remote, lines }) = predict(&Git::open(repo), &request)? else { return Ok(None) };
    let judged = judge::push(event.workspace, &lines, RemoteIds::Tracking { remote: &remote });
    let Some(closed) = judged.verdict.reasons().first() else { return Ok(None) };
    let Some(reason) = Requested::Override.take(event.workspace, event.input)? else { return Ok(None) };
    let permission = OverridePermission { tips: tips(&lines), reason };
    let commits: Vec<&str> = permission.tips.iter().map(|tip| tip.short()).collect();
    let question = format!(
        "Plimsoll: the ship gate is closed. {closed}. You asked to override the gate (\"{}\"). Push {} once, unreviewed? \
         (--grant in the command is the key",
        permission.reason,
        commits.join(", ")
    );
    let keyed = |given: &str, token: &str| format!("{} --grant {token}", given.trim());
    permission::keyed_dialog(event, event.workspace, &permission, question, keyed).map(Some)
}

/// The commits at the tips, sorted.
pub(crate) fn tips(lines: &[PushLine]) -> Vec<ObjectId> {
    let mut tips: Vec<ObjectId> = lines.iter().filter_map(|line| line.local.clone()).collect();
    tips.sort();
    tips
}
