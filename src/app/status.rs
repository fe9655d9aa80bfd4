//! How the project stands, for `plimsoll` without arguments and for the client's status line. One part that cannot be read
//! is told in its line and hides no other.

use crate::app::failure::{Failure, chain};
use crate::app::gate::judge::{self, GateResult};
use crate::app::registration::{installed_elsewhere, is_registered};
use crate::app::step::pause::{is_paused, paused_until};
use crate::app::workspace::Workspace;
use crate::app::{checkpoints, sandbox};
use crate::edge::clock;
use crate::edge::file::metadata;
use crate::edge::repo::Head;
use crate::edge::run::start_detached;
use crate::edge::run::stdio::own_program;
use crate::edge::state::{self, Lock, LockMode, Locked, ProjectLock};
use crate::pure::policy::StepMode;
use crate::pure::report::{GateSegment, Segment, Status, StatusLine};
use crate::pure::review::FindingState;
use crate::pure::sandbox::SandboxState;
use crate::pure::text::{Tone, age, counted, list, with_home};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

const CHECKPOINTS_SHOWN: usize = 3;
/// A judgement older than this is made again, in the background.
const FRESH: u64 = 10_000;
/// The pause between two judgements, as a multiple of the time that one takes.
const REST: u64 = 20;
pub const REFRESH: &str = "--refresh";
/// It also enrols the repository.
const INSTALL: &str = "plimsoll install";

/// The status line's copy of a judgement.
#[derive(Debug, Serialize, Deserialize)]
struct CachedGate {
    version: u64,
    /// Milliseconds since 1970, when the judgement began.
    time: u64,
    /// `None` while it is being made for the first time.
    gate: Option<GateSegment>,
    milliseconds: u64,
}

pub fn status(workspace: &Workspace) -> Status {
    let branch = match workspace.repo.as_ref().map(crate::edge::repo::Repo::head) {
        Some(Head::Branch(branch)) => Some(branch),
        Some(Head::Detached(commit)) => Some(commit.short().to_owned()),
        Some(Head::Unknown) | None => None,
    };
    let mut next = Vec::new();
    let mut lines: Vec<StatusLine> = stop(workspace, &mut next).into_iter().collect();
    lines.push(step_review(workspace, &mut next));
    lines.push(sandboxed(workspace, &mut next));
    lines.extend(content(workspace, branch.as_deref(), &mut next));
    lines.push(newest_checkpoints(workspace));
    let project = workspace.shown(&workspace.project);
    for line in &mut lines {
        line.detail = with_home(&line.detail, workspace.environment.home.as_str());
    }
    Status { project, branch, lines, next: next.into_iter().next() }
}

fn stop(workspace: &Workspace, next: &mut Vec<String>) -> Option<StatusLine> {
    let (tone, detail) = match ProjectLock::read(&workspace.homes, &workspace.layout) {
        Locked::Free => return None,
        Locked::Held(lock) => {
            let (tone, mode) = mode(lock.mode);
            (tone, format!("{mode} since {}: {}", clock::moment(lock.since), lock.summary))
        }
        Locked::Unreadable(error) => (Tone::Bad, format!("the lock cannot be read: {}", chain(&error))),
    };
    next.push("plimsoll recover".into());
    Some(StatusLine::new("stop", tone, detail))
}

fn mode(mode: LockMode) -> (Tone, &'static str) {
    match mode {
        LockMode::Stopped => (Tone::Bad, "stopped"),
        LockMode::Aborted => (Tone::Bad, "aborted"),
        LockMode::Limited => (Tone::Caution, "strict limits"),
        LockMode::Manual => (Tone::Caution, "manual intervention"),
    }
}

fn step_review(workspace: &Workspace, next: &mut Vec<String>) -> StatusLine {
    const NAME: &str = "step review";
    let settings = match workspace.settings() {
        Ok(loaded) => loaded.settings.step_reviewer,
        Err(failure) => {
            next.push("plimsoll config check".into());
            let detail = format!("on, with defaults: {}", chain(failure.as_ref()));
            return StatusLine::new(NAME, Tone::Bad, detail);
        }
    };
    match (paused_until(workspace), settings.enabled, settings.mode) {
        (Some(until), ..) => {
            StatusLine::new(NAME, Tone::Caution, format!("paused until {}", clock::moment(until)))
        }
        (None, false, _) => StatusLine::new(NAME, Tone::Caution, "off (step_reviewer.enabled: false)"),
        (None, true, StepMode::Blocking) => last_call(workspace, next),
        (None, true, _) => StatusLine::new(
            NAME,
            Tone::Caution,
            "only observes; `plimsoll log --refused` lists what it would refuse",
        ),
    }
}

fn sandboxed(workspace: &Workspace, next: &mut Vec<String>) -> StatusLine {
    let state = sandbox::state(workspace);
    let tone = match state {
        SandboxState::Off => Tone::Neutral,
        SandboxState::On => Tone::Good,
        SandboxState::Limited(_) => {
            next.push("plimsoll doctor".into());
            Tone::Bad
        }
    };
    StatusLine::new("sandbox", tone, state.to_string())
}

/// That the settings say "on" proves nothing; a recorded review does, except that worktrees share their record.
fn last_call(workspace: &Workspace, next: &mut Vec<String>) -> StatusLine {
    if let Some(main) = installed_elsewhere(workspace).filter(|_| !is_registered(workspace)) {
        next.push(INSTALL.into());
        let main = workspace.shown(&main);
        let detail = format!("off in this worktree: the hooks are registered in {main} alone");
        return StatusLine::new("step review", Tone::Bad, detail);
    }
    match metadata::modified_at(&workspace.layout.audit()) {
        Some(time) => {
            let age = age(clock::milliseconds().saturating_sub(time));
            StatusLine::new("step review", Tone::Good, format!("on, last tool call reviewed {age}"))
        }
        None if !is_registered(workspace) => {
            next.push(INSTALL.into());
            StatusLine::new("step review", Tone::Caution, "off: no hook is registered here")
        }
        None => {
            let detail = "no tool call was reviewed here yet; `plimsoll doctor` checks the hooks";
            StatusLine::new("step review", Tone::Neutral, detail)
        }
    }
}

/// The gate, the last review and the open findings.
fn content(workspace: &Workspace, branch: Option<&str>, next: &mut Vec<String>) -> Vec<StatusLine> {
    if workspace.repo.is_none() {
        return vec![StatusLine::new(
            "gate",
            Tone::Neutral,
            "not a git repository, so there is nothing to push",
        )];
    }
    let judged = judge::worktree(workspace, &[]);
    let mut lines = vec![gate(workspace, &judged, next), last_review(&judged)];
    if let Some(tip) = judged.tips.first() {
        let tracked = judged.evidence.concerning(branch, &tip.pairs);
        let open = tracked.iter().filter(|entry| entry.state.is_open()).count();
        let regressed = tracked.iter().filter(|entry| entry.state == FindingState::Regressed).count();
        lines.push(match (open, regressed) {
            (0, _) => StatusLine::new("findings", Tone::Neutral, "none open"),
            (_, 0) => StatusLine::new("findings", Tone::Caution, format!("{open} open")),
            (_, _) => StatusLine::new(
                "findings",
                Tone::Caution,
                format!("{open} open, {regressed} of them regressed"),
            ),
        });
    }
    lines
}

fn gate(workspace: &Workspace, judged: &GateResult, next: &mut Vec<String>) -> StatusLine {
    let (review, ship) = (workspace.command("review"), workspace.command("ship"));
    let nothing = !judged.tips.is_empty() && judged.tips.iter().all(|tip| tip.pairs.is_empty());
    let (tone, mut detail) = match judged.verdict.reasons().split_first() {
        _ if nothing => (Tone::Good, "nothing to ship".to_owned()),
        None => {
            next.push(ship);
            (Tone::Good, "open for this content".to_owned())
        }
        Some((first, others)) => {
            next.extend(judged.verdict.next_step(&review, &ship));
            let more =
                if others.is_empty() { String::new() } else { format!(" (and {} more)", others.len()) };
            (Tone::Bad, format!("closed: {first}{more}"))
        }
    };
    match workspace.enrolment() {
        Ok(Some(_)) => StatusLine::new("gate", tone, detail),
        Ok(None) => {
            if next.first().is_none_or(|first| first != INSTALL) {
                next.insert(0, "plimsoll enrol".into());
            }
            detail = format!("not enrolled: pushes are not judged ({detail})");
            StatusLine::new("gate", Tone::Caution, detail)
        }
        Err(failure) => {
            next.insert(0, "plimsoll doctor".into());
            StatusLine::new("gate", Tone::Bad, chain(failure.as_ref()))
        }
    }
}

fn last_review(judged: &GateResult) -> StatusLine {
    let Some(receipt) = judged.evidence.newest() else {
        return StatusLine::new("last review", Tone::Neutral, "none");
    };
    let since = OffsetDateTime::parse(&receipt.time, &Rfc3339).ok().map(|time| {
        let passed = clock::now() - time;
        age(u64::try_from(passed.whole_milliseconds()).unwrap_or_default())
    });
    let loops: Vec<String> = receipt
        .loops
        .iter()
        .map(|(number, outcome)| format!("loop {number} {}", outcome.verdict.word()))
        .collect();
    let what = if loops.is_empty() { "a finding dismissed".into() } else { list(&loops, 4) };
    let tone = match receipt.loops.values().all(|outcome| outcome.verdict.passed()) {
        true => Tone::Good,
        false => Tone::Caution,
    };
    StatusLine::new("last review", tone, format!("{what}, {}", since.unwrap_or_else(|| receipt.time.clone())))
}

fn newest_checkpoints(workspace: &Workspace) -> StatusLine {
    const NAME: &str = "checkpoints";
    let known = match checkpoints::list(workspace) {
        Ok(known) => known,
        Err(failure) => return StatusLine::new(NAME, Tone::Caution, chain(failure.as_ref())),
    };
    let now = clock::milliseconds();
    let shown: Vec<String> = known
        .iter()
        .map(|one| {
            format!("{} ({}, {})", one.id, age(now.saturating_sub(one.time)), counted(one.files, "file"))
        })
        .collect();
    let detail = if shown.is_empty() { "none yet".into() } else { list(&shown, CHECKPOINTS_SHOWN) };
    StatusLine::new(NAME, Tone::Neutral, detail)
}

/// The segment, from small files alone. A gate that was judged a while ago is judged again, by a process of its own.
pub fn segment(workspace: &Workspace) -> Segment {
    match ProjectLock::read(&workspace.homes, &workspace.layout) {
        Locked::Free => {}
        Locked::Held(lock) => return Segment::Stopped(mode(lock.mode).1),
        Locked::Unreadable(_) => return Segment::Stopped("stopped"),
    }
    if is_paused(workspace) {
        return Segment::Paused;
    }
    let settings = workspace.step_policy().settings;
    if !settings.enabled || settings.mode != StepMode::Blocking {
        return Segment::Observing;
    }
    if workspace.repo.is_none() {
        return Segment::On(None);
    }
    let cache = workspace.layout.status_line(&workspace.project);
    let cached = state::read_json::<CachedGate>(&cache, 1).ok().flatten();
    let now = clock::milliseconds();
    let due = cached.as_ref().is_none_or(|cached| {
        now.saturating_sub(cached.time) > FRESH.max(cached.milliseconds.saturating_mul(REST))
    });
    let took = cached.as_ref().map_or(0, |cached| cached.milliseconds);
    let gate = cached.and_then(|cached| cached.gate);
    if due {
        // Noted first, so that a status line that is drawn twice a second starts one.
        let begun = CachedGate { version: 1, time: now, gate: gate.clone(), milliseconds: took };
        if state::write_json(&cache, &begun).is_ok()
            && let Ok(program) = own_program()
        {
            let _ = start_detached(&program, &["statusline", REFRESH], &workspace.project);
        }
    }
    Segment::On(gate)
}

/// Judges the gate for the status line.
pub fn refresh(workspace: &Workspace) -> Result<(), Failure> {
    let cache = workspace.layout.status_line(&workspace.project);
    // In a large project, one may still be at work.
    let Some(_lock) = Lock::try_acquire(&cache.with_extension("lock"))? else { return Ok(()) };
    let (time, begun) = (clock::milliseconds(), clock::begin());
    let gate = match workspace.enrolment()? {
        None => GateSegment::NotEnrolled,
        Some(_) => match judge::worktree(workspace, &[]).verdict.reasons().first() {
            None => GateSegment::Open,
            Some(reason) => GateSegment::Closed(reason.to_string()),
        },
    };
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let cached = CachedGate { version: 1, time, gate: Some(gate), milliseconds };
    Ok(state::write_json(&cache, &cached)?)
}
