//! The ways to reach a person.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    Desktop,
    Sound,
    Webhook,
    Email,
    Command,
}

impl Channel {
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "desktop" => Some(Self::Desktop),
            "sound" => Some(Self::Sound),
            "webhook" | "slack" => Some(Self::Webhook),
            "email" => Some(Self::Email),
            "command" => Some(Self::Command),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Desktop => "desktop",
            Self::Sound => "sound",
            Self::Webhook => "webhook",
            Self::Email => "email",
            Self::Command => "command",
        }
    }

    /// Each once, however often and under whatever name it is listed, and the names that are none.
    pub fn all_of(names: &[String]) -> (Vec<Self>, Vec<&str>) {
        let (mut channels, mut unknown) = (Vec::new(), Vec::new());
        for name in names {
            match Self::parse(name) {
                Some(channel) if !channels.contains(&channel) => channels.push(channel),
                Some(_) => {}
                None => unknown.push(name.as_str()),
            }
        }
        (channels, unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::policy::CHANNELS;

    #[test]
    fn slack_and_webhook_are_one_and_every_name_is_known() {
        let names = ["slack", "webhook", "sound", "pigeon"].map(str::to_owned);
        assert_eq!(Channel::all_of(&names), (vec![Channel::Webhook, Channel::Sound], vec!["pigeon"]));
        assert!(CHANNELS.iter().all(|name| Channel::parse(name).is_some()));
    }
}
