//! A call while the project is locked: refused, asked about, or a person's own wish.

use super::choice::Choice;
use crate::flow::clock;
use crate::flow::incidents;
use crate::flow::reviewed::Reviewed;
use crate::flow::scene::Scene;
use crate::flow::serve::{Failure, chain};
use crate::hook::{Answer, Call, Input, Tool};
use crate::intervene::Limits;
use crate::state::{self, LockMode, Locked, ProjectLock, RecoveryGrant, RecoveryRequest, random_token};
use crate::step::Nature;

/// What journal, audit log and statistics call it.
pub const RULE: &str = "emergency_stop";

const MINUTE: u64 = 60 * 1000;
/// How long a typed request waits for its call.
const REQUEST_LASTS: u64 = 10 * MINUTE;
/// How long the dialog may stay open.
const GRANT_LASTS: u64 = 60 * MINUTE;

/// What the lock says to a call.
pub enum Standing {
    /// There is none.
    Free,
    /// Nothing else is to be asked.
    Answered(Answer),
    /// The call is reviewed as always, and then `under` the lock.
    Held(Box<ProjectLock>),
}

/// Costs one failed open where there is no lock. Nothing that goes wrong here lets a call through.
pub fn standing(scene: &Scene, input: &Input<'_>, call: &Call<'_>) -> Standing {
    let locked = ProjectLock::read(&scene.homes, &scene.layout);
    if matches!(locked, Locked::Free) {
        return Standing::Free;
    }
    let mut notice = None;
    match asked_for(scene, input, call, &locked) {
        Ok(Some(question)) => return Standing::Answered(question),
        Ok(None) => {}
        Err(failure) => {
            notice = Some(format!("Plimsoll could not put your choice to you: {}", chain(failure.as_ref())));
        }
    }
    let refusal = match locked {
        Locked::Free => return Standing::Free,
        Locked::Held(lock) => match lock.mode {
            LockMode::Limited | LockMode::Manual => return Standing::Held(Box::new(lock)),
            LockMode::Stopped | LockMode::Aborted => refusal(scene, &lock),
        },
        Locked::Unreadable(error) => format!(
            "Plimsoll: this project counts as stopped, since its lock cannot be read ({}). {}",
            chain(&error),
            way_out(scene)
        ),
    };
    let answer = Answer::deny(refusal);
    Standing::Answered(match notice {
        Some(notice) => answer.with_notice(notice),
        None => answer,
    })
}

fn refusal(scene: &Scene, lock: &ProjectLock) -> String {
    let summary = cut(lock.summary.trim_end_matches('.'), 140);
    let what = match lock.mode {
        LockMode::Aborted => "the user aborted the work in this project",
        LockMode::Stopped | LockMode::Limited | LockMode::Manual => "all work in this project is stopped",
    };
    let incident = lock.incidents.last().map(|id| match incidents::page(&scene.layout, id) {
        Some(page) => format!(" Incident {id}: {page}."),
        None => format!(" Incident {id}; its page could not be written."),
    });
    format!("Plimsoll: {what}: {summary}.{} {}", incident.unwrap_or_default(), way_out(scene))
}

fn way_out(scene: &Scene) -> String {
    format!(
        "Make no more calls. Only the user can go on: {}, or `plimsoll recover` in a terminal.",
        scene.command("recover")
    )
}

fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// The question that a person's typed request turns exactly its own command into, once.
fn asked_for(
    scene: &Scene,
    input: &Input<'_>,
    call: &Call<'_>,
    locked: &Locked,
) -> Result<Option<Answer>, Failure> {
    let Some(Tool::Bash { command }) = Tool::parse(call) else { return Ok(None) };
    let Some(choice) = Choice::ALL.into_iter().find(|choice| command.trim() == choice.command()) else {
        return Ok(None);
    };
    let now = clock::milliseconds();
    let taken = state::edit(&scene.layout, &input.session_id, |facts| facts.recovery.take())?;
    let asked = taken.is_some_and(|RecoveryRequest { choice: wanted, time }| {
        wanted == choice.name() && now.saturating_sub(time) <= REQUEST_LASTS
    });
    if !asked || choice.unfit(locked).is_some() {
        return Ok(None);
    }
    let (incidents, summary) = match locked {
        Locked::Held(lock) => (lock.incidents.clone(), lock.summary.clone()),
        Locked::Free | Locked::Unreadable(_) => (Vec::new(), "its lock cannot be read".into()),
    };
    let token = random_token()?;
    RecoveryGrant { choice: choice.name().into(), incidents: incidents.clone(), expires: now + GRANT_LASTS }
        .write(&scene.layout, &scene.homes, &token)?;
    let question = format!(
        "Plimsoll: this project was stopped ({}; incident {}). You asked for {}: {}. Do that now?",
        cut(summary.trim_end_matches('.'), 140),
        incidents.last().map_or("unknown", String::as_str),
        choice.name(),
        choice.meaning()
    );
    let elsewhere = match scene.project.as_str() == input.cwd {
        true => String::new(),
        false => format!(" --project '{}'", scene.project.as_str().replace('\'', r"'\''")),
    };
    // The token reaches the command only if the person lets it run.
    let with_token =
        call.with_command(|_| format!("PLIMSOLL_GRANT={token} {}{elsewhere}", choice.command()))?;
    Ok(Some(Answer::ask(question).with_input(with_token)))
}

/// A reviewed call, with what the lock adds: a question where nothing was refused or asked.
pub fn under(lock: &ProjectLock, call: &Call<'_>, reviewed: Reviewed) -> Reviewed {
    if reviewed.answer.decision().is_some() {
        return reviewed;
    }
    let question = match lock.mode {
        LockMode::Manual if changes_something(call, &reviewed) => {
            "Plimsoll: manual intervention is on in this project, so you approve every write, deletion and command. \
             `plimsoll recover --end` ends it."
        }
        LockMode::Limited if is_risky(&reviewed) => {
            "Plimsoll: work goes on with strict limits after a stop, so risky steps are yours to approve. \
             `plimsoll recover --end` ends it."
        }
        LockMode::Manual | LockMode::Limited => return reviewed,
        LockMode::Stopped | LockMode::Aborted => "Plimsoll: this project is stopped.",
    };
    reviewed.asking(question.to_owned(), RULE)
}

/// Everything but what is known to read only.
fn changes_something(call: &Call<'_>, reviewed: &Reviewed) -> bool {
    let reads = || reviewed.decision().is_some_and(|decision| decision.nature == Nature::Read);
    match Tool::parse(call) {
        Some(Tool::Read { .. } | Tool::Search { .. } | Tool::WebSearch { .. } | Tool::Passive) => false,
        // Only brings text into the conversation; what that leads to is asked about.
        Some(Tool::Skill { .. }) => false,
        Some(Tool::Other(_)) => !reads(),
        Some(
            Tool::Bash { .. }
            | Tool::Write { .. }
            | Tool::Fetch { .. }
            | Tool::Agent(_)
            | Tool::Prompting(_)
            | Tool::DropWorktree,
        )
        | None => true,
    }
}

/// By what it does, and not by how the session went: the network, the system, a deletion, or raised privileges.
fn is_risky(reviewed: &Reviewed) -> bool {
    let Some(decision) = reviewed.decision() else { return false };
    let risk = decision.assessment.as_ref().map(|assessment| &assessment.risk);
    decision.nature.base_risk() >= Nature::Network.base_risk()
        || risk.is_some_and(|risk| risk.has("privileged"))
}

/// Whether nothing runs here until a person decides.
pub fn is_stopped(scene: &Scene) -> bool {
    match ProjectLock::read(&scene.homes, &scene.layout) {
        Locked::Free => false,
        Locked::Held(lock) => matches!(lock.mode, LockMode::Stopped | LockMode::Aborted),
        Locked::Unreadable(_) => true,
    }
}

/// What is left to use in a project that goes on with limits.
pub fn limits(scene: &Scene) -> Option<Limits> {
    match ProjectLock::read(&scene.homes, &scene.layout) {
        Locked::Held(lock) if lock.mode == LockMode::Limited => lock.limits,
        Locked::Free | Locked::Held(_) | Locked::Unreadable(_) => None,
    }
}
