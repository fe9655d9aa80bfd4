//! The cause of a stop, contributing factors and recommendations.

use super::{Incident, Recommendations};
use crate::pure::monitor::interventions::history::InterventionEffect;
use crate::pure::monitor::interventions::messages::{alternative, went_wrong};
use crate::pure::monitor::patterns::{Pattern, RecentResult};
use crate::pure::text::counted;
use std::collections::BTreeMap;

/// The settings that a recommendation may name.
const RECOMMENDED: [&str; 11] = [
    "interventions.patterns.repeat.soft",
    "interventions.patterns.error_family.deny",
    "step_reviewer.scope.expected_paths",
    "step_reviewer.scope.forbidden_paths",
    "interventions.patterns.off_goal.soft",
    "interventions.context_reinforcement.reinforcement_strength",
    "interventions.limits.max_commands",
    "interventions.limits.max_tokens",
    "step_reviewer.rules.max_file_operations",
    "interventions.patterns.claims_need_evidence",
    "interventions.patterns.phantom_paths",
];

/// The part of the settings that an incident keeps.
pub(super) fn settings_of(in_force: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let kept = in_force.iter().filter(|(key, _)| RECOMMENDED.contains(&key.as_str()));
    kept.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Whether the recommended value is set already, or a stricter one.
fn is_in_force(line: &str, in_force: &BTreeMap<String, String>) -> bool {
    let Some((key, wanted)) = line.split_once(": ") else { return false };
    let Some(set) = in_force.get(key) else { return false };
    match (set.parse::<f64>(), wanted.parse::<f64>()) {
        (Ok(set), Ok(wanted)) => set <= wanted,
        _ if wanted.starts_with('[') => set != "[]",
        _ => set == wanted,
    }
}

pub(super) fn root_cause(incident: &Incident) -> String {
    let issue = &incident.issue;
    let details = &issue.details;
    let mut text = format!("{} Seen {}", went_wrong(issue.sign), counted(details.count, "time"));
    if !details.what.is_empty() {
        text += &format!(", last with {}: {}", details.tool, details.what);
    }
    if let Some(error) = &details.error {
        text += &format!("; the error: {error}");
    }
    text + "."
}

pub(super) fn contributing_factors(incident: &Incident) -> Vec<String> {
    let mut factors = Vec::new();
    let issue = &incident.issue;
    let persisted: Vec<&str> = incident
        .state_snapshot
        .interventions
        .iter()
        .filter(|one| one.cause == issue.cause && one.effect == InterventionEffect::Persisted)
        .map(|one| one.kind.name())
        .collect();
    if !persisted.is_empty() {
        factors.push(format!("earlier interventions did not help: {}", persisted.join(", ")));
    }
    let count = |wanted: RecentResult| {
        incident.action_history.iter().filter(|action| action.outcome == wanted).count()
    };
    if count(RecentResult::Refused) > 0 {
        factors.push(format!(
            "refused calls were tried again: {}",
            counted(count(RecentResult::Refused), "time")
        ));
    }
    if count(RecentResult::Failed) > 0 {
        factors.push(format!(
            "{} of the last {} failed",
            count(RecentResult::Failed),
            counted(incident.action_history.len(), "call")
        ));
    }
    for other in incident.pattern_detections.iter().filter(|other| other.sign != issue.sign) {
        factors.push(format!("also seen: {} ({}): {}", other.pattern, other.sign, other.description));
    }
    let growth = &issue.details.growth;
    for (name, rate) in [
        ("file operations", growth.file_operations),
        ("memory", growth.memory),
        ("tokens", growth.tokens),
        ("time", growth.time),
    ] {
        if rate > 1.2 {
            factors.push(format!("{name} grew {rate:.1} times within one window"));
        }
    }
    if incident.context.expected_paths.is_empty() {
        factors.push("no scope was declared, so no call could be out of scope".into());
    }
    let plan = &incident.state_snapshot.plan;
    if plan.done.is_empty() && plan.open.is_empty() {
        factors.push("there was no written plan to measure progress by".into());
    }
    if incident.state_snapshot.checkpoint.is_none() {
        factors.push("there is no safe checkpoint from before it began".into());
    }
    factors
}

pub(super) fn recommendations(incident: &Incident) -> Recommendations {
    let issue = &incident.issue;
    let mut immediate = vec!["Check the timeline and the changes since the last safe checkpoint.".into()];
    if incident.decision.is_none() {
        immediate.push(format!(
            "Choose how to continue: {} in the session, or plimsoll recover in a terminal.",
            incident.context.recover
        ));
    }
    immediate.push(format!("When work resumes, tell the agent: {}", alternative(issue)));
    let limits = incident.state_snapshot.limits.strict();
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let (preventive, configuration) = match issue.pattern {
        Pattern::RepetitiveErrors => (
            texts(&[
                "Say in the request what to do when a command keeps failing.",
                "Check that the tools, permissions and services that the task needs are there.",
            ]),
            texts(&["interventions.patterns.repeat.soft: 2", "interventions.patterns.error_family.deny: 4"]),
        ),
        Pattern::ScopeCreep => (
            texts(&[
                "Name the files or folders that the task is about.",
                "Split tasks that need many places.",
            ]),
            texts(&[
                "step_reviewer.scope.expected_paths: [the folders of the task]",
                "step_reviewer.scope.forbidden_paths: [what nobody should touch]",
            ]),
        ),
        Pattern::GoalDrift => (
            texts(&["Let the agent write down a plan first.", "Ask for one thing at a time."]),
            texts(&[
                "interventions.patterns.off_goal.soft: 15",
                "interventions.context_reinforcement.reinforcement_strength: strong",
            ]),
        ),
        Pattern::ResourceSpiral => (
            texts(&["Split the task into smaller ones.", "Say how much effort it is worth."]),
            vec![
                format!("interventions.limits.max_commands: {}", limits.commands),
                format!("interventions.limits.max_tokens: {}", limits.tokens),
                format!("step_reviewer.rules.max_file_operations: {}", limits.file_operations),
            ],
        ),
        Pattern::Hallucination => (
            texts(&[
                "Name the commands that build and test the project, for instance in CLAUDE.md.",
                "Ask for the output of a run together with every claim.",
            ]),
            texts(&[
                "interventions.patterns.claims_need_evidence: true",
                "interventions.patterns.phantom_paths: 2",
            ]),
        ),
    };
    let in_force = &incident.context.settings;
    let configuration = configuration.into_iter().filter(|line| !is_in_force(line, in_force)).collect();
    Recommendations { immediate, preventive, configuration }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_recommended_only_where_it_would_change_something() {
        let set = |key: &str, value: &str| BTreeMap::from([(key.to_owned(), value.to_owned())]);
        let repeat = "interventions.patterns.repeat.soft: 2";
        assert!(!is_in_force(repeat, &set("interventions.patterns.repeat.soft", "3")));
        assert!(is_in_force(repeat, &set("interventions.patterns.repeat.soft", "2")));
        assert!(is_in_force(repeat, &set("interventions.patterns.repeat.soft", "1")));
        let paths = "step_reviewer.scope.expected_paths: [the folders of the task]";
        assert!(!is_in_force(paths, &set("step_reviewer.scope.expected_paths", "[]")));
        assert!(is_in_force(paths, &set("step_reviewer.scope.expected_paths", "[\"src\"]")));
        let claims = "interventions.patterns.claims_need_evidence: true";
        assert!(is_in_force(claims, &set("interventions.patterns.claims_need_evidence", "true")));
        assert!(!is_in_force(claims, &BTreeMap::new()));
    }
}
