//! The incident for a terminal.

use super::{LOCKED, consequences, decided};
use crate::pure::monitor::interventions::{Incident, Moment, recovery_options};
use crate::pure::text::{Tone, bold, columns, counted, cut, faint, printable};
use std::fmt::Write;

/// Columns of a terminal that a row of the timeline takes for its words.
const WORDS: usize = 60;
/// The newest events that are shown; the page has all.
const EVENTS: usize = 12;

pub(crate) fn incident_text(incident: &Incident) -> String {
    let report = incident.report();
    let mut text = format!(
        "{} {} {}\n",
        Tone::Bad.symbol(),
        bold(&format!("Emergency stop {}", printable(&incident.id))),
        faint(&format!("({}, session {})", incident.timestamp, printable(&incident.state_snapshot.session)))
    );
    let _ = writeln!(text, "  {}", printable(&report.summary));
    match &incident.decision {
        Some(decision) => {
            let _ = writeln!(text, "\n{} {}", bold("Decided:"), printable(&decided(decision)));
        }
        None => {
            let _ = writeln!(text, " {LOCKED}");
            text += &choices(incident);
        }
    }
    let _ =
        writeln!(text, "\n{} {}", bold("Request:"), cut(&printable(&incident.context.original_prompt), 300));
    let _ = writeln!(text, "{} {}", bold("Cause:"), printable(&report.root_cause));
    let _ = writeln!(
        text,
        "{} {}, {} and {} tokens in this session",
        bold("Impact:"),
        counted(report.impact.files_affected, "file"),
        counted(incident.resource_usage.session.calls, "call"),
        incident.resource_usage.session.tokens
    );
    text += &timeline(&report.timeline);
    let advice = report.recommendations;
    text += &listed("Recommended", advice.immediate.iter().chain(&advice.preventive));
    text + &listed("Settings to consider", advice.configuration.iter())
}

fn choices(incident: &Incident) -> String {
    let mut text = format!("\n{}\n", bold("How to continue"));
    for option in recovery_options(incident) {
        let _ = writeln!(text, "  {}  {}", bold(&option.terminal_command), option.description);
        if let Some(why) = option.unavailable {
            let _ = writeln!(text, "    not possible now: {why}");
        }
        for line in consequences(&option).iter().filter(|line| line.starts_with("Checkpoint")) {
            let _ = writeln!(text, "    {}", printable(line));
        }
    }
    let _ = writeln!(text, "  In the session: {} and the name of the choice.", incident.context.recover);
    text
}

fn timeline(moments: &[Moment]) -> String {
    let skipped = moments.len().saturating_sub(EVENTS);
    let row = |moment: &Moment| {
        let tone = match (moment.trigger, moment.outcome) {
            (true, _) => Tone::Bad,
            (false, "ok" | "helped") => Tone::Good,
            (false, "" | "not judged yet" | "interrupted") => Tone::Neutral,
            (false, _) => Tone::Caution,
        };
        let clock = moment.time.get(11..19).unwrap_or(&moment.time).to_owned();
        let what = cut(&printable(&moment.what), WORDS);
        vec![
            format!("  {}", tone.symbol()),
            clock,
            cut(&printable(&moment.who), 24),
            what,
            moment.outcome.to_owned(),
        ]
    };
    let rows: Vec<_> = moments.iter().skip(skipped).map(row).collect();
    let more =
        if skipped > 0 { format!("  ({} before)\n", counted(skipped, "event")) } else { String::new() };
    format!("\n{}\n{more}{}", bold("Timeline"), columns(&rows))
}

fn listed<'a>(title: &str, items: impl Iterator<Item = &'a String>) -> String {
    let items: String = items.map(|item| format!("  - {}\n", printable(item))).collect();
    if items.is_empty() { items } else { format!("\n{}\n{items}", bold(title)) }
}
