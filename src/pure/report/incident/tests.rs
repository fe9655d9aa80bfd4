//! The three forms of an incident say the same, and hostile texts stay texts.

use super::*;
use crate::pure::monitor::interventions::sample::{SampleStop, action};
use crate::pure::monitor::patterns::RecentResult;

/// File names and commands as an attacker would choose them.
const HOSTILE: &str = "a</script></code></title><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u{202e}gpj.exe `x` **b** @octocat | # [l](http://x)";

fn hostile() -> Incident {
    let mut stop = SampleStop::new();
    stop.prompt = HOSTILE.into();
    stop.issue.description = HOSTILE.into();
    stop.issue.details.what = HOSTILE.into();
    stop.issue.details.error = Some(HOSTILE.into());
    stop.recent = vec![crate::pure::monitor::patterns::RecentCall {
        what: HOSTILE.into(),
        tool: HOSTILE.into(),
        agent: HOSTILE.into(),
        error: Some(HOSTILE.into()),
        ..action(1, RecentResult::Failed)
    }];
    stop.changed = vec![HOSTILE.into()];
    stop.restore_command = Some(HOSTILE.into());
    stop.diff = format!("--- a\n+++ b\n@@ -1 +1 @@\n-{HOSTILE}\n+````\n+{HOSTILE}\n");
    stop.incident()
}

#[test]
fn the_page_is_one_file_that_calls_nobody() {
    let page = incident_html(&SampleStop::new().incident());
    assert!(page.starts_with("<!doctype html>"));
    for forbidden in ["<script", "http://", "https://", "src=", "@import", "url(", "onload"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("<title>Incident 20231114-221450-"));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn all_three_say_what_happened_what_to_do_and_why() {
    let incident = SampleStop::new().incident();
    let (html, markdown, json) =
        (incident_html(&incident), incident_markdown(&incident), incident_json(&incident));
    for part in [
        "/recover abort",
        "plimsoll recover abort",
        "/recover resume_with_limits",
        "fix the failing parser test",
        "src/parser.rs",
        "No such file or directory",
        "interventions.patterns.repeat.soft: 2",
        "critical",
    ] {
        let plain = markdown.replace('\\', "");
        for (name, page) in [("html", &html), ("markdown", &plain), ("json", &json)] {
            assert!(page.contains(part), "{part} is not in {name}");
        }
    }
    for number in ["<td>123,456</td><td>5,000,000</td>", "<dd>200,000</dd>", "<dd>80</dd>"] {
        assert!(html.contains(number), "{number}");
    }
    for heading in [
        "What to do now",
        "Timeline",
        "Impact",
        "Cause",
        "Contributing factors",
        "Recommendations",
        "Usage against limits",
        "Changes since the last safe checkpoint",
    ] {
        assert!(html.contains(&format!("<h2>{heading}</h2>")), "{heading}");
        assert!(markdown.contains(&format!("## {heading}\n")), "{heading}");
    }
    assert_eq!(html.matches("<section class=\"card\">").count(), 4);
}

#[test]
fn the_json_holds_the_report_and_can_be_read_back() {
    let incident = SampleStop::new().incident();
    let text = incident_json(&incident);
    assert_eq!(serde_json::from_str::<Incident>(&text).unwrap(), incident);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    for path in [
        "/report/incident_id",
        "/report/summary",
        "/report/severity",
        "/report/timeline/0/time",
        "/report/impact/files_affected",
        "/report/impact/resources_consumed",
        "/report/impact/duration",
        "/report/root_cause",
        "/report/contributing_factors/0",
        "/report/recommendations/immediate/0",
        "/report/recommendations/preventive/0",
        "/report/recommendations/configuration/0",
        "/recovery_options/0/changes/resource_limits/commands",
        "/recovery_options/1/checkpoint/id",
        "/recovery_options/2/approval_config/auto_approve/0",
        "/recovery_options/3/cleanup_required/0",
    ] {
        assert!(value.pointer(path).is_some(), "{path}");
    }
}

#[test]
fn the_calls_that_triggered_the_stop_are_marked() {
    let mut stop = SampleStop::new();
    stop.recent.truncate(5);
    let incident = stop.incident();
    assert_eq!(incident_html(&incident).matches("<tr class=\"trigger\">").count(), 3);
    assert_eq!(incident_markdown(&incident).matches("| trigger |").count(), 3);
}

#[test]
fn hostile_names_and_commands_are_only_text() {
    let page = incident_html(&hostile());
    for forbidden in ["<script", "<img", "\u{202e}", "onerror=alert(2)>"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert_eq!(page.matches("</title>").count(), 1);
    assert!(page.contains("&lt;script&gt;") && page.contains("\\u{202e}") && page.contains("&quot;&#39;"));
    for tag in ["section", "table", "code", "ul", "li", "main", "pre", "span", "tr", "td", "dl"] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn a_hostile_markdown_neither_formats_nor_mentions_nor_leaves_its_fence() {
    let page = incident_markdown(&hostile());
    let outside: Vec<&str> = page.split("\n`````").collect();
    assert_eq!(outside.len(), 3, "one fence, longer than what it holds");
    for line in [outside[0], outside[2]].iter().flat_map(|text| text.lines()) {
        for forbidden in ["<script", "<img", "](http", "@octocat", "**b**"] {
            assert!(!line.contains(forbidden), "{forbidden} in {line}");
        }
    }
    assert!(!page.contains('\u{202e}'));
    assert_eq!(page.lines().filter(|line| line.starts_with("# ")).count(), 1, "{page}");
}

#[test]
fn the_difference_is_coloured_and_bounded() {
    let mut stop = SampleStop::new();
    let page = incident_html(&stop.incident());
    assert!(page.contains("<span class=\"del\">-a</span><span class=\"add\">+b</span>"), "{page}");
    stop.diff = format!("@@ -1 +1 @@\n{}", "+x\n".repeat(5_000));
    let page = incident_html(&stop.incident());
    assert_eq!(page.matches("<span class=\"add\">").count(), 1_499);
    assert!(page.contains("more lines"));
    stop.diff.clear();
    assert!(incident_html(&stop.incident()).contains("None are known"));
}

#[test]
fn a_way_on_that_is_not_possible_says_so() {
    let mut stop = SampleStop::new();
    (stop.checkpoint, stop.restore_command) = (None, None);
    let incident = stop.incident();
    assert!(incident_html(&incident).contains("<section class=\"card off\">"));
    assert!(incident_markdown(&incident).contains("Not possible now"));
}

#[test]
fn a_decided_incident_is_not_called_locked_and_offers_no_choice() {
    let mut incident = SampleStop::new().incident();
    let pages = |incident: &Incident| [incident_html(incident), incident_markdown(incident)];
    for page in pages(&incident) {
        assert!(page.contains("is locked until") && page.contains("What to do now"), "{page}");
        assert!(
            !page.contains("Restore the files of the last safe checkpoint:"),
            "it unlocks nothing: {page}"
        );
    }
    incident.decision = Some(IncidentDecision {
        choice: "rollback_and_retry".into(),
        by: "terminal".into(),
        time: "2026-01-28T10:31:00Z".into(),
    });
    for page in pages(&incident) {
        assert!(!page.contains("is locked until") && !page.contains("What to do now"), "{page}");
        assert!(page.replace('\\', "").contains("rollback_and_retry"), "{page}");
        assert!(page.contains("the project is unlocked"), "{page}");
    }
    assert_eq!(serde_json::from_str::<Incident>(&incident_json(&incident)).unwrap(), incident);
}

#[cfg(feature = "cli")]
#[test]
fn the_terminal_gets_plain_text_without_marks_of_markdown() {
    let text = incident_text(&hostile());
    for forbidden in ["\\_", "\\#", "&lt;", "**Severity", "\u{202e}", "## "] {
        assert!(!text.contains(forbidden), "{forbidden} in {text}");
    }
    assert!(text.contains("plimsoll recover rollback_and_retry"), "{text}");
}
