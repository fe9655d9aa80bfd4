//! The record of an emergency stop: the state of the session, bounded and free of secrets.

mod analysis;
mod decision;
mod recovery;
mod report;
mod sanitizer;

#[cfg(test)]
mod tests;

pub(crate) use decision::IncidentDecision;
pub(crate) use recovery::{Recovery, RecoveryOption, recovery_options};
pub(crate) use report::{Moment, MomentKind, Recommendations, Report};

use super::history::{Delivered, InterventionHistory};
use super::limits::SessionLimits;
use super::quotation::plain as line;
use super::situation::{CheckpointSummary, Situation};
use crate::pure::monitor::patterns::{AgentPlan, Issue, IssueSeverity, Pattern, RecentCall, Sign, Usage};
use crate::pure::step::fingerprint;
use sanitizer::{block, checkpoint, files, issue, lines, plan, recent};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Actions that are kept, the newest.
pub(crate) const ACTIONS: usize = 50;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Incident {
    pub version: u64,
    pub id: String,
    /// `2026-01-28T10:30:00Z`.
    pub timestamp: String,
    pub issue: Issue,
    pub state_snapshot: StateSnapshot,
    pub context: IncidentContext,
    pub pattern_detections: Vec<Detection>,
    pub resource_usage: Usage,
    /// The last fifty, the oldest first.
    pub action_history: Vec<RecentCall>,
    pub changes: IncidentChanges,
    /// The person's last decision about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<IncidentDecision>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StateSnapshot {
    pub session: String,
    /// Empty for the main thread.
    pub agent: String,
    pub limits: SessionLimits,
    pub plan: AgentPlan,
    pub interventions: Vec<Delivered>,
    /// The last safe one.
    pub checkpoint: Option<CheckpointSummary>,
    pub restore_command: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IncidentContext {
    pub original_prompt: String,
    pub expected_paths: Vec<String>,
    pub forbidden_paths: Vec<String>,
    /// The command as installed.
    pub recover: String,
    /// Of the settings that a recommendation may name, those in force.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Detection {
    pub pattern: Pattern,
    pub sign: Sign,
    pub severity: IssueSeverity,
    pub time: String,
    pub description: String,
    pub events: Vec<String>,
}

/// The differences from the last safe checkpoint, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct IncidentChanges {
    pub files: Vec<String>,
    pub files_total: u64,
    pub diff: String,
    /// Things besides files that somebody has to look after.
    pub cleanup: Vec<String>,
}

/// The material for an incident.
#[derive(Debug, Clone)]
pub(crate) struct IncidentFacts<'a> {
    /// Milliseconds since 1970.
    pub now: u64,
    pub session: &'a str,
    /// Empty for the main thread.
    pub agent: &'a str,
    pub issue: &'a Issue,
    /// Everything that was seen with the same call.
    pub issues: &'a [Issue],
    pub situation: &'a Situation<'a>,
    pub history: &'a InterventionHistory,
    pub recent: &'a [RecentCall],
    /// Since the last safe checkpoint; empty where nobody knows.
    pub changed_files: &'a [String],
    pub diff: &'a str,
    pub cleanup: &'a [String],
    /// The settings in force, by key.
    pub settings: &'a BTreeMap<String, String>,
}

impl Incident {
    /// A name for it: sorts by time, and is a plain file name.
    pub fn name(now: u64, session: &str) -> String {
        let digits: String = moment(now).chars().filter(char::is_ascii_digit).collect();
        let (day, hour) = digits.split_at_checked(8).unwrap_or((&digits, ""));
        let mark = fingerprint(format!("{session} {now}").as_bytes()) & 0xffff_ffff;
        format!("{day}-{hour}-{mark:08x}")
    }

    pub fn new(facts: &IncidentFacts<'_>) -> Self {
        let situation = facts.situation;
        let detected = |issue: &Issue| Detection {
            pattern: issue.pattern,
            sign: issue.sign,
            severity: issue.severity,
            time: moment(issue.began),
            description: line(&issue.description, 300),
            events: lines(&issue.events, 20, 80),
        };
        let others = facts.issues.iter().filter(|other| other.cause != facts.issue.cause);
        let skipped = facts.recent.len().saturating_sub(ACTIONS);
        Self {
            version: 1,
            id: Self::name(facts.now, facts.session),
            timestamp: moment(facts.now),
            issue: issue(facts.issue),
            state_snapshot: StateSnapshot {
                session: line(facts.session, 80),
                agent: line(facts.agent, 80),
                limits: *situation.limits,
                plan: plan(situation.plan),
                interventions: facts.history.delivered.clone(),
                checkpoint: situation.checkpoint.as_ref().map(checkpoint),
                restore_command: situation.restore_command.as_deref().map(|command| line(command, 300)),
            },
            context: IncidentContext {
                original_prompt: line(situation.original_prompt, 4_000),
                expected_paths: lines(situation.expected_paths, 50, 200),
                forbidden_paths: lines(situation.forbidden_paths, 50, 200),
                recover: line(situation.recover, 80),
                settings: analysis::settings_of(facts.settings),
            },
            pattern_detections: [facts.issue].into_iter().chain(others).take(20).map(detected).collect(),
            resource_usage: *situation.usage,
            action_history: facts.recent.iter().skip(skipped).map(recent).collect(),
            changes: IncidentChanges {
                files: files(facts.changed_files, facts.recent),
                files_total: files_total(facts),
                diff: block(facts.diff),
                cleanup: lines(facts.cleanup, 20, 300),
            },
            decision: None,
        }
    }
}

fn files_total(facts: &IncidentFacts<'_>) -> u64 {
    let known = facts.changed_files.len();
    if known > 0 { known as u64 } else { files(&[], facts.recent).len() as u64 }
}

/// `2026-01-28T10:30:00Z` for milliseconds since 1970.
pub(crate) fn moment(milliseconds: u64) -> String {
    let seconds = i64::try_from(milliseconds / 1000).unwrap_or_default();
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    time.format(&Rfc3339).unwrap_or_default()
}
