//! Context reinforcement: the request, its constraints, the goals in order and the boundaries, once more.

use super::advice::alternative;
use super::soft::sentence;
use crate::pure::monitor::interventions::quotation::{code, quoted};
use crate::pure::monitor::interventions::situation::Situation;
use crate::pure::monitor::patterns::{Issue, Pattern};
use crate::pure::policy::{Interventions, Strength};

/// The constraints of every task, each with the pattern that it is about.
const CONSTRAINTS: [(Pattern, &str); 8] = [
    (Pattern::ScopeCreep, IN_SCOPE),
    (Pattern::ScopeCreep, "Do not access system files or configuration outside the project"),
    (Pattern::ResourceSpiral, "Avoid unnecessary operations"),
    (Pattern::ResourceSpiral, "Process data incrementally rather than loading everything at once"),
    (Pattern::RepetitiveErrors, "Do not repeat a call whose result is known"),
    (Pattern::GoalDrift, "Every call serves one of the goals below"),
    (Pattern::Hallucination, "Use only paths and commands that were seen to exist"),
    (Pattern::Hallucination, "Claim only what a run has shown"),
];
/// Only where a scope is declared.
const IN_SCOPE: &str = "Only work with files in the specified directories";

pub(super) fn message(issue: &Issue, situation: &Situation<'_>, policy: &Interventions) -> String {
    let settings = &policy.context_reinforcement;
    let strength = settings.reinforcement_strength;
    let seen = sentence(&quoted(&issue.description, 240));
    let mut text = format!("{seen} What this task is about:\n\n");
    text += &format!("**Original Request**: {}\n", situation.request(400));
    text += "\n**Key Constraints**:\n";
    text += &constraints(issue, situation, strength);
    text += "\n**Current Goals** (in order):\n";
    text += &goals(situation, strength);
    if strength != Strength::Light {
        text += "\n**Boundaries**:\n";
        text += &boundaries(issue, situation);
    }
    if settings.include_examples {
        text += &format!("\n**Example**: {}\n", example(issue));
    }
    text += &format!("\n{}", alternative(issue));
    if strength == Strength::Strong {
        text += &format!(
            "\nTried already: {} ({} times). Before the next call, say which of the goals it serves; if it serves none, ask the person instead.",
            code(&issue.details.what, 120),
            issue.details.count
        );
    }
    text
}

/// Those that the issue is about in bold; a light reinforcement has only those.
fn constraints(issue: &Issue, situation: &Situation<'_>, strength: Strength) -> String {
    let mut all = CONSTRAINTS.to_vec();
    all.retain(|(_, text)| *text != IN_SCOPE || !situation.expected_paths.is_empty());
    all.sort_by_key(|(pattern, _)| *pattern != issue.pattern);
    let is_shown = |pattern: Pattern| match strength {
        Strength::Light => pattern == issue.pattern,
        Strength::Medium => pattern == issue.pattern || pattern != Pattern::ResourceSpiral,
        Strength::Strong => true,
    };
    let line = |(pattern, text): (Pattern, &str)| match pattern == issue.pattern {
        true => format!("- **IMPORTANT: {text}**\n"),
        false => format!("- {text}\n"),
    };
    all.into_iter().filter(|(pattern, _)| is_shown(*pattern)).map(line).collect()
}

fn goals(situation: &Situation<'_>, strength: Strength) -> String {
    let most = match strength {
        Strength::Light => 1,
        Strength::Medium => 5,
        Strength::Strong => 8,
    };
    let open = &situation.plan.open;
    if open.is_empty() {
        return format!("1. {}\n", situation.request(200));
    }
    let mut text: String = open
        .iter()
        .take(most)
        .enumerate()
        .map(|(at, goal)| format!("{}. {}\n", at + 1, quoted(goal, 100)))
        .collect();
    if !situation.plan.done.is_empty() && strength != Strength::Light {
        text += &format!("Done: {}\n", situation.plan.done.len());
    }
    text
}

fn boundaries(issue: &Issue, situation: &Situation<'_>) -> String {
    let mut lines = Vec::new();
    lines.extend(situation.expected().map(|paths| format!("Work in: {paths}")));
    lines.extend(situation.forbidden().map(|paths| format!("Do not touch: {paths}")));
    lines
        .extend(issue.details.out_of_scope_path.as_ref().map(|path| format!("Outside: {}", code(path, 160))));
    let limits = situation.limits;
    lines.push(format!(
        "At most {} file operations and {} commands for this request",
        limits.file_operations, limits.commands
    ));
    lines.iter().map(|line| format!("- {line}\n")).collect()
}

fn example(issue: &Issue) -> &'static str {
    match issue.pattern {
        Pattern::RepetitiveErrors => {
            "a test fails twice with the same message: read the line it names, change the code there, then run it again"
        }
        Pattern::ScopeCreep => {
            "the request names the parser, and a deployment file looks wrong too: mention it in the report, leave it as it is"
        }
        Pattern::GoalDrift => {
            "while fixing a bug you see untidy code next to it: finish the fix, then name the rest"
        }
        Pattern::ResourceSpiral => {
            "to find where a name is used, search for it once instead of reading every file"
        }
        Pattern::Hallucination => "before you edit `src/config.rs`, list `src/` and see whether it is there",
    }
}
