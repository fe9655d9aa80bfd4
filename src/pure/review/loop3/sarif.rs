//! SARIF 2.1.0 from any other reviewer.
//!
//! Weight: `security-severity` of 9 or more, or an error of a rule tagged `security`, is critical; any other error is major;
//! warnings, notes and whatever else is reported are minor.

use super::opinion::{Ending, Opinion, cut_short};
use super::place::Places;
use crate::pure::review::loop1::End;
use crate::pure::review::object::hex;
use crate::pure::review::{Finding, FindingSeverity, sanitize};
use serde_json::Value;

const MESSAGE: usize = 4_000;
const FIX: usize = 1_000;
const NAME: usize = 120;

pub(crate) fn sarif(output: &[u8], end: &End, places: &Places) -> Opinion {
    let nothing = |why: String| Opinion { ending: Ending::not_reviewed(why), findings: Vec::new() };
    if let Some(why) = cut_short(end) {
        return nothing(why);
    }
    let exit = match end {
        End::Exited(code) if *code != 0 => format!(" and failed with exit status {code}"),
        _ => String::new(),
    };
    let log: Value = match serde_json::from_slice(output) {
        Ok(log) => log,
        Err(_) if output.trim_ascii().is_empty() => {
            return nothing(format!("printed no SARIF, nothing at all{exit}"));
        }
        Err(error) => return nothing(format!("printed no SARIF{exit}: {error}")),
    };
    if !string(&log, "version").starts_with("2.1") {
        return nothing(format!("printed no SARIF 2.1.0{exit}"));
    }
    let runs: Vec<&Value> = list(&log, "runs").collect();
    let findings = runs.iter().flat_map(|run| Run::of(run).findings(places)).collect();
    let failed = |run: &&Value| {
        list(run, "invocations").any(|call| *at(call, "/executionSuccessful") == Value::Bool(false))
    };
    let ending = if runs.is_empty() {
        Ending::not_reviewed(format!("printed SARIF without a run{exit}"))
    } else if runs.iter().any(|run| !at(run, "/results").is_array()) {
        // By the standard, a run without this list has not looked at anything.
        Ending::not_reviewed(format!("printed SARIF without results{exit}"))
    } else if runs.iter().any(failed) {
        Ending::not_reviewed("reports in its SARIF that it failed")
    } else {
        Ending::Complete
    };
    Opinion { ending, findings }
}

struct Run<'a> {
    tool: String,
    rules: Vec<&'a Value>,
    results: Vec<&'a Value>,
}

impl<'a> Run<'a> {
    fn of(run: &'a Value) -> Self {
        let driver = at(run, "/tool/driver");
        let extensions = list(at(run, "/tool"), "extensions").flat_map(|extension| list(extension, "rules"));
        Self {
            tool: sanitize(string(driver, "name"), NAME),
            rules: list(driver, "rules").chain(extensions).collect(),
            results: list(run, "results").collect(),
        }
    }

    fn findings(&self, places: &Places) -> Vec<Finding> {
        self.results
            .iter()
            .filter(|result| counts(result))
            .map(|result| self.finding(result, places))
            .collect()
    }

    /// The rule by its ID, or by its index.
    fn rule(&self, result: &Value) -> Option<&'a Value> {
        let id = rule_id(result);
        let index = at(result, "/ruleIndex").as_u64().and_then(|index| usize::try_from(index).ok());
        match id {
            "" => index.and_then(|index| self.rules.get(index)).copied(),
            id => self.rules.iter().find(|rule| string(rule, "id") == id).copied(),
        }
    }

    fn finding(&self, result: &Value, places: &Places) -> Finding {
        let rule = self.rule(result);
        let id = match (rule_id(result), rule) {
            ("", Some(rule)) => string(rule, "id"),
            (id, _) => id,
        };
        let physical = at(result, "/locations/0/physicalLocation");
        let named = decoded(string(at(physical, "/artifactLocation"), "uri"));
        let file = places.file(&named);
        let region = at(physical, "/region");
        let line = at(region, "/startLine").as_u64().and_then(|line| u32::try_from(line).ok());
        let line = line.filter(|line| *line > 0);
        let mut message = sanitize(&message(result, rule), MESSAGE);
        if message.is_empty() {
            message =
                rule.map(|rule| sanitize(words(at(rule, "/shortDescription")), MESSAGE)).unwrap_or_default();
        }
        if file.is_none() && !named.is_empty() {
            let line = line.map(|line| format!(":{line}")).unwrap_or_default();
            message =
                format!("(in {}{line}, which is not part of the change) {message}", sanitize(&named, 200));
        }
        let snippet = string(at(region, "/snippet"), "text").lines().next().map(|quote| sanitize(quote, 300));
        let fix = sanitize(words(at(result, "/fixes/0/description")), FIX);
        Finding {
            severity: severity(result, rule),
            category: sanitize(&format!("{}: {id}", self.tool), NAME),
            line: line.filter(|_| file.is_some()),
            quote: snippet.filter(|quote| file.is_some() && !quote.is_empty()),
            file,
            message,
            fix: Some(fix).filter(|fix| !fix.is_empty()),
        }
    }
}

/// The text, or the rule's text of that ID with its placeholders filled.
fn message(result: &Value, rule: Option<&Value>) -> String {
    let message = at(result, "/message");
    let named = rule.map(|rule| at(rule, "/messageStrings"));
    let text = match (words(message), named) {
        ("", Some(named)) => words(named.get(string(message, "id")).unwrap_or(&Value::Null)),
        (text, _) => text,
    };
    let arguments = list(message, "arguments").filter_map(Value::as_str).enumerate();
    arguments.fold(text.to_string(), |text, (number, word)| text.replace(&format!("{{{number}}}"), word))
}

/// Whether the result counts: it did not pass, is not suppressed, and is new.
fn counts(result: &Value) -> bool {
    let passed = matches!(string(result, "kind"), "pass" | "notApplicable");
    let old = matches!(string(result, "baselineState"), "unchanged" | "absent");
    let mut suppressions = list(result, "suppressions").peekable();
    let accepted = |entry: &Value| matches!(string(entry, "status"), "" | "accepted");
    let suppressed = suppressions.peek().is_some() && suppressions.all(accepted);
    !passed && !old && !suppressed
}

fn severity(result: &Value, rule: Option<&Value>) -> FindingSeverity {
    let properties = [Some(at(result, "/properties")), rule.map(|rule| at(rule, "/properties"))];
    let properties = || properties.into_iter().flatten();
    let score = properties().find_map(|properties| match at(properties, "/security-severity") {
        Value::String(text) => text.trim().parse::<f64>().ok(),
        other => other.as_f64(),
    });
    let security = properties().any(|properties| list(properties, "tags").any(|tag| tag == "security"));
    let own = string(result, "level");
    let level = match (own, rule) {
        ("", Some(rule)) => string(at(rule, "/defaultConfiguration"), "level"),
        _ => own,
    };
    match (level, security) {
        _ if score.is_some_and(|score| score >= 9.0) => FindingSeverity::Critical,
        ("error", true) => FindingSeverity::Critical,
        ("error", false) => FindingSeverity::Major,
        _ => FindingSeverity::Minor,
    }
}

fn rule_id(result: &Value) -> &str {
    match string(result, "ruleId") {
        "" => string(at(result, "/rule"), "id"),
        id => id,
    }
}

fn words(message: &Value) -> &str {
    match string(message, "text") {
        "" => string(message, "markdown"),
        text => text,
    }
}

/// The value at a pointer, or null.
fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

fn string<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value.get(field).and_then(Value::as_array).into_iter().flatten()
}

/// A relative or `file:` URI as a path.
fn decoded(uri: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = match (first, tail) {
            (b'%', [high, low, after @ ..]) => hex(*high, *low).map(|byte| (byte, after)),
            _ => None,
        };
        let (byte, after) = escaped.unwrap_or((first, tail));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn places() -> Places {
        Places { root: "/p".into(), changed: ["src/a b.rs".to_string()].into() }
    }

    fn log(results: Value) -> Value {
        json!({"version": "2.1.0", "runs": [{
            "tool": {"driver": {"name": "scanner", "rules": [
                {"id": "inject", "properties": {"tags": ["security"]}, "defaultConfiguration": {"level": "error"}},
                {"id": "score", "properties": {"security-severity": "9.1"}},
                {"id": "style", "shortDescription": {"text": "style matters"}},
                {"id": "worded", "messageStrings": {"default": {"text": "{0} before {1}"}}},
            ]}},
            "results": results,
        }]})
    }

    fn opinion(log: &Value, code: i32) -> Opinion {
        sarif(log.to_string().as_bytes(), &End::Exited(code), &places())
    }

    fn result(rule: &str, level: Option<&str>) -> Value {
        json!({"ruleId": rule, "level": level, "message": {"text": "look"}, "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": "src/a%20b.rs"},
            "region": {"startLine": 7, "snippet": {"text": "run(x)\nmore"}}}}]})
    }

    #[test]
    fn a_result_becomes_a_finding_at_its_place() {
        let found = opinion(&log(json!([result("style", Some("warning"))])), 1);
        assert_eq!(found.ending, Ending::Complete);
        let expected = Finding {
            severity: FindingSeverity::Minor,
            category: "scanner: style".into(),
            file: Some("src/a b.rs".into()),
            line: Some(7),
            quote: Some("run(x)".into()),
            message: "look".into(),
            fix: None,
        };
        assert_eq!(found.findings, [expected]);
    }

    #[test]
    fn a_rule_may_be_named_by_its_place_and_a_message_by_its_name() {
        let mut result = result("", None);
        result["ruleIndex"] = json!(3);
        result["message"] = json!({"id": "default", "arguments": ["x", "y"]});
        result["locations"][0]["physicalLocation"]["region"]["startLine"] = json!(0);
        let found = opinion(&log(json!([result])), 0);
        assert_eq!(found.findings[0].category, "scanner: worded");
        assert_eq!(found.findings[0].message, "x before y");
        assert_eq!(found.findings[0].line, None);
    }

    #[test]
    fn weight_comes_from_level_tag_and_score() {
        for (rule, level, severity) in [
            ("inject", None, FindingSeverity::Critical),
            ("inject", Some("warning"), FindingSeverity::Minor),
            ("score", Some("note"), FindingSeverity::Critical),
            ("style", Some("error"), FindingSeverity::Major),
            ("style", None, FindingSeverity::Minor),
            ("unknown", Some("none"), FindingSeverity::Minor),
        ] {
            let found = opinion(&log(json!([result(rule, level)])), 0);
            assert_eq!(found.findings[0].severity, severity, "{rule} {level:?}");
        }
    }

    #[test]
    fn what_is_suppressed_passed_or_was_there_before_is_left_out() {
        let with = |field: &str, value: Value| {
            let mut result = result("style", Some("error"));
            result[field] = value;
            opinion(&log(json!([result])), 0).findings.len()
        };
        assert_eq!(with("suppressions", json!([{"kind": "inSource"}])), 0);
        assert_eq!(with("suppressions", json!([{"kind": "external", "status": "rejected"}])), 1);
        assert_eq!(with("suppressions", json!([])), 1);
        assert_eq!(with("baselineState", json!("unchanged")), 0);
        assert_eq!(with("baselineState", json!("absent")), 0);
        assert_eq!(with("baselineState", json!("new")), 1);
        assert_eq!(with("kind", json!("pass")), 0);
        assert_eq!(with("kind", json!("fail")), 1);
    }

    #[test]
    fn no_sarif_is_no_review_whatever_the_exit_status() {
        for (output, end, words) in [
            ("", End::Exited(0), "printed no SARIF, nothing at all"),
            ("", End::Exited(2), "failed with exit status 2"),
            ("all is well", End::Exited(0), "printed no SARIF"),
            ("{\"version\":\"2.1.0\",\"runs\":[{\"results\":[", End::Exited(0), "printed no SARIF"),
            ("{}", End::Exited(0), "printed no SARIF 2.1.0"),
            (r#"{"version":"2.1.0","runs":[]}"#, End::Exited(0), "without a run"),
            (r#"{"version":"2.1.0","runs":[{}]}"#, End::Exited(0), "without results"),
            (
                r#"{"version":"2.1.0","runs":[{"results":[],"invocations":[{"executionSuccessful":false}]}]}"#,
                End::Exited(0),
                "reports in its SARIF",
            ),
            (r#"{"version":"2.1.0","runs":[{"results":[]}]}"#, End::Signalled(9), "signal 9"),
            ("", End::NotInstalled, "is not installed"),
            ("", End::TimedOut, "in time"),
        ] {
            let reason = sarif(output.as_bytes(), &end, &places()).ending.reason("x").unwrap();
            assert!(reason.contains(words), "{output}: {reason}");
        }
        assert_eq!(
            opinion(&log(json!([])), 1).ending,
            Ending::Complete,
            "tools exit with 1 on findings they suppress"
        );
    }

    #[test]
    fn a_place_outside_the_change_is_only_named() {
        for uri in ["../../etc/passwd", "file:///etc/passwd", "other.rs"] {
            let mut result = result("style", None);
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = json!(uri);
            let found = opinion(&log(json!([result])), 0);
            assert_eq!((&found.findings[0].file, found.findings[0].line), (&None, None));
            assert!(found.findings[0].message.contains("not part of the change"));
        }
        let mut result = result("style", None);
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] =
            json!("file:///p/src/a%20b.rs");
        assert!(opinion(&log(json!([result])), 0).findings[0].file.is_some());
    }
}
