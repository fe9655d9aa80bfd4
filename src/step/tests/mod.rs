//! The examples of every rule and of every row about a program.

mod partly_known;
mod reach;
mod roundabout;

use super::sample::{decided, decided_call, decided_text, shell};
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
fn every_alternative_that_a_rule_names_passes_itself() {
    let mut wrong = Vec::new();
    for finding in catalogue::ALL.iter().flat_map(|rule| rule.hits).flat_map(|hit| decided(hit).findings) {
        let name = finding.rule.as_str();
        if let Some(command) = &finding.alternative
            && decided_text(command).course > Course::Warn
        {
            wrong.push(format!("{name}: `{command}` is refused itself"));
        }
        if let Some(input) = &finding.instead
            && decided_call("Bash".into(), input.clone()).course > Course::Warn
        {
            wrong.push(format!("{name}: {input} is refused itself"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_rule_says_fits_into_a_message() {
    for finding in catalogue::ALL.iter().flat_map(|rule| rule.hits).flat_map(|hit| decided(hit).findings) {
        let text = format!("Plimsoll [{}]: {}", finding.rule.as_str(), finding.reason);
        assert!(text.chars().count() <= 290, "{text}");
    }
}
