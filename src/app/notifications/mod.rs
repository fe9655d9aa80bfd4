//! A message to a person: handed to a process of its own, which sends it by every channel and writes down what failed.

#[cfg(feature = "cli")]
mod sender;

#[cfg(feature = "cli")]
pub use sender::send;

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::notify::{Channel, Envelope, Message, program_beside, start};
use crate::edge::run::stdio::own_program;
use crate::pure::secret;

/// Does not wait for anything. Nothing is sent where no channel is configured.
pub(crate) fn tell(workspace: &Workspace, channels: &[String], message: Message) -> Result<(), Failure> {
    if Channel::all_of(channels).0.is_empty() {
        return Ok(());
    }
    let program =
        program_beside(&own_program()?).ok_or("the command `plimsoll` is not beside this program")?;
    let envelope = Envelope { channels: channels.to_vec(), message: message.bounded() };
    Ok(start(&program, &workspace.project, &envelope)?)
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
