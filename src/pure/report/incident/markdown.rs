//! The incident for a terminal, an issue or a message.

use super::{LOCKED, consequences, decided, usage};
use crate::pure::monitor::interventions::{Incident, Moment, MomentKind, RecoveryOption, recovery_options};
use crate::pure::report::markdown_text::escaped;
use crate::pure::text::{counted, printable};

pub(crate) fn incident_markdown(incident: &Incident) -> String {
    let report = incident.report();
    let mut text = format!("# Emergency stop {}\n\n", escaped(&incident.id));
    text += &format!("**Severity: {}.** {}\n\n", report.severity, escaped(&report.summary));
    text += &format!(
        "{}, session {}.{}\n",
        incident.timestamp,
        escaped(&incident.state_snapshot.session),
        if incident.decision.is_none() { LOCKED } else { "" }
    );
    match &incident.decision {
        Some(decision) => text += &format!("\n## The decision\n\n{}\n", escaped(&decided(decision))),
        None => {
            text += "\n## What to do now\n\n";
            text += &recovery_options(incident).iter().map(option).collect::<String>();
        }
    }
    text += &format!("\n## The request\n\n> {}\n", escaped(&incident.context.original_prompt));
    text += "\n## Timeline\n\n| | time | who | what | outcome |\n|---|---|---|---|---|\n";
    text += &report.timeline.iter().map(moment).collect::<String>();
    text += "\n## Impact\n\n";
    text += &format!(
        "- Files affected: {}\n- Resources consumed: {}, {}\n- Seconds from issue to stop: {}\n",
        report.impact.files_affected,
        counted(incident.resource_usage.session.calls, "call"),
        counted(incident.resource_usage.session.tokens, "token"),
        report.impact.duration
    );
    text += &report.impact.files.iter().map(|file| format!("- {}\n", escaped(file))).collect::<String>();
    text += &format!("\n## Cause\n\n{}\n", escaped(&report.root_cause));
    text += &section("## Contributing factors", &report.contributing_factors);
    text += "\n## Recommendations\n";
    text += &section("### Now", &report.recommendations.immediate);
    text += &section("### To prevent it", &report.recommendations.preventive);
    text += &section("### Settings", &report.recommendations.configuration);
    text +=
        "\n## Usage against limits\n\n| resource | used since the last message | limit |\n|---|---|---|\n";
    text += &usage(incident)
        .iter()
        .map(|row| format!("| {} | {} | {} |\n", row.name, row.used, row.limit))
        .collect::<String>();
    text + &changes(incident)
}

fn option(option: &RecoveryOption) -> String {
    let lines: String = consequences(option).iter().map(|line| format!("  - {}\n", escaped(line))).collect();
    format!(
        "- **{}**: {}. {} or {}\n{lines}",
        escaped(option.option.name()),
        escaped(option.description),
        code(&option.command),
        code(&option.terminal_command)
    )
}

fn moment(moment: &Moment) -> String {
    let mark = match (moment.trigger, moment.kind) {
        (true, _) => "trigger",
        (false, MomentKind::Action) => "",
        (false, MomentKind::Began) => "began",
        (false, MomentKind::Intervention) => "intervention",
        (false, MomentKind::Stop) => "stop",
    };
    let error = moment.error.as_ref().map(|error| format!(": {}", escaped(error))).unwrap_or_default();
    format!(
        "| {mark} | {} | {} | {} | {}{error} |\n",
        moment.time,
        escaped(&moment.who),
        escaped(&moment.what),
        moment.outcome
    )
}

fn section(title: &str, items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("- {}\n", escaped(item))).collect();
    if items.is_empty() { items } else { format!("\n{title}\n\n{items}") }
}

fn changes(incident: &Incident) -> String {
    let diff = &incident.changes.diff;
    let title = "\n## Changes since the last safe checkpoint\n\n";
    if diff.is_empty() {
        return format!("{title}None are known.\n");
    }
    let shown: String = diff.lines().map(|line| printable_line(line) + "\n").collect();
    let fence = "`".repeat(longest_run(&shown).max(2) + 1);
    format!("{title}{fence}diff\n{shown}{fence}\n")
}

fn printable_line(line: &str) -> String {
    printable(&line.replace('\t', "    "))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A piece to copy; a backtick in it cannot end it.
fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let pad = if text.contains('`') { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", printable(text))
}
