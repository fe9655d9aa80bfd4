//! `loop-state.json`: a readable view of the review state of one tree, for people and tools. The gate never reads it.

use super::tier::tiers;
use super::{LoopReport, LoopStanding, UnifiedReport};
use crate::pure::policy::LoopNumber;
use crate::pure::review::{CheckOutcome, Finding, FindingSeverity, LoopVerdict, RATE_LIMIT_EXCEEDED};
use serde_json::{Map, Value, json};

/// Loops 2 to 4 and their keys in the file.
const LATER_LOOPS: [(LoopNumber, &str); 3] = [
    (LoopNumber::Two, "loop2_claude"),
    (LoopNumber::Three, "loop3_coderabbit"),
    (LoopNumber::Four, "loop4_integration"),
];

/// `loop_N_passed` is true only if the loop passed; a loop that did not run is a skip.
pub(crate) fn loop_state(report: &UnifiedReport) -> Value {
    let mut state = Map::new();
    let mut put = |key: &str, value: Value| state.insert(key.into(), value);
    put("version", json!("1.0"));
    put("branch", json!(report.occasion.branch));
    put("head_commit", json!(report.occasion.head));
    put("timestamp", json!(report.occasion.time));
    put("base", json!(report.occasion.base));
    put("tree", json!(report.tree));
    put("policy", json!(report.policy));
    put("loops", loops(report));
    for entry in &report.loops {
        put(&format!("loop_{}_passed", entry.number), json!(entry.standing.passed()));
    }
    let ran = report.loops.iter().filter(|entry| entry.standing != LoopStanding::NotRun);
    let details: Map<_, _> = ran.map(|entry| (entry.number.to_string(), loop_details(entry))).collect();
    put("loop_details", Value::Object(details));
    put("ship_allowed", json!(report.ship.allowed));
    put("blockers", json!(report.ship.blockers));
    Value::Object(state)
}

fn loops(report: &UnifiedReport) -> Value {
    let mut loops = Map::new();
    let found = |number: LoopNumber| report.loops.iter().find(|entry| entry.number == number);
    let first = found(LoopNumber::One);
    let tiers = first.and_then(|entry| entry.outcome.as_ref()).map(tiers).unwrap_or_default();
    for number in [1, 2] {
        let tier = tiers.iter().find(|tier| tier.number == number).map(|tier| {
            let mut entry = entry(&tier.verdict, tier.elapsed_ms);
            entry.insert("details".into(), check_details(tier.checks));
            entry
        });
        let tier = tier.or_else(|| first.map(standing)).unwrap_or_default();
        loops.insert(format!("loop1_tier{number}"), Value::Object(tier));
    }
    for (number, name) in LATER_LOOPS {
        let reader = found(number).map(|found| {
            let mut entry = standing(found);
            if found.standing != LoopStanding::NotRun {
                entry.insert("findings".into(), json!(found.findings));
            }
            let reused: usize = found.reused.iter().map(|reused| reused.files).sum();
            if reused > 0 {
                entry.insert("files_reused".into(), json!(reused));
            }
            if let Some(outcome) = found.outcome.as_ref().filter(|outcome| !outcome.tiers.is_empty()) {
                let checks: Vec<CheckOutcome> = outcome.tiers.values().flatten().cloned().collect();
                entry.insert("details".into(), check_details(&checks));
            }
            entry
        });
        loops.insert(name.into(), Value::Object(reader.unwrap_or_default()));
    }
    Value::Object(loops)
}

fn standing(report: &LoopReport) -> Map<String, Value> {
    match &report.standing {
        LoopStanding::Passed => entry(&LoopVerdict::Pass, report.elapsed_ms()),
        LoopStanding::Failed => entry(&LoopVerdict::Fail, report.elapsed_ms()),
        LoopStanding::Skipped(reason) => {
            entry(&LoopVerdict::Skip { reason: reason.clone() }, report.elapsed_ms())
        }
        LoopStanding::NotRun => entry(&LoopVerdict::Skip { reason: "not run".into() }, 0),
        LoopStanding::Stale(reason) => {
            let mut entry = entry(&LoopVerdict::Stale { changed: String::new() }, report.elapsed_ms());
            entry.insert("reason".into(), json!(reason));
            entry
        }
    }
}

fn entry(verdict: &LoopVerdict, elapsed_ms: u64) -> Map<String, Value> {
    let mut entry = Map::from_iter([("status".to_string(), json!(verdict.word()))]);
    match verdict {
        // The document knows this reason as one word.
        LoopVerdict::Skip { reason } if reason.starts_with(RATE_LIMIT_EXCEEDED) => {
            entry.insert("detail".into(), json!(reason));
            entry.insert("reason".into(), json!(RATE_LIMIT_EXCEEDED))
        }
        LoopVerdict::Skip { reason } => entry.insert("reason".into(), json!(reason)),
        LoopVerdict::Stale { changed } => {
            entry.insert("reason".into(), json!(format!("changed meanwhile: {changed}")))
        }
        LoopVerdict::Pass | LoopVerdict::Fail => None,
    };
    entry.insert("elapsed_ms".into(), json!(elapsed_ms));
    entry
}

/// One entry per kind of check. If two checks have the same kind, keeps the worst: fail, stale, pass, skip.
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

fn loop_details(report: &LoopReport) -> Value {
    let mut details = Map::from_iter([("passed".to_string(), json!(report.standing.passed()))]);
    match &report.standing {
        LoopStanding::Skipped(reason) => details.insert("skipped".into(), json!(reason)),
        LoopStanding::Stale(reason) => details.insert("stale".into(), json!(reason)),
        LoopStanding::Passed | LoopStanding::Failed | LoopStanding::NotRun => None,
    };
    details.insert("issues".into(), report.findings.iter().map(issue).collect());
    Value::Object(details)
}

fn issue(finding: &Finding) -> Value {
    let severity = match finding.severity {
        FindingSeverity::Critical | FindingSeverity::Major => "error",
        FindingSeverity::Minor => "warning",
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
    use crate::pure::report::{sample, unified::Ship};
    use crate::pure::review::Receipt;

    fn state(receipt: &Receipt, ship: &Ship) -> Value {
        loop_state(&sample::unified(receipt, ship))
    }

    #[test]
    fn the_view_has_the_fields_of_both_documents() {
        let ship = Ship { allowed: false, blockers: vec!["lint failed".into()] };
        let state = state(&sample::failed(), &ship);
        insta::assert_snapshot!(serde_json::to_string_pretty(&state).unwrap());
    }

    #[test]
    fn only_a_pass_counts_as_passed() {
        for (verdict, passed) in [
            (LoopVerdict::Pass, true),
            (LoopVerdict::Fail, false),
            (LoopVerdict::Skip { reason: "rate limit".into() }, false),
            (LoopVerdict::Stale { changed: "a.rs".into() }, false),
        ] {
            let mut receipt = sample::passed();
            let word = verdict.word();
            receipt.loops.get_mut(&LoopNumber::One).unwrap().verdict = verdict;
            let state = state(&receipt, &Ship::default());
            assert_eq!(state["loop_1_passed"], passed, "{word}");
            assert_eq!(state["loop_details"]["1"]["passed"], passed, "{word}");
            assert_eq!(state["loop_2_passed"], false);
            assert_eq!(state["loop_details"].get("2"), None);
            assert_eq!(state["loops"]["loop2_claude"]["reason"], "not run");
        }
        let mut receipt = sample::passed();
        receipt.loops.get_mut(&LoopNumber::One).unwrap().verdict =
            LoopVerdict::Skip { reason: "rate limit".into() };
        assert_eq!(state(&receipt, &Ship::default())["loop_details"]["1"]["skipped"], "rate limit");
    }

    #[test]
    fn critical_and_major_findings_are_errors_and_minor_ones_warnings() {
        for (severity, word) in [
            (FindingSeverity::Critical, "error"),
            (FindingSeverity::Major, "error"),
            (FindingSeverity::Minor, "warning"),
        ] {
            let mut receipt = sample::failed();
            receipt.loops.get_mut(&LoopNumber::One).unwrap().findings[0].severity = severity;
            assert_eq!(state(&receipt, &Ship::default())["loop_details"]["1"]["issues"][0]["severity"], word);
        }
    }

    #[test]
    fn of_two_checks_of_a_kind_the_worse_is_shown() {
        let check = |name, verdict| sample::check(name, verdict, &[]);
        let checks = [
            check("lint (node)", LoopVerdict::Skip { reason: "no script".into() }),
            check("lint (cargo)", LoopVerdict::Pass),
            check("test (node)", LoopVerdict::Fail),
            check("test (cargo)", LoopVerdict::Pass),
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
        receipt.loops.get_mut(&LoopNumber::One).unwrap().verdict =
            LoopVerdict::Stale { changed: "a.rs".into() };
        let state = state(&receipt, &Ship::default());
        assert_eq!(state["loops"]["loop1_tier1"]["status"], "stale");
        assert_eq!(state["loops"]["loop1_tier2"]["status"], "stale");
    }
}
