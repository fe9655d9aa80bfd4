//! `plimsoll push` and `plimsoll fetch`: the way to a remote for whoever may not have the credentials.
//!
//! A push judges the ids first and then sends those ids, whatever the names mean by then.

use crate::app::attestation::{Attester, Permit, adopt, outgoing};
use crate::app::failure::{Failure, NoRepository, Refused};
use crate::app::gate::pre_push_hook::PrePushHook;
use crate::app::hooks::git_pre_push::{PushDecision, decision};
use crate::app::sandbox::Enclosure;
use crate::app::workspace::Workspace;
use crate::edge::config::Environment;
use crate::edge::repo::{
    Courier, Forecast, Git, NOTES, PushLine, PushRequest, RemoteIds, RemoteRefs, fetch_refspecs, predict,
    remote_url, set_upstream, tracked_refs, update_refs,
};
use crate::edge::run::{Job, run_fed};
use crate::pure::review::ObjectId;
use std::time::Duration;

/// A hook of the project may run its tests.
const HOOK_PATIENCE: Duration = Duration::from_secs(30 * 60);
/// As often as somebody else may get in between.
const TRIES: usize = 5;
/// A pattern, so that a remote without attestations is no error.
const FETCH_NOTES: &str = "+refs/notes/plimsoll*:refs/notes/plimsoll*";
const NO_ID: &str = "0000000000000000000000000000000000000000";

/// The refs of a push, as typed.
#[derive(Debug, Default)]
pub struct PushOrder {
    pub remote: Option<String>,
    /// `BRANCH` or `SOURCE:BRANCH`.
    pub refspecs: Vec<String>,
    pub set_upstream: bool,
    /// The key of a person's approval for exactly these commits.
    pub grant: Option<String>,
}

/// Judges what would leave, and sends exactly that. Returns what git said.
pub fn push(workspace: &Workspace, order: PushOrder) -> Result<String, Failure> {
    let git = open(workspace)?;
    if workspace.enrolment()?.is_none() {
        return Err("this repository is not enrolled, so there is no gate to ask: use `git push`".into());
    }
    if let Some(refspec) = order.refspecs.iter().find(|refspec| refspec.starts_with(['+', ':', '^', '-'])) {
        return Err(
            format!("`{refspec}` would overwrite or delete; `plimsoll push` only adds commits").into()
        );
    }
    let request = PushRequest { remote: order.remote, refspecs: order.refspecs, ..PushRequest::default() };
    let Forecast { remote, lines } =
        predict(&git, &request)?.ok_or_else(|| unknown_push(&request.refspecs))?;
    let url = url_of(&git, &remote, &["pushurl", "url"])?;
    let courier = Courier::new(&git, &[])?;
    let there = courier.refs(&url)?;
    let lines: Vec<PushLine> = lines.into_iter().map(|line| with_remote_id(line, &there)).collect();
    let permit = match decision(workspace, &lines, RemoteIds::Heard(&there), order.grant)? {
        PushDecision::Open => Permit::OpenGate,
        PushDecision::LetThrough { reason } => Permit::Override { reason },
        PushDecision::Refused(refusal) => return Err(Refused(refusal).into()),
    };
    run_foreign_hook(workspace, &remote, &url, &lines)?;
    if workspace.settings()?.settings.attestation.on_push {
        let judging = workspace.git()?.ok_or(NoRepository)?;
        let attester = Attester::of(workspace, &judging, None)?;
        attester.attest(&lines, RemoteIds::Heard(&there), &permit)?;
    }
    let said = send(workspace, &git, &courier, &url, &lines, there)?;
    remember(&git, &remote, &lines, order.set_upstream)?;
    Ok(said)
}

/// Sends the lines together with the attestations that the remote does not have. Somebody else's attestations may arrive there
/// at the same moment; then both become one, and the push is tried again.
fn send(
    workspace: &Workspace,
    git: &Git,
    courier: &Courier,
    url: &str,
    lines: &[PushLine],
    mut there: RemoteRefs,
) -> Result<String, Failure> {
    let mut tries = 0;
    loop {
        let theirs = id_of(&there, NOTES);
        if theirs.is_some() {
            courier.fetch(url, &[FETCH_NOTES.to_owned()])?;
        }
        let Some(notes) = outgoing(workspace, git, theirs.as_ref())? else {
            return Ok(courier.push(url, lines)?);
        };
        let line = PushLine {
            local_ref: NOTES.into(),
            local: Some(notes.clone()),
            remote_ref: NOTES.into(),
            remote: theirs.clone(),
        };
        match courier.push(url, &[lines, &[line]].concat()) {
            Ok(said) => {
                adopt(workspace, git, &notes)?;
                return Ok(said);
            }
            Err(error) => {
                tries += 1;
                there = courier.refs(url)?;
                if tries >= TRIES || id_of(&there, NOTES) == theirs {
                    return Err(error.into());
                }
            }
        }
    }
}

/// Brings what a remote has. Returns how many refs changed here.
pub fn fetch(workspace: &Workspace, remote: Option<String>) -> Result<usize, Failure> {
    let git = open(workspace)?;
    let remote = remote.unwrap_or_else(|| "origin".into());
    let url = url_of(&git, &remote, &["url"])?;
    let folder = format!("refs/remotes/{remote}/");
    let refspecs = fetch_refspecs(&git, &remote)?;
    let inside = |refspec: &String| {
        refspec.rsplit_once(':').is_some_and(|(_, target)| target.starts_with(folder.as_str()))
    };
    if refspecs.is_empty() || !refspecs.iter().all(inside) {
        return Err(
            format!("remote.{remote}.fetch maps outside {folder}; use `git fetch` in a terminal").into()
        );
    }
    let known: Vec<(ObjectId, String)> = tracked_refs(&git)?
        .into_iter()
        .filter(|(_, name)| name.starts_with(&folder) && !name.ends_with("/HEAD"))
        .collect();
    let wanted = [refspecs, vec![FETCH_NOTES.into()]].concat();
    let (notes, fetched): (Vec<_>, Vec<_>) = Courier::new(&git, &known)?
        .fetch(&url, &wanted)?
        .into_iter()
        .partition(|(_, name)| name.starts_with("refs/notes/"));
    if let Some((theirs, _)) = notes.iter().find(|(_, name)| name == NOTES) {
        adopt(workspace, &git, theirs)?;
    }
    let tags: Vec<String> = tracked_refs(&git)?.into_iter().map(|(_, name)| name).collect();
    let set: Vec<(ObjectId, String)> = fetched
        .iter()
        // A tag that is here already stays as it is.
        .filter(|(_, name)| name.starts_with(&folder) || !tags.contains(name))
        .filter(|fetched| !known.contains(fetched))
        .cloned()
        .collect();
    let gone: Vec<String> = known
        .into_iter()
        .map(|(_, name)| name)
        .filter(|name| fetched.iter().all(|(_, kept)| kept != name))
        .collect();
    update_refs(&git, &set, &gone)?;
    Ok(set.len() + gone.len())
}

/// Why nobody can say what git would send.
fn unknown_push(refspecs: &[String]) -> String {
    match refspecs {
        [] => "nothing says where this branch goes: run `plimsoll push -u origin BRANCH`".into(),
        names => {
            let names = names.join(" ");
            format!(
                "cannot tell what `{names}` would send: `git branch --all` and `git tag` list what can be pushed"
            )
        }
    }
}

fn open(workspace: &Workspace) -> Result<Git, Failure> {
    Ok(Git::open(workspace.repo.clone().ok_or(NoRepository)?))
}

fn url_of(git: &Git, remote: &str, keys: &[&str]) -> Result<String, Failure> {
    let named = !remote.is_empty() && !remote.starts_with('-');
    let url = if named { remote_url(git, remote, keys)? } else { None };
    Ok(url.ok_or_else(|| format!("there is no remote named `{remote}` in git's configuration"))?)
}

/// Remote-tracking refs can be forged; what the remote says counts.
fn with_remote_id(line: PushLine, there: &RemoteRefs) -> PushLine {
    PushLine { remote: id_of(there, &line.remote_ref), ..line }
}

fn id_of(there: &RemoteRefs, wanted: &str) -> Option<ObjectId> {
    there.refs.iter().find(|(_, name)| name == wanted).map(|(id, _)| id.clone())
}

/// The hook that git would run after ours. Its code may be the agent's, so in sandboxed mode it runs like a check.
fn run_foreign_hook(
    workspace: &Workspace,
    remote: &str,
    url: &str,
    lines: &[PushLine],
) -> Result<(), Failure> {
    let Some(hook) = PrePushHook::of(workspace)?.foreign() else { return Ok(()) };
    let id = |id: &Option<ObjectId>| id.as_ref().map_or_else(|| NO_ID.to_owned(), ToString::to_string);
    let input: String = lines
        .iter()
        .map(|line| {
            format!("{} {} {} {}\n", line.local_ref, id(&line.local), line.remote_ref, id(&line.remote))
        })
        .collect();
    let job = Job {
        argv: vec![hook.to_string(), remote.to_owned(), url.to_owned()],
        directory: workspace.project.clone(),
        environment: Environment::variables()
            .into_iter()
            .filter(|(name, _)| !name.starts_with("GIT_"))
            .collect(),
        deadline: HOOK_PATIENCE,
        slow_after: HOOK_PATIENCE,
    };
    let job = match Enclosure::of(workspace)? {
        Some(enclosure) => enclosure.enclose(&job),
        None => job,
    };
    let ended = run_fed(&job, input.into_bytes());
    match ended.how.failure(hook.as_str(), HOOK_PATIENCE) {
        None => Ok(()),
        Some(why) => {
            let said = String::from_utf8_lossy(&ended.output.bytes()).trim().to_owned();
            Err(Refused(format!("nothing was pushed: {why}\n{said}")).into())
        }
    }
}

/// Records the new state of the remote, and the upstream of the branch.
fn remember(git: &Git, remote: &str, lines: &[PushLine], upstream: bool) -> Result<(), Failure> {
    let branch = |name: &str| name.strip_prefix("refs/heads/").map(str::to_owned);
    let tracking: Vec<(ObjectId, String)> = lines
        .iter()
        .filter_map(|line| {
            Some((line.local.clone()?, format!("refs/remotes/{remote}/{}", branch(&line.remote_ref)?)))
        })
        .collect();
    update_refs(git, &tracking, &[])?;
    for line in lines.iter().filter(|_| upstream) {
        if let (Some(local), true) = (branch(&line.local_ref), line.remote_ref.starts_with("refs/heads/")) {
            set_upstream(git, &local, remote, &line.remote_ref)?;
        }
    }
    Ok(())
}
