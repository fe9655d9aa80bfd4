//! The decision about one tool call.

use serde::{Deserialize, Serialize};

/// The decision of the step review about a tool call, from the mildest to the firmest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Plimsoll says nothing.
    #[default]
    Silent,
    /// The call runs, and the model gets a message.
    #[serde(rename = "context")]
    Warn,
    /// The call runs with a safer option; model and person get a message.
    Rewrite,
    /// A person decides.
    Ask,
    /// The call does not run; the model gets an alternative.
    Deny,
}

impl Decision {
    /// The words for the decisions in rule files and lists of rules.
    const IN_RULES: [(&'static str, Self); 5] = [
        ("allow", Self::Silent),
        ("warn", Self::Warn),
        ("modify", Self::Rewrite),
        ("ask", Self::Ask),
        ("block", Self::Deny),
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Warn => "warn",
            Self::Rewrite => "rewrite",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// The word for this decision in rule files and lists of rules.
    pub fn word_in_rules(self) -> &'static str {
        Self::IN_RULES.into_iter().find(|(_, decision)| *decision == self).map_or("", |(word, _)| word)
    }

    /// The decision of a rule that people write. Such a rule can only tighten.
    pub(crate) fn of_custom_rule(word: &str) -> Option<Self> {
        let found = Self::IN_RULES.into_iter().find(|(name, _)| *name == word);
        found.map(|(_, decision)| decision).filter(|decision| *decision > Self::Silent)
    }
}
