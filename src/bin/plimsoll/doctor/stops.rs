//! Emergency stops and notifications; no check where all is well.

use super::check::Check;
use plimsoll::app::failure::chain;
use plimsoll::app::workspace::Workspace;
use plimsoll::edge::config::load;
use plimsoll::edge::notify::{Channel, Message, NotificationLog, deliver_by};
use plimsoll::edge::state::{LockMode, Locked, ProjectLock};
use plimsoll::pure::text::printable;

pub(crate) fn checks(workspace: &Workspace) -> Vec<Check> {
    lock(workspace).into_iter().chain(messages(workspace)).collect()
}

fn lock(workspace: &Workspace) -> Option<Check> {
    const NAME: &str = "stop";
    let fix = "plimsoll recover";
    match ProjectLock::read(&workspace.homes, &workspace.layout) {
        Locked::Free => None,
        Locked::Unreadable(error) => {
            Some(Check::fail(NAME, format!("the lock cannot be read: {}", chain(&error)), fix))
        }
        Locked::Held(lock) => {
            let what = match lock.mode {
                LockMode::Stopped => "stopped, every call is refused",
                LockMode::Limited => "resumed with strict limits",
                LockMode::Manual => "under manual intervention",
                LockMode::Aborted => "aborted, every call is refused",
            };
            Some(Check::warn(NAME, format!("this project is {what}: {}", printable(&lock.summary)), fix))
        }
    }
}

/// Channels that cannot work as configured, and channels whose last message failed.
fn messages(workspace: &Workspace) -> Vec<Check> {
    const NAME: &str = "notifications";
    let Ok(loaded) = load(&workspace.project, &workspace.environment) else { return Vec::new() };
    let settings = loaded.settings;
    let (channels, _) = Channel::all_of(&settings.interventions.emergency_stop.notification_channels);
    let sent = NotificationLog::read(&workspace.layout.notifications());
    let check = |channel: Channel| {
        let name = channel.name();
        if let Err(why) = deliver_by(channel, &settings.notifications, &Message::default()) {
            let fix = format!("set it in {}, or remove {name}", workspace.environment.user_file());
            return Some(Check::warn(NAME, format!("cannot send by {name}: {why}"), fix));
        }
        let last = sent.iter().rfind(|line| line.channel == channel)?;
        let why = printable(last.failed.as_deref()?);
        Some(Check::warn(
            NAME,
            format!("the last message by {name} failed: {why}"),
            format!("check the settings under notifications in {}", workspace.environment.user_file()),
        ))
    };
    channels.into_iter().filter_map(check).collect()
}
