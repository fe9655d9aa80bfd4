//! What the product said: a hook's answer, a push, the gate.

use serde_json::{Value, json};
use std::process::Output;

pub(crate) struct Push {
    pub(crate) accepted: bool,
    pub(crate) said: String,
}

impl Push {
    pub(crate) fn assert_accepted(&self) {
        assert!(self.accepted, "{}", self.said);
    }

    /// Refused by the gate, in words that name all of these.
    pub(crate) fn assert_refused(&self, words: &[&str]) {
        assert!(!self.accepted && self.said.contains("Nothing was pushed"), "{}", self.said);
        for word in words {
            assert!(self.said.contains(word), "no {word:?} in: {}", self.said);
        }
    }
}

pub(crate) struct Gate {
    pub(crate) open: bool,
    pub(crate) said: String,
}

pub(crate) struct Answer {
    pub(crate) json: Value,
}

impl Answer {
    fn text(&self, pointer: &str) -> Option<&str> {
        self.json.pointer(pointer).and_then(Value::as_str)
    }

    /// `None` leaves everything to the client.
    pub(crate) fn decision(&self) -> Option<&str> {
        self.text("/hookSpecificOutput/permissionDecision")
    }

    pub(crate) fn reason(&self) -> &str {
        self.text("/hookSpecificOutput/permissionDecisionReason").or(self.text("/reason")).unwrap_or_default()
    }

    pub(crate) fn context(&self) -> &str {
        self.text("/hookSpecificOutput/additionalContext").unwrap_or_default()
    }

    /// The JSON after the heading of a context.
    pub(crate) fn body(&self) -> Value {
        let text = self.context();
        let start = text.find('{').unwrap_or_else(|| panic!("no context: {}", self.json));
        serde_json::from_str(text.get(start..=text.rfind('}').unwrap()).unwrap()).unwrap()
    }

    pub(crate) fn notice(&self) -> &str {
        self.text("/systemMessage").unwrap_or_default()
    }

    pub(crate) fn blocks(&self) -> bool {
        self.text("/decision") == Some("block")
    }

    pub(crate) fn updated_input(&self) -> Option<&Value> {
        self.json.pointer("/hookSpecificOutput/updatedInput")
    }

    pub(crate) fn is_silent(&self) -> bool {
        self.json == json!({})
    }
}

/// Both streams, for messages.
pub(crate) fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
