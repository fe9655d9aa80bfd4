//! The hook's answer to a tool call, as reports show it.

use crate::pure::step::Decision;
use crate::pure::text::{cut, one_line, printable};
use serde::Serialize;

/// An answer as the client received it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HookAnswer {
    pub answer: Decision,
    /// Empty where no rule matched.
    pub rule: String,
    pub reason: String,
}

impl HookAnswer {
    pub fn silent() -> Self {
        Self { answer: Decision::Silent, rule: String::new(), reason: String::new() }
    }

    /// Denied or asked: somebody has to do something about it.
    pub fn interrupts(&self) -> bool {
        self.answer >= Decision::Ask
    }
}

/// Per thousand, to one decimal.
pub(super) fn per_thousand(count: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { (count as f64 * 10_000.0 / of as f64).round() / 10.0 }
}

/// One printable line of at most so many characters.
pub(super) fn line(text: &str, longest: usize) -> String {
    cut(&printable(&one_line(text)), longest)
}
