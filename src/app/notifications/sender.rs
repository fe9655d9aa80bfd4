//! Sends one message by every channel, and logs what became of it.

use crate::app::failure::Failure;
use crate::app::workspace::Workspace;
use crate::edge::clock;
use crate::edge::config::{Environment, load};
use crate::edge::notify::{Channel, Envelope};
use crate::edge::notify::{Delivery, NotificationLine, NotificationLog, deliver_by};
use crate::edge::run::{Job, batch, run_fed};
use crate::pure::policy::Notifications;
use crate::pure::secret;
use crate::pure::text::spaced;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);
/// The length at which an error is cut.
const WHY: usize = 200;

/// All channels at the same time, each for ten seconds at most; what became of them goes into the log.
pub fn send(workspace: &Workspace, envelope: Envelope) -> Result<Vec<NotificationLine>, Failure> {
    // Read again: the compiled copy knows no webhook.
    let settings = load(&workspace.project, &workspace.environment)?.settings.notifications;
    let message = envelope.message.bounded();
    let (mut channels, _) = Channel::all_of(&envelope.channels);
    channels.extend(envelope.desktop_by_default.then_some(Channel::Desktop));
    let mut lines = batch(&channels, channels.len(), |channel| NotificationLine {
        time: clock::timestamp(),
        event: message.event.clone(),
        incident: message.incident.clone(),
        channel: *channel,
        failed: deliver_by(*channel, &settings, &message)
            .map_err(str::to_owned)
            .and_then(|delivery| by_program(workspace, delivery))
            .err()
            .map(|why| presentable(&why, &settings)),
    });
    // Nobody asked for it: a machine without a working desktop is no problem.
    let unasked = |line: &NotificationLine| envelope.desktop_by_default && line.channel == Channel::Desktop;
    lines.retain(|line| !(unasked(line) && line.failed.is_some()));
    NotificationLog::append(&workspace.layout.notifications(), &lines)?;
    Ok(lines)
}

fn by_program(workspace: &Workspace, delivery: Delivery) -> Result<(), String> {
    let program = delivery.argv.first().cloned().unwrap_or_default();
    let job = Job {
        argv: delivery.argv,
        directory: workspace.project.clone(),
        environment: Environment::variables(),
        deadline: PATIENCE,
        slow_after: PATIENCE,
    };
    let ended = run_fed(&job, delivery.input);
    let output = String::from_utf8_lossy(&ended.output.bytes()).into_owned();
    let output = output.lines().find(|line| !line.trim().is_empty());
    match ended.how.failure(&program, PATIENCE) {
        Some(why) => Err(output.map_or(why.clone(), |output| format!("{why}: {output}"))),
        None => Ok(()),
    }
}

/// Without the address, which often is a secret itself.
fn presentable(why: &str, settings: &Notifications) -> secret::Redacted {
    let why = match &settings.webhook_url {
        Some(url) => why.replace(url.as_str(), "(the webhook)"),
        None => why.to_owned(),
    };
    let line = |text: &str| spaced(text).chars().take(WHY).collect();
    secret::Redacted::beginning(&why, 4 * WHY, line)
}
