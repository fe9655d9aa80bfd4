//! A message to a person: handed to a process of its own, which sends it by every channel and writes down what failed.

#[cfg(feature = "cli")]
mod sender;

#[cfg(feature = "cli")]
pub use sender::send;

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::config::{HookInvocation, has_desktop};
use crate::edge::notify::{Channel, Envelope, Message, QUESTION, program_beside, start};
use crate::edge::run::stdio::own_program;
use crate::pure::secret;

/// Does not wait for anything. Sent by the channels that are configured, and shown on the desktop where there is one.
pub(crate) fn tell(workspace: &Workspace, channels: &[String], message: Message) -> Result<(), Failure> {
    let named = Channel::all_of(channels).0;
    let desktop_by_default = !named.contains(&Channel::Desktop) && shows_on_desktop(workspace);
    if named.is_empty() && !desktop_by_default {
        return Ok(());
    }
    let Some(program) = program_beside(&own_program()?) else {
        let missing = "the command `plimsoll` is not beside this program";
        return if named.is_empty() { Ok(()) } else { Err(missing.into()) };
    };
    let envelope = Envelope { channels: channels.to_vec(), desktop_by_default, message: message.bounded() };
    Ok(start(&program, &workspace.project, &envelope)?)
}

/// Shows on the desktop that the client waits for an answer. Whether that works changes nothing.
pub(crate) fn show_question(workspace: &Workspace, question: &str) {
    if !has_desktop() || !HookInvocation::is_interactive() {
        return;
    }
    let name = workspace.project.file_name().unwrap_or(workspace.project.as_str());
    let message = Message {
        event: QUESTION.into(),
        title: format!("Claude Code waits for your answer in {name}"),
        text: secret::redact(question),
        project: workspace.project.to_string(),
        incident: None,
        time: clock::timestamp(),
    };
    let _ = tell(workspace, &[], message);
}

fn shows_on_desktop(workspace: &Workspace) -> bool {
    has_desktop() && workspace.settings().is_ok_and(|loaded| loaded.settings.notifications.desktop)
}

/// The words for an emergency stop, free of secrets.
pub(crate) fn of_a_stop(workspace: &Workspace, incident: &str, summary: &str) -> Message {
    let name = workspace.project.file_name().unwrap_or(workspace.project.as_str());
    Message {
        event: "emergency_stop".into(),
        title: format!("Plimsoll stopped the agent in {name}"),
        text: secret::redact(&format!(
            "{summary}\nIncident {incident}. Nothing runs in this project until you decide: `plimsoll recover` in a terminal, or \
             {} in the client.",
            workspace.command("recover")
        )),
        project: workspace.project.to_string(),
        incident: Some(incident.into()),
        time: clock::timestamp(),
    }
}

/// The words for a review that a person has to look at, free of secrets.
pub(crate) fn of_a_task(workspace: &Workspace, title: &str, text: &str) -> Message {
    Message {
        event: "task_review".into(),
        title: secret::redact(title),
        text: secret::redact(text),
        project: workspace.project.to_string(),
        incident: None,
        time: clock::timestamp(),
    }
}
