//! Why it came to the stop, what else played a part, and what is to be done about it.

use super::{Incident, Recommendations};
use crate::intervene::history::Effect;
use crate::intervene::naming::{pattern_name, sign_name};
use crate::intervene::words::{alternative, went_wrong};
use crate::pattern::{Came, Pattern};

pub(super) fn root_cause(incident: &Incident) -> String {
    let issue = &incident.issue;
    let details = &issue.details;
    let mut text = format!("{} Seen {} times", went_wrong(issue.sign), details.count);
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
        .filter(|one| one.cause == issue.cause && one.effect == Effect::Persisted)
        .map(|one| one.kind.name())
        .collect();
    if !persisted.is_empty() {
        factors.push(format!("what was said about it before did not help: {}", persisted.join(", ")));
    }
    let came =
        |wanted: Came| incident.action_history.iter().filter(|action| action.outcome == wanted).count();
    if came(Came::Refused) > 0 {
        factors.push(format!("refused calls were tried all the same: {} times", came(Came::Refused)));
    }
    if came(Came::Badly) > 0 {
        factors.push(format!(
            "{} of the last {} calls failed",
            came(Came::Badly),
            incident.action_history.len()
        ));
    }
    for other in incident.pattern_detections.iter().filter(|other| other.sign != issue.sign) {
        factors.push(format!(
            "also seen: {} ({}): {}",
            pattern_name(other.pattern),
            sign_name(other.sign),
            other.description
        ));
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
        factors.push("no scope was declared, so that nothing could be called outside of it".into());
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
    let mut immediate =
        vec!["Look at the timeline and at what changed since the last safe checkpoint.".into()];
    if let Some(command) = &incident.state_snapshot.restore_command {
        immediate.push(format!("If the changes are not wanted: {command}"));
    }
    immediate.push(format!(
        "Choose how to go on: {} in the session, or plimsoll recover in a terminal.",
        incident.context.recover
    ));
    immediate.push(format!("When it goes on, tell the agent: {}", alternative(issue)));
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
    Recommendations { immediate, preventive, configuration }
}
