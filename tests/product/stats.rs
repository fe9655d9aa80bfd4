//! `plimsoll stats`: exact numbers over sessions, and clear words where there are none.

use crate::answer::told;
use crate::context::{SESSION, TestContext};
use plimsoll::edge::state::{InterventionLine, InterventionsLog};
use plimsoll::pure::monitor::interventions::{Delivered, InterventionEffect, InterventionKind};
use plimsoll::pure::monitor::patterns::{IssueSeverity, Pattern, Sign};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;

fn numbers(context: &TestContext, options: &[&str]) -> Value {
    let output = context.plimsoll(&[&["stats", "--json"], options].concat());
    assert!(output.status.success(), "{}", told(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn step(context: &TestContext, session: &str, event: &str, command: &str, id: &str) {
    let hook = if event == "PreToolUse" { "pre-tool-use" } else { "post-tool-use" };
    let fields = json!({"session_id": session, "tool_name": "Bash", "tool_input": {"command": command},
        "tool_response": {}, "tool_use_id": id});
    context.hook(hook, event, fields);
}

#[test]
fn every_review_is_counted_over_all_sessions() {
    let context = TestContext::new();
    for number in 0..40 {
        step(&context, SESSION, "PreToolUse", "git status", &format!("a{number}"));
    }
    step(&context, SESSION, "PreToolUse", "echo > /dev/sda", "b");
    step(&context, "session-2", "PreToolUse", "cat <<E && (", "c");
    step(&context, "session-2", "PostToolUse", "cat <<E && (", "c");
    let all = numbers(&context, &[]);
    let counted = |name: &str| all[name].as_u64().unwrap();
    assert_eq!(counted("sessions"), 2);
    assert_eq!(counted("total_reviews"), 42);
    assert_eq!(
        (counted("allowed_actions"), counted("asked_actions"), counted("blocked_actions")),
        (40, 1, 1)
    );
    assert_eq!((counted("interruptions"), counted("approved")), (2, 1));
    assert_eq!(all["false_positive_rate"], 0.5);
    assert!(all["avg_review_time"].as_f64().unwrap() > 0.0, "{all}");
    assert_eq!(
        all["rules"]["opaque"],
        json!({"warned": 0, "modified": 0, "asked": 1, "blocked": 0,
        "noted": 0, "approved": 1})
    );
    assert_eq!(numbers(&context, &["--session", "session-2"])["total_reviews"], 1);
    assert_eq!(numbers(&context, &["--all"]), all);
    let shown = told(&context.plimsoll(&["stats"]));
    assert!(shown.starts_with("42 tool calls reviewed in 2 sessions\n"), "{shown}");
}

#[test]
fn what_is_only_noted_is_listed_by_rule() {
    let context = TestContext::new();
    context.user_config("step_reviewer: {mode: observe}\n");
    context.write("notes/idea.md", "worth keeping\n");
    assert!(context.before_bash("rm -rf notes").is_silent());
    let all = numbers(&context, &[]);
    assert_eq!(all["rules"]["prevent_recursive_deletion"]["noted"], 1, "{all}");
    assert_eq!((&all["interruptions"], &all["allowed_actions"]), (&json!(0), &json!(1)));
}

#[test]
fn nothing_yet_and_damaged_records_are_said_in_words() {
    let context = TestContext::new();
    let shown = told(&context.plimsoll(&["stats"]));
    assert!(shown.contains("No tool call was reviewed here yet"), "{shown}");
    let unknown = context.plimsoll(&["stats", "--session", "nobody"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(told(&unknown).contains("no session nobody"), "{}", told(&unknown));

    step(&context, SESSION, "PreToolUse", "echo > /dev/sda", "a");
    let append = |path: &camino::Utf8Path, bytes: &[u8]| {
        fs::OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
    };
    append(&context.layout().journal(SESSION), &[7; 128]);
    append(&context.layout().audit(), b"{\"answer\": \n");
    let shown = told(&context.plimsoll(&["stats"]));
    assert!(shown.starts_with("1 tool call reviewed in 1 session\n"), "{shown}");
    assert!(shown.contains("not counted: 1 damaged records in "), "{shown}");
    assert!(shown.contains("not counted: 1 damaged line"), "{shown}");
}

fn delivered(
    id: &str,
    kind: InterventionKind,
    effect: InterventionEffect,
    escalated: bool,
) -> Vec<InterventionLine> {
    let one = Delivered {
        id: id.into(),
        kind,
        pattern: Pattern::RepetitiveErrors,
        sign: Sign::NoProgress,
        severity: IssueSeverity::High,
        cause: 1,
        agent: String::new(),
        escalated,
        events: vec!["t1".into()],
        time: 1,
        calls: 1,
        effect,
    };
    let mut lines = InterventionLine::delivered(1, "", &one);
    if effect != InterventionEffect::Open {
        lines.push(InterventionLine::judged(2, "", &one));
    }
    lines
}

#[test]
fn interventions_are_counted_by_type_issue_and_outcome_over_all_sessions() {
    let context = TestContext::new();
    let log = |session: &str, lines: Vec<InterventionLine>| {
        InterventionsLog::append(&context.layout(), session, &lines).unwrap();
    };
    log(SESSION, delivered("a", InterventionKind::SoftCorrection, InterventionEffect::Helped, false));
    log(SESSION, delivered("b", InterventionKind::SoftCorrection, InterventionEffect::Persisted, false));
    // The same id in another session is another intervention.
    log("session-2", delivered("a", InterventionKind::SoftCorrection, InterventionEffect::Open, false));
    log("session-2", delivered("c", InterventionKind::EmergencyStop, InterventionEffect::Open, true));
    let all = numbers(&context, &[]);
    let counted = &all["interventions"];
    assert_eq!((&counted["total"], &counted["escalations"]), (&json!(4), &json!(1)), "{counted}");
    assert_eq!(
        counted["by_type"]["soft_correction"],
        json!({"helped": 1, "persisted": 1, "open": 1, "effectiveness": 0.5})
    );
    assert_eq!(counted["escalation_rate"], 0.25);
    assert_eq!(numbers(&context, &["--session", "session-2"])["interventions"]["total"], 2);
    let shown = told(&context.plimsoll(&["stats"]));
    assert!(shown.contains("4 interventions, 1 of them escalated (25 %)") && shown.contains('█'), "{shown}");
    let scraped = told(&context.plimsoll(&["stats", "--prometheus"]));
    let project = format!("project=\"{}\"", context.path("").as_str().trim_end_matches('/'));
    let line = format!(
        "plimsoll_intervention_total{{{project},intervention_type=\"soft_correction\",issue_type=\"repetitive_errors\",outcome=\"persisted\"}} 1"
    );
    assert!(scraped.lines().any(|found| found == line), "{scraped}");
    assert!(
        scraped.contains(&format!("plimsoll_intervention_escalation_total{{{project}}} 1\n")),
        "{scraped}"
    );
    let file = context.home().join("plimsoll.prom");
    let printed = told(&context.plimsoll(&["stats", "--prometheus", "--output", file.as_str()]));
    assert_eq!((printed.as_str(), fs::read_to_string(&file).unwrap()), ("", scraped));
    fs::write(context.layout().interventions(SESSION), "{\"time\":\n").unwrap();
    let shown = told(&context.plimsoll(&["stats"]));
    assert!(shown.contains("2 interventions") && shown.contains("not counted: 1 damaged line"), "{shown}");
}
