//! How a locked project stands, for a person and for the start of a session.

use super::choice::Choice;
use super::record::decisions;
use crate::flow::scene::Scene;
use crate::flow::serve::chain;
use crate::flow::{clock, incidents};
use crate::state::{LockMode, Locked, ProjectLock};

/// What happened, how things stand, and what can be chosen.
pub fn status(scene: &Scene) -> String {
    let locked = ProjectLock::read(&scene.homes, &scene.layout);
    let mut text = match &locked {
        Locked::Free => {
            return format!("{} is not stopped; there is nothing to recover from.\n", scene.project);
        }
        Locked::Unreadable(error) => format!(
            "{} counts as stopped, since its lock cannot be read: {}.\nA choice writes it anew.\n",
            scene.project,
            chain(error)
        ),
        Locked::Held(lock) => described(scene, lock),
    };
    text += "\nHow it can go on:\n";
    for choice in Choice::ALL.into_iter().filter(|choice| choice.unfit(&locked).is_none()) {
        text += &format!("  {:<20} {}\n", choice.name(), choice.meaning());
    }
    text + &format!(
        "\nIn a terminal: plimsoll recover OPTION. In the client: {} OPTION, and a dialog in which you confirm it.\n",
        scene.command("recover")
    )
}

fn described(scene: &Scene, lock: &ProjectLock) -> String {
    let standing = match lock.mode {
        LockMode::Stopped => "stopped: no tool call runs",
        LockMode::Limited => "going on with strict limits",
        LockMode::Manual => "under manual intervention: writes, deletions and commands ask you",
        LockMode::Aborted => "aborted: no tool call runs",
    };
    let mut text = format!("{} is {standing}.\n", scene.project);
    text += &format!("What happened: {}\nSince: {}\n", lock.summary, clock::moment(lock.since));
    for id in &lock.incidents {
        text += &match incidents::page(&scene.layout, id) {
            Some(page) => format!("Incident {id}: {page}\n"),
            None => format!("Incident {id}: its page could not be written\n"),
        };
    }
    if let Some(checkpoint) = &lock.checkpoint {
        text += &format!("Last safe checkpoint: {checkpoint}\n");
    }
    let about =
        decisions(scene).into_iter().rfind(|one| one.incidents.iter().any(|id| lock.incidents.contains(id)));
    if let Some(decided) = about {
        text += &format!("Decided: {} ({}, {})\n", decided.choice, decided.by, decided.time);
    }
    text
}

/// What a session is told when it starts in a locked project: the model, and the person.
pub fn at_start(scene: &Scene) -> Option<(String, String)> {
    let recover = scene.command("recover");
    let lock = match ProjectLock::read(&scene.homes, &scene.layout) {
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
