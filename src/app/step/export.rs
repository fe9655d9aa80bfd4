//! The audit log for other systems: one object per line, with the names that the client's own telemetry uses.

use super::audit::{AuditLine, AuditWord, LoggedSideEffect, NotedRule};
use crate::pure::step::{ActionScope, ActionType};
use serde::Serialize;

/// One line of the export. `session_id` and `tool_use_id` are those of the client's events for the same call.
#[derive(Debug, Serialize)]
pub struct ExportLine<'a> {
    pub time: &'a str,
    pub event: ExportEvent,
    pub project: &'a str,
    pub session_id: &'a str,
    pub tool_use_id: &'a str,
    pub tool_name: &'a str,
    /// `None` for the main agent.
    pub agent_type: Option<&'a str>,
    /// The decision of a review, or what became of the call.
    pub outcome: &'static str,
    pub rule: Option<&'a str>,
    pub reason: &'a str,
    /// The command, file, address or name that the call is about, shortened and without secrets.
    pub subject: &'a str,
    pub action_type: Option<ActionType>,
    pub scope: &'a [ActionScope],
    /// Decisions of rules that were not enforced.
    pub not_enforced: &'a [NotedRule],
    pub side_effects: &'a [LoggedSideEffect],
    pub risk: Option<f64>,
    pub rationality: Option<f64>,
    pub confidence: Option<f64>,
    /// How long the review took.
    pub duration_us: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportEvent {
    /// A tool call was reviewed before it ran.
    StepReview,
    /// Something happened to the call besides and afterwards.
    StepRemark,
}

impl AuditLine {
    pub fn exported<'a>(&'a self, project: &'a str) -> ExportLine<'a> {
        ExportLine {
            time: &self.time,
            event: match self.answer {
                AuditWord::Decided(_) => ExportEvent::StepReview,
                AuditWord::Remarked(_) | AuditWord::Unknown => ExportEvent::StepRemark,
            },
            project,
            session_id: &self.session,
            tool_use_id: &self.tool_use_id,
            tool_name: &self.tool,
            agent_type: self.agent.as_deref(),
            outcome: self.answer.as_str(),
            rule: Some(self.rule.as_str()).filter(|rule| !rule.is_empty()),
            reason: &self.reason,
            subject: &self.what,
            action_type: self.kind,
            scope: &self.scope,
            not_enforced: &self.noted,
            side_effects: &self.side_effects,
            risk: self.risk,
            rationality: self.rationality,
            confidence: self.confidence,
            duration_us: self.microseconds,
        }
    }
}
