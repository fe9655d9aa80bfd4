//! What the hook said to a step, as far as a report shows it.

use crate::step::Course;
use serde::Serialize;

/// An answer as the client received it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    #[serde(serialize_with = "as_word")]
    pub answer: Course,
    /// Empty where no rule spoke.
    pub rule: String,
    pub reason: String,
}

impl Said {
    pub fn nothing() -> Self {
        Self { answer: Course::Allow, rule: String::new(), reason: String::new() }
    }

    /// Denied or asked: somebody has to do something about it.
    pub fn interrupts(&self) -> bool {
        self.answer >= Course::Ask
    }
}

/// The answer in the words of the client.
pub fn word(course: Course) -> &'static str {
    match course {
        Course::Allow => "silent",
        Course::Warn => "context",
        Course::Modify => "rewrite",
        Course::Ask => "ask",
        Course::Block => "deny",
    }
}

pub(super) fn as_word<S: serde::Serializer>(course: &Course, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(word(*course))
}

/// So many in a thousand, to one decimal.
pub(super) fn per_thousand(count: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { (count as f64 * 10_000.0 / of as f64).round() / 10.0 }
}

/// One line, without what could steer the terminal, at most so many characters.
pub(super) fn line(text: &str, longest: usize) -> String {
    let mut shown = super::printable(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    if shown.chars().count() > longest {
        shown = shown.chars().take(longest.saturating_sub(1)).chain(['…']).collect();
    }
    shown
}
