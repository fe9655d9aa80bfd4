//! The state of the session that messages of interventions mention.

use super::limits::SessionLimits;
use super::quotation::{code, quoted};
use crate::pure::monitor::patterns::{AgentPlan, Usage};
use crate::pure::text::{counted, list};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone)]
pub struct Situation<'a> {
    /// The person's request.
    pub original_prompt: &'a str,
    /// The declared scope; empty where nobody declared one.
    pub expected_paths: &'a [String],
    pub forbidden_paths: &'a [String],
    pub plan: &'a AgentPlan,
    pub usage: &'a Usage,
    /// As they hold from now on.
    pub limits: &'a SessionLimits,
    /// The last safe one from before the issue began.
    pub checkpoint: Option<CheckpointSummary>,
    /// Restores that checkpoint.
    pub restore_command: Option<String>,
    /// Whether it was restored already.
    pub rolled_back: bool,
    pub incident: Option<IncidentPage>,
    /// The command as installed: `/recover` or `/plimsoll:recover`.
    pub recover: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointSummary {
    pub id: String,
    /// As a person reads it.
    pub when: String,
    pub files: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncidentPage {
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

    /// The session's next goal: the first open point of the plan, or else the request.
    pub(super) fn primary_goal(&self) -> String {
        self.plan.open.first().map_or_else(|| self.request(300), |goal| quoted(goal, 200))
    }

    pub(super) fn progress(&self) -> String {
        let AgentPlan { done, open } = self.plan;
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
            "{} ({} failed), {}, {}, {}, {} s since the last message",
            counted(spent.calls, "call"),
            spent.failures,
            counted(spent.commands, "command"),
            counted(spent.file_operations, "file operation"),
            counted(spent.tokens, "token"),
            spent.seconds
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
    let shown: Vec<String> = patterns.iter().map(|pattern| code(pattern, 60)).collect();
    (!shown.is_empty()).then(|| list(&shown, 8))
}
