//! How a locked project stands, for a person and for the start of a session.

use super::choice::RecoveryChoice;
use super::record::decisions;
use crate::app::failure::{Failure, chain};
use crate::app::monitor::incidents;
use crate::app::permission::Requested;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::state::{LockMode, Locked, ProjectLock};
use crate::pure::client::{Answer, Input};

/// The stop, the state of the project, and the recovery choices.
pub fn status(workspace: &Workspace) -> String {
    let locked = ProjectLock::read(&workspace.homes, &workspace.layout);
    let mut text = match &locked {
        Locked::Free => {
            let project = workspace.shown(&workspace.project);
            return format!("{project} is not stopped; there is nothing to recover from.\n");
        }
        Locked::Unreadable(error) => format!(
            "{} counts as stopped, since its lock cannot be read: {}.\nA choice writes a new lock.\n",
            workspace.shown(&workspace.project),
            chain(error)
        ),
        Locked::Held(lock) => describe(workspace, lock),
    };
    text += "\nHow it can go on:\n";
    for choice in RecoveryChoice::ALL.into_iter().filter(|choice| choice.unfit(&locked).is_none()) {
        text += &format!("  {:<20} {}\n", choice.name(), choice.meaning());
    }
    text + &format!(
        "\nIn a terminal: plimsoll recover CHOICE. In the client: {} CHOICE, and a dialog in which you confirm it.\n",
        workspace.command("recover")
    )
}

fn describe(workspace: &Workspace, lock: &ProjectLock) -> String {
    let standing = match lock.mode {
        LockMode::Stopped => "stopped: no tool call runs",
        LockMode::Limited => "going on with strict limits",
        LockMode::Manual => "under manual intervention: writes, deletions and commands ask you",
        LockMode::Aborted => "aborted: no tool call runs",
    };
    let mut text = format!("{} is {standing}.\n", workspace.shown(&workspace.project));
    text += &format!("What happened: {}\nSince: {}\n", lock.summary, clock::moment(lock.since));
    for id in &lock.incidents {
        text += &match incidents::page(&workspace.layout, id) {
            Some(page) => format!("Incident {id}: {}\n", workspace.shown(&page)),
            None => format!("Incident {id}: its page could not be written\n"),
        };
    }
    if let Some(checkpoint) = &lock.checkpoint {
        text += &format!("Last safe checkpoint: {checkpoint}\n");
    }
    let about = decisions(workspace)
        .into_iter()
        .rfind(|one| one.incidents.iter().any(|id| lock.incidents.contains(id)));
    if let Some(decided) = about {
        text += &format!("Decided: {} ({}, {})\n", decided.choice, decided.by, decided.time);
    }
    text
}

/// The messages of a session that starts in a locked project, for the model and for the person.
pub(crate) fn at_start(workspace: &Workspace) -> Option<(String, String)> {
    let recover = workspace.command("recover");
    let lock = match ProjectLock::read(&workspace.homes, &workspace.layout) {
        Locked::Free => return None,
        Locked::Held(lock) => lock,
        Locked::Unreadable(error) => {
            return Some((
                format!(
                    "Plimsoll: this project is locked. Call no tool; wait until the user has used {recover}."
                ),
                format!(
                    "Plimsoll: this project counts as stopped, since its lock cannot be read ({}). {recover} shows how to go on.",
                    chain(&error)
                ),
            ));
        }
    };
    let incident = lock.incidents.last().map_or("unknown", String::as_str);
    let (model, person) = match lock.mode {
        LockMode::Stopped | LockMode::Aborted => (
            format!(
                "Plimsoll stopped all work in this project (incident {incident}: {}). Call no tool: every call is refused. Wait \
                 until the user has used {recover}.",
                lock.summary
            ),
            format!(
                "Plimsoll: this project is stopped since incident {incident} ({}). {recover} shows how to go on.",
                lock.summary
            ),
        ),
        LockMode::Limited => (
            "Plimsoll: this project goes on with strict limits after a stop; risky steps are the user's to approve.".into(),
            format!("Plimsoll: strict limits are on since incident {incident}. {recover} --end goes back to normal."),
        ),
        LockMode::Manual => (
            "Plimsoll: manual intervention is on; the user approves every write, deletion and command.".into(),
            format!("Plimsoll: manual intervention is on since incident {incident}. {recover} --end goes back to normal."),
        ),
    };
    Some((model, person))
}

/// `/recover` in the client: shows the status, or notes what the person requests. It decides nothing.
pub(crate) fn answer_command(
    workspace: &Workspace,
    input: &Input<'_>,
    arguments: &str,
) -> Result<Answer, Failure> {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let choice = match words.as_slice() {
        [] => return Ok(Answer::block(status(workspace).trim_end())),
        [word] => RecoveryChoice::parse(word),
        _ => None,
    };
    let Some(choice) = choice else {
        let names = RecoveryChoice::ALL.map(RecoveryChoice::name).join("|");
        return Ok(Answer::block(format!("usage: {} [{names}]", workspace.command("recover"))));
    };
    let locked = ProjectLock::read(&workspace.homes, &workspace.layout);
    if let Some(why) = choice.unfit(&locked) {
        return Ok(Answer::block(format!("Plimsoll: {why}")));
    }
    Requested::Recovery.note(workspace, input, choice.name())?;
    Ok(Answer::context(format!(
        "Recovery: the user asked for {} ({}). Run exactly `{}` now, as a Bash command of its own, and nothing else. A dialog \
         opens in which they decide; nothing is approved before that. It holds for one call within ten minutes.",
        choice.name(),
        choice.meaning(),
        choice.command()
    )))
}
