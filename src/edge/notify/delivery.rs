//! A message by one channel: which program, with which arguments, fed with what. No shell is involved.

use super::channel::Channel;
use super::curl;
use super::message::{Message, QUESTION};
use crate::pure::policy::Notifications;

/// A program to run for a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub argv: Vec<String>,
    /// Its standard input.
    pub input: Vec<u8>,
}

/// The freedesktop sound theme's and macOS's own.
const LINUX_SOUND: &str = "/usr/share/sounds/freedesktop/stereo/dialog-warning.oga";
const MAC_SOUND: &str = "/System/Library/Sounds/Basso.aiff";

/// The program to run, or the reason why none can.
pub fn deliver_by(
    channel: Channel,
    settings: &Notifications,
    message: &Message,
) -> Result<Delivery, &'static str> {
    let Message { title, text, .. } = message;
    let own = |command: &[String], arguments: &[&str], input: Vec<u8>| {
        let argv = command.iter().cloned().chain(arguments.iter().map(|text| (*text).to_owned())).collect();
        Delivery { argv, input }
    };
    let mac = cfg!(target_os = "macos");
    match channel {
        Channel::Desktop if !settings.desktop_command.is_empty() => {
            Ok(own(&settings.desktop_command, &[title, text], json(message)))
        }
        Channel::Desktop if mac => Ok(own(&[], &[&MAC_DESKTOP[..], &[title, text]].concat(), Vec::new())),
        Channel::Desktop => {
            // A critical notification stays until somebody closes it.
            let urgency = if message.event == QUESTION { "--urgency=normal" } else { "--urgency=critical" };
            let words = ["notify-send", urgency, "--app-name=Plimsoll", "--", title, &without_markup(text)];
            Ok(own(&[], &words, Vec::new()))
        }
        Channel::Sound if !settings.sound_command.is_empty() => {
            Ok(own(&settings.sound_command, &[], json(message)))
        }
        Channel::Sound if mac => Ok(own(&[], &["afplay", MAC_SOUND], Vec::new())),
        Channel::Sound => Ok(own(&[], &["paplay", LINUX_SOUND], Vec::new())),
        Channel::Webhook => {
            let url = settings.webhook_url.as_deref().ok_or("notifications.webhook_url is not set")?;
            let body = serde_json::json!({ "text": format!("{title}\n{text}") }).to_string();
            let input = curl::post(url, &body).ok_or("notifications.webhook_url is no http address")?;
            Ok(Delivery { argv: curl::arguments(), input })
        }
        Channel::Email if settings.email_command.is_empty() => Err("notifications.email_command is not set"),
        Channel::Email => {
            let mail = format!("Subject: {title}\nContent-Type: text/plain; charset=utf-8\n\n{text}\n");
            Ok(own(&settings.email_command, &[], mail.into_bytes()))
        }
        Channel::Command if settings.command.is_empty() => Err("notifications.command is not set"),
        Channel::Command => Ok(own(&settings.command, &[], json(message))),
    }
}

const MAC_DESKTOP: [&str; 7] = [
    "osascript",
    "-e",
    "on run argv",
    "-e",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e",
    "end run",
];

fn json(message: &Message) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(message).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The desktop's notifications take a little markup.
fn without_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Message {
        Message { title: "Stopped".into(), text: "a <b> & $(c)".into(), ..Message::default() }
    }

    #[test]
    fn nothing_is_sent_where_the_way_is_not_configured() {
        let settings = Notifications::default();
        for channel in [Channel::Webhook, Channel::Email, Channel::Command] {
            assert!(deliver_by(channel, &settings, &message()).unwrap_err().contains("is not set"));
        }
    }

    #[test]
    fn a_command_gets_the_words_as_arguments_of_their_own() {
        let settings = Notifications {
            desktop_command: vec!["tell".into(), "--loud".into()],
            email_command: vec!["sendmail".into(), "ada@example.invalid".into()],
            webhook_url: Some("https://example.invalid/secret-path".into()),
            ..Notifications::default()
        };
        let desktop = deliver_by(Channel::Desktop, &settings, &message()).unwrap();
        assert_eq!(desktop.argv, ["tell", "--loud", "Stopped", "a <b> & $(c)"]);
        let email = deliver_by(Channel::Email, &settings, &message()).unwrap();
        assert!(email.input.starts_with(b"Subject: Stopped\n"));
        let webhook = deliver_by(Channel::Webhook, &settings, &message()).unwrap();
        assert!(!webhook.argv.concat().contains("secret-path"), "{:?}", webhook.argv);
        if cfg!(target_os = "linux") {
            let by_default = deliver_by(Channel::Desktop, &Notifications::default(), &message()).unwrap();
            assert_eq!(by_default.argv.last().unwrap(), "a &lt;b&gt; &amp; $(c)");
        }
    }
}
