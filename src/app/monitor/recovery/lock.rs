//! A call while the project is locked: refused, asked about, or a person's own request.

use super::choice::RecoveryChoice;
use super::record::decided_incidents;
use crate::app::failure::{Failure, chain};
use crate::app::monitor::incidents;
use crate::app::permission::{self, Requested};
use crate::app::step::reviewed_call::ReviewedCall;
use crate::app::tool_event::ToolEvent;
use crate::app::workspace::Workspace;
use crate::edge::state::{LockMode, Locked, ProjectLock, RecoveryPermission};
use crate::pure::client::{Answer, Tool, ToolCall};
use crate::pure::monitor::interventions::SessionLimits;
use crate::pure::step::Nature;
use crate::pure::text::{cut, quoted};

/// The name in journal, audit log and statistics.
pub(crate) const RULE: &str = "emergency_stop";

/// The lock's answer to a tool call.
pub(crate) enum LockAnswer {
    /// There is none.
    Free,
    /// Nothing else is to be asked.
    Answered(Answer),
    /// The call is reviewed as always, and then `under` the lock.
    Held(Box<ProjectLock>),
}

/// Costs one failed open where there is no lock. Nothing that goes wrong here lets a call through.
pub(crate) fn lock_answer(event: ToolEvent<'_>) -> LockAnswer {
    let workspace = event.workspace;
    let locked = ProjectLock::read(&workspace.homes, &workspace.layout);
    if matches!(locked, Locked::Free) {
        return LockAnswer::Free;
    }
    let mut notice = None;
    match asked_for(event, &locked) {
        Ok(Some(question)) => return LockAnswer::Answered(question),
        Ok(None) => {}
        Err(failure) => {
            notice = Some(format!(
                "Plimsoll could not open the dialog for your choice: {}",
                chain(failure.as_ref())
            ));
        }
    }
    let refusal = match locked {
        Locked::Free => return LockAnswer::Free,
        Locked::Held(lock) => match lock.mode {
            LockMode::Limited | LockMode::Manual => return LockAnswer::Held(Box::new(lock)),
            LockMode::Stopped | LockMode::Aborted => refusal(workspace, &lock),
        },
        Locked::Unreadable(error) => format!(
            "Plimsoll: this project counts as stopped, since its lock cannot be read ({}). {}",
            chain(&error),
            way_out(workspace)
        ),
    };
    let answer = Answer::deny(refusal);
    LockAnswer::Answered(match notice {
        Some(notice) => answer.with_notice(notice),
        None => answer,
    })
}

fn refusal(workspace: &Workspace, lock: &ProjectLock) -> String {
    let summary = cut(lock.summary.trim_end_matches('.'), 140);
    let what = match lock.mode {
        LockMode::Aborted => "the user aborted the work in this project",
        LockMode::Stopped | LockMode::Limited | LockMode::Manual => "all work in this project is stopped",
    };
    let incident = lock.incidents.last().map(|id| match incidents::page(&workspace.layout, id) {
        Some(page) => format!(" Incident {id}: {page}."),
        None => format!(" Incident {id}; its page could not be written."),
    });
    format!("Plimsoll: {what}: {summary}.{} {}", incident.unwrap_or_default(), way_out(workspace))
}

fn way_out(workspace: &Workspace) -> String {
    format!(
        "Make no more calls. Only the user can go on: {}, or `plimsoll recover` in a terminal.",
        workspace.command("recover")
    )
}

/// The question that a person's typed request turns exactly its own command into, once.
fn asked_for(event: ToolEvent<'_>, locked: &Locked) -> Result<Option<Answer>, Failure> {
    let ToolEvent { workspace, input, call } = event;
    let Some(Tool::Bash { command }) = Tool::parse(call) else { return Ok(None) };
    let Some(choice) = RecoveryChoice::ALL.into_iter().find(|choice| command.trim() == choice.command())
    else {
        return Ok(None);
    };
    let request = Requested::Recovery.take(workspace, input)?;
    let asked = request.is_some_and(|request| request.as_str() == choice.name());
    if !asked || choice.unfit(locked).is_some() {
        return Ok(None);
    }
    let (incidents, summary) = match locked {
        Locked::Held(lock) => (lock.incidents.clone(), lock.summary.clone()),
        Locked::Free | Locked::Unreadable(_) => (Vec::new(), "its lock cannot be read".into()),
    };
    let question = format!(
        "Plimsoll: this project was stopped ({}; incident {}). You asked for {}: {}. Do that now?",
        cut(summary.trim_end_matches('.'), 140),
        incidents.last().map_or("unknown", String::as_str),
        choice.name(),
        choice.meaning()
    );
    let elsewhere = match workspace.project.as_str() == input.cwd {
        true => String::new(),
        false => format!(" --project {}", quoted(workspace.project.as_str())),
    };
    let permission = RecoveryPermission { choice: choice.name().into(), incidents };
    let command = |_: &str| format!("{}{elsewhere}", choice.command());
    permission::dialog(event, workspace, &permission, question, command).map(Some)
}

/// A reviewed call, with what the lock adds: a question where nothing was refused or asked.
pub(crate) fn under(lock: &ProjectLock, call: &ToolCall<'_>, reviewed: ReviewedCall) -> ReviewedCall {
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
fn changes_something(call: &ToolCall<'_>, reviewed: &ReviewedCall) -> bool {
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
fn is_risky(reviewed: &ReviewedCall) -> bool {
    let Some(decision) = reviewed.decision() else { return false };
    let risk = decision.assessment.as_ref().map(|assessment| &assessment.risk);
    decision.nature.base_risk() >= Nature::Network.base_risk()
        || risk.is_some_and(|risk| risk.has("privileged"))
}

/// Whether nothing runs here until a person decides.
pub(crate) fn is_stopped(workspace: &Workspace) -> bool {
    match ProjectLock::read(&workspace.homes, &workspace.layout) {
        Locked::Free => false,
        Locked::Held(lock) => matches!(lock.mode, LockMode::Stopped | LockMode::Aborted),
        Locked::Unreadable(_) => true,
    }
}

/// The remaining budget of a project that continues with limits.
pub(crate) fn limits(workspace: &Workspace) -> Option<SessionLimits> {
    match ProjectLock::read(&workspace.homes, &workspace.layout) {
        Locked::Held(lock) if lock.mode == LockMode::Limited => lock.limits,
        Locked::Free | Locked::Held(_) | Locked::Unreadable(_) => None,
    }
}

/// The project is locked again if an incident is there that no person has decided about: its lock did not go away by itself.
pub(crate) fn lock_again(workspace: &Workspace) -> Result<(), Failure> {
    if !matches!(ProjectLock::read(&workspace.homes, &workspace.layout), Locked::Free) {
        return Ok(());
    }
    let decided = decided_incidents(workspace);
    for incident in incidents::list(workspace)
        .iter()
        .filter(|incident| incident.time > 0 && !decided.contains(&incident.id))
    {
        incidents::lock(workspace, incident, &mut Vec::new())?;
    }
    Ok(())
}
