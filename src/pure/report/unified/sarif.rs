//! The findings as SARIF 2.1.0, for whatever shows or compares such files. Fixed findings are no results any more, and
//! dismissed ones are suppressed; a loop that did not pass is a notification, so that no results are not taken for none.

use super::{LoopReport, UnifiedReport};
use crate::pure::policy::LoopNumber;
use crate::pure::review::{Finding, FindingId, FindingSeverity, FindingState};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

pub(crate) const SARIF_SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

impl UnifiedReport {
    pub fn sarif(&self) -> Value {
        let checks = self.loops.iter().filter(|report| report.number == LoopNumber::One);
        let checks = checks.flat_map(|report| &report.findings);
        let mut results: Vec<Value> = checks
            .map(|finding| result(LoopNumber::One, &finding.id(), finding, &FindingState::Open, 1))
            .collect();
        let later = self.findings.iter().filter(|entry| entry.state != FindingState::Fixed);
        results.extend(
            later.map(|entry| result(entry.number, &entry.id, &entry.finding, &entry.state, entry.rounds)),
        );
        let rules: BTreeSet<&str> =
            results.iter().filter_map(|result| result.get("ruleId").and_then(Value::as_str)).collect();
        let rules: Vec<Value> = rules.into_iter().map(|id| json!({"id": id})).collect();
        let notifications: Vec<Value> =
            self.loops.iter().filter(|report| !report.standing.passed()).map(notification).collect();
        json!({
            "$schema": SARIF_SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "plimsoll",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                }},
                "invocations": [{
                    "executionSuccessful": true,
                    "toolExecutionNotifications": notifications,
                }],
                "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "the top of the repository"}}},
                "results": results,
                "properties": {
                    "tree": self.tree,
                    "ship_allowed": self.ship.allowed,
                    "blockers": self.ship.blockers,
                },
            }],
        })
    }
}

fn result(
    number: LoopNumber,
    id: &FindingId,
    finding: &Finding,
    standing: &FindingState,
    rounds: usize,
) -> Value {
    let mut result = Map::new();
    let category = if finding.category.is_empty() { "finding" } else { &finding.category };
    result.insert("ruleId".into(), json!(format!("loop{number}/{category}")));
    let level = match finding.severity {
        FindingSeverity::Critical | FindingSeverity::Major => "error",
        FindingSeverity::Minor => "warning",
    };
    result.insert("level".into(), json!(level));
    let fix = finding.fix.as_ref().map(|fix| format!("\nFix: {fix}")).unwrap_or_default();
    result.insert("message".into(), json!({"text": format!("{}{fix}", finding.message)}));
    if let Some(file) = &finding.file {
        let mut place = json!({"artifactLocation": {"uri": uri(file), "uriBaseId": "%SRCROOT%"}});
        if let (Some(line), Some(fields)) = (finding.line.filter(|line| *line > 0), place.as_object_mut()) {
            let snippet = finding.quote.as_ref().map(|quote| json!({"text": quote}));
            let mut region = Map::from_iter([("startLine".to_string(), json!(line))]);
            region.extend(snippet.map(|snippet| ("snippet".to_string(), snippet)));
            fields.insert("region".into(), Value::Object(region));
        }
        result.insert("locations".into(), json!([{"physicalLocation": place}]));
    }
    result.insert("partialFingerprints".into(), json!({"plimsollFinding/v1": id}));
    if let FindingState::Dismissed(reason) = standing {
        result.insert(
            "suppressions".into(),
            json!([{"kind": "external", "status": "accepted", "justification": reason}]),
        );
    }
    result.insert(
        "properties".into(),
        json!({"severity": finding.severity, "standing": standing.word(), "rounds": rounds}),
    );
    Value::Object(result)
}

fn notification(report: &LoopReport) -> Value {
    let reason = report.standing.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
    let text = format!("Loop {}, {}: {}{reason}", report.number, report.name(), report.standing.word());
    json!({"level": if report.required { "error" } else { "note" }, "message": {"text": text}})
}

/// A path as a URI reference; `%` is encoded too, so that nothing is decoded that was not encoded.
pub(crate) fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encoded = |byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(encoded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::report::{sample, unified::Ship};
    use crate::pure::review::{Finding, LoopVerdict};

    fn report(findings: Vec<Finding>) -> Value {
        let mut receipt = sample::read_by_claude();
        let outcome = receipt.loops.get_mut(&LoopNumber::Two).unwrap();
        (outcome.findings, outcome.verdict) = (findings, LoopVerdict::Fail);
        sample::unified(&receipt, &Ship::default()).sarif()
    }

    fn finding(severity: FindingSeverity) -> Finding {
        Finding {
            severity,
            category: "security".into(),
            file: Some("src/a b%.rs".into()),
            line: Some(3),
            quote: Some("run(input)".into()),
            message: "input is not checked".into(),
            fix: Some("check it".into()),
        }
    }

    #[test]
    fn every_result_has_what_the_schema_demands() {
        let log = report(vec![finding(FindingSeverity::Critical)]);
        assert_eq!((&log["version"], log["runs"].as_array().unwrap().len()), (&json!("2.1.0"), 1));
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "plimsoll");
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        let result = &run["results"][0];
        assert_eq!(result["message"]["text"], "input is not checked\nFix: check it");
        assert_eq!(result["ruleId"], "loop2/security");
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "loop2/security");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "src/a%20b%25.rs");
        assert_eq!(place["region"]["startLine"], 3);
        assert!(result["partialFingerprints"]["plimsollFinding/v1"].is_string());
    }

    #[test]
    fn critical_and_major_are_errors_and_minor_is_a_warning() {
        for (severity, level) in [
            (FindingSeverity::Critical, "error"),
            (FindingSeverity::Major, "error"),
            (FindingSeverity::Minor, "warning"),
        ] {
            assert_eq!(report(vec![finding(severity)])["runs"][0]["results"][0]["level"], level);
        }
    }

    #[test]
    fn without_a_place_there_is_no_location_and_line_zero_is_no_region() {
        let nowhere = Finding { file: None, line: None, ..finding(FindingSeverity::Minor) };
        assert_eq!(report(vec![nowhere])["runs"][0]["results"][0].get("locations"), None);
        let top = Finding { line: Some(0), ..finding(FindingSeverity::Minor) };
        let log = report(vec![top]);
        assert_eq!(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"].get("region"), None);
    }

    #[test]
    fn no_results_are_told_apart_from_loops_that_did_not_run() {
        let log = report(Vec::new());
        let told = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string();
        assert!(told.contains("Loop 3, the outside reviewer: not run"), "{told}");
    }
}
