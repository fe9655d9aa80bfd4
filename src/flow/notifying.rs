//! A message to a person: handed to a process of its own, which sends it by every channel and writes down what failed.

use super::clock;
use super::serve::Failure;
use crate::flow::scene::Scene;
use crate::notify::{Channel, Envelope, Message, program_beside, start};
use crate::secret;
use camino::Utf8PathBuf;

/// Does not wait for anything. Nothing is sent where no channel is configured.
pub fn tell(scene: &Scene, channels: &[String], message: Message) -> Result<(), Failure> {
    if Channel::all_of(channels).0.is_empty() {
        return Ok(());
    }
    let own = Utf8PathBuf::from_path_buf(std::env::current_exe()?)
        .map_err(|_| "the path of this program is not valid UTF-8")?;
    let program = program_beside(&own).ok_or("the command `plimsoll` is not beside this program")?;
    let envelope = Envelope { channels: channels.to_vec(), message: message.bounded() };
    Ok(start(&program, &scene.project, &envelope)?)
}

/// The words for an emergency stop, free of secrets.
pub fn of_a_stop(scene: &Scene, incident: &str, summary: &str) -> Message {
    let name = scene.project.file_name().unwrap_or(scene.project.as_str());
    Message {
        event: "emergency_stop".into(),
        title: format!("Plimsoll stopped the agent in {name}"),
        text: secret::redact(&format!(
            "{summary}\nIncident {incident}. Nothing runs in this project until you decide: `plimsoll recover` in a terminal, or \
             {} in the client.",
            scene.command("recover")
        )),
        project: scene.project.to_string(),
        incident: Some(incident.into()),
        time: clock::timestamp(),
    }
}

/// The words for a review that a person has to look at, free of secrets.
pub fn of_a_task(scene: &Scene, title: &str, text: &str) -> Message {
    Message {
        event: "task_review".into(),
        title: secret::redact(title),
        text: secret::redact(text),
        project: scene.project.to_string(),
        incident: None,
        time: clock::timestamp(),
    }
}

#[cfg(feature = "cli")]
mod sending {
    use super::*;
    use crate::config::{Environment, load};
    use crate::notify::{Delivery, NotificationLine, NotificationLog, deliver_by};
    use crate::policy::Notifications;
    use crate::run::{How, Job, batch, run_fed};
    use std::time::Duration;

    const PATIENCE: Duration = Duration::from_secs(10);
    /// What is kept of an error.
    const WHY: usize = 200;

    /// All channels at the same time, each for ten seconds at most; what became of them goes into the log.
    pub fn send(scene: &Scene, envelope: Envelope) -> Result<Vec<NotificationLine>, Failure> {
        // Read anew: the compiled copy knows no webhook.
        let settings = load(&scene.project, &scene.environment)?.settings.notifications;
        let message = envelope.message.bounded();
        let (channels, _) = Channel::all_of(&envelope.channels);
        let lines = batch(&channels, channels.len(), |channel| NotificationLine {
            time: clock::timestamp(),
            event: message.event.clone(),
            incident: message.incident.clone(),
            channel: *channel,
            failed: deliver_by(*channel, &settings, &message)
                .map_err(str::to_owned)
                .and_then(|delivery| by_program(scene, delivery))
                .err()
                .map(|why| presentable(&why, &settings)),
        });
        NotificationLog::append(&scene.layout.notifications(), &lines)?;
        Ok(lines)
    }

    fn by_program(scene: &Scene, delivery: Delivery) -> Result<(), String> {
        let program = delivery.argv.first().cloned().unwrap_or_default();
        let job = Job {
            argv: delivery.argv,
            directory: scene.project.clone(),
            environment: Environment::variables(),
            deadline: PATIENCE,
            slow_after: PATIENCE,
        };
        let ended = run_fed(&job, delivery.input);
        let said = String::from_utf8_lossy(&ended.output.bytes()).into_owned();
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        match ended.how {
            How::Exited(0) => Ok(()),
            How::Exited(code) => Err(format!("{program} ended with {code}: {said}")),
            How::Signalled(signal) => Err(format!("{program} was ended by signal {signal}")),
            How::TimedOut => Err(format!("{program} took longer than {} seconds", PATIENCE.as_secs())),
            How::NotFound => Err(format!("there is no program {program}")),
            How::CouldNotStart(error) => Err(format!("{program} could not be started: {error}")),
        }
    }

    /// Without the address, which often is a secret itself.
    fn presentable(why: &str, settings: &Notifications) -> secret::Redacted {
        let why = match &settings.webhook_url {
            Some(url) => why.replace(url.as_str(), "(the webhook)"),
            None => why.to_owned(),
        };
        let line = |text: &str| text.replace(char::is_control, " ").chars().take(WHY).collect();
        secret::Redacted::beginning(&why, 4 * WHY, line)
    }
}

#[cfg(feature = "cli")]
pub use sending::send;
