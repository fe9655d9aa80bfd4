//! `loop-state.json`: a readable view of a receipt for people and tools. The gate never reads it.

use super::ship::Ship;
use super::tier::tiers;
use crate::review::{CheckOutcome, Finding, LoopOutcome, Receipt, Severity, Verdict};
use serde_json::{Map, Value, json};

/// The loops without tiers and their names in the file.
const READERS: [(u8, &str); 3] = [(2, "loop2_claude"), (3, "loop3_coderabbit"), (4, "loop4_integration")];

/// `loop_N_passed` is true for nothing but a pass; a loop that did not run is a skip.
pub fn loop_state(receipt: &Receipt, ship: &Ship) -> Value {
    let mut state = Map::new();
    let mut put = |key: &str, value: Value| state.insert(key.into(), value);
    put("version", json!("1.0"));
    put("branch", json!(receipt.branch));
    put("head_commit", json!(receipt.head));
    put("timestamp", json!(receipt.time));
    put("base", json!(receipt.base));
    put("tree", json!(receipt.tree));
    put("policy", json!(receipt.policy));
    put("loops", loops(receipt));
    for number in 1..=4 {
        let passed = receipt.loops.get(&number).is_some_and(|outcome| outcome.verdict.passed());
        put(&format!("loop_{number}_passed"), json!(passed));
    }
    let details: Map<_, _> =
        receipt.loops.iter().map(|(number, outcome)| (number.to_string(), loop_details(outcome))).collect();
    put("loop_details", Value::Object(details));
    put("ship_allowed", json!(ship.allowed));
    put("blockers", json!(ship.blockers));
    Value::Object(state)
}

fn loops(receipt: &Receipt) -> Value {
    let mut loops = Map::new();
    let first = receipt.loops.get(&1).map(tiers).unwrap_or_default();
    for number in [1, 2] {
        let tier = first.iter().find(|tier| tier.number == number).map_or_else(not_run, |tier| {
            let mut entry = entry(&tier.verdict, tier.elapsed_ms);
            entry.insert("details".into(), check_details(tier.checks));
            entry
        });
        loops.insert(format!("loop1_tier{number}"), Value::Object(tier));
    }
    for (number, name) in READERS {
        let reader = receipt.loops.get(&number).map_or_else(not_run, |outcome| {
            let mut entry = entry(&outcome.verdict, outcome.elapsed_ms);
            entry.insert("findings".into(), json!(outcome.findings));
            entry
        });
        loops.insert(name.into(), Value::Object(reader));
    }
    Value::Object(loops)
}

fn not_run() -> Map<String, Value> {
    entry(&Verdict::Skip { reason: "not run".into() }, 0)
}

fn entry(verdict: &Verdict, elapsed_ms: u64) -> Map<String, Value> {
    let mut entry = Map::from_iter([("status".to_string(), json!(verdict.word()))]);
    match verdict {
        Verdict::Skip { reason } => entry.insert("reason".into(), json!(reason)),
        Verdict::Stale { changed } => {
            entry.insert("reason".into(), json!(format!("changed meanwhile: {changed}")))
        }
        Verdict::Pass | Verdict::Fail => None,
    };
    entry.insert("elapsed_ms".into(), json!(elapsed_ms));
    entry
}

/// By kind of check. Two languages have two checks of a kind; a failure shows before a pass, a pass before a skip.
fn check_details(checks: &[CheckOutcome]) -> Value {
    let mut details: Map<String, Value> = Map::new();
    let rank = |status: Option<&Value>| match status.and_then(Value::as_str) {
        Some("fail") => 0,
        Some("stale") => 1,
        Some("pass") => 2,
        _ => 3,
    };
    for check in checks {
        let kind = check.name.split(" (").next().unwrap_or(&check.name);
        let mut detail = entry(&check.verdict, check.elapsed_ms);
        detail.extend(check.command.iter().map(|command| ("command".into(), json!(command))));
        detail.extend(check.facts.iter().map(|(name, value)| (name.clone(), value.clone())));
        let before = details.get(kind).map_or(4, |other| rank(other.get("status")));
        if rank(detail.get("status")) < before {
            details.insert(kind.into(), Value::Object(detail));
        }
    }
    Value::Object(details)
}

fn loop_details(outcome: &LoopOutcome) -> Value {
    let mut details = Map::from_iter([("passed".to_string(), json!(outcome.verdict.passed()))]);
    match &outcome.verdict {
        Verdict::Skip { reason } => details.insert("skipped".into(), json!(reason)),
        Verdict::Stale { changed } => details.insert("stale".into(), json!(changed)),
        Verdict::Pass | Verdict::Fail => None,
    };
    details.insert("issues".into(), outcome.findings.iter().map(issue).collect());
    Value::Object(details)
}

fn issue(finding: &Finding) -> Value {
    let severity = match finding.severity {
        Severity::Critical | Severity::Major => "error",
        Severity::Minor => "warning",
    };
    let mut issue = Map::from_iter([
        ("severity".to_string(), json!(severity)),
        ("message".to_string(), json!(finding.message)),
    ]);
    issue.extend(finding.file.iter().map(|file| ("file".into(), json!(file))));
    issue.extend(finding.line.iter().map(|line| ("line".into(), json!(line))));
    Value::Object(issue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_view_has_the_fields_of_both_documents() {
        let ship = Ship { allowed: false, blockers: vec!["lint failed".into()] };
        let state = loop_state(&sample::failed(), &ship);
        insta::assert_snapshot!(serde_json::to_string_pretty(&state).unwrap());
    }

    #[test]
    fn only_a_pass_counts_as_passed() {
        for (verdict, passed) in [
            (Verdict::Pass, true),
            (Verdict::Fail, false),
            (Verdict::Skip { reason: "rate limit".into() }, false),
            (Verdict::Stale { changed: "a.rs".into() }, false),
        ] {
            let mut receipt = sample::passed();
            let word = verdict.word();
            receipt.loops.get_mut(&1).unwrap().verdict = verdict;
            let state = loop_state(&receipt, &Ship::default());
            assert_eq!(state["loop_1_passed"], passed, "{word}");
            assert_eq!(state["loop_details"]["1"]["passed"], passed, "{word}");
            assert_eq!(state["loop_2_passed"], false);
            assert_eq!(state["loop_details"].get("2"), None);
            assert_eq!(state["loops"]["loop2_claude"]["reason"], "not run");
        }
        let mut receipt = sample::passed();
        receipt.loops.get_mut(&1).unwrap().verdict = Verdict::Skip { reason: "rate limit".into() };
        assert_eq!(loop_state(&receipt, &Ship::default())["loop_details"]["1"]["skipped"], "rate limit");
    }

    #[test]
    fn critical_and_major_findings_are_errors_and_minor_ones_warnings() {
        for (severity, word) in
            [(Severity::Critical, "error"), (Severity::Major, "error"), (Severity::Minor, "warning")]
        {
            let mut receipt = sample::failed();
            receipt.loops.get_mut(&1).unwrap().findings[0].severity = severity;
            assert_eq!(
                loop_state(&receipt, &Ship::default())["loop_details"]["1"]["issues"][0]["severity"],
                word
            );
        }
    }

    #[test]
    fn of_two_checks_of_a_kind_the_worse_is_shown() {
        let check = |name, verdict| sample::check(name, verdict, &[]);
        let checks = [
            check("lint (node)", Verdict::Skip { reason: "no script".into() }),
            check("lint (cargo)", Verdict::Pass),
            check("test (node)", Verdict::Fail),
            check("test (cargo)", Verdict::Pass),
        ];
        let details = check_details(&checks);
        assert_eq!(
            (&details["lint"]["status"], &details["test"]["status"]),
            (&json!("pass"), &json!("fail"))
        );
    }

    #[test]
    fn a_stale_loop_has_no_passed_tier() {
        let mut receipt = sample::passed();
        receipt.loops.get_mut(&1).unwrap().verdict = Verdict::Stale { changed: "a.rs".into() };
        let state = loop_state(&receipt, &Ship::default());
        assert_eq!(state["loops"]["loop1_tier1"]["status"], "stale");
        assert_eq!(state["loops"]["loop1_tier2"]["status"], "stale");
    }
}
