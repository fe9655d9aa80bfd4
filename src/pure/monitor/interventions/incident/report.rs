//! The report on an incident: timeline, impact, cause and recommendations.

use super::analysis::{contributing_factors, recommendations, root_cause};
use super::{Incident, moment};
use crate::pure::monitor::patterns::{IssueSeverity, RecentResult, Usage};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Report {
    pub incident_id: String,
    pub summary: String,
    pub severity: IssueSeverity,
    pub timeline: Vec<Moment>,
    pub impact: Impact,
    pub root_cause: String,
    pub contributing_factors: Vec<String>,
    pub recommendations: Recommendations,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Moment {
    pub time: String,
    pub kind: MomentKind,
    /// The tool, or the intervention.
    pub who: String,
    pub what: String,
    pub outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// One of the events that caused the stop.
    pub trigger: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MomentKind {
    Began,
    Action,
    Intervention,
    Stop,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Impact {
    pub files_affected: u64,
    pub files: Vec<String>,
    pub resources_consumed: Usage,
    /// Seconds from the beginning of the issue to the stop.
    pub duration: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Recommendations {
    pub immediate: Vec<String>,
    pub preventive: Vec<String>,
    pub configuration: Vec<String>,
}

impl Incident {
    pub fn report(&self) -> Report {
        let issue = &self.issue;
        Report {
            incident_id: self.id.clone(),
            summary: format!(
                "Emergency stop triggered due to {} ({}): {}",
                issue.pattern, issue.sign, issue.description
            ),
            severity: issue.severity,
            timeline: self.timeline(),
            impact: Impact {
                files_affected: self.changes.files_total,
                files: self.changes.files.clone(),
                resources_consumed: self.resource_usage,
                duration: self.duration(),
            },
            root_cause: root_cause(self),
            contributing_factors: contributing_factors(self),
            recommendations: recommendations(self),
        }
    }

    fn duration(&self) -> u64 {
        let parsed =
            time::OffsetDateTime::parse(&self.timestamp, &time::format_description::well_known::Rfc3339);
        let end = parsed.map_or(0, |time| u64::try_from(time.unix_timestamp()).unwrap_or(0));
        end.saturating_sub(self.issue.began / 1000)
    }

    /// Actions and interventions in their order, with the beginning and the stop.
    fn timeline(&self) -> Vec<Moment> {
        let actions = self.action_history.iter().map(|action| {
            let moment = Moment {
                time: moment(action.time),
                kind: MomentKind::Action,
                who: who(&action.tool, &action.agent),
                what: action.what.to_string(),
                outcome: outcome(action.outcome),
                error: action.error.as_ref().map(ToString::to_string),
                trigger: self.issue.events.contains(&action.id),
            };
            (action.time, moment)
        });
        let interventions = self.state_snapshot.interventions.iter().map(|one| {
            let what = format!(
                "{} ({}, {}{})",
                one.pattern,
                one.sign,
                one.severity,
                if one.escalated { ", escalated" } else { "" }
            );
            let moment = Moment {
                time: moment(one.time),
                kind: MomentKind::Intervention,
                who: one.kind.name().into(),
                what,
                outcome: match one.effect {
                    crate::pure::monitor::interventions::InterventionEffect::Open => "not judged yet",
                    crate::pure::monitor::interventions::InterventionEffect::Helped => "helped",
                    crate::pure::monitor::interventions::InterventionEffect::Persisted => "did not help",
                },
                error: None,
                trigger: false,
            };
            (one.time, moment)
        });
        let began = Moment {
            time: moment(self.issue.began),
            kind: MomentKind::Began,
            who: self.issue.pattern.to_string(),
            what: "the issue began".into(),
            outcome: "",
            error: None,
            trigger: false,
        };
        let mut all: Vec<(u64, Moment)> =
            actions.chain(interventions).chain([(self.issue.began, began)]).collect();
        all.sort_by_key(|(time, moment)| (*time, moment.kind));
        let mut timeline: Vec<Moment> = all.into_iter().map(|(_, moment)| moment).collect();
        timeline.push(Moment {
            time: self.timestamp.clone(),
            kind: MomentKind::Stop,
            who: "emergency_stop".into(),
            what: self.issue.description.clone(),
            outcome: "stopped",
            error: None,
            trigger: false,
        });
        timeline
    }
}

fn who(tool: &str, agent: &str) -> String {
    if agent.is_empty() { tool.to_owned() } else { format!("{tool} (sub-agent {agent})") }
}

fn outcome(result: RecentResult) -> &'static str {
    match result {
        RecentResult::Succeeded => "ok",
        RecentResult::Failed => "failed",
        RecentResult::Interrupted => "interrupted",
        RecentResult::Refused => "refused",
    }
}
