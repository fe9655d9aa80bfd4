//! An incident: its fields, its report, the ways on, and what never gets into it.

use super::*;
use crate::pure::monitor::interventions::kind::InterventionKind;
use crate::pure::monitor::interventions::sample::{SampleStop, action, issue as sample_issue, situation};
use crate::pure::monitor::patterns::{Growth, RecentResult};

fn incident_of(change: impl FnOnce(&mut SampleStop)) -> Incident {
    let mut stop = SampleStop::new();
    change(&mut stop);
    stop.incident()
}

#[test]
fn creates_incident_and_stops_execution() {
    let incident = incident_of(|_| {});
    assert!(incident.id.starts_with("20231114-221450-") && incident.id.len() == 24, "{}", incident.id);
    let words = crate::pure::monitor::interventions::compose(
        InterventionKind::EmergencyStop,
        &incident.issue,
        &Situation {
            incident: Some(crate::pure::monitor::interventions::IncidentPage {
                id: incident.id.clone(),
                page: "p".into(),
            }),
            ..situation()
        },
        &crate::pure::policy::Interventions::default(),
        &crate::pure::monitor::interventions::Prompts::default(),
    );
    assert!(words.model.contains("Emergency stop") && words.model.contains(&incident.id), "{}", words.model);
    let options = recovery_options(&incident);
    let names: Vec<_> = options.iter().map(|option| option.option.name()).collect();
    assert_eq!(names, ["resume_with_limits", "rollback_and_retry", "manual_intervention", "abort"]);
}

#[test]
fn an_incident_has_the_last_fifty_actions_and_can_be_read_again() {
    let incident = incident_of(|_| {});
    assert_eq!(incident.action_history.len(), 50);
    assert_eq!(incident.action_history[0].id, "toolu_11");
    let text = serde_json::to_string(&incident).unwrap();
    assert_eq!(serde_json::from_str::<Incident>(&text).unwrap(), incident);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    for field in [
        "id", "timestamp", "issue", "state_snapshot", "context", "pattern_detections", "resource_usage",
        "action_history",
    ] {
        assert!(value.get(field).is_some(), "{field}");
    }
}

#[test]
fn the_report_tells_summary_impact_cause_factors_and_what_to_do() {
    let mut other = sample_issue(Pattern::ScopeCreep, IssueSeverity::Low);
    other.cause = 8;
    let report = incident_of(|stop| stop.issues = vec![other]).report();
    assert_eq!(report.severity, IssueSeverity::Critical);
    assert!(
        report.summary.starts_with("Emergency stop triggered due to repetitive_errors"),
        "{}",
        report.summary
    );
    assert_eq!((report.impact.files_affected, report.impact.duration), (1, 90));
    assert!(report.root_cause.contains("cat /test/file.ex"), "{}", report.root_cause);
    let factors = report.contributing_factors.join("\n");
    for part in ["did not help: soft_correction", "50 of the last 50 calls failed", "scope_creep"] {
        assert!(factors.contains(part), "{part} in {factors}");
    }
    let immediate = report.recommendations.immediate.join("\n");
    assert!(immediate.contains("/recover") && !immediate.contains("checkpoint restore"), "{immediate}");
    assert!(!report.recommendations.preventive.is_empty());
    assert!(report.recommendations.configuration[0].starts_with("interventions.patterns."));
}

#[test]
fn the_timeline_is_in_order_and_marks_what_triggered_the_stop() {
    let timeline = incident_of(|stop| stop.recent.truncate(4)).report().timeline;
    let kinds: Vec<_> = timeline.iter().map(|moment| (moment.kind, moment.trigger)).collect();
    use MomentKind::*;
    assert_eq!(
        kinds,
        [
            (Began, false),
            (Action, true),
            (Action, true),
            (Intervention, false),
            (Action, true),
            (Action, false),
            (Stop, false)
        ]
    );
}

#[test]
fn each_way_on_says_what_it_would_do() {
    let [limited, rollback, manual, abort]: [RecoveryOption; 4] =
        recovery_options(&incident_of(|_| {})).try_into().unwrap();
    let limits = limited.changes.unwrap().resource_limits;
    assert_eq!((limits.commands, limits.batch_size), (150, 10));
    assert_eq!(rollback.checkpoint.unwrap().id, "c41f");
    assert_eq!(rollback.unavailable, None);
    let approval = manual.approval_config.unwrap();
    assert_eq!(approval.require_approval_for, ["file_write", "file_delete", "system_command"]);
    assert_eq!(approval.auto_approve, ["file_read"]);
    assert!(abort.cleanup_required[0].contains("src/parser.rs"), "{:?}", abort.cleanup_required);
    assert_eq!(abort.command, "/recover abort");
}

#[test]
fn without_a_safe_checkpoint_a_rollback_is_not_offered_as_possible() {
    let options = recovery_options(&incident_of(|stop| stop.checkpoint = None));
    assert!(options[1].unavailable.is_some());
}

#[test]
fn nothing_secret_or_endless_gets_into_an_incident() {
    // Put together at run time, so that no scanner takes this file for a leak.
    let key = format!("sk_{}_{}", "live", "kQ7xZ2mV9rT4wB8nL3sD6fH1");
    let leak = format!("curl -d api_key=\"{key}\"\u{1b}[2J");
    let mut issue = sample_issue(Pattern::RepetitiveErrors, IssueSeverity::Critical);
    issue.description.clone_from(&leak);
    issue.details.what.clone_from(&leak);
    issue.details.error = Some(leak.clone());
    (issue.confidence, issue.details.growth) =
        (f64::NAN, Growth { tokens: f64::INFINITY, ..Growth::default() });
    let recent = vec![
        RecentCall {
            what: leak.as_str().into(),
            error: Some(leak.as_str().into()),
            ..action(1, RecentResult::Failed)
        };
        70
    ];
    let incident = incident_of(|stop| {
        (stop.issue, stop.recent) = (issue, recent);
        stop.prompt = format!("{leak} {}", "x".repeat(1_000_000));
        stop.diff = format!("+{leak}\n").repeat(20_000);
        stop.changed = vec![leak.clone(); 5_000];
    });
    let text = serde_json::to_string(&incident).unwrap();
    assert!(!text.contains(&key) && !text.contains("\\u001b"));
    assert!(text.len() < 400_000, "{}", text.len());
    assert_eq!(incident.changes.files_total, 5_000);
    assert!(incident.changes.diff.ends_with("… cut here"));
    assert_eq!(serde_json::from_str::<Incident>(&text).unwrap(), incident);
}

#[test]
fn without_a_list_of_changed_files_those_that_were_written_count() {
    let mut recent = vec![
        action(1, RecentResult::Succeeded),
        action(2, RecentResult::Failed),
        action(3, RecentResult::Succeeded),
    ];
    for (at, action) in recent.iter_mut().enumerate() {
        (action.tool, action.what) = ("Edit".into(), format!("src/{at}.rs").into());
    }
    let incident = incident_of(|stop| (stop.changed, stop.recent) = (Vec::new(), recent));
    assert_eq!(incident.changes.files, ["src/0.rs", "src/2.rs"]);
    assert_eq!(incident.report().impact.files_affected, 2);
}
