//! The examples of every rule and of every row about a program.

use super::sample::{decided, shell};
use super::{Course, catalogue};

#[test]
fn every_rule_speaks_at_its_hits_and_not_at_its_misses() {
    let mut wrong = Vec::new();
    for rule in catalogue::ALL {
        for hit in rule.hits {
            let decision = decided(hit);
            let mut said = decision.findings.iter().chain(&decision.noted);
            if !said.any(|finding| finding.rule.as_str() == rule.name) {
                wrong.push(format!("{} is silent at {hit:?}: {:?}", rule.name, decision.findings));
            }
        }
        for miss in rule.misses {
            let findings = decided(miss).findings;
            if findings.iter().any(|finding| finding.course > Course::Warn) {
                wrong.push(format!("a miss of {} is none: {miss:?}: {findings:?}", rule.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_about_a_program_tells_its_hit_from_its_near_miss() {
    let mut wrong = Vec::new();
    for row in super::programs::TABLES.iter().flat_map(|tools| tools.iter()).flat_map(|tool| tool.rows) {
        if shell(row.hit).course < Course::Ask {
            wrong.push(format!("silent: {}", row.hit));
        }
        if shell(row.miss).course >= Course::Ask {
            wrong.push(format!("not silent: {}", row.miss));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore]
fn measure() {
    let path = std::env::var("ROWS").unwrap();
    let mut n = 0;
    let mut wrong = 0;
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let command: &'static str = Box::leak(row["command"].as_str().unwrap().to_owned().into_boxed_str());
        let decision = shell(command);
        let expect = row["expect"].as_str().unwrap_or("allow");
        let flagged = decision.course > Course::Warn;
        n += 1;
        if flagged != (expect == "block") {
            wrong += 1;
            println!(
                "{} {expect}/{} {command:?}\n      {:?}",
                row["id"].as_str().unwrap_or("?"),
                row["category"].as_str().unwrap_or(""),
                decision
                    .findings
                    .iter()
                    .filter(|f| f.course > Course::Warn)
                    .map(|f| (f.rule.as_str().to_owned(), f.reason.clone()))
                    .collect::<Vec<_>>()
            );
        }
    }
    println!("{n} rows, {wrong} wrong");
}
