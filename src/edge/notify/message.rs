//! A message to a person.

use crate::pure::text::spaced;
use serde::{Deserialize, Serialize};

/// Longer words are cut: every channel shows a few lines at most.
const TITLE: usize = 120;
const TEXT: usize = 1_500;

/// The event of a question that waits for an answer in the client.
pub(crate) const QUESTION: &str = "question";

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Message {
    /// The kind of event: `emergency_stop`.
    pub event: String,
    pub title: String,
    pub text: String,
    /// The project's root.
    pub project: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incident: Option<String>,
    /// `2026-01-28T10:30:00Z`.
    pub time: String,
}

/// A message on its way to the process that sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    pub channels: Vec<String>,
    /// Also on the desktop, which nobody has asked for: a failure is not recorded.
    #[serde(default)]
    pub desktop_by_default: bool,
    pub message: Message,
}

impl Message {
    /// Free of characters that could steer a terminal or forge a header, and short.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.title = line(&self.title, TITLE);
        let lines: Vec<String> = self.text.lines().map(|text| line(text, TEXT)).collect();
        self.text = lines.join("\n").chars().take(TEXT).collect();
        self
    }
}

fn line(text: &str, most: usize) -> String {
    spaced(text).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_short_and_cannot_forge_a_header() {
        let message = Message {
            title: format!("stop\r\nBcc: everybody{}", "x".repeat(500)),
            text: format!("a\u{1b}[2J\nb{}", "y".repeat(5_000)),
            ..Message::default()
        }
        .bounded();
        assert!(!message.title.contains(['\r', '\n']) && message.title.chars().count() == TITLE);
        assert!(message.text.starts_with("a [2J\nb") && message.text.chars().count() == TEXT);
    }
}
