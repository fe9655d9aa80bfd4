//! The incident as one page: no script, no network, and everything that others wrote is only text.

use super::{LOCKED, consequences, decided, diff, usage};
use crate::pure::monitor::interventions::{
    Incident, Moment, MomentKind, RecoveryOption, Report, recovery_options,
};
use crate::pure::report::page::{fact, grouped, listed, page, text};

/// Lines of the difference that are shown.
const DIFF_LINES: usize = 1_500;

pub(crate) fn incident_html(incident: &Incident) -> String {
    let report = incident.report();
    let title = format!("Incident {}: {}", incident.id, incident.issue.pattern);
    let mut main = head(incident, &report);
    main += &now(incident);
    main += &format!(
        "<h2>The request</h2>\n<blockquote>{}</blockquote>\n",
        text(&incident.context.original_prompt)
    );
    main += &timeline(&report);
    main += &impact(incident, &report);
    main += &format!("<h2>Cause</h2>\n<p>{}</p>\n", text(&report.root_cause));
    main += &listed("<h2>Contributing factors</h2>", &report.contributing_factors);
    main += "<h2>Recommendations</h2>\n";
    main += &listed("<h3>Now</h3>", &report.recommendations.immediate);
    main += &listed("<h3>To prevent it</h3>", &report.recommendations.preventive);
    main += &settings(&report.recommendations.configuration);
    main += &limits(incident);
    main += &changes(incident);
    main += &session(incident);
    page(&title, &main)
}

fn head(incident: &Incident, report: &Report) -> String {
    format!(
        "<header>\n<h1>Emergency stop <span class=\"badge\">{}</span></h1>\n<p>{}</p>\n\
         <p class=\"soft\">Incident {}, {}, session {}.{}</p>\n</header>\n",
        text(&report.severity.to_string()),
        text(&report.summary),
        text(&incident.id),
        text(&incident.timestamp),
        text(&incident.state_snapshot.session),
        if incident.decision.is_none() { LOCKED } else { "" }
    )
}

fn now(incident: &Incident) -> String {
    if let Some(decision) = &incident.decision {
        return format!("<h2>The decision</h2>\n<p>{}</p>\n", text(&decided(decision)));
    }
    let mut part = "<h2>What to do now</h2>\n".to_owned();
    part += "<p>Choose how to continue, in the session or in a terminal of your own:</p>\n<div class=\"cards\">\n";
    part += &recovery_options(incident).iter().map(card).collect::<String>();
    part + "</div>\n"
}

fn card(option: &RecoveryOption) -> String {
    let off = if option.unavailable.is_some() { " off" } else { "" };
    let lines: String =
        consequences(option).iter().map(|line| format!("<li>{}</li>\n", text(line))).collect();
    let lines = if lines.is_empty() { lines } else { format!("<ul class=\"soft\">\n{lines}</ul>\n") };
    format!(
        "<section class=\"card{off}\">\n<h3>{}</h3>\n<p>{}.</p>\n<code class=\"copy\"><span>in the session</span>{}</code>\n\
         <code class=\"copy\"><span>in a terminal</span>{}</code>\n{lines}</section>\n",
        text(option.option.name()),
        text(option.description),
        text(&option.command),
        text(&option.terminal_command)
    )
}

fn timeline(report: &Report) -> String {
    let rows: String = report.timeline.iter().map(moment).collect();
    format!(
        "<h2>Timeline</h2>\n<p class=\"soft\">Marked: the calls that triggered the stop.</p>\n<div class=\"wide\">\n\
         <table class=\"timeline\">\n<thead><tr><th>Time</th><th>Who</th><th>What</th><th>Outcome</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

fn moment(moment: &Moment) -> String {
    let class = match (moment.trigger, moment.kind) {
        (true, _) => "trigger",
        (false, MomentKind::Action) => "action",
        (false, MomentKind::Began) => "began",
        (false, MomentKind::Intervention) => "intervention",
        (false, MomentKind::Stop) => "stop",
    };
    let trigger = if moment.trigger { " <span class=\"badge\">trigger</span>" } else { "" };
    let what = match moment.kind {
        MomentKind::Action => format!("<code>{}</code>", text(&moment.what)),
        MomentKind::Began | MomentKind::Intervention | MomentKind::Stop => text(&moment.what),
    };
    let error = moment.error.as_ref().map(|error| format!(": {}", text(error))).unwrap_or_default();
    let tone = match moment.outcome {
        "ok" | "helped" => "ok",
        "" | "not judged yet" | "interrupted" => "soft",
        _ => "bad",
    };
    format!(
        "<tr class=\"{class}\"><td class=\"time\">{}</td><td class=\"who\">{}{trigger}</td><td>{what}</td><td class=\"{tone}\">{}{error}</td></tr>\n",
        text(&moment.time),
        text(&moment.who),
        text(moment.outcome)
    )
}

fn impact(incident: &Incident, report: &Report) -> String {
    let mut part = "<h2>Impact</h2>\n<dl class=\"facts\">\n".to_owned();
    part += &fact("files affected", report.impact.files_affected);
    part += &fact("calls in this session", incident.resource_usage.session.calls);
    part += &fact("tokens", incident.resource_usage.session.tokens);
    part += &fact("seconds from issue to stop", report.impact.duration);
    part += "</dl>\n";
    let files: String =
        report.impact.files.iter().map(|file| format!("<li><code>{}</code></li>\n", text(file))).collect();
    let hidden = report.impact.files_affected.saturating_sub(report.impact.files.len() as u64);
    let more = if hidden > 0 { format!("<li>and {hidden} more</li>\n") } else { String::new() };
    if files.is_empty() { part } else { format!("{part}<ul>\n{files}{more}</ul>\n") }
}

fn settings(items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("<li><code>{}</code></li>\n", text(item))).collect();
    if items.is_empty() { items } else { format!("<h3>Settings</h3>\n<ul>\n{items}</ul>\n") }
}

fn limits(incident: &Incident) -> String {
    let row = |row: &super::Row| {
        let full = if row.used >= row.limit { " class=\"full\"" } else { "" };
        format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td><progress{full} max=\"{}\" value=\"{}\"></progress></td></tr>\n",
            row.name,
            grouped(row.used),
            grouped(row.limit),
            row.limit.max(1),
            row.used.min(row.limit.max(1))
        )
    };
    let rows: String = usage(incident).iter().map(row).collect();
    format!(
        "<h2>Usage against limits</h2>\n<div class=\"wide\">\n<table>\n<thead><tr><th>Resource</th><th>Used since the last message</th>\
         <th>Limit</th><th>Share</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

fn changes(incident: &Incident) -> String {
    let title = "<h2>Changes since the last safe checkpoint</h2>\n";
    let lines = diff::lines(&incident.changes.diff);
    if lines.is_empty() {
        return format!("{title}<p class=\"soft\">None are known.</p>\n");
    }
    let shown: String = lines
        .iter()
        .take(DIFF_LINES)
        .map(|(kind, line)| format!("<span class=\"{}\">{}</span>", kind.class(), text(line)))
        .collect();
    let hidden = lines.len().saturating_sub(DIFF_LINES);
    let more =
        if hidden > 0 { format!("<p class=\"soft\">and {hidden} more lines</p>\n") } else { String::new() };
    format!("{title}<pre class=\"diff\">{shown}</pre>\n{more}")
}

fn session(incident: &Incident) -> String {
    let seen: Vec<String> = incident
        .pattern_detections
        .iter()
        .map(|one| {
            format!(
                "{} ({}, {}) since {}: {}",
                one.pattern, one.sign, one.severity, one.time, one.description
            )
        })
        .collect();
    let plan = &incident.state_snapshot.plan;
    listed("<h2>Patterns seen</h2>", &seen)
        + &listed("<h2>Plan: done</h2>", &plan.done)
        + &listed("<h2>Plan: open</h2>", &plan.open)
        + &listed("<h2>Declared scope</h2>", &incident.context.expected_paths)
}
