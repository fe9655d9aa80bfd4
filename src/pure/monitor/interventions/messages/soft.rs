//! Soft correction: what was seen, and one way out, with the details of its pattern.

use super::advice::alternative;
use crate::pure::monitor::interventions::prompts::Prompts;
use crate::pure::monitor::interventions::quotation::{code, quoted};
use crate::pure::monitor::interventions::situation::Situation;
use crate::pure::monitor::patterns::{Issue, Pattern};

pub(super) fn message(issue: &Issue, situation: &Situation<'_>, prompts: &Prompts) -> String {
    if let Some(template) = prompts.templates.get(&issue.pattern) {
        return template.filled(issue, situation);
    }
    let seen = quoted(&issue.description, 300);
    let details: Vec<String> = match issue.pattern {
        Pattern::RepetitiveErrors => repetitive(issue),
        Pattern::ScopeCreep => scope(issue, situation),
        Pattern::GoalDrift => vec![
            format!("The goal: {}", situation.request(300)),
            format!("Progress: {}", situation.progress()),
            format!("Next step: {}", situation.primary_goal()),
        ],
        Pattern::ResourceSpiral => vec![
            format!("Used so far: {}", situation.resources()),
            "Leave out what is not needed, work in smaller batches, and remove temporary files.".into(),
        ],
        Pattern::Hallucination => hallucination(issue),
    };
    let details: String = details.iter().map(|line| format!("\n- {line}")).collect();
    format!("{} {}{details}", sentence(&seen), alternative(issue))
}

fn repetitive(issue: &Issue) -> Vec<String> {
    let mut lines =
        vec![format!("The call: {} ({} times)", code(&issue.details.what, 160), issue.details.count)];
    lines.extend(issue.details.error.as_ref().map(|error| format!("The error: {}", quoted(error, 200))));
    lines.extend(issue.details.file_path.as_ref().map(|path| {
        let path = code(path, 160);
        format!("Verify first that {path} exists, that it may be accessed, and that it is spelled right.")
    }));
    lines
}

fn scope(issue: &Issue, situation: &Situation<'_>) -> Vec<String> {
    let mut lines = vec![format!("You were asked to: {}", situation.request(400))];
    lines.extend(situation.expected().map(|paths| format!("The files to work with are in: {paths}")));
    lines.extend(situation.forbidden().map(|paths| format!("Not to be touched: {paths}")));
    lines.extend(
        issue
            .details
            .out_of_scope_path
            .as_ref()
            .map(|path| format!("Outside of that: {}. Is there a reason to need it?", code(path, 160))),
    );
    lines
}

fn hallucination(issue: &Issue) -> Vec<String> {
    let details = &issue.details;
    let mut lines = Vec::new();
    lines.extend(details.claim.as_ref().map(|claim| format!("The claim: {}", quoted(claim, 200))));
    lines.extend(
        details.evidence.as_ref().map(|command| format!("What would show it: {}", code(command, 160))),
    );
    if details.claim.is_none() {
        lines.push(format!("The call: {}", code(&details.what, 160)));
        lines.extend(details.file_path.as_ref().map(|path| format!("Not there: {}", code(path, 160))));
        lines.extend(details.error.as_ref().map(|error| format!("The error: {}", quoted(error, 200))));
    }
    lines
}

/// With a full stop.
pub(super) fn sentence(text: &str) -> String {
    let ends = text.ends_with(['.', '!', '?', '…']) || text.is_empty();
    if ends { text.to_owned() } else { format!("{text}.") }
}
