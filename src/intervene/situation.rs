//! Where the session stands, as far as an intervention's words need to know.

use super::limits::Limits;
use super::quoted::{code, quoted};
use crate::pattern::{Plan, Usage};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone)]
pub struct Situation<'a> {
    /// What the person asked for.
    pub original_prompt: &'a str,
    /// The declared scope; empty where nobody declared one.
    pub expected_paths: &'a [String],
    pub forbidden_paths: &'a [String],
    pub plan: &'a Plan,
    pub usage: &'a Usage,
    /// As they hold from now on.
    pub limits: &'a Limits,
    /// The last safe one from before the trouble began.
    pub checkpoint: Option<CheckpointTold>,
    /// Brings that one back.
    pub restore_command: Option<String>,
    /// It was brought back already.
    pub rolled_back: bool,
    pub incident: Option<IncidentTold>,
    /// The command as installed: `/recover` or `/plimsoll:recover`.
    pub recover: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointTold {
    pub id: String,
    /// As a person reads it.
    pub when: String,
    pub files: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncidentTold {
    pub id: String,
    /// Where its page lies.
    pub page: String,
}

impl Situation<'_> {
    /// The request, quoted.
    pub(super) fn request(&self, longest: usize) -> String {
        match quoted(self.original_prompt, longest) {
            empty if empty.is_empty() => "(not known)".into(),
            known => known,
        }
    }

    /// What the session works towards next: the first open point of the plan, or else the request.
    pub(super) fn primary_goal(&self) -> String {
        self.plan.open.first().map_or_else(|| self.request(300), |goal| quoted(goal, 200))
    }

    pub(super) fn progress(&self) -> String {
        let Plan { done, open } = self.plan;
        if done.is_empty() && open.is_empty() {
            return "no plan was written down".into();
        }
        let listed = |points: &[String]| {
            points.iter().take(4).map(|point| quoted(point, 80)).collect::<Vec<_>>().join("; ")
        };
        let mut text = format!("{} of {} done", done.len(), done.len() + open.len());
        if !done.is_empty() {
            text += &format!(" ({})", listed(done));
        }
        if !open.is_empty() {
            text += &format!("; still open: {}", listed(open));
        }
        text
    }

    pub(super) fn resources(&self) -> String {
        let spent = &self.usage.prompt;
        let mut text = format!(
            "{} calls ({} failed), {} commands, {} file operations, {} tokens, {} s since the last message",
            spent.calls, spent.failures, spent.commands, spent.file_operations, spent.tokens, spent.seconds
        );
        if self.usage.memory_mb > 0 {
            text += &format!("; {} MB of memory", self.usage.memory_mb);
        }
        text
    }

    pub(super) fn expected(&self) -> Option<String> {
        paths(self.expected_paths)
    }

    pub(super) fn forbidden(&self) -> Option<String> {
        paths(self.forbidden_paths)
    }
}

/// The first few as a list.
fn paths(patterns: &[String]) -> Option<String> {
    let shown: Vec<String> = patterns.iter().take(8).map(|pattern| code(pattern, 60)).collect();
    let rest = patterns.len().saturating_sub(shown.len());
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    (!shown.is_empty()).then(|| shown.join(", ") + &more)
}
