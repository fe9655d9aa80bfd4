//! A refusal as the audit log recorded it, for a person.

use super::hook_answer::line;
use crate::pure::text::{Tone, bold, printable};
use std::fmt::Write;

const LONGEST: usize = 300;

/// The newest refusal of a project.
#[derive(Debug, Clone, Default)]
pub struct RecordedRefusal {
    /// `2026-01-28T10:30:00Z`.
    pub time: String,
    pub tool: String,
    pub rule: String,
    pub reason: String,
    /// The command, file, address or name that the call is about, shortened.
    pub subject: String,
    /// The advice for a person.
    pub advice: Option<String>,
    /// Everything else that was recorded: a name and a value each.
    pub details: Vec<(&'static str, String)>,
}

impl RecordedRefusal {
    pub fn text(&self, with_details: bool) -> String {
        let time = self.time.replace('T', " ").replace('Z', "");
        let mut text = format!(
            "{} {}: a {} call was refused at {time} (UTC)\n",
            Tone::Bad.symbol(),
            Tone::Bad.paint(&bold("deny")),
            printable(&self.tool)
        );
        let rule = if self.rule.is_empty() { String::new() } else { format!("{}: ", printable(&self.rule)) };
        let _ = writeln!(text, "  {rule}{}", line(&self.reason, LONGEST));
        if !self.subject.is_empty() {
            let _ = writeln!(text, "  {}", line(&self.subject, 100));
        }
        if let Some(advice) = &self.advice {
            let _ = writeln!(text, "  {} {advice}", bold("do:"));
        }
        for (name, value) in self.details.iter().filter(|(_, value)| with_details && !value.is_empty()) {
            let _ = writeln!(text, "  {name}: {}", line(value, LONGEST));
        }
        text
    }
}
