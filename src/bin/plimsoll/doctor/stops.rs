//! Whether the project is stopped, and whether somebody could be told about it. Says nothing where all is well.

use super::check::Check;
use plimsoll::config::{load, printable};
use plimsoll::flow::scene::Scene;
use plimsoll::flow::serve::chain;
use plimsoll::notify::{Channel, Message, NotificationLog, deliver_by};
use plimsoll::state::{LockMode, Locked, ProjectLock};

pub(crate) fn checks(scene: &Scene) -> Vec<Check> {
    lock(scene).into_iter().chain(messages(scene)).collect()
}

fn lock(scene: &Scene) -> Option<Check> {
    const NAME: &str = "stop";
    let fix = "plimsoll recover";
    match ProjectLock::read(&scene.homes, &scene.layout) {
        Locked::Free => None,
        Locked::Unreadable(error) => {
            Some(Check::fail(NAME, format!("the lock cannot be read: {}", chain(&error)), fix))
        }
        Locked::Held(lock) => {
            let what = match lock.mode {
                LockMode::Stopped => "stopped, every call is refused",
                LockMode::Limited => "going on with strict limits",
                LockMode::Manual => "under manual intervention",
                LockMode::Aborted => "aborted, every call is refused",
            };
            Some(Check::warn(NAME, format!("this project is {what}: {}", printable(&lock.summary)), fix))
        }
    }
}

/// Channels that cannot work as they are configured, and those whose last message did not arrive.
fn messages(scene: &Scene) -> Vec<Check> {
    const NAME: &str = "notifications";
    let Ok(loaded) = load(&scene.project, &scene.environment) else { return Vec::new() };
    let settings = loaded.settings;
    let (channels, _) = Channel::all_of(&settings.interventions.emergency_stop.notification_channels);
    let told = NotificationLog::read(&scene.layout.notifications());
    let check = |channel: Channel| {
        let name = channel.name();
        if let Err(why) = deliver_by(channel, &settings.notifications, &Message::default()) {
            let fix = format!("set it in {}, or take {name} out", scene.environment.user_file());
            return Some(Check::warn(NAME, format!("nothing can be sent by {name}: {why}"), fix));
        }
        let last = told.iter().rfind(|line| line.channel == channel)?;
        let why = printable(last.failed.as_deref()?);
        Some(Check::warn(
            NAME,
            format!("the last message by {name} did not arrive: {why}"),
            format!("try what the settings name under notifications in {}", scene.environment.user_file()),
        ))
    };
    channels.into_iter().filter_map(check).collect()
}
